# SPDX-License-Identifier: Apache-2.0
"""``studio dealer``: an automatic dealer, working a simulated shoe by its control line."""

import time
from typing import Annotated

import typer
from msgspec.structs import replace
from rich.text import Text

from drivers.sim.client import ShoeControl, ShoeRefusedError
from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.log_in import Badge, Giver, PinStdin, SecondBadge, giver
from studio.cli.output import console
from studio.cli.signals import stopping_on_signals
from studio.cli.site import Config, TableName, control_of, table_settings
from studio.cli.staff import Console, StaffRequests
from studio.dealer import REASON, Finish, FreshShoe, Pull, Step, Tell, Wait, next_step
from studio.feed.staff import RefusalAnswer
from studio.game import inputs as inp
from studio.game.inputs import Command
from studio.game.snapshot import StaffState
from studio.inbox import Stopping
from studio.settings import Environment

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

# Seconds before each step at a live pace; tuned to a real table, where cards take about a second.
PAUSES = {"open": 2.0, "pull": 1.1, "confirm": 1.2, "settle": 3.5, "rule": 2.0, "shoe": 2.0}
# How often the table is looked at: without pauses as often as it can change.
_LOOK_AGAIN_SECONDS, _LOOK_AGAIN_SOON_SECONDS = 0.05, 0.005
_UNMOVED_SECONDS = 15.0
_PATIENCE_SECONDS = 60.0
# These say that the table is not ready yet, not that the dealer is wrong.
_NOT_YET = ("not_now", "bets_closed", "guard", "shoe_line_down", "suspended")

_HELP = taught(
    "An automatic dealer: follows the table's prompts, sends the commands, pulls the cards.",
    "It works a simulated shoe only, and refuses a live table.",
    ("studio dealer", "deals until stopped by Ctrl-C"),
    ("studio dealer --rounds 5 --pace 4", "five rounds, four times as fast as live; then closes"),
    ("studio dealer --pace 0", "without any pause"),
    (
        "studio dealer --badge 100 --second-badge 500",
        "where staff log in: the second one is on duty, and approves what takes two",
    ),
)


@app.command(help=_HELP)
def dealer(
    config: Config = None,
    table: TableName = None,
    rounds: Annotated[
        int | None,
        typer.Option(min=1, help="Close the table after so many rounds; without end if absent."),
    ] = None,
    pace: Annotated[
        float, typer.Option(min=0, help="1 is live, 2 twice as fast; 0 without pauses.")
    ] = 1.0,
    name: Annotated[str, typer.Option(help="The dealer's screen name.")] = "Auto",
    badge: Badge = None,
    second_badge: SecondBadge = None,
    pin_stdin: PinStdin = False,
    by: Annotated[
        str | None, typer.Option(metavar="ID", help="Staff id of the commands; `auto` if absent.")
    ] = None,
    staff_requests: StaffRequests = None,
    control: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="The simulated shoe's control line."),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Say nothing but what went wrong.")
    ] = False,
    patient: Annotated[
        bool,
        typer.Option(
            "--patient",
            help="Go on when the table is gone for a while, or others give commands there.",
        ),
    ] = False,
) -> None:
    """Deal until done or stopped."""
    settings = table_settings(config, table)
    if settings.environment is not Environment.TEST:
        raise CommandFailed(
            f"table {settings.table} is live: cards there are pulled by a person",
            Exit.BAD_SETTINGS,
        )
    with (
        stopping_on_signals() as stopping,
        Console.of(settings, staff_requests) as desk,
        _shoe_at(control or control_of(settings)) as shoe,
        giver(
            *(desk, settings, by, badge, second_badge), pin_stdin=pin_stdin, stands_in="auto"
        ) as giving,
    ):
        hands = AutomaticDealer(
            *(desk, giving, shoe, stopping), pace=pace, name=name, quiet=quiet, is_patient=patient
        )
        hands.deal(rounds)


def _shoe_at(endpoint: str) -> ShoeControl:
    try:
        return ShoeControl(endpoint)
    except (OSError, ValueError) as fault:
        raise CommandFailed(
            f"no simulated shoe at {endpoint} ({fault}): start `studio sim` first, or say "
            "--control with the address that it printed",
            Exit.UNREACHABLE,
        ) from None


