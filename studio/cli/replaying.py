# SPDX-License-Identifier: Apache-2.0
"""The steps of a replay drawn: as lines, and as a screen that keys step through.

Pure but for ``step_through``, which reads the keyboard. Whatever is drawn says that it is a replay,
and of which game.
"""

import os
import re
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from msgspec.structs import replace
from rich.console import Console, Group
from rich.style import Style
from rich.text import Text

from studio.game.cards import Card, total_of
from studio.game.snapshot import PublicState, StaffState
from studio.game.state import Phase, TableState
from studio.lookback.replay import Step
from studio.lookback.told import Names, drawn, final_of, hand_words, people_in, words_of
from studio.store.history import RoundLine
from studio.terminal import (
    between,
    counts_line,
    cut,
    hands_block,
    program_words,
    roads_block,
)
from studio.words import Wording, told

_BANNER = Style(color="bright_white", bgcolor="dark_orange3", bold=True)
_DIM, _BOLD = Style(dim=True), Style(bold=True)
_INDENT = " " * 7

_NEXT = {b" ", b"n", b"\r", b"\x1b[C", b"\x1b[B", b"\x1bOC", b"\x1bOB"}
_BACK = {b"p", b"\x7f", b"\x1b[D", b"\x1b[A", b"\x1bOD", b"\x1bOA"}
_FIRST = {b"g", b"\x1b[H", b"\x1bOH", b"\x1b[1~"}
_LAST = {b"G", b"\x1b[F", b"\x1bOF", b"\x1b[4~"}
_END = {b"q", b"\x1b", b"\x04", b""}
_KEY = re.compile(rb"\x1b(?:\[[0-9;]*|O)[A-Za-z~]|.", re.DOTALL)
_KEYS = " arrows or Space: step · Home, End: jump · q: end"


class Shown(NamedTuple):
    """What stands beside every step; ``line`` is None where no round is replayed."""

    table: str
    line: RoundLine | None
    zone: ZoneInfo
    names: Names
    wording: Wording

    def clock(self, at: str) -> str:
        """A time of the record in the studio's zone."""
        return f"{datetime.fromisoformat(at).astimezone(self.zone):%H:%M:%S.%f}"[:-3]


def title_of(shown: Shown) -> Text:
    """That it is a replay, of which game, when it was dealt and what was shown at its end."""
    title = Text(no_wrap=True).append(" REPLAY ", _BANNER)
    line = shown.line
    if line is None:
        return title.append(f" {shown.table}", _BOLD)
    day = f"{datetime.fromisoformat(line.opened_at).astimezone(shown.zone):%Y-%m-%d}"
    end = "" if line.closed_at is None else f" to {shown.clock(line.closed_at)[:8]}"
    title.append(f" {line.round}", _BOLD)
    title.append(f"  dealt {day} {shown.clock(line.opened_at)[:8]}{end} {shown.zone.key}")
    return title


def final_line(line: RoundLine) -> Text:
    """The final display: what stands, with its cards."""
    text = Text(f" final: {final_of(line)}", _BOLD)
    if line.player is not None:
        text.append(f"   player {line.player}   banker {line.banker}")
    if line.revision > 1:
        text.append(f"   revision {line.revision}")
    if line.reason:
        text.append(f"   {line.reason}", _DIM)
    return text


def program_line(step: Step) -> Text:
    """Which program dealt it: version, and the beginning of its digest."""
    facts = step.state.facts
    told = "" if facts is None else f" dealt by {program_words(facts.version, facts.digest)}"
    return Text(told, _DIM)


def lines_of(shown: Shown, step: Step) -> list[Text]:
    """A step in the list: what happened, where it came from, and the table after it."""
    row = step.entry.row
    first = Text(f"{row.seq:>6} ", _BOLD)
    first.append(f"{shown.clock(row.at)}  {row.source:<6} ", _DIM)
    lines = [first.append(words_of(step.entry))]
    whence = _whence(shown, step)
    if whence:
        lines.append(Text(_INDENT).append_text(whence))
    return lines + [Text(_INDENT).append_text(one) for one in _table(shown, step)]


