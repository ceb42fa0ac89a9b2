# SPDX-License-Identifier: Apache-2.0
"""Compares an adjudicator with the reference, line by line.

An adjudicator takes JSON Lines and gives JSON Lines. It may add members, in a ruling and in any
object of a ruling; what the contract names must be there, of the same type and value. Of an error
only the id and the presence of a text are compared.
"""

import json
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from tests.adjudication.bad import line_of
from tests.adjudication.reference import rule_line

Adjudicator = Callable[[bytes], bytes]
AT_ONCE = 500


class Difference(NamedTuple):
    """A line, what the reference says of it, and what the adjudicator said instead."""

    line: bytes
    expected: dict[str, Any] | None
    answer: bytes

    def __str__(self) -> str:
        expected = json.dumps(self.expected)
        return f"\nrecord    {self.line!r}\nreference {expected}\nanswer    {self.answer!r}"


def differences(
    ours: Adjudicator, records: Iterable[dict[str, Any] | bytes], at_once: int = AT_ONCE
) -> list[Difference]:
    """Where ``ours`` and the reference differ, for records or raw lines without their ends.

    So many lines go in together. Where the number of answers is not that of the lines, each line
    of the batch is asked alone; if all is well then, the batch itself is the difference.
    """
    lines = [one if isinstance(one, bytes) else line_of(one) for one in records]
    found: list[Difference] = []
    for start in range(0, len(lines), at_once):
        found += _in_batch(ours, lines[start : start + at_once])
    return found


def agrees(expected: dict[str, Any], answer: bytes) -> bool:
    """Whether one line of answer says what the reference says."""
    try:
        said = json.loads(answer)
    except ValueError:
        return False
    if not isinstance(said, dict):
        return False
    if "error" in expected:
        text = said.get("error")
        is_error = isinstance(text, str) and text != "" and "verdict" not in said
        return is_error and _holds({"id": expected["id"]}, said)
    return "error" not in said and _holds(expected, said)


def _in_batch(ours: Adjudicator, lines: list[bytes]) -> list[Difference]:
    asked = [(line, expected) for line in lines if (expected := rule_line(line)) is not None]
    text = b"".join(line + b"\n" for line in lines)
    said = ours(text)
    answers = said.split(b"\n")
    if answers.pop() == b"" and len(answers) == len(asked):
        return [
            Difference(line, expected, answer)
            for (line, expected), answer in zip(asked, answers, strict=True)
            if not agrees(expected, answer)
        ]
    if len(lines) > 1:
        alone = [difference for line in lines for difference in _in_batch(ours, [line])]
        if alone:
            return alone
    return [Difference(text, asked[0][1] if len(asked) == 1 else None, said)]


def _holds(expected: Any, said: Any) -> bool:
    """Whether ``said`` has all that is expected; true is not 1, and 1 is not 1.0."""
    if type(expected) is not type(said):
        return False
    if isinstance(expected, dict):
        return all(key in said and _holds(value, said[key]) for key, value in expected.items())
    if isinstance(expected, list):
        return len(expected) == len(said) and all(map(_holds, expected, said))
    return bool(expected == said)
