# SPDX-License-Identifier: Apache-2.0
"""A table as a person sees it in a terminal. Pure: what is known of it in, a drawing out.

It never asks the time or the size of the screen; both are handed in. At 80 columns and 24 lines
everything is there; a wider screen shows longer roads, a higher one the last messages. Colour
only repeats what a letter, a symbol or a word says.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from rich.console import Group, RenderableType
from rich.style import Style
from rich.text import Text

from studio.game.cards import cards_in
from studio.game.coup import Outcome
from studio.game.snapshot import PublicState
from studio.game.state import StandingResult
from studio.terminal_cards import figure, hand
from studio.terminal_roads import asked, bead_plate, big_road, derived_road, side_by_side

NARROWEST, LOWEST = 80, 24
_CLOCK_CELLS = 20
_SHOE_CELLS = 30

_PLAYER = Style(color="bright_blue", bold=True)
_BANKER = Style(color="bright_red", bold=True)
_TIE = Style(color="bright_green", bold=True)
_DIM = Style(dim=True)
_BOLD = Style(bold=True)
_REVERSED = Style(reverse=True)
_GOOD = Style(color="black", bgcolor="bright_green", bold=True)
_BUSY = Style(color="black", bgcolor="bright_yellow", bold=True)
_BAD = Style(color="bright_white", bgcolor="red", bold=True)
_CALM = Style(color="bright_white", bgcolor="grey30", bold=True)

_OUTCOMES = {
    Outcome.PLAYER: ("PLAYER WINS", _PLAYER),
    Outcome.BANKER: ("BANKER WINS", _BANKER),
    Outcome.TIE: ("TIE", _TIE),
}
_PHASES = {
    "closed": ("TABLE CLOSED", _CALM),
    "shuffling": ("SHUFFLING", _CALM),
    "idle": ("NEXT ROUND SOON", _CALM),
    "bets_open": ("PLACE YOUR BETS", _GOOD),
    "dealing": ("NO MORE BETS", _BUSY),
    "held": ("ROUND HELD", _BAD),
    "result": ("RESULT", _CALM),
}
_FEED_WORDS = {
    "joining": "joining",
    "live": "live",
    "catching_up": "catching up",
    "new_epoch": "the studio started a new numbering",
    "stale": "STALE: nothing heard for three seconds",
    "refused": "REFUSED: not the environment expected",
}


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """All that is drawn. ``now`` is the studio's time, None while it is not known.

    ``betting_seconds`` is how long the bets under way were open at first; ``feed`` a subscriber's
    status; ``alarm`` what a person must know; ``lines`` the last messages, oldest first.
    """

    table: str
    state: PublicState | None = None
    feed: str = "joining"
    seq: int = 0
    head: str = ""
    now: datetime | None = None
    betting_seconds: float | None = None
    suspended: str | None = None
    alarm: str | None = None
    lines: Sequence[Text] = ()


def table_view(scene: Scene, width: int = NARROWEST, height: int = LOWEST) -> RenderableType:
    """The table, at most ``width`` columns and ``height`` lines."""
    state = scene.state
    if state is None:
        waiting = styled(f" {scene.table}: {_feed_word(scene)} ...", _BOLD)
        return cut([waiting, *_alarm_lines(scene)], width, height)
    lines = [
        _title(scene, state, width),
        status_line(scene, state, width),
        Text(),
        *hands_block(state, width),
        Text(),
        _last_result(state, width),
        Text(),
        *roads_block(state, width),
        counts_line(state, width),
        _shoe(state, width),
    ]
    footer = [*_alarm_lines(scene), _feed(scene, width)]
    room = height - len(lines) - len(footer)
    if room > 1 and scene.lines:
        shown = list(scene.lines)[-(room - 1) :]
        lines += [Text(), *(Text(" ").append_text(line) for line in shown)]
    return cut([*lines, *footer], width, height)


def cut(lines: list[Text], width: int, height: int) -> Group:
    """These lines, none longer and no more of them than there is room for."""
    for line in lines:
        line.no_wrap = True
        line.truncate(width, overflow="ellipsis")
    # when there is no room for all, what is lost is in the middle: phase and feed stay
    if len(lines) > height:
        lines = [*lines[: height - 1], lines[-1]]
    return Group(*lines)


def styled(words: str, style: Style) -> Text:
    """Words in a style that does not pass on to what is put after them."""
    return Text().append(words, style)


def between(left: Text, right: Text, width: int) -> Text:
    """One line with something at both of its ends; the left one gives way."""
    room = width - right.cell_len - 1
    if left.cell_len > room:
        left.truncate(max(room, 0), overflow="ellipsis")
    left.append(" " * (width - left.cell_len - right.cell_len))
    return left.append_text(right)


def _title(scene: Scene, state: PublicState, width: int) -> Text:
    limit = state.limits[0] if state.limits else None
    stakes = "" if limit is None else f" · {state.currency} {limit.min}-{limit.max}"
    left = Text(f" {scene.table} ", Style(reverse=True, bold=True))
    left.append(f" {state.house} · {state.decks} decks{stakes}")
    if state.environment != "live":
        left.append(f"  {state.environment.upper()}: NO REAL BETS", _TIE)
    right = Text(state.round or "", _DIM)
    return between(left, right, width)


def status_line(scene: Scene, state: PublicState, width: int) -> Text:
    """What the table is doing, with the clock of the bets, and what must be known of it."""
    suspended = scene.suspended or state.suspended
    word, style = _PHASES.get(state.phase, (state.phase.upper(), _CALM))
    if state.phase == "result" and state.results:
        word, style = _called(state.results[-1])
    if scene.feed in {"stale", "refused"}:
        word, style = _FEED_WORDS[scene.feed], _BAD
    elif suspended is not None and _is_between_cards(state):
        word, style = f"SUSPENDED ({suspended}): NO BETS", _BAD
    line = styled(f" {word} ", style)
    clock = _clock(scene, state)
    if clock is not None and suspended is None and scene.feed == "live":
        line.append("  ").append_text(clock)
    if suspended is not None and "SUSPENDED" not in word:
        line.append(f"  suspended ({suspended})", _BANKER)
    if state.manual_mode:
        line.append("  cards entered by hand", _BOLD)
    if state.last_coup is not None:
        last = "LAST COUP OF THE SHOE" if state.last_coup == "this" else "last coup comes next"
        line.append(f"  {last}", _BOLD)
    return between(line, styled(f"dealer {state.dealer} ", _DIM), width)


def _is_between_cards(state: PublicState) -> bool:
    """Whether a suspension stops everything: a round whose cards are out is played to its end."""
    no_cards = not state.player and not state.banker
    return state.phase in {"idle", "bets_open", "shuffling"} or (
        state.phase == "dealing" and no_cards
    )


def _called(result: StandingResult) -> tuple[str, Style]:
    if result.outcome is None:
        return "ROUND VOID: STAKES ARE RETURNED", _BAD
    word, style = _OUTCOMES[result.outcome]
    return f"{word}  {result.player_total} - {result.banker_total}", style + _REVERSED


def _clock(scene: Scene, state: PublicState) -> Text | None:
    if state.phase != "bets_open" or state.closes_at is None or scene.now is None:
        return None
    left = max((state.closes_at - scene.now).total_seconds(), 0.0)
    whole = scene.betting_seconds or left
    full = 0 if whole <= 0 else min(round(_CLOCK_CELLS * left / whole), _CLOCK_CELLS)
    bar = styled("█" * full, _TIE).append("░" * (_CLOCK_CELLS - full), _DIM)
    return bar.append(f" {left:4.1f} s", _BOLD)


def hands_block(state: PublicState, width: int) -> list[Text]:
    """Both hands side by side, as cards and big totals; six lines."""
    half = (width - 2) // 2
    player = _half("PLAYER", state.player, state.player_total, _PLAYER, half)
    banker = _half("BANKER", state.banker, state.banker_total, _BANKER, half)
    lines = []
    for left, right in zip(player, banker, strict=True):
        left.append(" " * (half - left.cell_len + 2))
        lines.append(left.append_text(right))
    return lines


def _half(
    name: str, cards: tuple[object, ...], total: int | None, style: Style, width: int
) -> list[Text]:
    heading = styled(f" {name} ", style)
    heading.append("─" * (width - heading.cell_len), style)
    block = [heading]
    pieces = zip(hand(cards), figure(total, style), strict=True)  # type: ignore[arg-type]
    for row, big in pieces:
        block.append(Text(" ").append_text(row).append("    ").append_text(big))
    return block


def _last_result(state: PublicState, width: int) -> Text:
    if not state.results:
        return Text(" no result in this shoe yet", _DIM)
    last = state.results[-1]
    is_now = state.phase == "result" and last.round == state.round
    line = styled(" " if is_now else " last: ", _DIM)
    line.append_text(result_words(last))
    if last.revision > 1:
        line.append(f"  amended, revision {last.revision}", _BOLD)
    return between(line, Text("" if is_now else last.round + " ", _DIM), width)


def result_words(result: StandingResult) -> Text:
    """A result in one line: who won, the totals, naturals and pairs."""
    if result.outcome is None:
        return Text("VOID: stakes are returned", _BOLD)
    word, style = _OUTCOMES[result.outcome]
    line = styled(word, style)
    line.append(f"  {result.player_total} - {result.banker_total}", _BOLD)
    if result.natural:
        line.append("  natural")
    pairs = [
        side
        for side, is_pair in (("player", result.pairs.player), ("banker", result.pairs.banker))
        if is_pair
    ]
    if pairs:
        line.append(f"  {' and '.join(pairs)} pair")
    return line


def roads_block(state: PublicState, width: int) -> list[Text]:
    """All five roads beside one another, as long as there is room; seven lines."""
    roads = state.roads
    if roads is None:
        return [Text(" reshuffled after every round: no roads", _DIM)]
    # five roads, four gaps of two and a margin; two characters a column
    columns = (width - 2 - 8) // 2
    bead = max(columns * 8 // 35, 4)
    derived = max(columns * 5 // 35, 4)
    big = columns - bead - 3 * derived
    blocks = (
        ("bead plate", bead_plate(roads, bead)),
        ("big road", big_road(roads, big)),
        ("big eye", derived_road(roads.big_eye, derived)),
        ("small", derived_road(roads.small, derived)),
        ("cockroach", derived_road(roads.cockroach, derived)),
    )
    return [Text(" ").append_text(line) for line in side_by_side(blocks)]


def counts_line(state: PublicState, width: int) -> Text:
    """This shoe's rounds counted, and what the derived roads would say next."""
    counts = state.counts
    if counts is None or state.roads is None:
        return Text()
    line = Text(f" rounds {counts.rounds}   ")
    line.append(f"P {counts.player}", _PLAYER).append("  ")
    line.append(f"B {counts.banker}", _BANKER).append("  ")
    line.append(f"T {counts.tie}", _TIE)
    line.append(f"  pairs P{counts.player_pair} B{counts.banker_pair}  nat {counts.naturals}")
    return between(line, asked(state.roads).append(" "), width)


