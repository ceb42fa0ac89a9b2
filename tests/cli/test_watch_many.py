# SPDX-License-Identifier: Apache-2.0
"""``studio watch`` of several tables at once, on real sockets and a real terminal."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest

from studio.cli.exits import Exit
from studio.feed.wire import decode
from studio.game import events as ev
from tests.cli.run import studio
from tests.cli.terminal import LINES, Terminal
from tests.feed.examples import PUBLIC_EVENTS
from tests.feed.fake_studio import FakeStudio, Happening, Record
from tests.feed.keyed import Studio


@pytest.fixture
def tables(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[FakeStudio]]:
    """Two tables that have played; the second one is suspended.

    Closed, and behind keys (those of ``acme`` are let in), if that is asked.
    """
    asked = getattr(request, "param", "")
    with ExitStack() as ending:
        guard = None
        if "keys" in asked:
            keyed = Studio(tmp_path)
            keyed.client("acme")
            guard = keyed.guard()
            guard.start()
            ending.callback(guard.close)
        made = [
            ending.enter_context(FakeStudio(Happening(Record(), table=name), guard=guard))
            for name in ("BAC-1", "BAC-2")
        ]
        for table in made:
            table.say(*PUBLIC_EVENTS)
            if guard is not None:
                table.happening.sign = keyed.keys.signer.sign
            if "closed" in asked:
                table.say(ev.TableClosed(reason="staff", by="s-1"), round_id=None)
        over = threading.Event()

        def beat() -> None:
            while not over.wait(0.05):
                for table, suspended in zip(made, (None, "review"), strict=True):
                    table.happening.at = datetime.now(UTC)
                    table.publisher.hear()
                    table.beat(suspended)

        beating = threading.Thread(target=beat)
        beating.start()
        ending.callback(beating.join)
        ending.callback(over.set)
        yield made


def at(*endpoints: str) -> list[str]:
    return ["--environment", "test", *(word for one in endpoints for word in ("--requests", one))]


def nobody() -> str:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return f"tcp://127.0.0.1:{taken.getsockname()[1]}"


def test_all_of_them_are_drawn_and_a_dead_one_holds_up_nobody(tables, tmp_path):
    dead = nobody()
    terminal = Terminal(["watch", *at(dead, *(one.requests for one in tables))], tmp_path)
    terminal.until("BAC-1", "BAC-2", "NO ANSWER", "susp review", "big road")
    picture = terminal.end()
    assert len(picture) <= LINES
    assert any(dead.removeprefix("tcp://") in line for line in picture)


@pytest.mark.parametrize("tables", ["closed", "closed keys"], indirect=True)
def test_messages_of_all_tables_are_written_and_it_ends_when_all_are_closed(tables, tmp_path):
    keys = ("--keys", str(tmp_path / "machines" / "acme")) if (tmp_path / "keys").exists() else ()
    done = studio(
        "watch", *at(*(one.requests for one in tables)), *keys,
        "--json", "--from-start", "--until-closed", home=tmp_path,
    )  # fmt: skip
    assert done.returncode == Exit.DONE
    heard = [decode(line.encode()) for line in done.stdout.splitlines()]
    for one in tables:
        own = [message.payload for message in heard if message.table == one.happening.table]
        assert own == [payload for _, _, payload in one.happening.record.rows]


@pytest.mark.parametrize("tables", ["closed"], indirect=True)
def test_a_name_that_is_served_nowhere_is_told_and_the_others_are_watched(tables, tmp_path):
    done = studio(
        "watch", *at(tables[0].requests), "BAC-1", "BAC-9", "--from-start", "--until-closed",
        home=tmp_path,
    )  # fmt: skip
    assert done.returncode == Exit.DONE
    assert "BAC-9: ALARM no_answer: not served at" in done.stdout
    assert "table closed" in done.stdout
