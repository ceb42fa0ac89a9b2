# SPDX-License-Identifier: Apache-2.0
"""Serial and TCP lines, on a real pseudo-terminal and real sockets."""

import os
import socket
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
from serial.tools.list_ports_common import ListPortInfo

from drivers.endpoint import SerialEndpoint, TcpEndpoint, UsbEndpoint
from drivers.transport import Line, LineError, LineFault, SerialLine, TcpLine, line_to
from tests.drivers.lines import DeviceServer, Plug

SECONDS = 10.0


@pytest.fixture
def plug(tmp_path: Path) -> Iterator[Plug]:
    with Plug(tmp_path) as plug:
        yield plug


@pytest.fixture
def server() -> Iterator[DeviceServer]:
    with DeviceServer() as server:
        yield server


def serial_line(plug: Plug, baud: int = 4800) -> SerialLine:
    return SerialLine(SerialEndpoint(str(plug.path), baud))


def tcp_line(server: DeviceServer) -> TcpLine:
    return TcpLine(TcpEndpoint("127.0.0.1", server.port))


def why_not_open(line: Line) -> LineError:
    with pytest.raises(LineError) as caught:
        line.open()
    line.close()
    return caught.value


def why_lost(line: Line) -> LineError:
    with pytest.raises(LineError) as caught:
        all(iter(lambda: line.read(SECONDS), b""))
    line.close()
    return caught.value


# --- serial --------------------------------------------------------------------------------------


def test_bytes_go_both_ways_over_a_serial_port(plug: Plug) -> None:
    line = serial_line(plug)
    line.open()
    plug.push(bytes(range(256)))
    got = b""
    while len(got) < 256:
        got += line.read(SECONDS)
    assert got == bytes(range(256))
    line.write(b"\x03\x04\x11\x13\xff\n")
    assert plug.sent(6) == b"\x03\x04\x11\x13\xff\n"
    line.close()
    line.close()


def test_the_port_is_raw_8n1_without_flow_control_at_its_baud_rate(plug: Plug) -> None:
    line = serial_line(plug, 9600)
    line.open()
    assert line._port is not None
    iflag, oflag, cflag, lflag, ispeed, ospeed, _ = termios.tcgetattr(line._port.fileno())
    assert ispeed == ospeed == termios.B9600
    assert cflag & termios.CSIZE == termios.CS8
    assert not cflag & (termios.PARENB | termios.CSTOPB | termios.CRTSCTS)
    assert not iflag & (termios.IXON | termios.IXOFF | termios.ISTRIP | termios.ICRNL)
    assert not oflag & termios.OPOST
    assert not lflag & (termios.ICANON | termios.ECHO | termios.ISIG)
    line.close()


def test_silence_is_no_bytes_and_no_error(plug: Plug) -> None:
    line = serial_line(plug)
    line.open()
    assert line.read(0) == b""
    line.close()


def test_an_unplugged_port_gives_its_last_bytes_and_then_says_so(plug: Plug) -> None:
    line = serial_line(plug)
    line.open()
    plug.push(b"last")
    assert line.read(SECONDS) == b"last"
    plug.pull_out()
    assert why_lost(line).reason is LineFault.UNPLUGGED
    with pytest.raises(LineError):
        line.read(0)


def test_writing_to_an_unplugged_port_says_so(plug: Plug) -> None:
    line = serial_line(plug)
    line.open()
    plug.pull_out()
    with pytest.raises(LineError) as caught:
        line.write(b"\x06")
    assert caught.value.reason is LineFault.UNPLUGGED
    line.close()


