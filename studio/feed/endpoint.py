# SPDX-License-Identifier: Apache-2.0
"""Which addresses the feed may be served on.

Pure: it reads an endpoint's text and resolves no names.
"""

import ipaddress


class FeedRefused(ValueError):
    """The feed is not served on this endpoint; the text says why and what to do."""


def loopback(endpoint: str) -> str:
    """The endpoint to bind, or FeedRefused unless it is ``tcp://<loopback address>:<port>``.

    ``localhost`` is taken as 127.0.0.1 and port ``*`` as any free port. Without keys nobody
    beyond this machine may connect: the feed would be readable, and could be forged, on the way.
    """
    scheme, _, rest = endpoint.partition("://")
    host, _, port = rest.rpartition(":")
    if scheme != "tcp" or not host or not _is_port(port):
        raise FeedRefused(f"endpoint {endpoint!r}: expected tcp://127.0.0.1:PORT")
    address = "127.0.0.1" if host == "localhost" else host.strip("[]")
    try:
        is_loopback = ipaddress.ip_address(address).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback:
        raise FeedRefused(
            f"endpoint {endpoint!r}: {host} is not a loopback address, and serving beyond this "
            "machine needs keys (CURVE with an authenticator), which are not set up; "
            "use tcp://127.0.0.1:PORT"
        )
    return f"tcp://[{address}]:{port}" if ":" in address else f"tcp://{address}:{port}"


def _is_port(port: str) -> bool:
    if port == "*":
        return True
    return port.isascii() and port.isdigit() and int(port) <= 65535
