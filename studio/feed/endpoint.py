# SPDX-License-Identifier: Apache-2.0
"""Which addresses the feed may be served on.

Pure: it reads an endpoint's text and resolves no names.
"""

import ipaddress


class FeedRefused(ValueError):
    """The feed is not served on this endpoint; the text says why and what to do."""


def address_of(endpoint: str) -> str:
    """The endpoint to bind, or FeedRefused unless it is ``tcp://<IP address>:<port>``.

    ``localhost`` is taken as 127.0.0.1 and port ``*`` as any free port.
    """
    host, port = _parts(endpoint)
    address = "127.0.0.1" if host == "localhost" else host
    try:
        ipaddress.ip_address(address)
    except ValueError:
        raise FeedRefused(
            f"endpoint {endpoint!r}: {host} is not an IP address; write one of this machine's, "
            "as in tcp://10.0.0.7:PORT, or tcp://0.0.0.0:PORT for all of them"
        ) from None
    return f"tcp://[{address}]:{port}" if ":" in address else f"tcp://{address}:{port}"


def is_loopback(endpoint: str) -> bool:
    """Whether only this machine can reach an endpoint. Raises FeedRefused for what is none."""
    host, _ = _parts(endpoint)
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def loopback(endpoint: str) -> str:
    """The endpoint to bind where there are no keys, or FeedRefused beyond this machine.

    Without keys nobody else may connect: the feed could be read, and forged, on the way.
    """
    host, _ = _parts(endpoint)
    if not is_loopback(endpoint):
        raise FeedRefused(
            f"endpoint {endpoint!r}: {host} is not a loopback address, and serving beyond this "
            "machine needs keys (CURVE with an authenticator), which are not set up; "
            "`studio keys init` makes them, or use tcp://127.0.0.1:PORT"
        )
    return address_of(endpoint)


def as_seen_from(named: str, asked: str) -> str:
    """An endpoint that a studio named, as whoever asked at ``asked`` can reach it.

    A socket bound to all addresses names none of them: it is where the other one was found.
    """
    host, port = _parts(named)
    try:
        is_all = ipaddress.ip_address(host).is_unspecified
    except ValueError:
        is_all = False
    return f"{asked.rpartition(':')[0]}:{port}" if is_all else named


def _parts(endpoint: str) -> tuple[str, str]:
    scheme, _, rest = endpoint.partition("://")
    host, _, port = rest.rpartition(":")
    if scheme != "tcp" or not host or not _is_port(port):
        raise FeedRefused(f"endpoint {endpoint!r}: expected tcp://127.0.0.1:PORT")
    return host.strip("[]"), port


def _is_port(port: str) -> bool:
    if port == "*":
        return True
    return port.isascii() and port.isdigit() and int(port) <= 65535