def test_a_port_that_nobody_reads_is_a_time_out_for_writing(
    plug: Plug, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.transport.WRITE_SECONDS", 0.05)
    line = serial_line(plug)
    line.open()
    with pytest.raises(LineError) as caught:
        line.write(b"x" * 1_000_000)
    assert caught.value.reason is LineFault.TIMEOUT
    line.close()


def test_a_missing_port_says_so(tmp_path: Path) -> None:
    error = why_not_open(SerialLine(SerialEndpoint(str(tmp_path / "none"))))
    assert error.reason is LineFault.MISSING
    assert "none" in error.detail


def test_something_that_is_no_port_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert why_not_open(SerialLine(SerialEndpoint(str(tmp_path / "file")))).reason in (
        LineFault.REFUSED,
        LineFault.MISSING,
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open anything")
def test_a_port_without_permission_says_which_group_is_needed(plug: Plug) -> None:
    plug.path.resolve().chmod(0)
    error = why_not_open(serial_line(plug))
    assert error.reason is LineFault.PERMISSION
    assert "dialout" in error.detail


HOLD = """
import sys
from drivers.endpoint import parse_endpoint
from drivers.transport import line_to
line = line_to(parse_endpoint(sys.argv[1]))
line.open()
print("open", flush=True)
sys.stdin.read()
"""


def test_two_processes_cannot_hold_one_port(plug: Plug) -> None:
    address = f"serial:{plug.path}"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        error = why_not_open(serial_line(plug))
        holder.communicate("")
    assert error.reason is LineFault.BUSY
    assert f"process {holder.pid}" in error.detail
    line = serial_line(plug)
    line.open()
    line.close()


# --- USB -----------------------------------------------------------------------------------------


def adapter(device: str, product: int, number: str | None) -> ListPortInfo:
    port = ListPortInfo(device)
    port.vid, port.pid, port.serial_number = 0x0403, product, number
    return port


def bare(device: str) -> ListPortInfo:
    return ListPortInfo(device)


def test_an_adapter_is_found_by_what_it_is(plug: Plug) -> None:
    ports = [bare("/dev/ttyS0"), adapter(str(plug.path), 0x6001, "A"), adapter("x", 0x6001, "B")]
    line = SerialLine(UsbEndpoint(0x0403, 0x6001, "A"), lambda: ports)
    line.open()
    plug.push(b"found")
    assert line.read(SECONDS) == b"found"
    line.close()


def test_two_adapters_that_fit_are_refused_and_both_named() -> None:
    ports = [adapter("/dev/ttyUSB0", 0x6001, "A"), adapter("/dev/ttyUSB1", 0x6001, None)]
    error = why_not_open(SerialLine(UsbEndpoint(0x0403, 0x6001), lambda: ports))
    assert error.reason is LineFault.AMBIGUOUS
    assert "/dev/ttyUSB0 (usb:0403:6001:A)" in error.detail
    assert "/dev/ttyUSB1" in error.detail


def test_an_adapter_that_is_not_there_is_missing_and_the_others_are_named() -> None:
    ports = [bare("/dev/ttyS0"), adapter("/dev/ttyUSB0", 0x6010, "A")]
    error = why_not_open(SerialLine(UsbEndpoint(0x0403, 0x6001), lambda: ports))
    assert error.reason is LineFault.MISSING
    assert "/dev/ttyUSB0 (usb:0403:6010:A)" in error.detail
    assert "found: none" in why_not_open(SerialLine(UsbEndpoint(1, 2), list)).detail


# --- TCP -----------------------------------------------------------------------------------------


def test_bytes_go_both_ways_over_tcp(server: DeviceServer) -> None:
    line = tcp_line(server)
    line.open()
    server.accept()
    server.push(b"\x05\xff\x00")
    assert line.read(SECONDS) == b"\x05\xff\x00"
    line.write(b"\x06")
    assert server.sent(1) == b"\x06"
    assert line.read(0) == b""
    line.close()
    line.close()


def test_a_dead_peer_will_be_noticed(server: DeviceServer) -> None:
    line = tcp_line(server)
    line.open()
    assert line._socket is not None
    option = line._socket.getsockopt
    assert option(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
    assert option(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1
    assert option(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 10
    assert option(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL) == 3
    assert option(socket.IPPROTO_TCP, socket.TCP_KEEPCNT) == 3
    assert option(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 10_000
    line.close()


def test_a_half_open_connection_ends_by_the_probes(
    server: DeviceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.transport.KEEPALIVE_IDLE_SECONDS", 1)
    line = tcp_line(server)
    line.open()
    server.accept()
    try:
        server.vanish()
    except PermissionError:
        line.close()
        pytest.skip("needs CAP_NET_ADMIN to end a session without telling the other side")
    assert why_lost(line).reason in (LineFault.CLOSED, LineFault.TIMEOUT)


@pytest.mark.parametrize("way", ["end", "reset"])
def test_a_session_that_is_ended_says_so(server: DeviceServer, way: str) -> None:
    line = tcp_line(server)
    line.open()
    server.accept()
    server.push(b"last")
    assert line.read(SECONDS) == b"last"
    getattr(server, way)()
    assert why_lost(line).reason is LineFault.CLOSED


def test_nobody_listening_is_a_refusal(server: DeviceServer) -> None:
    line = tcp_line(server)
    server.stop()
    assert why_not_open(line).reason is LineFault.REFUSED


def test_a_server_that_does_not_answer_is_a_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.transport.CONNECT_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0), backlog=0) as deaf:
        crowd = []
        for _ in range(4):  # fill the queue of sessions that nobody accepts
            client = socket.socket()
            client.settimeout(0)
            client.connect_ex(deaf.getsockname())
            crowd.append(client)
        error = why_not_open(TcpLine(TcpEndpoint(*deaf.getsockname())))
        for client in crowd:
            client.close()
    assert error.reason is LineFault.TIMEOUT


def test_a_host_without_address_is_missing() -> None:
    error = why_not_open(TcpLine(TcpEndpoint("no-such-host.invalid", 4001)))
    assert error.reason in (LineFault.MISSING, LineFault.TIMEOUT)


def test_a_line_that_is_not_open_says_so() -> None:
    for endpoint in (TcpEndpoint("127.0.0.1", 1), SerialEndpoint("/dev/none")):
        line = line_to(endpoint)
        with pytest.raises(LineError, match="not open"):
            line.read(0)
        with pytest.raises(LineError, match="not open"):
            line.write(b"x")
