# SPDX-License-Identifier: GPL-3.0-or-later
"""The view model of the pit: what its widgets draw, ready to be drawn."""

import msgspec

from studio.game.roads import BigRoadMark
from ui.view.model import BandRole, Foot, Held, KeyView, LampView, PanelView


class TileView(msgspec.Struct, frozen=True, kw_only=True):
    """One table on the wall, always in the same place.

    ``role``: None for a calm table, else how its trouble is drawn. ``trouble`` is said in a line,
    ``since`` is how long it lasts. ``phase`` is the word of the round's phase, ``clock`` the
    seconds of open bets. ``score``: the totals of the last result, ``outcome`` player, banker, tie
    or void. ``depth`` and ``cut`` are parts of the shoe, 0 to 1.
    """

    table: str
    role: BandRole | None = None
    trouble: str = ""
    since: str = ""
    claimed: str = ""
    phase: str
    phase_role: BandRole | None = None
    clock: str = ""
    dealer: str = ""
    round: str = ""
    coup: str = ""
    pace: str = ""
    depth: float = 0.0
    cut: float | None = None
    drawn: str = ""
    lamps: tuple[LampView, ...] = ()
    score: tuple[str, str] = ("", "")
    outcome: str = ""
    road: tuple[BigRoadMark, ...] = ()
    is_selected: bool = False
    is_veiled: bool = False


class QueueRow(msgspec.Struct, frozen=True, kw_only=True):
    """One trouble in the queue; ``act`` shows its table. ``claim``: who rules on it, or nobody."""

    act: str
    table: str
    role: BandRole
    text: str
    since: str
    claim: str = ""
    is_rung: bool = False
    is_selected: bool = False


class Queue(msgspec.Struct, frozen=True):
    """What waits for somebody of the pit: held rounds first, the oldest on top.

    ``more``: how many there are beside those shown, in words.
    """

    title: str
    rows: tuple[QueueRow, ...]
    none: str


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """The table beside the wall: its name, who rules, and lines about it.

    ``is_loud``: it is in trouble. ``held`` is the hold with all its evidence, None for a table
    that is not held.
    """

    title: str
    claim: str
    is_mine: bool
    lines: tuple[tuple[str, str], ...]
    held: Held | None
    role: BandRole | None = None


class PitHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The line on top: where, how many tables, what is wrong in numbers, who, the time.

    ``ring``: the manager is rung, for a hold that nobody claims.
    """

    title: str
    tables: str
    held: str
    devices: str
    person: str
    person_role: str
    clock: str
    ring: str = ""
    badges: tuple[str, ...] = ()


class PitView(msgspec.Struct, frozen=True, kw_only=True):
    """The whole window of the pit."""

    header: PitHeader
    tiles: tuple[TileView, ...]
    queue: Queue
    table: TableView
    panel: PanelView | None
    keys: tuple[KeyView, ...]
    foot: Foot
    is_light: bool
