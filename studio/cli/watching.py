# SPDX-License-Identifier: Apache-2.0
"""How a table is followed and shown: as bytes, as lines, or drawn on the screen."""

import sys
import time
from collections import deque
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple, Protocol, assert_never

import msgspec
from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from studio.cli.exits import CommandFailed, Exit
from studio.cli.output import console
from studio.feed import asks
from studio.feed import messages as m
from studio.feed.client import Client, NoAnswer
from studio.feed.endpoint import as_seen_from
from studio.feed.keys import ClientKeys
from studio.feed.subscriber import EnvironmentRefused, Subscriber
from studio.feed.updates import (
    Accepted,
    Acknowledged,
    Alarm,
    Bookmark,
    Joined,
    RoundChecked,
    StatusChanged,
    Update,
)
from studio.feed.wire import HEAD_0
from studio.game.roads import counts_of, roads_of
from studio.game.snapshot import PublicState
from studio.inbox import Stopping
from studio.terminal import Scene
from studio.terminal_board import board_view
from studio.terminal_lines import line_of

ANSWER_SECONDS = 5.0
_ASK_AGAIN_SECONDS = 0.5
_POLL_SECONDS = 0.1
_LINES_KEPT = 200
# The screen is not drawn more often than a person can see.
_DRAW_SECONDS = 0.04
# The picture that stays has no room for messages.
_LAST_PICTURE_LINES = 22


class Found(NamedTuple):
    """Where a table's public feed is, and with which keys it is reached."""

    table: str
    events: str
    requests: str
    keys: ClientKeys | None = None


class Show(Protocol):
    """What becomes of the updates."""

    def __enter__(self) -> object: ...
    def __exit__(self, *exception: object) -> None: ...
    def heard(self, updates: list[Update], scene: Scene) -> None: ...


def tables_at(
    requests: str,
    stopping: Stopping,
    *,
    wait: bool,
    keys: ClientKeys | None = None,
) -> list[Found]:
    """Ask the request socket which tables it serves; none when stopped meanwhile.

    Raises CommandFailed when nobody answers, unless ``wait``.
    """
    seconds = _ASK_AGAIN_SECONDS if wait else ANSWER_SECONDS
    with Client(requests, keys) as client:
        while not stopping.is_set():
            try:
                answer = asks.read_answer(client.ask(asks.AskTables(id="watch"), seconds))
            except NoAnswer as nobody:
                if not wait:
                    raise CommandFailed(str(nobody), Exit.UNREACHABLE) from nobody
                continue
            except ValueError as fault:
                raise CommandFailed(f"{requests}: {fault}", Exit.UNREACHABLE) from fault
            served = answer.tables if isinstance(answer, asks.Tables) else ()
            return [
                Found(one.table, as_seen_from(one.pub, requests), requests, keys) for one in served
            ]
    return []


def found_at(
    requests: str,
    table: str | None,
    stopping: Stopping,
    *,
    wait: bool,
    keys: ClientKeys | None = None,
) -> Found | None:
    """The table that is served at a request socket; None when stopped meanwhile.

    Raises CommandFailed: nobody answers (unless ``wait``), or the table is not served there.
    """
    served = tables_at(requests, stopping, wait=wait, keys=keys)
    if stopping.is_set():
        return None
    for one in served:
        if table in (None, one.table):
            return one
    names = ", ".join(one.table for one in served) or "none"
    raise CommandFailed(f"table {table} is not served at {requests}; served: {names}")


def follow(
    found: Found,
    environment: str,
    show: Show,
    stopping: Stopping,
    *,
    everything: bool,
    until_closed: bool,
) -> None:
    """Follow a table and show it until stopped, or until it closes."""
    bookmarks = {found.table: _first_page(found)} if everything else {}
    picture = Picture(found.table)
    with (
        Subscriber(
            found.events,
            found.requests,
            [found.table],
            environment,
            keys=found.keys,
            bookmarks=bookmarks,
        ) as subscriber,
        show,
    ):
        while not stopping.is_set():
            try:
                updates = subscriber.poll(_POLL_SECONDS)
            except EnvironmentRefused as refused:
                raise CommandFailed(f"{refused}; say --environment to watch it") from refused
            show.heard(updates, picture.after(updates, subscriber))
            if until_closed and any(map(_is_close, updates)):
                return


def _is_close(update: Update) -> bool:
    return isinstance(update, Accepted) and isinstance(update.message.data, m.TableClosed)