def _shoe(state: PublicState, width: int) -> Text:
    if state.shoe is None:
        return Text(" no shoe on the table", _DIM)
    whole = cards_in(state.decks)
    out = min(state.cards_out, whole)
    full = round(_SHOE_CELLS * out / whole)
    line = Text(" shoe  ")
    line.append("█" * full, _BOLD).append("░" * (_SHOE_CELLS - full), _DIM)
    line.append(f"  {out} of {whole} cards dealt")
    return between(line, Text(f"{state.shoe} ", _DIM), width)


def _feed_word(scene: Scene) -> str:
    return _FEED_WORDS.get(scene.feed, scene.feed)


def _feed(scene: Scene, width: int) -> Text:
    style = _BAD if scene.feed in {"stale", "refused"} else _DIM
    line = styled(f" feed {_feed_word(scene)} · message {scene.seq}", style)
    software = "" if scene.state is None else f"{software_words(scene.state)} · "
    chain = Text(f"{software}chain {scene.head[:12]} " if scene.head else software, _DIM)
    return between(line, chain, width)


def software_words(state: PublicState) -> str:
    """Which program the table runs: its version, and the beginning of its digest."""
    return program_words(state.software.version, state.software.digest)


def program_words(version: str, digest: str) -> str:
    """A program by its version and the beginning of its digest."""
    return f"sabot {version} {digest[:12]}"


def _alarm_lines(scene: Scene) -> list[Text]:
    return [] if scene.alarm is None else [Text(f" ALARM: {scene.alarm}", _BAD)]
