# SPDX-License-Identifier: GPL-3.0-or-later
"""What a console has seen and holds by itself: all that its picture is made from.

Values only. The link fills in what it heard and when; the panel is what the dealer has begun to
type. Nothing here is ever sent: a restarted console begins with an empty ``Own`` and is right.
"""

from datetime import datetime
from enum import Enum

import msgspec

from studio.game.inputs import Command
from studio.game.snapshot import StaffState
from studio.staff.accounts import Role


class LinkState(str, Enum):
    """How far the picture can be relied on.

    ``JOINING``: no picture yet. ``LIVE``: current. ``STALE``: nothing was heard for three seconds.
    ``GONE``: the service does not answer.
    """

    JOINING = "joining"
    LIVE = "live"
    STALE = "stale"
    GONE = "gone"


class LogInRule(str, Enum):
    """Whether people log in at this table; ``OPEN`` is a test, and everybody may do everything."""

    REQUIRED = "required"
    OPEN = "open"


class Person(msgspec.Struct, frozen=True):
    """Who is logged in at this console."""

    staff: str
    screen_name: str
    roles: frozenset[Role]


class Refused(msgspec.Struct, frozen=True):
    """A "no" to the last thing that was asked; ``act`` is what was asked."""

    code: str
    text: str
    act: str = ""


class PanelKind(str, Enum):
    """What can lie over the lower part of the window. Never modal: band and hands stay in sight."""

    WHY = "why"
    PROBLEM = "problem"
    NOTE_CARD = "note_card"
    ENTER_CARD = "enter_card"
    CORRECT_CARD = "correct_card"
    DEAL_CARD = "deal_card"
    RULE = "rule"
    REASON = "reason"
    WINNER = "winner"
    SECOND = "second"
    LOG_IN = "log_in"
    TAKE_OVER = "take_over"
    BREAK = "break"
    MORE = "more"
    COUNT = "count"
    ABOUT = "about"


class Panel(msgspec.Struct, frozen=True):
    """A panel and what was chosen and typed in it so far.

    ``act`` is the command or act that it leads to. ``chosen`` is the index of the marked choice.
    ``typed`` holds the finished fields, ``text`` the one being typed. ``command`` waits in
    ``SECOND`` for the word of another person. ``number`` is a card of the coup, ``picked`` a
    choice made on the way (a card's code, a report's).
    """

    kind: PanelKind
    act: str = ""
    chosen: int = 0
    page: int = 0
    typed: tuple[str, ...] = ()
    text: str = ""
    number: int | None = None
    picked: str = ""
    command: Command | None = None


class Own(msgspec.Struct, frozen=True):
    """What only this console knows, and changes by ``pressed``: its panel and ticked moves.

    ``moves_for`` is the digest of the proposal whose moves were ticked: for another one they are
    void.
    """

    panel: Panel | None = None
    moves_done: frozenset[int] = frozenset()
    moves_for: str = ""


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """All that ``view_of`` looks at.

    ``now`` is studio time (that of the service, by its heartbeats). ``asked_since``: when the
    prompt on screen first showed. ``heard_at``: the last sign of life of the service.
    ``person`` is None while nobody is logged in; ``is_locked`` when the log-in ran out or was put
    aside, so that commands need a new one. ``sending`` is the act that is on its way. ``shown``
    is the snapshot's digest for approvals. ``has_demo_shoe``: a key can pull a simulated card.
    ``zone_minutes``: the studio's clock, east of UTC.
    """

    table: str
    now: datetime
    link: LinkState = LinkState.JOINING
    state: StaffState | None = None
    log_in: LogInRule = LogInRule.REQUIRED
    person: Person | None = None
    is_locked: bool = False
    own: Own = Own()
    refused: Refused | None = None
    sending: str | None = None
    asked_since: datetime | None = None
    heard_at: datetime | None = None
    shown: str = ""
    has_demo_shoe: bool = False
    is_light: bool = False
    has_sound: bool = False
    zone_minutes: int = 0
