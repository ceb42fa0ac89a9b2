# SPDX-License-Identifier: Apache-2.0
"""Talking to a table's staff socket from the command line."""

from typing import Annotated, Self

import msgspec
import typer

from studio.cli.exits import CommandFailed, Exit
from studio.cli.site import an_endpoint
from studio.feed.client import Client, NoAnswer
from studio.feed.keys import ClientKeys
from studio.feed.staff import (
    Acceptance,
    AskCommand,
    AskStaffSnapshot,
    RefusalAnswer,
    StaffAnswer,
    StaffAsk,
    StaffError,
    StaffSnapshot,
    read_answer,
)
from studio.game.inputs import Command
from studio.game.snapshot import StaffState
from studio.keyed import client_keys
from studio.settings import TableSettings

StaffRequests = Annotated[
    str | None,
    typer.Option(
        "--staff-requests",
        metavar="ENDPOINT",
        help="The table's staff request socket; by the settings if absent.",
        callback=an_endpoint,
    ),
]


class Console:
    """One table's staff side: asks for its snapshot, sends it commands."""

    def __init__(self, endpoint: str, table: str, keys: ClientKeys | None = None) -> None:
        self._client = Client(endpoint, keys)
        self._endpoint = endpoint
        self.table = table

    @classmethod
    def of(cls, settings: TableSettings, endpoint: str | None) -> Self:
        """The staff side of a table; ``endpoint`` overrides the one of the settings."""
        address = endpoint or settings.feed.staff_requests
        if address.endswith("*"):
            raise CommandFailed(
                "these settings let the table take any free port: say --staff-requests with the "
                "address that `studio serve` printed",
                Exit.BAD_SETTINGS,
            )
        return cls(address, settings.table, client_keys(settings))

    def snapshot(self) -> tuple[int, StaffState]:
        """The table after staff message ``seq``. Raises CommandFailed."""
        answer = self.picture()
        try:
            return answer.seq, msgspec.convert(answer.state, StaffState)
        except msgspec.ValidationError as fault:
            raise CommandFailed(f"{self._endpoint}: the snapshot cannot be read: {fault}") from None

    def picture(self) -> StaffSnapshot:
        """The snapshot as it was answered. Raises CommandFailed."""
        answer = self.ask(AskStaffSnapshot(id="s", table=self.table))
        if not isinstance(answer, StaffSnapshot):
            raise CommandFailed(f"{self._endpoint} gave no snapshot: {_text_of(answer)}")
        return answer

    def tell(self, command: Command) -> Acceptance | RefusalAnswer:
        """Send a command where nobody logs in. Raises CommandFailed as ``ask_command`` does."""
        return self.ask_command(AskCommand(id="c", table=self.table, command=command))

    def ask_command(self, request: AskCommand) -> Acceptance | RefusalAnswer:
        """Send a command. Raises CommandFailed when it could not be understood or answered."""
        answer = self.ask(request)
        if isinstance(answer, Acceptance | RefusalAnswer):
            return answer
        raise CommandFailed(f"{self._endpoint}: {_text_of(answer)}")

    def ask(self, request: StaffAsk) -> StaffAnswer:
        """Ask anything. Raises CommandFailed when there is no answer, or none that can be read."""
        try:
            return read_answer(self._client.ask(request))
        except NoAnswer as nobody:
            raise CommandFailed(str(nobody), Exit.UNREACHABLE) from None
        except ValueError as fault:
            raise CommandFailed(f"{self._endpoint}: {fault}", Exit.UNREACHABLE) from None

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _text_of(answer: StaffAnswer) -> str:
    if isinstance(answer, StaffError | RefusalAnswer):
        return f"{answer.code}: {answer.text}"
    return str(answer)
