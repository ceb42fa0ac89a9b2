# SPDX-License-Identifier: Apache-2.0
"""Answers what staff ask of a running table, in the thread of their request server.

Who gives a command and who approved it is set here, from log-in and approval: the record can only
hold ids that logged in. Every try at it, good or bad, becomes an input of the table and so a part
of its record, before it is answered. Secrets are checked here, which takes long, and the staff's
database is asked here, which may fail: the table's own thread does neither, and the round that is
under way goes on.
"""

import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import assert_never

from msgspec.structs import replace

from studio.feed import staff as wire
from studio.feed.acknowledgements import Acknowledgements
from studio.feed.asks import encode
from studio.feed.requests import Later
from studio.feed.wire import type_of
from studio.game.claims import CLAIMED, claimed_by
from studio.game.inputs import (
    AnswerCall,
    CallSupervisor,
    Command,
    Input,
    Refusal,
    RuleHold,
    StaffTried,
    VoidRound,
)
from studio.game.state import TableState
from studio.operator_log import log_line
from studio.service import Decision, TableService, Unless
from studio.staff.accounts import Role
from studio.staff.attempts import TEXTS, Attempt, Refused
from studio.staff.consent import consent_to, is_beside_play, is_late, shown_in, signed
from studio.staff.desk import Desk
from studio.staff.door import Identified
from studio.staff.office import Kept
from studio.staff.permissions import Grant, is_supervising
from studio.staff.repeats import Repeats
from studio.staff.roster import OnRoster
from studio.staff.sessions import Session
from studio.staff_pictures import StaffPictures, roles_of
from studio.store.database import StoreFailed
from studio.upkeep_desk import UpkeepDesk

_ANSWER_SECONDS = 10.0
_NO_STAFF = (
    "The database of the staff cannot be used, so nobody can give a command here until it can; "
    "the table goes on by itself. Look at the log of the service, or run `studio doctor`."
)
_NOBODY_LOGS_IN = "Nobody logs in at this table: it is a test, and open to everybody."


