# SPDX-License-Identifier: Apache-2.0
"""The simulated shoe on real pseudo-terminals and sockets, in a thread of the test."""

import fcntl
import os
import select
import socket
import termios
import threading
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from drivers.sim import protocol
from drivers.sim.client import ShoeControl, ShoeRefusedError
from drivers.sim.commands import Fault, SendBytes
from drivers.sim.faults import FaultKind
from drivers.sim.options import SimOptions
from drivers.sim.ports import split_address
from drivers.sim.server import Simulator
from drivers.sim.tcp_port import MOST_CONNECTIONS
from tests.sim.wire import letters
from tests.waiting import until

Start = Callable[..., ShoeControl]

NONSENSE = (
    b"hello",
    b"{}",
    b'{"do":"dance"}',
    b'{"do":"pull","m":3}',
    b'{"do":"pull","n":0}',
    b'{"do":"fault"}',
    b'{"do":"fault","kind":"noise","size":-1}',
    b'{"do":"fault","kind":"wrong_baud","read_at":0}',
    b'{"do":"fault","kind":"refuse","code":256}',
    b'{"do":"fault","kind":"error","code":-1}',
)


@pytest.fixture
def link(tmp_path: Path) -> Path:
    return tmp_path / "shoe"


@pytest.fixture
def start(link: Path) -> Iterator[Start]:
    """Starts a simulated shoe on ``link`` and on TCP; hands back the hand on it."""
    started: list[tuple[threading.Thread, ShoeControl]] = []
    simulators: list[Simulator] = []

    def begin(**options: object) -> ShoeControl:
        chosen = {"speed": 0.0, "pty": str(link), "tcp": "127.0.0.1:0", **options}
        simulator = Simulator(SimOptions(**chosen))  # type: ignore[arg-type]
        thread = threading.Thread(target=simulator.serve, name="simulator")
        thread.start()
        control = ShoeControl(simulator.endpoints.control)
        started.append((thread, control))
        simulators.append(simulator)
        return control

    def last() -> Simulator:
        return simulators[-1]

    begin.last = last  # type: ignore[attr-defined]
    yield begin
    for thread, control in started:
        if thread.is_alive():
            control.stop()
        thread.join(10)
        control.close()
        assert not thread.is_alive()


