# SPDX-License-Identifier: GPL-3.0-or-later
"""What the pit has seen and asked: a desk for each table, and one log-in for all of them.

Each table's own desk sends its commands and waits for its answers, so that one that is slow or
gone holds up no other. The token of a log-in is in their memory and nowhere else.
"""

from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

from msgspec.structs import replace
from PyQt6.QtCore import QObject, pyqtSignal

from studio.feed.staff import Roster
from studio.game.inputs import SuspendTable
from ui.console.desk import LOG_IN, STAFF, Desk, first_seen
from ui.link import Link, Picture
from ui.pit_view.press import without_secrets
from ui.pit_view.seen import Pit, SheetKind, logs_in
from ui.pit_view.sheets import to_suspend
from ui.pit_view.steps import At, Enter, Leave, LookUpStaff, PitStep, Show, StandDown, SuspendAll
from ui.view.seen import LinkState, Own, Person
from ui.view.steps import LogIn, Send


class PitDesk(QObject):
    """Holds what was seen at all tables. ``changed``: there is something new to draw.

    Pictures that came are told of once, and are taken together when somebody looks: to be woken
    for each of them costs more than what is made of it.
    """

    changed = pyqtSignal()
    came = pyqtSignal()
    refused = pyqtSignal()

    def __init__(self, links: Sequence[Link], *, is_light: bool = False) -> None:
        super().__init__()
        self._heard: deque[tuple[Desk, Picture]] = deque()
        self._is_told = False
        self.came.connect(self.changed)
        self.desks = tuple(
            Desk(
                one,
                replace(first_seen(one.table, has_demo_shoe=False, is_light=False), is_pit=True),
                self._hear,
            )
            for one in links
        )
        zone = self.desks[0].seen.zone_minutes
        tables = tuple(one.seen for one in self.desks)
        self._pit = Pit(tables=tables, now=datetime.now(UTC), is_light=is_light, zone_minutes=zone)
        for desk in self.desks:
            desk.changed.connect(self.changed)
            desk.refused.connect(partial(self._refused, desk))
            desk.opened.connect(self._opened)
            desk.ended.connect(self._ended)
            desk.told.connect(self._told)

    @property
    def pit(self) -> Pit:
        """All that was seen, as it is now."""
        self._take()
        tables = tuple(one.seen for one in self.desks)
        self._pit = replace(self._pit, tables=tables)
        return self._pit

    def _hear(self, desk: Desk, picture: Picture) -> None:
        """In the thread of the lines."""
        self._heard.append((desk, picture))
        if not self._is_told:
            self._is_told = True
            self.came.emit()

    def _take(self) -> None:
        # before what came is taken: whatever comes after that is told of again
        self._is_told = False
        while self._heard:
            desk, picture = self._heard.popleft()
            desk.take(picture)

    def tick(self) -> None:
        """Time went by. The time on the wall is that of the table beside it, if it is heard."""
        self._take()
        for desk in self.desks:
            desk.tick()
        live = [one.seen for one in self.desks if one.seen.link is LinkState.LIVE]
        shown = self.desks[self._pit.selected].seen
        heard = shown if shown.link is LinkState.LIVE or not live else live[0]
        self._pit = replace(self._pit, now=heard.now if live else datetime.now(UTC))

    def carry_out(self, step: PitStep) -> None:
        """Do what a press came to."""
        match step:
            case At(index=index, step=at_table, pit=held):
                self._pit = replace(held or self._pit, refused=None)
                self.desks[index].carry_out(at_table)
            case Show(pit=pit):
                self._keep(pit)
            case Enter(badge=badge, pin=pin, pit=pit):
                self._keep(pit)
                self._log_in(badge, pin)
            case Leave(pit=pit):
                self._keep(pit)
                self.lock()
            case LookUpStaff(pit=pit):
                self._keep(pit)
                self._asking().look_up_staff()
            case StandDown(staff=staff, pit=pit):
                self._keep(pit)
                self._asking().stand_down(staff)
            case SuspendAll(pit=pit):
                self._keep(pit)
                self._suspend(to_suspend(self.pit))
            case _:
                return
        self.changed.emit()

    def lock(self) -> None:
        """Put the log-in aside: the wall goes on showing."""
        if self._pit.person is None:
            return
        for desk in self.desks:
            if desk.seen.link is LinkState.LIVE and logs_in(self.pit):
                desk.lock()
                break
        self._ended()

    def turn(self, **changes: bool) -> None:
        """Something of the window alone."""
        self._pit = replace(self._pit, **changes)

    def _keep(self, pit: Pit) -> None:
        if pit.selected != self._pit.selected:
            left = self.desks[self._pit.selected]
            left.seen = replace(left.seen, own=without_secrets(left.seen.own))
        self._pit = replace(pit, refused=None)

    def _log_in(self, badge: str, pin: str) -> None:
        """At the table beside the wall, or at any that can be reached: it is good for all."""
        desk = self._asking()
        desk.carry_out(LogIn(badge, pin, desk.seen.own))

    def _opened(self, person: Person, token: str) -> None:
        before = self._pit.person
        is_other = before is not None and before.staff != person.staff
        for desk in self.desks:
            desk.admit(person, token)
            if is_other:
                # what one person began is not finished by another
                desk.seen = replace(desk.seen, own=Own())
        self._pit = replace(self._pit, person=person, is_locked=False, sheet=None, people=None)

    def _refused(self, desk: Desk) -> None:
        """A no to what is of no single table is said whichever one is beside the wall."""
        refused = desk.seen.refused
        if refused is not None and refused.act in (LOG_IN, STAFF):
            self._pit = replace(self._pit, refused=refused)
        self.refused.emit()

    def _ended(self) -> None:
        for desk in self.desks:
            desk.shut()
            desk.seen = replace(desk.seen, own=without_secrets(desk.seen.own))
        self._pit = replace(self._pit, is_locked=self._pit.person is not None)

    def _told(self, answer: object) -> None:
        """Who works here; or somebody was stood down, and it is to be looked up again."""
        if isinstance(answer, Roster):
            self._pit = replace(self._pit, people=answer.people)
        elif self._pit.sheet is not None and self._pit.sheet.kind is SheetKind.STAFF:
            self._asking().look_up_staff()
        self.changed.emit()

    def _asking(self) -> Desk:
        """The desk at which the pit asks what is of no single table."""
        order = (self.desks[self._pit.selected], *self.desks)
        live = [one for one in order if one.seen.link is LinkState.LIVE]
        return live[0] if live else order[0]

    def _suspend(self, places: Sequence[int]) -> None:
        by = "console" if self._pit.person is None else self._pit.person.staff
        for place in places:
            desk = self.desks[place]
            desk.carry_out(Send(SuspendTable(by=by), desk.seen.own))