class StaffDesk:
    """The staff's side of one table. ``open_desk`` opens the staff's database; None: no log-in.

    It is opened at the first request that needs it, and tried again after a failure.
    ``acknowledgements`` gives what waits for which operator at a table with keys.
    """

    def __init__(
        self,
        table: str,
        service: TableService,
        open_desk: Callable[[], Desk] | None = None,
        *,
        acknowledgements: Callable[[], Acknowledgements | None] = lambda: None,
        upkeep: UpkeepDesk | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table = table
        self._upkeep = upkeep
        self._service = service
        self._open_desk = open_desk
        self._monotonic = monotonic
        self._desk: Desk | None = None
        self._repeats = Repeats()
        self._pictures = StaffPictures(
            table, service, acknowledgements, monotonic, is_open=open_desk is None
        )

    def answer(self, request: bytes, who: str | None = None) -> bytes | Later:
        """The answer's bytes to one request. ``who`` is the console whose key it came with.

        Then a request comes from there, whatever it says: a token is good with that key only.
        """

        def respond(ask: wire.StaffAsk) -> bytes | Later:
            if isinstance(ask, wire.AskStaffSnapshot) and ask.after is not None:
                is_due = partial(self._service.is_beyond, ask.after.epoch, ask.after.seq)
                return Later(is_due, lambda: encode(self._pictures.snapshot(ask, self._desk)))
            return encode(self._respond(ask if who is None else replace(ask, from_=who)))

        return wire.answer(request, self._table, respond)

    def open(self) -> None:
        """Open the staff's database now, if one is needed. Raises ``StoreFailed``."""
        if self._open_desk is not None and self._desk is None:
            self._desk = self._open_desk()

    def _respond(self, ask: wire.StaffAsk) -> wire.StaffAnswer:
        if isinstance(ask, wire.AskStaffSnapshot):
            return self._pictures.snapshot(ask, self._desk)
        if self._open_desk is None:
            if isinstance(ask, wire.AskCommand):
                return self._tell(ask.id, ask.command)
            return wire.RefusalAnswer(id=ask.id, code="no_log_in", text=_NOBODY_LOGS_IN)
        try:
            if self._desk is None:
                self._desk = self._open_desk()
            return self._ask_staff(self._desk, ask)
        except StoreFailed as failed:
            log_line("the staff's database failed", warns=True, table=self._table, why=str(failed))
            act = str(ask.__struct_config__.tag)
            self._note(StaffTried(act=act, result="no_staff_store", by=None, from_where=ask.from_))
            return wire.RefusalAnswer(id=ask.id, code="no_staff_store", text=_NO_STAFF)

    def _ask_staff(self, desk: Desk, ask: wire.StaffAsk) -> wire.StaffAnswer:
        # whatever is asked here may change who is on duty
        self._pictures.look_again()
        match ask:
            case wire.AskCommand():
                return self._command(desk, ask)
            case wire.AskApprove():
                return self._approve(desk, ask)
            case wire.AskLogIn():
                return self._log_in(desk, ask)
            case wire.AskLogOut():
                return self._performed(ask.id, desk.log_out(ask.token, ask.from_))
            case wire.AskChangeSecret():
                changed = desk.change_secret(ask.badge, ask.pin, ask.new, ask.from_)
                return self._performed(ask.id, changed)
            case wire.AskUnlock():
                return self._performed(ask.id, desk.unlock(ask.badge, ask.code, ask.from_))
            case wire.AskStaffSnapshot():
                return self._pictures.snapshot(ask, self._desk)
            case wire.AskRoster() | wire.AskStandDown():
                return self._people(desk, ask)
            case _:
                assert_never(ask)

    def _people(self, desk: Desk, ask: wire.AskRoster | wire.AskStandDown) -> wire.StaffAnswer:
        """What a supervisor asks of everybody's log-ins, and does to somebody's."""
        session = desk.who(ask.token, ask.from_)
        if isinstance(session, Refused):
            return self._refused(ask.id, session)
        if isinstance(ask, wire.AskRoster):
            there = desk.office.roster(session.staff, ask.from_)
            if isinstance(there, Refused):
                return self._refused(ask.id, there)
            return wire.Roster(id=ask.id, people=tuple(map(_person, there)))
        stood_down = desk.office.stand_down(session.staff, ask.staff, ask.from_)
        return self._performed(ask.id, stood_down)

    def _log_in(self, desk: Desk, ask: wire.AskLogIn) -> wire.StaffAnswer:
        opened = desk.log_in(ask.badge, ask.pin, ask.from_)
        if isinstance(opened, Refused):
            return self._refused(ask.id, opened)
        unrecorded = self._note(_tried(opened.attempt))
        if unrecorded is not None:
            desk.log_out(opened.token, ask.from_)
            return _no(ask.id, unrecorded)
        session = opened.session
        return wire.Opened(
            id=ask.id,
            token=opened.token,
            staff=session.staff,
            screen_name=session.screen_name,
            language=session.language,
            roles=roles_of(session.roles),
            others=opened.others,
        )

    def _command(self, desk: Desk, ask: wire.AskCommand) -> wire.StaffAnswer:
        desk.follow(self._service.shown_state().house)
        session = desk.who(ask.token or "", ask.from_)
        if isinstance(session, Refused):
            return self._refused(ask.id, session)
        state = self._service.shown_state()
        command = signed(ask.command, session.staff)
        grant = desk.allowed(session, command, is_late=is_late(state, command))
        if isinstance(grant, Refused):
            return self._refused(ask.id, grant)
        if ask.approval is None:
            if grant is Grant.PAIR:
                return self._refused(ask.id, desk.refuse(session, command, desk.why_two(command)))

            def elsewhere(now: TableState) -> Refusal | None:
                """Two people of the pit do not rule on the same hold."""
                return _is_anothers(now, command, session, None)

            told = self._tell(ask.id, signed(command, session.staff, None), elsewhere)
            if is_supervising(session.roles):
                self._has_come(session.staff, command, told)
            return told
        bound = consent_to(self._table, state, command)
        second = desk.redeem(ask.approval, bound, ask.from_)
        if isinstance(second, Refused):
            return self._refused(ask.id, second)
        unrecorded = self._note(_tried(second.attempt))
        if unrecorded is not None:
            return _no(ask.id, unrecorded)

        def changed(now: TableState) -> Refusal | None:
            """What was approved must be what the command is decided on."""
            if consent_to(self._table, now, command) == bound:
                return _is_anothers(now, command, session, second.staff)
            return Refusal("stale", TEXTS["stale"])

        told = self._tell(ask.id, signed(command, session.staff, second.staff), changed)
        self._has_come(second.staff, command, told)
        return told

    def _has_come(self, supervisor: str, command: Command, told: wire.StaffAnswer) -> None:
        """Whatever a supervisor does at a table, or agrees to, answers its call."""
        is_call = isinstance(command, CallSupervisor | AnswerCall)
        is_waiting = self._service.shown_state().call is not None
        if is_waiting and not is_call and isinstance(told, wire.Acceptance):
            self._give(AnswerCall(by=supervisor))

    def _approve(self, desk: Desk, ask: wire.AskApprove) -> wire.StaffAnswer:
        state = self._service.shown_state()
        bound = consent_to(self._table, state, ask.command)
        is_elsewhere = is_late(state, ask.command) or is_beside_play(ask.command)
        if not is_elsewhere and ask.shown != shown_in(state):
            return wire.RefusalAnswer(id=ask.id, code="stale", text=TEXTS["stale"])
        if ask.badge is not None and ask.pin is not None and ask.token is None:
            approved = desk.approve(ask.badge, ask.pin, bound, ask.from_)
        elif ask.token is not None and ask.badge is None and ask.pin is None:
            approved = desk.approve_as(ask.token, bound, ask.from_)
        else:
            text = "an approval is given by badge and pin, or by token"
            return wire.StaffError(id=ask.id, code="bad_request", text=text)
        if isinstance(approved, Refused):
            return self._refused(ask.id, approved)
        unrecorded = self._note(_tried(approved.attempt))
        if unrecorded is not None:
            return _no(ask.id, unrecorded)
        given = approved.approval
        return wire.Approval(
            id=ask.id, approval=given.token, second=given.second, expires=given.expires
        )

    def _performed(self, id_: str, done: Attempt | Identified | Kept | Refused) -> wire.StaffAnswer:
        if isinstance(done, Refused):
            return self._refused(id_, done)
        unrecorded = self._note(_tried(done if isinstance(done, Attempt) else done.attempt))
        return wire.Performed(id=id_) if unrecorded is None else _no(id_, unrecorded)

    def _refused(self, id_: str, refused: Refused) -> wire.RefusalAnswer:
        self._note(_tried(refused.attempt))
        return wire.RefusalAnswer(id=id_, code=refused.code, text=refused.text)

    def _note(self, tried: StaffTried) -> Refusal | None:
        """Put a try into the table's record; the refusal if the table takes no more."""
        recorded = self._repeats.for_the_record(tried, self._monotonic())
        given = None if recorded is None else self._give(recorded)
        return given if isinstance(given, Refusal) else None

    def _tell(self, id_: str, command: Command, unless: Unless | None = None) -> wire.StaffAnswer:
        give = partial(self._give, unless=unless)
        approved = self._service.shown_state().software.approved
        of_files = None if self._upkeep is None else self._upkeep.given(command, approved, give)
        decided = give(command) if of_files is None else of_files
        if isinstance(decided, Refusal):
            return _no(id_, self._by_name(decided))
        seq = decided[-1].seq if decided else self._service.shown_state().seq
        events = tuple(type_of(one.event) for one in decided)
        return wire.Acceptance(id=id_, events=events, seq=seq)

    def _by_name(self, refusal: Refusal) -> Refusal:
        """Who has claimed a hold, by the name that people know; the table knows ids only."""
        hold = self._service.shown_state().hold
        claimant = None if hold is None else hold.claimed_by
        if refusal.code != CLAIMED or claimant is None or self._desk is None:
            return refusal
        return claimed_by(self._desk.screen_name(claimant))

    def _give(self, given: Input, unless: Unless | None = None) -> Decision:
        """What the table makes of an input; a refusal if it does not answer."""
        waiting: Future[Decision] = Future()
        self._service.submit(given, waiting, unless)
        try:
            return waiting.result(_ANSWER_SECONDS)
        except TimeoutError:
            text = "The table did not answer in time. Look at the table before asking again."
            return Refusal("no_answer", text)
        except Exception as failure:  # noqa: BLE001  the service is on its way down; tell the asker
            return Refusal("stopped", f"The service has stopped: {failure}")


def _is_anothers(
    now: TableState, command: Command, who: Session, second: str | None
) -> Refusal | None:
    """A supervisor leaves a ruling to whoever has claimed the hold, or takes it over first.

    A manager rules on any; and the dealer with a second person's word, for those two stand there.
    """
    hold = now.hold
    is_void = isinstance(command, VoidRound) and command.round == now.round
    if hold is None or not (is_void or isinstance(command, RuleHold)):
        return None
    is_free = hold.claimed_by in (None, who.staff, second)
    if is_free or Role.MANAGER in who.roles or Role.SUPERVISOR not in who.roles:
        return None
    return claimed_by(hold.claimed_by or "")


def _person(one: OnRoster) -> wire.Person:
    account = one.account
    places = tuple(wire.Place(table=at.table, since=at.opened) for at in one.log_ins)
    return wire.Person(
        staff=account.id,
        screen_name=account.screen_name,
        roles=roles_of(account.roles),
        places=places,
        is_locked=one.is_locked,
        is_disabled=account.disabled is not None,
    )


def _tried(attempt: Attempt) -> StaffTried:
    """An attempt as an input of the table."""
    return StaffTried(
        act=attempt.act.value,
        result=attempt.result,
        by=attempt.by,
        from_where=attempt.from_,
        about=attempt.staff,
        detail=attempt.detail,
    )


def _no(id_: str, refusal: Refusal) -> wire.RefusalAnswer:
    return wire.RefusalAnswer(id=id_, code=refusal.code, text=refusal.text)