class Host:
    """A host on the line: reads what comes, until it has enough."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        os.set_blocking(fd, False)

    def available(self) -> bytes:
        try:
            return os.read(self.fd, 65536)
        except BlockingIOError:
            return b""

    def read(self, size: int) -> bytes:
        heard = b""

        def is_enough() -> bool:
            nonlocal heard
            select.select([self.fd], [], [], 0.1)
            heard += self.available()
            return len(heard) >= size

        until(is_enough)
        return heard

    def is_hung_up(self) -> bool:
        try:
            return os.read(self.fd, 65536) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True


@pytest.fixture
def on_pty(link: Path) -> Iterator[Callable[[], Host]]:
    opened: list[int] = []

    def connect() -> Host:
        opened.append(os.open(link, os.O_RDWR | os.O_NOCTTY))
        return Host(opened[-1])

    yield connect
    for fd in opened:
        os.close(fd)


@pytest.fixture
def on_tcp(start: Start) -> Iterator[Callable[[], Host]]:
    opened: list[socket.socket] = []

    def connect() -> Host:
        endpoint = start.last().endpoints.tcp  # type: ignore[attr-defined]
        opened.append(socket.create_connection(split_address(endpoint), 10))
        return Host(opened[-1].fileno())

    yield connect
    for each in opened:
        each.close()


def test_both_lines_carry_the_same_bytes(
    start: Start, on_pty: Callable[[], Host], on_tcp: Callable[[], Host]
) -> None:
    shoe = start()
    shoe.drain()
    pty, tcp = on_pty(), on_tcp()
    until(lambda: shoe.state().connections == 1)
    assert letters(pty.read(12)) == "SP"
    shoe.pull(3)
    heard = pty.read(24)
    assert letters(heard) == "DDD"
    assert tcp.read(24) == heard


def test_a_pseudo_terminal_passes_every_byte_as_it_is(
    start: Start, on_pty: Callable[[], Host]
) -> None:
    shoe = start(tcp=None)
    host = on_pty()
    host.read(12)
    everything = bytes(range(256))
    shoe.ask(SendBytes(everything.hex()))
    assert host.read(256) == everything
    assert termios.tcgetattr(host.fd)[3] & (termios.ECHO | termios.ICANON | termios.ISIG) == 0


def test_a_command_of_the_host_is_answered_on_both_kinds_of_line(
    start: Start, on_pty: Callable[[], Host], on_tcp: Callable[[], Host]
) -> None:
    start().drain()
    pty, tcp = on_pty(), on_tcp()
    pty.read(12)
    os.write(pty.fd, protocol.command("GP", "00"))
    assert pty.read(1) == b"\x06"
    os.write(tcp.fd, protocol.command("ZZ", "00"))
    assert tcp.read(2).endswith(b"\x15\x14")


def test_bytes_that_nobody_reads_are_lost_and_stop_nothing(
    start: Start, on_tcp: Callable[[], Host]
) -> None:
    shoe = start()
    host = on_tcp()
    until(lambda: shoe.state().connections == 1)
    shoe.ask(Fault(kind=FaultKind.FLOOD, count=20_000))
    host.read(120_000)
    shoe.drain()
    state = shoe.state()
    assert state.bytes_lost > 50_000
    assert state.unread < 50_000
    assert shoe.pull()[0].card is not None


def test_a_listening_host_loses_nothing_in_a_flood(
    start: Start, on_pty: Callable[[], Host]
) -> None:
    shoe = start(tcp=None)
    host = on_pty()
    shoe.ask(Fault(kind=FaultKind.FLOOD, count=20_000))
    assert letters(host.read(120_012)) == "SP" + "P" * 20_000
    assert shoe.state().bytes_lost == 0


def test_unplugging_hangs_up_and_plugging_brings_a_fresh_line_of_the_same_name(
    start: Start, link: Path, on_pty: Callable[[], Host], on_tcp: Callable[[], Host]
) -> None:
    shoe = start()
    shoe.drain()
    pty, tcp = on_pty(), on_tcp()
    until(lambda: shoe.state().connections == 1)
    pty.read(12)
    shoe.unplug()
    until(pty.is_hung_up)
    until(tcp.is_hung_up)
    assert not link.is_symlink()
    until(on_tcp().is_hung_up)
    assert not shoe.state().plugged
    lost = shoe.pull()[0]
    shoe.plug()
    pty, tcp = on_pty(), on_tcp()
    until(lambda: shoe.state().connections == 1)
    kept = shoe.pull()[0]
    assert (lost.index, kept.index) == (1, 1)
    assert letters(pty.read(8)) == letters(tcp.read(8)) == "D"
    assert shoe.state().bytes_lost >= 8


def test_the_cable_can_come_out_in_the_middle_of_a_frame(
    start: Start, on_pty: Callable[[], Host], on_tcp: Callable[[], Host]
) -> None:
    shoe = start()
    shoe.drain()
    pty, tcp = on_pty(), on_tcp()
    until(lambda: shoe.state().connections == 1)
    pty.read(12)
    shoe.unplug(after_bytes=13)
    shoe.pull(2)
    assert tcp.read(13)[8:9] == b"\x05"
    assert len(pty.read(13)) == 13
    until(pty.is_hung_up)
    until(tcp.is_hung_up)
    assert not shoe.state().plugged


def test_a_connection_can_end_with_a_reset(start: Start, on_tcp: Callable[[], Host]) -> None:
    shoe = start(pty=None)
    host = on_tcp()
    until(lambda: shoe.state().connections == 1)
    shoe.unplug(reset=True)

    def is_reset() -> bool:
        try:
            os.read(host.fd, 100)
        except ConnectionResetError:
            return True
        except BlockingIOError:
            pass
        return False

    until(is_reset)


def test_one_host_more_than_the_device_server_has_room_for_is_hung_up_on(
    start: Start, on_tcp: Callable[[], Host]
) -> None:
    shoe = start(pty=None)
    hosts = [on_tcp() for _ in range(MOST_CONNECTIONS)]
    until(lambda: shoe.state().connections == MOST_CONNECTIONS)
    until(on_tcp().is_hung_up)
    assert not hosts[0].is_hung_up()


def test_a_host_that_claimed_the_line_and_died_does_not_keep_it(
    start: Start, link: Path, on_pty: Callable[[], Host]
) -> None:
    start(tcp=None)
    fd = os.open(link, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(fd)
    fcntl.ioctl(fd, termios.TIOCEXCL)
    tiocgexcl = 0x80045440
    far = on_pty()

    def is_free() -> bool:
        answer = bytearray(4)
        fcntl.ioctl(far.fd, tiocgexcl, answer)
        return not any(answer)

    os.close(fd)
    until(is_free)


def test_a_file_in_the_place_of_the_link_is_not_replaced(link: Path) -> None:
    link.write_text("precious")
    with pytest.raises(FileExistsError, match="give another"):
        Simulator(SimOptions(pty=str(link)))
    assert link.read_text() == "precious"


def test_a_link_left_by_a_dead_simulator_is_replaced(start: Start, link: Path) -> None:
    link.symlink_to("/dev/pts/987654")
    start()
    assert link.exists()


def test_the_control_line_refuses_nonsense_and_goes_on(start: Start) -> None:
    shoe = start()
    endpoint = start.last().endpoints.control  # type: ignore[attr-defined]
    with socket.create_connection(split_address(endpoint), 10) as raw, raw.makefile("rb") as lines:
        for nonsense in (
            b"hello",
            b"{}",
            b'{"do":"dance"}',
            b'{"do":"pull","m":3}',
            b'{"do":"pull","n":0}',
        ):
            raw.sendall(nonsense + b"\n")
            assert b'"ok":false' in lines.readline()
        raw.sendall(b'{"do":"pull"}\n{"do":"pull","n":2}\n')
        assert lines.readline().count(b'"card"') == 1
        assert lines.readline().count(b'"card"') == 2
    with pytest.raises(ShoeRefusedError, match="n"):
        shoe.pull(0)


def test_stop_ends_it_and_takes_the_link_away(start: Start, link: Path) -> None:
    start().stop()
    until(lambda: not link.is_symlink())
    until(lambda: not any(each.name == "simulator" for each in threading.enumerate()))
