# SPDX-License-Identifier: Apache-2.0
"""Frames of the Angel Eye II-EX for tests, written out anew and not taken from the driver."""

from functools import reduce

SUITS = {"D": 1, "C": 2, "S": 3, "H": 4}
RANKS = "A23456789TJQK"
TARGETS = {"player": 0, "banker": 1, "burn": 2, "first": 4, "burn_count": 5}


def check(data: bytes) -> bytes:
    return f"{reduce(lambda a, b: a ^ b, data, 0):02X}".encode()


def report(seq: str, kind: str, payload: bytes = b"", *, with_enq: bool = False) -> bytes:
    """A report; ``with_enq`` reckons its check over ENQ too."""
    body = seq.encode() + kind.encode() + payload + b"\x03"
    return b"\x05" + body + check(b"\x05" + body if with_enq else body)


def face(code: str) -> int:
    return 0x80 | SUITS[code[1]] << 4 | RANKS.index(code[0]) + 1


def card(seq: str, code: str, target: str = "player", index: int = 1, kind: str = "D") -> bytes:
    """A card report: ``card("1", "8S", "player", 1)``."""
    return report(seq, kind, bytes((0x80 | TARGETS[target] << 4 | index, face(code))))


def shoe(*codes: str, first: int = 1) -> list[bytes]:
    """One card report for each code, with a running sequence."""
    return [card(str((first + n) % 10), code, "burn", 1) for n, code in enumerate(codes)]
