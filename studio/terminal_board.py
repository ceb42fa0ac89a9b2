# SPDX-License-Identifier: Apache-2.0
"""Many tables at once on one screen, those in trouble first. Pure, as ``studio.terminal`` is.

One table has the whole screen. More have a panel each, with all roads, as long as there is room
for that; else two lines, or one. Where not even that is enough, the last line counts the others.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from enum import IntEnum

from rich.console import RenderableType
from rich.style import Style
from rich.text import Text

from studio.game.cards import Card, cards_in
from studio.game.snapshot import PublicState
from studio.terminal import (
    LOWEST,
    NARROWEST,
    Scene,
    between,
    counts_line,
    cut,
    result_words,
    roads_block,
    software_words,
    status_line,
    styled,
    table_view,
)
from studio.terminal_cards import short
from studio.terminal_roads import MARK_STYLES, asked

_PANEL, _DOUBLE, _ROW = 10, 2, 1
_GAP = 2
# A cell is as wide as the narrowest screen, so that nothing in it needs another form.
_LEAST_CELL = NARROWEST - _GAP

_DIM = Style(dim=True)
_BOLD = Style(bold=True)
_PLAYER = Style(color="bright_blue", bold=True)
_BANKER = Style(color="bright_red", bold=True)
_STYLES = (
    Style(color="bright_white", bgcolor="red", bold=True),
    Style(color="black", bgcolor="bright_yellow", bold=True),
    Style(color="bright_yellow", bold=True),
    Style(color="bright_green", bold=True),
)
_PHASES = {
    "closed": "closed",
    "shuffling": "shuffle",
    "idle": "idle",
    "bets_open": "bets",
    "dealing": "dealing",
    "held": "HELD",
    "result": "result",
}
_DIGITS = re.compile(r"(\d+)")


class Trouble(IntEnum):
    """How much a table needs somebody; the first ones most."""

    LOST = 0
    STOPPED = 1
    WAITING = 2
    NONE = 3


def trouble_of(scene: Scene) -> Trouble:
    """What is the matter with a table, if anything is."""
    state = scene.state
    if scene.alarm is not None or scene.feed in ("stale", "refused", "no_answer"):
        return Trouble.LOST
    if state is None or scene.feed != "live":
        return Trouble.WAITING
    if scene.suspended or state.suspended or state.phase == "held":
        return Trouble.STOPPED
    return Trouble.NONE


def board_view(
    scenes: Sequence[Scene], now: datetime, width: int = NARROWEST, height: int = LOWEST
) -> RenderableType:
    """All tables, at most ``width`` columns and ``height`` lines."""
    if len(scenes) == 1:
        return table_view(scenes[0], width, height)
    ordered = sorted(scenes, key=lambda one: (trouble_of(one), _natural(one.table)))
    columns = max((width + _GAP) // (_LEAST_CELL + _GAP), 1)
    room = height - 2
    rows = -(-len(ordered) // columns)
    lines_each = next((each for each in (_PANEL, _DOUBLE) if rows * each <= room), _ROW)
    shown = ordered[: max(room // lines_each, 0) * columns]
    cell = (width - _GAP * (columns - 1)) // columns
    lines = [_header(ordered, now, width)]
    for first in range(0, len(shown), columns):
        cells = [_cell(one, cell, lines_each) for one in shown[first : first + columns]]
        lines += [_joined(row, cell) for row in zip(*cells, strict=True)]
    return cut([*lines, _footer(ordered, len(shown), width)], width, height)


def _natural(name: str) -> list[tuple[int, int | str]]:
    """BAC-2 before BAC-10."""
    parts = _DIGITS.split(name)
    return [(0, int(part)) if part.isdigit() else (1, part) for part in parts]


def _header(scenes: Sequence[Scene], now: datetime, width: int) -> Text:
    counts = [sum(trouble_of(one) is kind for one in scenes) for kind in Trouble]
    line = Text(f" {len(scenes)} tables", _BOLD)
    words = ("not to be relied on", "stopped", "joining", "in play")
    for count, word, style in zip(counts, words, _STYLES, strict=True):
        if count:
            line.append("  ").append(f" {count} {word} ", style)
    return between(line, Text(f"{now:%H:%M:%S} UTC ", _DIM), width)


def _footer(scenes: Sequence[Scene], shown: int, width: int) -> Text:
    hidden = scenes[shown:]
    worst = scenes[0]
    if trouble_of(worst) in (Trouble.LOST, Trouble.STOPPED):
        line = Text(f" {worst.table}: ", _BOLD).append(_why(worst))
    else:
        line = Text(" every table is heard", _DIM)
    more = Text(f"and {len(hidden)} more: make the window higher  " if hidden else "", _BOLD)
    return between(line, more.append(_software(scenes), _DIM), width)


def _software(scenes: Sequence[Scene]) -> str:
    """Which program the tables run; what each runs stands in its own view where they differ."""
    found = {software_words(one.state) for one in scenes if one.state is not None}
    if len(found) == 1:
        return f"{found.pop()} "
    return f"{len(found)} different programs " if found else ""


def _why(scene: Scene) -> str:
    if scene.alarm is not None:
        return scene.alarm
    reason = scene.suspended or (scene.state and scene.state.suspended)
    if trouble_of(scene) is Trouble.STOPPED:
        return f"suspended ({reason})" if reason else "a round is held"
    return "not heard; `studio watch --diagnose` says why and whom to call"


def _joined(cells: Sequence[Text], cell: int) -> Text:
    line = Text(no_wrap=True)
    for number, one in enumerate(cells):
        one.truncate(cell, overflow="ellipsis", pad=True)
        line.append(" " * _GAP if number else "").append_text(one)
    return line


def _cell(scene: Scene, width: int, lines: int) -> list[Text]:
    state = scene.state
    if lines == _PANEL:
        return _panel(scene, width)
    row = _row(scene, width)
    if lines == _ROW:
        return [row]
    return [row, Text() if state is None else _second(state, width)]


# --- one line, or two -----------------------------------------------------------------------------


def _row(scene: Scene, width: int) -> Text:
    """Mark, name, how far it can be relied on, phase, round, cards, last results and depth."""
    state, trouble = scene.state, trouble_of(scene)
    line = Text("! " if trouble < Trouble.WAITING else "  ", _STYLES[trouble])
    line.append_text(_fixed(Text(scene.table, _BOLD), 9))
    line.append_text(_fixed(Text(_word(scene), _STYLES[trouble]), 15)).append(" ")
    if state is None:
        return line.append(scene.alarm or "", _DIM)
    line.append_text(_fixed(Text(_phase(scene, state)), 8))
    number = (state.round or "").rpartition("-")[2]
    line.append_text(_fixed(Text(number, _DIM), 5))
    line.append_text(_fixed(_hand("P", state.player, state.player_total, _PLAYER), 14))
    line.append_text(_fixed(_hand("B", state.banker, state.banker_total, _BANKER), 14))
    depth = f"{state.cards_out}/{cards_in(state.decks)}"
    room = width - line.cell_len - len(depth) - 2
    return between(line.append_text(_beads(state, room)), Text(depth, _DIM), width)


def _word(scene: Scene) -> str:
    state = scene.state
    if scene.alarm is not None:
        return "ALARM"
    reason = scene.suspended or (state and state.suspended)
    words = {
        "live": f"susp {reason}" if reason else "live",
        "stale": "STALE",
        "refused": "REFUSED",
        "no_answer": "NO ANSWER",
        "joining": "joining",
        "catching_up": "catching up",
        "new_epoch": "new numbering",
    }
    return words.get(scene.feed, scene.feed)


def _phase(scene: Scene, state: PublicState) -> str:
    word = _PHASES.get(state.phase, state.phase)
    if state.phase != "bets_open" or state.closes_at is None or scene.now is None:
        return word
    return f"{word} {max((state.closes_at - scene.now).total_seconds(), 0):.0f}"


def _hand(name: str, cards: tuple[Card, ...], total: int | None, style: Style) -> Text:
    line = styled(name, style).append(" ")
    for card in cards:
        line.append_text(short(card))
    return line.append("" if total is None else f" {total}", style)


def _beads(state: PublicState, room: int) -> Text:
    """The last results as letters, a void one as a dash."""
    line = Text()
    marks = [one.outcome.value[0].upper() if one.outcome else "-" for one in state.results]
    for mark in marks[max(len(marks) - max(room, 0), 0) :]:
        line.append(mark, MARK_STYLES.get(mark, _DIM))
    return line


def _second(state: PublicState, width: int) -> Text:
    """The runs of the big road, and what the derived roads would say next."""
    if state.roads is None:
        return Text("           reshuffled after every round: no roads", _DIM)
    right = asked(state.roads).append(" ")
    runs: list[tuple[str, int]] = []
    for won in state.roads.big_road:
        same = bool(runs) and runs[-1][0] == won.mark
        runs[-1:] = [(won.mark, runs[-1][1] + 1)] if same else [*runs[-1:], (won.mark, 1)]
    line, room = Text(), width - right.cell_len - 22
    for mark, times in reversed(runs):
        piece = styled(f"{mark}{times} ", MARK_STYLES[mark])
        if piece.cell_len > room - line.cell_len:
            break
        line = piece.append_text(line)
    return between(Text("           big road ", _DIM).append_text(line), right, width)


def _fixed(text: Text, width: int) -> Text:
    text.truncate(width - 1, overflow="ellipsis")
    text.pad_right(width - text.cell_len)
    return text


# --- a panel ------------------------------------------------------------------------------------


def _panel(scene: Scene, width: int) -> list[Text]:
    state, trouble = scene.state, trouble_of(scene)
    title = Text(f" {scene.table} ", Style(reverse=True, bold=True))
    if state is None:
        title.append("  ").append(f" {_word(scene)} ", _STYLES[trouble])
        rest = [Text(f" {scene.alarm}")] if scene.alarm else []
        return [title, *rest, *(Text() for _ in range(_PANEL - 1 - len(rest)))]
    # a stale table and a suspended one say so in the place of their phase
    if scene.alarm is not None or scene.feed not in ("stale", "refused"):
        word = "ALARM" if scene.alarm else scene.feed.replace("_", " ")
        title.append(f"  {word} ", _STYLES[trouble])
    title.append_text(status_line(scene, state, width - title.cell_len))
    hands = Text(" ").append_text(_hand("P", state.player, state.player_total, _PLAYER))
    hands.append("   ").append_text(_hand("B", state.banker, state.banker_total, _BANKER))
    if scene.alarm is not None:
        last = Text(f"ALARM {scene.alarm} ", _BANKER)
    elif state.results:
        last = Text("last ", _DIM).append_text(result_words(state.results[-1])).append(" ")
    else:
        last = Text("no result in this shoe yet ", _DIM)
    depth = f"{(state.round or '').rpartition('-')[2]}  {state.cards_out}/{cards_in(state.decks)} "
    roads = roads_block(state, width)
    roads += [Text() for _ in range(_PANEL - 3 - len(roads))]
    counts = counts_line(state, width - len(depth) - 2)
    return [
        title,
        between(hands, last, width),
        between(counts, Text(depth, _DIM), width),
        *roads,
    ]
