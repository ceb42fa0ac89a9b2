# SPDX-License-Identifier: Apache-2.0
"""What consoles and tools ask of the staff endpoint, and how it is answered.

A request is one JSON object, as on the public side. A person logs in, and gets a token:

``{"v":1,"id":"a","ask":"log_in","table":"BAC-1","from":"desk-1","badge":"100","pin":"..."}``
is answered by ``"answer":"logged_in"`` with ``token`` and the person's id ``staff``. The token goes
with each command, from the same ``from``, the machine or key that asks:

``{"v":1,"id":"b","ask":"command","table":"BAC-1","from":"desk-1","token":"...",
"command":{"command":"close_bets","by":""}}``
is answered by ``"answer":"accepted"`` with the types of the events that followed and the seq of
the last one, or by ``"answer":"refused"`` with ``code`` and ``text``. Who gives a command and who
approved it is set by the service, from the token and from ``approval``; what a command says of
``by`` and ``second`` counts only at a table where nobody logs in.

``"refused"`` with code ``needs_second`` asks for an approval: ``"ask":"approve"`` with the command,
``by`` the id of whoever will give it, ``shown`` as the snapshot has it, and the second person's
badge and PIN, or their own token. ``"answer":"approved"`` has the ``approval`` for this very
command, good once and for a minute.

A held table is claimed by ``{"command":"claim_hold","by":"","round":...,"take_over":false}`` with
the snapshot's ``round`` (null outside of one), and given back by ``release_hold``. The snapshot's
``state.hold`` says ``claimed_by`` and ``claimed_at``, and ``rung_at`` while the manager is rung for
nobody has claimed it within the house's ``ring_seconds``. The staff's PUB socket tells of
``hold_claimed``, ``hold_released`` and ``manager_rung``. A supervisor who gives a ruling on what
another one has claimed is refused with code ``claimed``; a manager is not, nor is a ruling that the
claimant approves, nor one of a dealer with the word of a second person: those two stand there.

``"ask":"roster"`` with a token is answered by ``"answer":"roster"``: everybody with an account, and
at which tables they are logged in. ``"ask":"stand_down"`` with ``staff`` ends somebody's log-ins.

``"ask":"snapshot"`` is answered by ``"answer":"snapshot"`` with the staff state, and at a table
with keys with ``acknowledgements``: each betting operator (``name``, ``key`` ``in_force`` or
``revoked``, ``connected``), how many corrections are ``outstanding``, and of these the oldest,
``waiting`` (``round``, ``revision``, ``type``, ``at``, and ``since`` when the round waits);
``acknowledge_seconds`` is after how long one is late. When any of it changes, the staff's PUB
socket sends it as a message of type ``acknowledgements``, whose ``data`` is the same; as a
heartbeat it is not counted and not stored, and its ``seq`` is that of the last event.

A snapshot asked for with ``after``, ``{"epoch":"...","seq":41}`` of the one that the asker has, is
answered once there is another, after two seconds at the latest, or when the same connection asks
another one this way. Of ``state.public`` it leaves out ``results``, ``roads`` and ``paytable``
where they are those that the asker has. A service that is older, or that too many ask this way,
answers at once: whoever gets nothing new then waits until it hears of something.

What is not understood is an error, as on the public side: ``bad_request``, ``version``,
``unknown_table``.

Pure: what the table says is handed in.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, TypeVar

import msgspec

from studio.feed import asks
from studio.feed.acknowledgements import Acknowledgements
from studio.feed.wire import VERSION
from studio.game.inputs import Command

T = TypeVar("T")

# What a snapshot leaves out of its ``state.public`` where the asker has it.
LARGE = ("results", "roads", "paytable")

# Where a request comes from: a word for the record, with no room for a sentence.
FROM_PATTERN = r"^[A-Za-z0-9._:@-]{1,64}$"
From = Annotated[str, msgspec.Meta(pattern=FROM_PATTERN)]
_Typed = Annotated[str, msgspec.Meta(max_length=1024)]


class _StaffAsk(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="ask", rename={"from_": "from"}
):
    v: int = VERSION
    id: str
    table: str
    from_: From = "local"

    def __repr__(self) -> str:
        """Without what was typed and without tokens, which must be in no log."""
        return f"{type(self).__name__}({self.id!r}, {self.table!r})"


class AskCommand(_StaffAsk, frozen=True, tag="command"):
    """Do this at the table. ``approval`` is the word of a second person, where one is needed."""

    command: Command
    token: _Typed | None = None
    approval: _Typed | None = None


class After(msgspec.Struct, frozen=True):
    """Where the snapshot stood that somebody has."""

    epoch: str
    seq: int


class AskStaffSnapshot(_StaffAsk, frozen=True, tag="snapshot"):
    """How the table stands, for staff; with ``after``, once something followed on that."""

    after: After | None = None


class AskLogIn(_StaffAsk, frozen=True, tag="log_in"):
    """Open a session for whoever has this badge and this PIN or password."""

    badge: _Typed
    pin: _Typed


class AskLogOut(_StaffAsk, frozen=True, tag="log_out"):
    """End a session."""

    token: _Typed


class AskChangeSecret(_StaffAsk, frozen=True, tag="change_secret"):
    """Choose another PIN or password; all sessions of the person end."""

    badge: _Typed
    pin: _Typed
    new: _Typed


class AskUnlock(_StaffAsk, frozen=True, tag="unlock"):
    """Release a locked account with a one-time code."""

    badge: _Typed
    code: _Typed


class AskApprove(_StaffAsk, frozen=True, tag="approve"):
    """The word of a second person for a command about to be sent, by badge and PIN or by token.

    ``command.by`` is the id of whoever will send it. ``shown`` is that of the snapshot which the
    second person looked at.
    """

    command: Command
    shown: str
    badge: _Typed | None = None
    pin: _Typed | None = None
    token: _Typed | None = None


class AskRoster(_StaffAsk, frozen=True, tag="roster"):
    """Who works in the studio and where they are logged in; every look is kept."""

    token: _Typed


class AskStandDown(_StaffAsk, frozen=True, tag="stand_down"):
    """Take somebody off duty: all log-ins of the person ``staff`` end."""

    token: _Typed
    staff: _Typed


StaffAsk = (
    AskCommand
    | AskStaffSnapshot
    | AskLogIn
    | AskLogOut
    | AskChangeSecret
    | AskUnlock
    | AskApprove
    | AskRoster
    | AskStandDown
)


class _StaffAnswer(msgspec.Struct, frozen=True, kw_only=True, tag_field="answer"):
    v: int = VERSION
    id: str | None


class Acceptance(_StaffAnswer, frozen=True, tag="accepted"):
    """The command was carried out: ``events`` followed, the last at ``seq`` of the journal."""

    events: tuple[str, ...]
    seq: int


class Performed(_StaffAnswer, frozen=True, tag="done"):
    """What was asked is done, and there is nothing to tell."""


class RefusalAnswer(_StaffAnswer, frozen=True, tag="refused"):
    """The table, or the rules of the staff, said no, and why."""

    code: str
    text: str


class Opened(_StaffAnswer, frozen=True, tag="logged_in"):
    """A session: its token, told this once, and whose it is.

    ``others`` counts more open log-ins of the same person; ``language`` is that of the person's
    prompts, empty for the console's own.
    """

    token: str
    staff: str
    screen_name: str
    roles: tuple[str, ...]
    others: int
    language: str = ""

    def __repr__(self) -> str:
        """Without the token, which must be in no log."""
        return f"Opened({self.staff})"


class Approval(_StaffAnswer, frozen=True, tag="approved"):
    """Somebody's word for one command, to be sent with it before ``expires``."""

    approval: str
    second: str
    expires: datetime

    def __repr__(self) -> str:
        """Without the token, which must be in no log."""
        return f"Approval(by {self.second})"