def _first_page(found: Found) -> Bookmark:
    """Where a subscriber stands that has heard nothing: before the first message of the epoch."""
    try:
        with Client(found.requests, found.keys) as client:
            ask = asks.AskSnapshot(id="watch", table=found.table)
            answer = asks.read_answer(client.ask(ask, ANSWER_SECONDS))
            if not isinstance(answer, asks.Snapshot):
                raise CommandFailed(f"{found.requests} gave no snapshot: {answer}")
            state = msgspec.convert(answer.state, PublicState)
    except NoAnswer as nobody:
        raise CommandFailed(str(nobody), Exit.UNREACHABLE) from nobody
    except ValueError as fault:
        raise CommandFailed(f"{found.requests}: {fault}", Exit.UNREACHABLE) from fault
    before = msgspec.structs.replace(
        state,
        phase="closed",
        suspended=None,
        manual_mode=False,
        shoe=None,
        round=None,
        closes_at=None,
        player=(),
        banker=(),
        player_total=None,
        banker_total=None,
        last_coup=None,
        cards_out=0,
        results=(),
        roads=None if state.roads is None else roads_of(()),
        counts=None if state.counts is None else counts_of(()),
    )
    return Bookmark(answer.epoch, 0, HEAD_0.hex(), before, {})


class Payloads:
    """Exactly the bytes of each public message, one a line; all else goes to standard error."""

    def __enter__(self) -> "Payloads":
        return self

    def __exit__(self, *exception: object) -> None:
        sys.stdout.buffer.flush()

    def heard(self, updates: list[Update], _scene: Scene) -> None:
        """Write what was accepted."""
        for update in updates:
            match update:
                case Accepted(message=message):
                    sys.stdout.buffer.write(message.payload + b"\n")
                case Alarm(table=table, code=code, text=text):
                    sys.stderr.write(f"{table}: {code}: {text}\n")
                case _:
                    pass
        if updates:
            sys.stdout.buffer.flush()


class Lines:
    """A line for each message, status and alarm; for a file, a pipe or a plain terminal."""

    def __init__(self) -> None:
        self._out = console()

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *exception: object) -> None:
        sys.stdout.flush()

    def heard(self, updates: list[Update], _scene: Scene) -> None:
        """Write what happened."""
        for update in updates:
            self._out.print(_line(update), soft_wrap=True)
        if updates:
            sys.stdout.flush()


def _line(update: Update) -> Text:
    match update:
        case Accepted(message=message):
            return line_of(message)
        case Joined(table=table, seq=seq, state=state):
            return Text(f"{table}: joined after message {seq}, {state.phase}")
        case StatusChanged(table=table, status=status):
            return Text(f"{table}: feed {status.value}")
        case Acknowledged(table=table, round=round_id, revision=revision):
            return Text(f"{table}: round {round_id}, revision {revision} is acknowledged")
        case Alarm(table=table, code=code, text=text):
            return Text(f"{table}: ALARM {code}: {text}")
        case RoundChecked(table=table, round=round_id, message=message):
            if message is None:
                return Text(f"{table}: round {round_id} is not known to the studio: call it")
            return Text(f"{table}: round {round_id}: ").append_text(line_of(message))
        case _:
            assert_never(update)


class Picture:
    """What is drawn of a table that is followed."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._lines: deque[Text] = deque(maxlen=_LINES_KEPT)
        self._alarm: str | None = None
        self._seconds: float | None = None

    def after(self, updates: list[Update], subscriber: Subscriber) -> Scene:
        """The table as it stands once these have happened."""
        for update in updates:
            match update:
                case Accepted(message=message):
                    self._lines.append(line_of(message))
                    if isinstance(message.data, m.BetsOpened):
                        self._seconds = message.data.seconds
                case Alarm(code=code, text=text):
                    self._alarm = f"{code}: {text}"
                case _:
                    pass
        follower = subscriber.followers[self._table]
        return Scene(
            table=self._table,
            state=follower.view,
            feed=follower.status.value,
            seq=follower.seq,
            head=follower.head.hex(),
            now=subscriber.studio_time(self._table),
            betting_seconds=self._seconds,
            suspended=follower.suspended,
            alarm=self._alarm,
            lines=tuple(self._lines),
        )


class Screen:
    """Tables drawn on the terminal; their last picture stays when the watching ends."""

    def __init__(self, tables: Iterable[str]) -> None:
        self._console = Console(highlight=False)
        self._live = Live(console=self._console, screen=True, auto_refresh=False)
        self._scenes = {table: Scene(table=table) for table in tables}
        self._drawn_at = 0.0

    def __enter__(self) -> "Screen":
        self._live.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self._live.__exit__(None, None, None)
        # the alternate screen is gone: what was seen last goes on the one that stays
        width, height = self._console.size
        self._console.print(self._drawn(width, min(height, _LAST_PICTURE_LINES)))

    def heard(self, updates: list[Update], scene: Scene) -> None:
        """Draw the tables as they stand now."""
        self._scenes[scene.table] = scene
        now = time.monotonic()
        if (updates or len(self._scenes) > 1) and now - self._drawn_at < _DRAW_SECONDS:
            return
        self._drawn_at = now
        self._live.update(self._drawn(*self._console.size), refresh=True)

    def forget(self, table: str) -> None:
        """Draw a table no more."""
        self._scenes.pop(table, None)

    def _drawn(self, width: int, height: int) -> RenderableType:
        return board_view(list(self._scenes.values()), datetime.now(UTC), width, height)
