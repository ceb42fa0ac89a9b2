# SPDX-License-Identifier: Apache-2.0
"""Where a shoe is reached: addresses as people write them. Pure; opens nothing.

    serial:/dev/ttyUSB0                      a serial port by path
    serial:/dev/serial/by-id/usb-FTDI_...    the same, by a name that survives replugging
    usb:0403:6001:A1234                      a USB adapter: vendor, product, serial number
    usb:0403:6001                            the same without number, if only one such is there
    tcp:10.0.0.7:4001, tcp:[fe80::1]:4001    a serial device server

Serial and USB take options after ``?``: ``baud=4800`` (the default), ``dtr=on|off`` and
``rts=on|off`` (on, as the system sets them when a port is opened: no pulse that restarts a shoe).
The line is always 8 data bits, no parity, 1 stop bit, no flow control. Behind a device server the
baud rate is set in the server.
"""

import re

import msgspec

DEFAULT_BAUD = 4800


class EndpointFault(ValueError):
    """An address that cannot be understood; the text says what would be right."""


class SerialEndpoint(msgspec.Struct, frozen=True):
    """A serial port by path."""

    path: str
    baud: int = DEFAULT_BAUD
    dtr: bool = True
    rts: bool = True


class UsbEndpoint(msgspec.Struct, frozen=True):
    """A serial adapter by what it is; ``serial_number`` None matches any, if only one is there."""

    vendor: int
    product: int
    serial_number: str | None = None
    baud: int = DEFAULT_BAUD
    dtr: bool = True
    rts: bool = True


class TcpEndpoint(msgspec.Struct, frozen=True):
    """A device server that passes the bytes of a serial port."""

    host: str
    port: int


Endpoint = SerialEndpoint | UsbEndpoint | TcpEndpoint

_USB = re.compile(r"([0-9a-fA-F]{4}):([0-9a-fA-F]{4})(?::(.+))?")
_TCP = re.compile(r"(?:\[([^\[\]]+)\]|([^:\[\]\s]+)):([0-9]{1,5})")
_SWITCH = {"on": True, "off": False}


def parse_endpoint(text: str) -> Endpoint:
    """Read an address as the module describes them; raises ``EndpointFault``."""
    kind, _, rest = text.strip().partition(":")
    address, _, query = rest.partition("?")
    if kind == "tcp":
        return _tcp(text, address, query)
    if kind == "usb":
        match = _USB.fullmatch(address)
        if match is None:
            raise EndpointFault(
                f"{text!r}: expected usb:VENDOR:PRODUCT[:SERIAL], as in usb:0403:6001"
            )
        baud, dtr, rts = _options(text, query)
        vendor, product, number = match.groups()
        return UsbEndpoint(int(vendor, 16), int(product, 16), number, baud, dtr, rts)
    if kind == "serial":
        if not address.startswith("/"):
            raise EndpointFault(f"{text!r}: expected a full path, as in serial:/dev/ttyUSB0")
        return SerialEndpoint(address, *_options(text, query))
    raise EndpointFault(f"{text!r}: an address begins with serial:, usb: or tcp:")


def text_of(endpoint: Endpoint) -> str:
    """The address in its shortest form; ``parse_endpoint`` reads it back to an equal value."""
    if isinstance(endpoint, TcpEndpoint):
        host = f"[{endpoint.host}]" if ":" in endpoint.host else endpoint.host
        return f"tcp:{host}:{endpoint.port}"
    if isinstance(endpoint, SerialEndpoint):
        address = f"serial:{endpoint.path}"
    else:
        number = f":{endpoint.serial_number}" if endpoint.serial_number else ""
        address = f"usb:{endpoint.vendor:04x}:{endpoint.product:04x}{number}"
    options = []
    if endpoint.baud != DEFAULT_BAUD:
        options.append(f"baud={endpoint.baud}")
    options += [f"{name}=off" for name in ("dtr", "rts") if not getattr(endpoint, name)]
    return address + ("?" + "&".join(options) if options else "")


def _tcp(text: str, address: str, query: str) -> TcpEndpoint:
    match = _TCP.fullmatch(address)
    if match is None or not 1 <= int(match[3]) <= 65535:
        raise EndpointFault(f"{text!r}: expected tcp:HOST:PORT, as in tcp:10.0.0.7:4001")
    if query:
        raise EndpointFault(f"{text!r}: tcp has no options; the device server sets the baud rate")
    return TcpEndpoint(match[1] or match[2], int(match[3]))


def _options(text: str, query: str) -> tuple[int, bool, bool]:
    baud, switches = DEFAULT_BAUD, {"dtr": True, "rts": True}
    for option in query.split("&") if query else ():
        name, _, value = option.partition("=")
        if name == "baud" and re.fullmatch("[1-9][0-9]{1,6}", value):
            baud = int(value)
        elif name in switches and value in _SWITCH:
            switches[name] = _SWITCH[value]
        else:
            raise EndpointFault(
                f"{text!r}: option {option!r} is none of baud=N, dtr=on|off, rts=on|off"
            )
    return baud, switches["dtr"], switches["rts"]