class OnDuty(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who is logged in for this table."""

    staff: str
    screen_name: str
    roles: tuple[str, ...]


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where somebody is logged in: at one table, or, ``table`` None, at all; and since when."""

    table: str | None
    since: datetime


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody with an account. On duty while ``places`` has one."""

    staff: str
    screen_name: str
    roles: tuple[str, ...]
    places: tuple[Place, ...]
    is_locked: bool
    is_disabled: bool


class Roster(_StaffAnswer, frozen=True, tag="roster"):
    """Everybody with an account."""

    people: tuple[Person, ...]


class StaffSnapshot(_StaffAnswer, frozen=True, tag="snapshot"):
    """The table for staff, after event ``seq`` of ``epoch``.

    ``log_in`` is ``required`` or ``open``; ``shown`` stands for what lies on the table, in an
    approval. ``supervisors``: the screen names of those on duty for this table.
    ``idle_seconds``: after so long without a command a log-in ends; None where nobody logs in.
    ``acknowledgements``: what waits for which operator; None where nobody has a key.
    ``on_duty``: everybody who is logged in for this table. ``names``: what those are called whose
    ids stand in hold and call. ``heard_at``: when the shoe last said anything; None: not since the
    service came up.
    """

    table: str
    epoch: str
    seq: int
    state: Any
    log_in: str = "open"
    shown: str = ""
    supervisors: tuple[str, ...] = ()
    idle_seconds: int | None = None
    acknowledgements: Acknowledgements | None = None
    on_duty: tuple[OnDuty, ...] = ()
    names: dict[str, str] = {}
    heard_at: datetime | None = None


class StaffError(_StaffAnswer, frozen=True, tag="error"):
    """The request could not be understood; codes as on the public side."""

    code: str
    text: str


StaffAnswer = (
    Acceptance | Performed | RefusalAnswer | Opened | Approval | StaffSnapshot | Roster | StaffError
)

_decoder: msgspec.json.Decoder[StaffAsk] = msgspec.json.Decoder(StaffAsk)
_decode_answer = msgspec.json.Decoder(StaffAnswer).decode


def answer(request: bytes, table: str, respond: Callable[[StaffAsk], T]) -> T | bytes:
    """What ``respond`` makes of a staff request of this table; or the error's bytes."""
    ask = asks.read_ask(request, _decoder)
    if isinstance(ask, asks.Error):
        return asks.encode(ask)
    if ask.table != table:
        text = f"table {ask.table!r} is not served here; this is {table}"
        return asks.encode(asks.error_answer(ask.id, "unknown_table", text))
    return respond(ask)


def read_answer(frame: bytes) -> StaffAnswer:
    """Read an answer of the staff endpoint; raises ValueError if it is none."""
    try:
        return _decode_answer(frame)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(f"not an answer of the staff endpoint: {error}") from error
