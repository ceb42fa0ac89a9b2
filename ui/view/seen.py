# SPDX-License-Identifier: GPL-3.0-or-later
"""What a console has seen and holds by itself: all that its picture is made from.

Values only. The link fills in what it heard and when; the panel is what the dealer has begun to
type. Nothing here is ever sent: a restarted console begins with an empty ``Own`` and is right.
"""

from datetime import datetime
from enum import Enum

import msgspec

from studio.feed.acknowledgements import Acknowledgements
from studio.feed.staff import OnDuty
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
    """Who is logged in at this console; ``language`` empty: the person has none of their own."""

    staff: str
    screen_name: str
    roles: frozenset[Role]
    language: str = ""


class Refused(msgspec.Struct, frozen=True):
    """A "no" to the last thing that was asked; ``act`` is what was asked."""

    code: str
    text: str
    act: str = ""


class PanelKind(str, Enum):
    """What can lie over the lower part of the window. Never modal: band and hands stay in sight.

    ``FORM``: what a command still needs, one step after the other (``ui.view.forms``).
    """

    WHY = "why"
    ABOUT = "about"
    MORE = "more"
    PROBLEM = "problem"
    REST = "rest"
    FORM = "form"
    SECOND = "second"
    LOG_IN = "log_in"
    TAKE_OVER = "take_over"


class Panel(msgspec.Struct, frozen=True):
    """A panel and what was chosen and typed in it so far.

    ``act`` is the command that a form makes, ``values`` its steps that are done. ``chosen`` is the
    index of the marked choice. ``text`` is being typed. ``badge`` is the first field of a log-in,
    once it is done. ``command`` waits in ``SECOND`` for the word of another person. ``fault``: a
    code of the panels' words, of what was typed last.
    """

    kind: PanelKind
    act: str = ""
    chosen: int = 0
    values: tuple[str, ...] = ()
    text: str = ""
    badge: str | None = None
    command: Command | None = None
    fault: str = ""

    def __repr__(self) -> str:
        """Without what was typed, which may be a secret."""
        return f"Panel({self.kind.value}, {self.act!r})"


class Own(msgspec.Struct, frozen=True):
    """What only this console knows, and changes by ``pressed``: its panel and ticked moves.

    ``moves_done`` are the numbers of cards that lie where they must; ``moves_for`` is the digest
    of the proposal that they are moves of: for another one they are void.
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
    ``supervisors``, ``idle_seconds``, ``acknowledgements``, ``on_duty`` and ``names`` are those of
    the staff snapshot, ``shoe_heard_at`` is its ``heard_at``.
    ``is_pit``: it is seen from the pit, where nobody deals.
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
    supervisors: tuple[str, ...] = ()
    idle_seconds: int | None = None
    acknowledgements: Acknowledgements | None = None
    on_duty: tuple[OnDuty, ...] = ()
    names: dict[str, str] = {}
    shoe_heard_at: datetime | None = None
    is_pit: bool = False
