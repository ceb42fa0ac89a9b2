# SPDX-License-Identifier: Apache-2.0
"""A descriptor that was somebody's connection may be anything a moment later."""

import os
import socket
from collections.abc import Iterator

import pytest

from studio.feed.connections import Connections
from tests.leaks import open_descriptors

Pair = tuple[socket.socket, socket.socket]


def connected(listening: socket.socket) -> Pair:
    """Both ends of a TCP connection: the far one, and the one accepted here."""
    far = socket.create_connection(listening.getsockname()[:2])
    return far, listening.accept()[0]


def _is_over(far: socket.socket) -> bool:
    far.settimeout(5)
    try:
        return far.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.fixture(params=["127.0.0.1", "::1"])
def listening(request: pytest.FixtureRequest) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in request.param else socket.AF_INET
    with socket.create_server((request.param, 0), family=family) as made:
        yield made


def test_only_the_connections_of_the_key_are_ended(listening: socket.socket) -> None:
    pairs = [connected(listening) for _ in range(3)]
    connections = Connections()
    for key, (_, near) in zip("aba", pairs, strict=True):
        found = connections.seen(key, near.fileno())
        assert found is not None
        assert found[1] == 1
    gone = connections.cut(lambda one: one.public == "a")
    assert len(gone) == 2
    assert connections.cut(lambda one: one.public == "a") == []
    for key, (far, near) in zip("aba", pairs, strict=True):
        if key == "a":
            assert _is_over(far)
        else:
            near.sendall(b"!")
            assert far.recv(1) == b"!"
        near.close()
        far.close()
    assert [one.public for one in connections.ended()] == ["b"]
    assert connections.ended() == []


def test_a_number_that_is_another_connection_by_now_is_left_alone(
    listening: socket.socket,
) -> None:
    connections = Connections()
    far, near = connected(listening)
    connections.seen("a", near.fileno())
    number = near.fileno()
    other_far, other = connected(listening)
    near.close()
    os.dup2(other.fileno(), number)
    assert connections.cut(lambda one: one.public == "a") == []
    other.sendall(b"!")
    assert other_far.recv(1) == b"!"
    os.close(number)
    for one in (far, other_far, other):
        one.close()


def test_a_number_that_is_a_file_or_nothing_by_now_is_no_connection() -> None:
    connections = Connections()
    reading, writing = os.pipe()
    before = open_descriptors()
    assert connections.seen("a", reading) is None
    assert open_descriptors() == before
    for one in (reading, writing):
        os.close(one)
    assert connections.seen("a", reading) is None


def test_a_number_that_is_a_socket_without_a_name_by_now_has_ended(
    listening: socket.socket,
) -> None:
    connections = Connections()
    far, near = connected(listening)
    connections.seen("a", near.fileno())
    one, other = socket.socketpair()
    number = near.detach()
    os.dup2(one.fileno(), number)
    assert [gone.public for gone in connections.ended()] == ["a"]
    assert connections.seen("a", number) is None
    os.close(number)
    for left in (far, one, other):
        left.close()