class AutomaticDealer:
    """Takes one step after another until the rounds are dealt. One thread."""

    def __init__(
        self,
        desk: Console,
        giving: Giver,
        shoe: ShoeControl,
        stopping: Stopping,
        *,
        pace: float,
        name: str,
        quiet: bool,
        is_patient: bool,
    ) -> None:
        self._desk = desk
        self._giving = giving
        self._shoe = shoe
        self._stopping = stopping
        self._pace = pace
        self._look_again = _LOOK_AGAIN_SECONDS if pace > 0 else _LOOK_AGAIN_SOON_SECONDS
        self._name = name
        self._by = giving.by
        self._out = None if quiet else console()
        self._is_patient = is_patient
        self._seen: set[str] = set()
        self._finished = 0
        self._waited_since: float | None = None
        self._failing_since: float | None = None

    def deal(self, rounds: int | None) -> None:
        """Deal so many rounds, then close the table; without end for None."""
        _, state = self._desk.snapshot()
        self._seen = {result.round for result in state.public.results}
        while not self._stopping.is_set():
            try:
                step = self._step(rounds)
            except CommandFailed as failed:
                self._put_up_with(failed)
                continue
            if isinstance(step, Finish):
                return
            self._failing_since = None

    def _step(self, rounds: int | None) -> Step:
        """Look, and take the step that is due."""
        _, state = self._desk.snapshot()
        self._count(state)
        is_last = rounds is not None and self._finished >= rounds
        step = next_step(state, by=self._by, name=self._name, is_last=is_last)
        if not isinstance(step, Wait):
            self._waited_since = None
            self._take(step, state)
            return step
        if step.why != "bets-open":
            self._waited_since = self._waited_since or time.monotonic()
            self._refuse_to_wait_on(step.why, self._waited_since)
        self._stopping.wait(self._look_again)
        return step

    def _put_up_with(self, failed: CommandFailed) -> None:
        """Wait before the next look. Raises what failed unless it may pass by itself."""
        since = self._failing_since = self._failing_since or time.monotonic()
        is_gone = failed.status is Exit.UNREACHABLE
        if not self._is_patient or not (is_gone or time.monotonic() - since < _PATIENCE_SECONDS):
            raise failed
        self._stopping.wait(_LOOK_AGAIN_SECONDS)

    def _count(self, state: StaffState) -> None:
        new = {result.round for result in state.public.results} - self._seen
        self._seen |= new
        self._finished += len(new)

    def _refuse_to_wait_on(self, why: str, since: float) -> None:
        if time.monotonic() - since > 4 * _UNMOVED_SECONDS:
            raise CommandFailed(f"the table does not go on: {why}; look at it with `studio watch`")

    def _take(self, step: Step, state: StaffState) -> None:
        match step:
            case Pull():
                self._pause("pull")
                self._pull(state)
            case FreshShoe():
                self._pause("shoe")
                self._load()
            case Tell(command=command, pause=pause):
                self._pause(pause)
                self._tell(self._counted(command))
            case _:
                return

    def _pause(self, name: str) -> None:
        if self._pace > 0:
            self._stopping.wait(PAUSES[name] / self._pace)

    def _pull(self, state: StaffState) -> None:
        """Pull a card and wait until the table has seen it."""
        if self._stopping.is_set():
            return
        try:
            self._shoe.pull()
        except ShoeRefusedError as refused:
            raise CommandFailed(f"the simulated shoe gives no card: {refused}") from None
        except OSError as gone:
            raise CommandFailed(f"the simulated shoe is gone: {gone}") from None
        until = time.monotonic() + _UNMOVED_SECONDS
        while not self._stopping.is_set():
            _, now = self._desk.snapshot()
            if now.cards_out > state.cards_out or now.phase == "held":
                return
            if time.monotonic() > until:
                raise CommandFailed(
                    "a card was pulled and the table has not seen it: is the table's shoe the one "
                    "of this control line? `studio shoe listen` shows what the line carries"
                )
            self._stopping.wait(self._look_again)

    def _load(self) -> None:
        """Put another shoe in unless this one is untouched, and say so to the table."""
        try:
            if self._shoe.state().drawn:
                self._shoe.change_shoe()
            self._shoe.drain()
        except (OSError, ShoeRefusedError) as fault:
            raise CommandFailed(f"the simulated shoe cannot be changed: {fault}") from None
        self._tell(inp.LoadShoe(by=self._by))

    def _counted(self, command: Command) -> Command:
        """An end of the shoe carries the count of the cards left in it."""
        if isinstance(command, inp.EndShoe):
            return inp.EndShoe(by=command.by, left=self._shoe.state().left)
        return command

    def _tell(self, command: Command) -> None:
        if self._stopping.is_set():
            return
        answer = self._giving.tell(command)
        is_short = isinstance(answer, RefusalAnswer) and answer.code == "count_mismatch"
        if is_short and self._is_patient and isinstance(command, inp.EndShoe):
            # the shoe was dealt from while the table did not look
            command = replace(command, accept_mismatch=True, reason=REASON)
            answer = self._giving.tell(command)
        tag = command.__struct_config__.tag
        if isinstance(answer, RefusalAnswer):
            if answer.code not in _NOT_YET:
                raise CommandFailed(f"the table refused {tag}: {answer.text}")
            self._stopping.wait(self._look_again)
        elif self._out is not None:
            self._out.print(Text(f"{tag} -> {', '.join(answer.events)}"), soft_wrap=True)
