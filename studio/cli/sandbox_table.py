# SPDX-License-Identifier: Apache-2.0
"""One table of a sandbox: its shoe, service and dealer as processes, and what befalls them.

What people do at the table goes the way of every command: they log in, and a second one approves.
What befalls the service is done to its process and to its record.
"""

import os
import signal
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from subprocess import TimeoutExpired
from time import monotonic

from drivers.sim.client import ShoeControl
from studio.cli.children import Child
from studio.cli.exits import CommandFailed
from studio.cli.log_in import Giver, Person
from studio.cli.sandbox_site import Site
from studio.cli.staff import Console
from studio.feed.staff import RefusalAnswer
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.inputs import Command
from studio.game.snapshot import StaffState
from studio.game.state import StandingResult
from studio.inbox import Stopping
from studio.sandbox import Answer, Kind, Trigger, corrections
from studio.settings import SITE_VARIABLE

_REASON = "triggered in the sandbox"
_FALLEN = "card-on-floor"
_LOOK_SECONDS = 0.05
# A round at a live pace, with another shoe before it.
_PATIENCE_SECONDS = 180.0
_UNREAD_SECONDS = 5.0
_RUN_SECONDS = 60.0
_UNPAID = ("bets_open", "dealing", "held")
_ENDED_IN_ORDER = ("dealer", "service", "shoe")
_ANY_PORT = "127.0.0.1:0"


