# SPDX-License-Identifier: Apache-2.0
"""How a running table stands, for staff, in the thread of their request server.

Whoever asks for what followed on a snapshot is not told its large members again: results and roads
are most of it, and change once a round.
"""

import operator
from collections.abc import Callable

from msgspec import UNSET
from msgspec.structs import replace

from studio.feed import staff as wire
from studio.feed.acknowledgements import Acknowledgements
from studio.game.snapshot import StaffState
from studio.game.state import TableState
from studio.service import TableService
from studio.staff.accounts import Account, Role
from studio.staff.consent import shown_in
from studio.staff.desk import Desk
from studio.store.database import StoreFailed

_LOOK_AGAIN_SECONDS = 1.0


class StaffPictures:
    """Of one table, ``is_open`` where nobody logs in."""

    def __init__(
        self,
        table: str,
        service: TableService,
        acknowledgements: Callable[[], Acknowledgements | None],
        monotonic: Callable[[], float],
        *,
        is_open: bool,
    ) -> None:
        self._table = table
        self._service = service
        self._acknowledgements = acknowledgements
        self._monotonic = monotonic
        self._log_in = "open" if is_open else "required"
        self._large: tuple[object, ...] = ()
        self._same_since = wire.After("", 0)
        self._on_duty: tuple[wire.OnDuty, ...] = ()
        self._names: dict[str, str] = {}
        self._look_again_at = 0.0

    def look_again(self) -> None:
        """Others may be on duty now."""
        self._look_again_at = 0.0

    def snapshot(self, ask: wire.AskStaffSnapshot, desk: Desk | None) -> wire.StaffSnapshot:
        """The answer. ``desk`` knows who is on duty; None: nobody does."""
        epoch, drawn, state = self._service.staff_view()
        on_duty = self._looked_up(state, desk)
        supervisors = (one for one in on_duty if Role.SUPERVISOR.value in one.roles)
        return wire.StaffSnapshot(
            id=ask.id,
            table=self._table,
            epoch=epoch,
            seq=state.seq,
            state=_without_large(drawn) if self._has_large(ask.after, epoch, state) else drawn,
            log_in=self._log_in,
            shown=shown_in(state),
            supervisors=tuple(sorted({one.screen_name for one in supervisors})),
            idle_seconds=None if desk is None else desk.idle_seconds,
            acknowledgements=self._acknowledgements(),
            on_duty=on_duty,
            names={staff: self._names[staff] for staff in _named(state) if staff in self._names},
            heard_at=self._service.heard_at,
        )

    def _has_large(self, after: wire.After | None, epoch: str, state: TableState) -> bool:
        """Whether the large members are those of the snapshot that the asker has.

        It has it from here, where they were compared when it was made.
        """
        large = (state.results, state.house)
        is_same = epoch == self._same_since.epoch and all(map(operator.is_, large, self._large))
        if not is_same:
            self._large, self._same_since = large, wire.After(epoch, state.seq)
        return after is not None and after.epoch == epoch and after.seq >= self._same_since.seq

    def _looked_up(self, state: TableState, desk: Desk | None) -> tuple[wire.OnDuty, ...]:
        """Who is on duty: looked up every second at most, and never in the way.

        So is what those are called whom the state names.
        """
        if desk is None:
            return ()
        now = self._monotonic()
        if now >= self._look_again_at:
            self._look_again_at = now + _LOOK_AGAIN_SECONDS
            try:
                self._on_duty = tuple(map(_on_duty, desk.accounts_on_duty()))
                self._names = {staff: desk.screen_name(staff) for staff in _named(state)}
            except StoreFailed:
                self._on_duty = ()
        return self._on_duty


def roles_of(roles: frozenset[Role]) -> tuple[str, ...]:
    """Roles as they are told, in their order."""
    return tuple(role.value for role in Role if role in roles)


def _without_large(drawn: StaffState) -> StaffState:
    large = dict.fromkeys(wire.LARGE, UNSET)
    return replace(drawn, public=replace(drawn.public, **large))


def _named(state: TableState) -> tuple[str, ...]:
    """The ids of the people whom a hold or a call names."""
    hold, call = state.hold, state.call
    of_hold = () if hold is None else (hold.claimed_by, *(one.by for one in hold.raised))
    of_call = () if call is None else (call.by,)
    return tuple(dict.fromkeys(staff for staff in (*of_hold, *of_call) if staff is not None))


def _on_duty(account: Account) -> wire.OnDuty:
    return wire.OnDuty(
        staff=account.id, screen_name=account.screen_name, roles=roles_of(account.roles)
    )
