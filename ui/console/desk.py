# SPDX-License-Identifier: GPL-3.0-or-later
"""What a console has seen and asked: carries out what a key comes to, one thing at a time.

Between the line and the view: keeps ``Seen``, sends what ``pressed`` and ``typed`` say, and waits
for the answer and for the picture that shows it before it takes another action. The token of a
log-in and a second person's word stay here, in memory, and nowhere else.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

import msgspec
from msgspec.structs import replace
from PyQt6.QtCore import QObject, Qt, pyqtSignal

from studio.feed.staff import (
    Acceptance,
    Approval,
    AskApprove,
    AskCommand,
    AskLogIn,
    AskLogOut,
    AskRoster,
    AskStandDown,
    Opened,
    Performed,
    RefusalAnswer,
    Roster,
    StaffAsk,
    StaffError,
)
from studio.game.inputs import ChangeDealer, Command
from studio.staff.accounts import Role
from studio.staff.permissions import TAKES_TWO, tag_of
from ui.link import Link, NoReply, Picture
from ui.view.seen import LinkState, LogInRule, Person, Refused, Seen
from ui.view.steps import LogIn, LogOut, Nothing, Send, Step

# A log-in that is over, and can be made again.
_OVER = frozenset({"idle", "too_long", "session_ended", "no_session", "elsewhere", "other_table"})
LOG_IN, STAFF = "log_in", "staff"


class _Waiting(msgspec.Struct, frozen=True):
    """What is on its way, and what to do with the answer."""

    ticket: int
    act: str
    command: Command | None = None
    takes_over: bool = False


class Desk(QObject):
    """Holds what was seen. ``changed``: there is something new to draw.

    ``second_needed``: a command was refused for want of another person. ``opened``: somebody
    logged in here, with the token that their commands go with; ``ended``: that is over.
    ``told``: what was looked up, or ``Performed``.
    """

    changed = pyqtSignal()
    refused = pyqtSignal()
    second_needed = pyqtSignal(object)
    opened = pyqtSignal(object, str)
    ended = pyqtSignal()
    told = pyqtSignal(object)

    def __init__(
        self, link: Link, seen: Seen, hear: Callable[["Desk", Picture], None] | None = None
    ) -> None:
        """``hear`` is told of pictures in the thread of the line, and lets them be taken."""
        super().__init__()
        self.seen = seen
        self._link = link
        self._token: str | None = None
        self._waiting: _Waiting | None = None
        self._until_seq: int | None = None
        self._seq = 0
        self._prompt: object = None
        if hear is None:
            link.pictured.connect(self._pictured)
        else:
            direct = Qt.ConnectionType.DirectConnection
            link.pictured.connect(partial(hear, self), direct)  # type: ignore[call-arg]
        link.changed.connect(self._link_changed)
        link.answered.connect(self._answered)

    # --- what a key comes to -------------------------------------------------------------------

    def carry_out(self, step: Step) -> None:
        """Do what ``pressed`` or ``typed`` said."""
        if isinstance(step, Nothing):
            return
        self.seen = replace(self.seen, own=step.own, refused=None)
        match step:
            case Send(command=command, badge=badge, pin=pin):
                self._give(command, badge, pin)
            case LogIn(badge=badge, pin=pin, takes_over=takes_over):
                ask = AskLogIn(id="", table=self.seen.table, badge=badge, pin=pin)
                self._send(ask, LOG_IN, takes_over=takes_over)
            case LogOut():
                self.lock()
            case _:
                pass
        self.changed.emit()

    def lock(self) -> None:
        """Put the log-in aside: the console goes on showing, commands wait for another one."""
        if self._token is not None:
            self._link.ask(AskLogOut(id="", table=self.seen.table, token=self._token))
        self._token = None
        if self.seen.log_in is LogInRule.REQUIRED and self.seen.person is not None:
            self.seen = replace(self.seen, is_locked=True)
            self.changed.emit()

    def admit(self, person: Person, token: str) -> None:
        """Whoever logged in at another table gives commands here as well."""
        self._token = token
        self.seen = replace(self.seen, person=person, is_locked=False)

    def shut(self) -> None:
        """The log-in is over: commands wait for another one."""
        self._token = None
        self.seen = replace(self.seen, is_locked=self.seen.person is not None)

    def look_up_staff(self) -> None:
        """Ask who works in the studio, and where they are logged in."""
        self._send(AskRoster(id="", table=self.seen.table, token=self._token or ""), STAFF)
        self.changed.emit()

    def stand_down(self, staff: str) -> None:
        """End all log-ins of somebody."""
        ask = AskStandDown(id="", table=self.seen.table, token=self._token or "", staff=staff)
        self._send(ask, STAFF)
        self.changed.emit()

    def tick(self) -> None:
        """Time went by."""
        now = self._link.clock.now()
        if now is not None:
            self.seen = replace(self.seen, now=now)

    def _give(self, command: Command, badge: str, pin: str) -> None:
        if badge:
            ask: StaffAsk = AskApprove(
                id="",
                table=self.seen.table,
                command=command,
                shown=self.seen.shown,
                badge=badge,
                pin=pin,
            )
        else:
            ask = AskCommand(id="", table=self.seen.table, command=command, token=self._token)
        self._send(ask, tag_of(command), command=command)

    def _send(
        self, ask: StaffAsk, act: str, *, command: Command | None = None, takes_over: bool = False
    ) -> None:
        ticket = self._link.ask(ask)
        self._waiting = _Waiting(ticket, act, command, takes_over)
        self._until_seq = None
        self.seen = replace(self.seen, sending=act)

    # --- what comes back -----------------------------------------------------------------------

    def _answered(self, ticket: int, answer: object) -> None:
        waiting = self._waiting
        if waiting is None or waiting.ticket != ticket:
            return
        self._waiting = None
        match answer:
            case Approval(approval=approval) if waiting.command is not None:
                ask = AskCommand(
                    id="",
                    table=self.seen.table,
                    command=waiting.command,
                    token=self._token,
                    approval=approval,
                )
                self._send(ask, waiting.act, command=waiting.command)
            case Acceptance(seq=seq):
                self._until_seq = seq
                self._settle()
            case Opened() as opened:
                self._logged_in(opened, takes_over=waiting.takes_over)
            case Roster() | Performed():
                self._done()
                self.told.emit(answer)
            case RefusalAnswer(code=code, text=text) | StaffError(code=code, text=text):
                self._no(waiting, code, text)
            case NoReply():
                self._no(waiting, "no_answer", "")
            case _:
                self._done()
        self.changed.emit()

    def _logged_in(self, opened: Opened, *, takes_over: bool) -> None:
        self._token = opened.token
        roles = frozenset(map(Role, opened.roles))
        person = Person(opened.staff, opened.screen_name, roles, opened.language)
        self.seen = replace(self.seen, person=person, is_locked=False)
        self._done()
        self.opened.emit(person, opened.token)
        if takes_over:
            command = ChangeDealer(by=opened.staff, dealer=opened.screen_name)
            self._give(command, "", "")

    def _no(self, waiting: _Waiting, code: str, text: str) -> None:
        self.seen = replace(self.seen, refused=Refused(code, text, waiting.act))
        if code in _OVER:
            self.shut()
            self.ended.emit()
        self._done()
        self.refused.emit()
        if code in TAKES_TWO and waiting.command is not None:
            self.second_needed.emit(waiting.command)

    def _settle(self) -> None:
        """What was asked is on screen, once the picture is as new as the answer."""
        if self._until_seq is not None and self._seq >= self._until_seq:
            self._done()

    def _done(self) -> None:
        self._until_seq = None
        self.seen = replace(self.seen, sending=None)

    def _pictured(self, picture: Picture) -> None:
        self.take(picture)
        self.changed.emit()

    def take(self, picture: Picture) -> None:
        """The table has another picture."""
        self._seq = picture.seq
        state = picture.state
        now = self._link.clock.now() or self.seen.now
        prompt = (state.prompt, state.public.round)
        asked_since = self.seen.asked_since if prompt == self._prompt else now
        self._prompt = prompt
        self.seen = replace(
            self.seen,
            now=now,
            asked_since=asked_since,
            state=state,
            log_in=LogInRule(picture.log_in),
            shown=picture.shown,
            supervisors=picture.supervisors,
            idle_seconds=picture.idle_seconds,
            acknowledgements=picture.acknowledgements,
            on_duty=picture.on_duty,
            names=picture.names,
            shoe_heard_at=picture.shoe_heard_at,
        )
        self._settle()

    def _link_changed(self, state: LinkState) -> None:
        self.tick()
        if state is not LinkState.LIVE:
            # what was asked is lost or on record: the next picture shows which
            self._until_seq = None
            if self._waiting is None:
                self._done()
        self.seen = replace(self.seen, link=state, heard_at=self._heard_at())
        self.changed.emit()

    def _heard_at(self) -> datetime | None:
        return self._link.clock.heard_at()


def first_seen(table: str, *, has_demo_shoe: bool, is_light: bool) -> Seen:
    """What a console has seen when it starts: nothing."""
    now = datetime.now(UTC)
    zone = datetime.now().astimezone().utcoffset() or timedelta()
    return Seen(
        table=table,
        now=now,
        has_demo_shoe=has_demo_shoe,
        is_light=is_light,
        zone_minutes=round(zone.total_seconds() / 60),
    )


class IdleWatch:
    """After how long without a key or a touch the console locks (ACC-2).

    ``clock`` is a monotonic clock in seconds. The shoe's cards are no input of the dealer.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last = clock()

    def touched(self) -> None:
        """Somebody pressed or touched something."""
        self._last = self._clock()

    def is_over(self, idle_seconds: int | None) -> bool:
        """Whether it was too long ago."""
        return idle_seconds is not None and self._clock() - self._last >= idle_seconds