def _whence(shown: Shown, step: Step) -> Text:
    """Raw bytes and people, where there are any."""
    text, origin = Text(), step.entry.origin
    if origin is not None:
        spaced = " ".join(origin.raw[at : at + 2] for at in range(0, len(origin.raw), 2))
        text.append(f"raw {spaced}", _BOLD)
        text.append(f"  report {origin.ordinal} of session {origin.session}", _DIM)
    people = people_in(step.entry, shown.names)
    if people:
        text.append("  " if text else "").append("by ", _DIM)
        text.append(", ".join(f"{one.id} {one.name}".strip() for one in people))
    return text


def _table(shown: Shown, step: Step) -> Iterator[Text]:
    """Phase, boxes, bets and prompt after the event."""
    state, seen = step.state, drawn(step.state)
    if seen is None:
        return
    player, banker = hand_words(state.player), hand_words(state.banker)
    text = Text(f"{_phase(state)} · player {player} · banker {banker}")
    text.append(f" · {bets_words(shown, state)}")
    if state.hold is not None:
        codes = ", ".join(one.code for one in state.hold.raised)
        text.append(f" · held for {codes}", _BOLD)
    yield text
    # between the events of one input nobody was told what to do
    if step.is_whole:
        yield Text(_do(shown, seen), _DIM)


def _phase(state: TableState) -> str:
    return state.phase.value.replace("_", " ")


def bets_words(shown: Shown, state: TableState) -> str:
    """Whether bets were taken."""
    if state.phase is Phase.BETS_OPEN and state.closes_at is not None:
        return f"bets open until {state.closes_at.astimezone(shown.zone):%H:%M:%S}"
    return "bets closed" if state.is_round_under_way else "no round"


def _do(shown: Shown, seen: StaffState) -> str:
    """The prompt, in words."""
    words = told(shown.wording, seen.prompt)
    return f"prompt: {words.do}" + (f" ({words.note})" if words.note else "")


def screen_of(shown: Shown, step: Step, place: str, width: int, height: int) -> Group:
    """One step as a whole screen: the table as it stood, in the banner's frame."""
    row, seen = step.entry.row, drawn(step.state)
    lines = [between(title_of(shown), Text(f"{place} ", _BOLD), width)]
    if shown.line is not None:
        lines.append(final_line(shown.line))
    head = Text(f" event {row.seq} ", _BOLD)
    head.append(f" {shown.clock(row.at)} · {row.source} · ", _DIM).append(words_of(step.entry))
    lines += [Text(), head, Text(" ").append_text(_whence(shown, step)), Text()]
    if seen is not None:
        public = as_table_saw(step.state, seen)
        lines += [*hands_block(public, width), Text()]
        lines += [Text(" ").append_text(one) for one in _table(shown, step)]
        lines.append(Text())
        lines += [*roads_block(public, width), counts_line(public, width)]
    foot = program_line(step).append("  ").append("REPLAY ", _BANNER)
    return cut([*lines, between(Text(_KEYS, _DIM), foot, width)], width, height)


def as_table_saw(state: TableState, seen: StaffState) -> PublicState:
    """The public picture with the hands as they lay, whether players saw them or not."""
    return replace(
        seen.public,
        player=state.player,
        banker=state.banker,
        player_total=_total(state.player),
        banker_total=_total(state.banker),
    )


def _total(cards: tuple[Card, ...]) -> int | None:
    return total_of(cards) if cards else None


def moved(at: int, key: bytes, count: int) -> int:
    """The step that a key leads to."""
    if key in _FIRST:
        return 0
    if key in _LAST:
        return count - 1
    return min(max(at + (key in _NEXT) - (key in _BACK), 0), count - 1)


def step_through(screen: Console, shown: Shown, steps: Sequence[Step], at: int = 0) -> None:
    """Draw a step, wait for a key, draw the next, until somebody ends it."""
    with _one_by_one() as keyboard, screen.screen() as drawing:
        while True:
            place = f"{at + 1} of {len(steps)}"
            drawing.update(screen_of(shown, steps[at], place, screen.width, screen.height))
            for key in _KEY.findall(os.read(keyboard, 64)) or [b""]:
                if key in _END:
                    return
                at = moved(at, key, len(steps))


@contextmanager
def _one_by_one() -> Iterator[int]:
    """The keyboard, which tells of each key at once."""
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard)
        yield keyboard
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
