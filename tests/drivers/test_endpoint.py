# SPDX-License-Identifier: Apache-2.0
"""Addresses of shoes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.endpoint import (
    Endpoint,
    EndpointFault,
    SerialEndpoint,
    TcpEndpoint,
    UsbEndpoint,
    parse_endpoint,
    text_of,
)


@pytest.mark.parametrize(
    "text,endpoint",
    [
        ("serial:/dev/ttyUSB0", SerialEndpoint("/dev/ttyUSB0", 4800)),
        ("serial:/dev/ttyUSB0?baud=9600", SerialEndpoint("/dev/ttyUSB0", 9600)),
        (
            "serial:/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0-port0?dtr=off&rts=off",
            SerialEndpoint(
                "/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0-port0", dtr=False, rts=False
            ),
        ),
        ("usb:0403:6001:A1234", UsbEndpoint(0x0403, 0x6001, "A1234")),
        ("usb:0403:60AB?baud=9600&dtr=on", UsbEndpoint(0x0403, 0x60AB, None, 9600)),
        ("tcp:10.0.0.7:4001", TcpEndpoint("10.0.0.7", 4001)),
        (" tcp:[fe80::1]:4001 ", TcpEndpoint("fe80::1", 4001)),
        ("tcp:nport.studio:65535", TcpEndpoint("nport.studio", 65535)),
    ],
)
def test_an_address_is_read(text: str, endpoint: Endpoint) -> None:
    assert parse_endpoint(text) == endpoint
    assert parse_endpoint(text_of(endpoint)) == endpoint


@pytest.mark.parametrize(
    "text,hint",
    [
        ("", "begins with"),
        ("/dev/ttyUSB0", "begins with"),
        ("udp:host:1", "begins with"),
        ("serial:ttyUSB0", "full path"),
        ("serial:", "full path"),
        ("serial:/dev/ttyUSB0?baud=fast", "baud=N"),
        ("serial:/dev/ttyUSB0?baud=0", "baud=N"),
        ("serial:/dev/ttyUSB0?parity=even", "parity=even"),
        ("serial:/dev/ttyUSB0?dtr=1", "dtr=on|off"),
        ("usb:403:6001", "VENDOR:PRODUCT"),
        ("usb:0403", "VENDOR:PRODUCT"),
        ("tcp:host", "HOST:PORT"),
        ("tcp:host:0", "HOST:PORT"),
        ("tcp:host:65536", "HOST:PORT"),
        ("tcp:fe80::1:4001", "HOST:PORT"),
        ("tcp:host:4001?baud=9600", "device server sets"),
    ],
)
def test_a_wrong_address_says_what_would_be_right(text: str, hint: str) -> None:
    with pytest.raises(EndpointFault) as caught:
        parse_endpoint(text)
    assert hint in str(caught.value)
    assert repr(text) in str(caught.value)


@given(st.text() | st.from_regex(r"(serial|usb|tcp):.{0,20}"))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        endpoint = parse_endpoint(text)
    except EndpointFault:
        return
    assert parse_endpoint(text_of(endpoint)) == endpoint
