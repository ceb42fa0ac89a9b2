# SPDX-License-Identifier: Apache-2.0
"""Heads go to another machine over TCP: none is missing, and nobody waits for it."""

import json
import socket
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import pytest
from structlog.testing import capture_logs

from studio import heads_socket
from studio.heads import Head
from studio.heads_socket import HeadsSocket, place_of
from tests.long_record import TABLE
from tests.waiting import until

AT = datetime(2026, 11, 29, 12, tzinfo=UTC)


def head(seq: int) -> Head:
    return Head(TABLE, "one", seq, seq, "00", "ff", AT)


def listening(port: int = 0) -> socket.socket:
    server = socket.create_server(("127.0.0.1", port))
    server.settimeout(20)
    return server


def heard(connection: socket.socket, count: int) -> list[int]:
    """So many lines, each whole: the numbers of their events."""
    connection.settimeout(20)
    data = b""
    while data.count(b"\n") < count:
        more = connection.recv(4096)
        assert more, "the connection ended"
        data += more
    return [json.loads(line)["seq"] for line in data.splitlines()]


@pytest.fixture
def server() -> Iterator[socket.socket]:
    with closing(listening()) as made:
        yield made


def address(server: socket.socket) -> str:
    return f"tcp://127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.req("AUD-11")
def test_each_head_is_a_line(server: socket.socket) -> None:
    with HeadsSocket(address(server), TABLE) as heads:
        heads.add(head(1))
        connection, _ = server.accept()
        with connection:
            assert heard(connection, 1) == [1]
            heads.add(head(2))
            heads.add(head(3))
            assert heard(connection, 2) == [2, 3]


@pytest.mark.req("AUD-11")
def test_what_was_not_taken_while_the_line_was_down_is_sent_first_and_it_is_told(
    server: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heads_socket, "_FIRST_WAIT", 0.02)
    port = server.getsockname()[1]
    with capture_logs() as logs, HeadsSocket(address(server), TABLE) as heads:
        heads.add(head(1))
        connection, _ = server.accept()
        assert heard(connection, 1) == [1]
        server.close()
        connection.close()
        for seq in range(2, 6):
            heads.add(head(seq))
        until(lambda: len(logs) == 1)
        with closing(listening(port)) as again:
            connection, _ = again.accept()
            with connection:
                told: list[int] = []
                while 5 not in told:
                    told += heard(connection, 1)
                heads.add(head(6))
                while 6 not in told:
                    told += heard(connection, 1)
        until(lambda: len(logs) >= 2)
    assert told[-5:] == [2, 3, 4, 5, 6]
    assert set(told[:-5]) <= {1}, "what may have been taken comes again"
    assert [line["log_level"] for line in logs[:2]] == ["warning", "info"]


def test_an_end_while_nobody_listens_waits_for_nobody(server: socket.socket) -> None:
    gone = address(server)
    server.close()
    with capture_logs() as logs, HeadsSocket(gone, TABLE) as heads:
        heads.add(head(1))
        until(lambda: len(logs) == 1)
    assert "refused" in logs[0]["why"]


def test_behind_many_the_oldest_go(server: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads_socket, "_MOST_KEPT", 3)
    monkeypatch.setattr(heads_socket, "_FIRST_WAIT", 0.02)
    port = server.getsockname()[1]
    server.close()
    with capture_logs() as logs, HeadsSocket(f"tcp://127.0.0.1:{port}", TABLE) as heads:
        for seq in range(1, 8):
            heads.add(head(seq))
        until(lambda: len(logs) == 1)
        with closing(listening(port)) as again:
            connection, _ = again.accept()
            with connection:
                assert heard(connection, 3)[-1] == 7


def test_an_address_is_a_host_and_a_port() -> None:
    assert place_of("tcp://[::1]:7700") == ("::1", 7700)
    assert place_of("tcp://auditor.example:7700") == ("auditor.example", 7700)
