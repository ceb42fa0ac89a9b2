# SPDX-License-Identifier: Apache-2.0
"""One line of coup records as strict JSON: an object in which no member is given twice. Pure."""

import json
import re
from typing import Any

import msgspec

# A member's name ends so; a text that begins with a colon, or holds a quote, can look like it.
_MEMBER = re.compile(rb'"\s*:')
_LONGEST_TEXT = 500


class BadRecord(Exception):
    """A record that cannot be understood; the text says what is wrong and where."""


def shortened(text: str) -> str:
    """What is told of a record, where it quotes a member that is very long."""
    half = _LONGEST_TEXT // 2
    return text if len(text) <= _LONGEST_TEXT else f"{text[:half]} ... {text[-half:]}"


def object_of(line: bytes) -> dict[str, Any]:
    """The object that a line holds. Raises BadRecord."""
    try:
        read = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise BadRecord(f"not JSON: {fault}") from fault
    if not isinstance(read, dict):
        raise BadRecord("a record is a JSON object")
    return read


def is_once(line: bytes, *names: bytes) -> bool:
    """Whether each of these names stands in the line once at most, however it may be written."""
    for name in names:
        if line.count(name) > 1:
            return False
    return b"\\" not in line


def check_once(line: bytes, read: dict[str, Any]) -> None:
    """Raises BadRecord where a member is given twice; of two, ``read`` has the last one.

    The names are counted first, which is quick: a count can be too high, never too low.
    """
    objects = [read, read.get("seen"), *_listed(read.get("events"))]
    if len(_MEMBER.findall(line)) == sum([len(one) for one in objects if isinstance(one, dict)]):
        return
    twice: list[tuple[dict[str, Any], str]] = []

    def made(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        told = dict(pairs)
        names = [name for name, _ in pairs]
        twice.extend((told, name) for name in told if names.count(name) > 1)
        return told

    try:
        again = json.loads(line, object_pairs_hook=made, parse_int=str)
    except RecursionError as fault:
        raise BadRecord(f"not JSON: {fault}") from fault
    if twice:
        told, name = twice[0]
        raise BadRecord(f"{_place_of(told, again)}{name}: given twice")


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _place_of(told: dict[str, Any], record: dict[str, Any]) -> str:
    """Where this very object stands in a record, as in ``events[3].``."""
    if told is record.get("seen"):
        return "seen."
    for place, event in enumerate(_listed(record.get("events"))):
        if told is event:
            return f"events[{place}]."
    return ""