class SandboxTable:
    """A table that deals by itself until it is closed.

    Its processes start in three steps, so that those of several tables start side by side.
    """

    def __init__(self, site: Site, name: str, stopping: Stopping, *, seed: int, speed: float):
        self.name = name
        self._site = site
        self._stopping = stopping
        self._pace = f"{speed:g}"
        self._control = ""
        self.endpoints: dict[str, str] = {}
        self.children: dict[str, Child] = {}
        how = ["--control", _ANY_PORT, "--seed", str(seed), "--speed", self._pace]
        self._start("shoe", ["sim", *self._own, *how])

    def serve(self) -> None:
        """Start the service, once the shoe is there."""
        self._control = str(self.children["shoe"].endpoints(self._stopping)["control"])
        self._start("service", ["serve", *self._own])

    def deal(self) -> None:
        """Start the dealer, once the table is served; it comes back to where it was found."""
        said = self.children["service"].endpoints(self._stopping)
        self.endpoints = {role: str(value) for role, value in said.items()}
        self._site.keep_ports(self.name, self.endpoints)
        people = self._site.people(self.name)
        self._start(
            "dealer",
            [
                *("dealer", *self._own, "--control", self._control, "--pace", self._pace),
                *("--badge", people.dealer, "--second-badge", people.supervisor, "--pin-stdin"),
                *("--name", "Auto", "--patient", "--quiet"),
            ],
            told=f"{people.password}\n{people.password}\n",
        )

    @property
    def _own(self) -> list[str]:
        return ["-c", str(self._site.file(self.name))]

    def _start(self, what: str, arguments: list[str], told: str | None = None) -> Child:
        self.children[what] = self._child(what, arguments, told)
        return self.children[what]

    def _child(self, what: str, arguments: list[str], told: str | None = None) -> Child:
        environ = os.environ | {SITE_VARIABLE: str(self._site.settings_folder)}
        return Child(f"{what} of {self.name}", arguments, self._site.logs, environ, told=told)

    def _serve_again(self) -> None:
        self._start("service", ["serve", *self._own]).endpoints(self._stopping)

    def see_all_is_well(self) -> None:
        """Raises CommandFailed if one of the processes has ended."""
        for child in self.children.values():
            if child.status() is not None:
                raise child.failure()

    # --- triggers ------------------------------------------------------------------------------

    def pull(self, trigger: Trigger) -> Answer:
        """Do it, and say what came of it. Raises CommandFailed."""
        self.see_all_is_well()
        match trigger.kind:
            case Kind.VOID:
                return self._told(trigger, _void, "{round} is void: stakes are returned")
            case Kind.VOID_RESULT:
                return self._told(trigger, _void_result, "{round} is void, after its result")
            case Kind.AMEND:
                return self._amend(trigger)
            case Kind.HOLD:
                return self._told(trigger, _hold, "{round} is held; the dealer has it ruled on")
            case Kind.SILENCE:
                return self._silence(trigger)
            case Kind.RESTART:
                return self._restart(trigger)
            case Kind.NEW_EPOCH:
                return self._new_epoch(trigger)
            case Kind.RESTORE:
                return self._restore(trigger)

    def _told(
        self, trigger: Trigger, command_for: Callable[[StaffState], Command | None], text: str
    ) -> Answer:
        """Give the command as soon as there is one that the table takes."""
        with self._people() as (desk, giver):
            round_id = self._until_taken(desk, giver, command_for)
        return self._done(trigger, text.format(round=round_id), round_id)

    def _until_taken(
        self,
        desk: Console,
        giver: Giver,
        command_for: Callable[[StaffState], Command | None],
    ) -> str | None:
        """The round that it was about."""
        refused = "there was none to be had"
        for state in self._looks(desk):
            command = command_for(state)
            if command is None:
                continue
            try:
                answer = giver.tell(command)
            except CommandFailed as not_approved:
                # the table went on between the look and the word
                refused = str(not_approved)
                continue
            if not isinstance(answer, RefusalAnswer):
                return getattr(command, "round", state.public.round)
            refused = answer.text
        raise self._too_long(refused)

    def _looks(self, desk: Console) -> Iterator[StaffState]:
        """The table again and again, for as long as anything is waited for."""
        until = monotonic() + _PATIENCE_SECONDS
        while monotonic() < until:
            self.see_all_is_well()
            yield desk.snapshot()[1]
            if self._stopping.wait(_LOOK_SECONDS):
                raise CommandFailed("stopped")

    def _too_long(self, why: str) -> CommandFailed:
        return CommandFailed(f"{self.name}: not within {_PATIENCE_SECONDS:g} s: {why}")

    @contextmanager
    def _people(self) -> Iterator[tuple[Console, Giver]]:
        """A supervisor at the table, and a manager for what takes two."""
        who = self._site.people(self.name)
        with Console.of(self._site.settings(self.name), None) as desk, ExitStack() as out:
            two = []
            for badge in (who.supervisor, who.manager):
                two.append(Person(desk, badge, who.password))
                out.callback(two[-1].log_out)
            yield desk, Giver(desk, two[0].staff, *two)

    def _amend(self, trigger: Trigger) -> Answer:
        with self._people() as (desk, giver):
            amending = _Amending()
            round_id = self._until_taken(desk, giver, amending.command_for)
        return self._done(trigger, f"{round_id} was {amending.told}: paid anew", round_id)

    def _silence(self, trigger: Trigger) -> Answer:
        with self._standing_still("service"):
            self._stopping.wait(trigger.seconds)
        return self._done(trigger, f"silent for {trigger.seconds:g} s, and live again")

    def _restart(self, trigger: Trigger) -> Answer:
        with self._nobody_dealing():
            self.children["service"].process.kill()
            self.children["service"].stop()
            self._serve_again()
        return self._done(trigger, "the service was killed and runs again, in the same epoch")

    def _new_epoch(self, trigger: Trigger) -> Answer:
        with self._nobody_dealing():
            self.children["service"].stop()
            self._run("epoch", ["db", "new-epoch", *self._own])
            self._serve_again()
        return self._done(trigger, "the service runs again, in a new epoch")

    def _restore(self, trigger: Trigger) -> Answer:
        taken = len(list(self._site.backups.iterdir()))
        backup = str(self._site.backups / f"{self.name}-{taken + 1}")
        self._run("backup", ["backup", backup, *self._own])
        lost = self._next_result()
        with self._nobody_dealing():
            self.children["service"].stop()
            how = ["--over", "--records-only", "--table", self.name]
            self._run("restore", ["restore", backup, *how])
            self._serve_again()
        return self._done(trigger, f"the record is that of before {lost}, in a new epoch", lost)

    def _next_result(self) -> str:
        """The first round that begins from now on and has its result."""
        known: set[str | None] = set()
        with Console.of(self._site.settings(self.name), None) as desk:
            for state in self._looks(desk):
                results = {one.round for one in state.public.results}
                known = known or {None, state.public.round, *results}
                new = min(results - known, default=None)
                if new is not None:
                    return new
        raise self._too_long("no round was dealt")

    def _run(self, what: str, arguments: list[str]) -> None:
        """Have a command run to its end. Raises CommandFailed with its last words."""
        running = self._child(what, arguments)
        try:
            if running.process.wait(_RUN_SECONDS):
                raise running.failure()
        except TimeoutExpired:
            raise running.failure() from None
        finally:
            running.stop()

    @contextmanager
    def _nobody_dealing(self) -> Iterator[None]:
        """Hold the dealer's hands, and wait until the service has read what the shoe said."""
        with self._standing_still("dealer"):
            until = monotonic() + _UNREAD_SECONDS
            with ShoeControl(self._control) as shoe:
                shoe.drain()
                while shoe.state().unread and monotonic() < until:
                    self._stopping.wait(_LOOK_SECONDS)
            yield

    @contextmanager
    def _standing_still(self, what: str) -> Iterator[None]:
        process = self.children[what].process
        process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            process.send_signal(signal.SIGCONT)

    def _done(self, trigger: Trigger, text: str, round_id: str | None = None) -> Answer:
        told = f"{self.name}: {text}"
        return Answer(
            ok=True, text=told, table=self.name, trigger=trigger.kind.value, round=round_id
        )


def end(tables: Collection[SandboxTable]) -> None:
    """End all their processes, at all tables side by side: first the dealers, last the shoes."""
    for what in _ENDED_IN_ORDER:
        running = [one.children[what] for one in tables if what in one.children]
        for child in running:
            child.process.terminate()
        for child in running:
            child.stop()


def _void(state: StaffState) -> Command | None:
    round_id = state.public.round
    if round_id is None or state.public.phase not in _UNPAID:
        return None
    return inp.VoidRound(by="", round=round_id, reason=_REASON)


def _last_result(state: StaffState) -> StandingResult | None:
    """The newest result that stands."""
    stand = (one for one in reversed(state.public.results) if one.outcome is not None)
    return next(stand, None)


def _void_result(state: StaffState) -> Command | None:
    last = _last_result(state)
    return None if last is None else inp.VoidRound(by="", round=last.round, reason=_REASON)


def _hold(state: StaffState) -> Command | None:
    if state.phase != "dealing" or not state.public.player or state.guard_until is not None:
        return None
    return inp.ReportIrregularity(by="", code=_FALLEN, detail=_REASON)


class _Amending:
    """Offers one correction of the last result after another: the decks may not hold each."""

    def __init__(self) -> None:
        self.told = ""
        self._tried = 0
        self._round = ""

    def command_for(self, state: StaffState) -> Command | None:
        """The next one."""
        last = _last_result(state)
        if last is None:
            return None
        if last.round != self._round:
            self._round, self._tried = last.round, 0
        offered = list(corrections(last.player, last.banker))
        player, banker = offered[self._tried % len(offered)]
        self._tried += 1
        self.told = f"{_told(player)} against {_told(banker)}"
        return inp.AmendRound(
            by="", second="", round=last.round, player=player, banker=banker, reason=_REASON
        )


def _told(hand: tuple[Card, ...]) -> str:
    return " ".join(card.value for card in hand)
