# SPDX-License-Identifier: Apache-2.0
"""The comparison sees what it is to see."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.adjudication.bad import all_lines
from tests.adjudication.compare import agrees, differences
from tests.adjudication.generator import volume
from tests.adjudication.reference import rule_line
from tests.adjudication.vectors import vectors

Change = Callable[[dict[str, Any]], object]
LINES = [*volume(3, 300, bad_percent=10), b"", b"  "]


def reference(text: bytes, change: Change = lambda ruling: None) -> bytes:
    answers = [answer for line in text.split(b"\n") if (answer := rule_line(line)) is not None]
    for answer in answers:
        change(answer)
    return b"".join(json.dumps(answer).encode() + b"\n" for answer in answers)


def test_the_reference_does_not_differ_from_itself():
    assert differences(reference, LINES) == []
    assert differences(reference, [vector.coup for vector in vectors()], at_once=7) == []
    assert differences(reference, [line for _, line in all_lines().values()]) == []


def test_added_members_are_no_difference():
    def add(answer: dict[str, Any]) -> None:
        answer["why"] = "art. 55-14"
        for one in answer.get("irregularities", []):
            one["position"] = "P1"

    assert differences(lambda text: reference(text, add), LINES) == []


@pytest.mark.parametrize(
    "member",
    [
        "id",
        "verdict",
        "irregularities",
        "player",
        "banker",
        "player_total",
        "banker_total",
        "outcome",
        "surplus",
        "next",
        "last_coup",
        "error",
    ],
)
def test_a_member_that_is_missing_is_a_difference(member: str):
    assert differences(lambda text: reference(text, lambda one: one.pop(member, None)), LINES)


def test_a_change_of_one_value_is_a_difference_of_that_line_alone():
    def change(answer: dict[str, Any]) -> None:
        if answer["id"] == "natural-plain":
            answer["player_total"] = 8

    coups = [vector.coup for vector in vectors()]
    found = differences(lambda text: reference(text, change), coups)
    assert [json.loads(one.line)["id"] for one in found] == ["natural-plain"]
    assert '"player_total": 9' in str(found[0])


def test_types_are_compared_too():
    expected = {"id": None, "player_total": 1}
    assert agrees(expected, b'{"id": null, "player_total": 1}')
    assert not agrees(expected, b'{"id": null, "player_total": true}')
    assert not agrees(expected, b'{"id": null, "player_total": 1.0}')
    assert not agrees(expected, b'{"id": null, "player_total": "1"}')


def test_an_error_for_a_ruling_and_a_ruling_for_an_error_are_differences():
    ruling, error = {"id": "x", "verdict": "valid"}, {"id": "x", "error": "no events"}
    assert not agrees(ruling, b'{"id": "x", "error": "no events"}')
    assert not agrees(error, b'{"id": "x", "verdict": "valid"}')
    assert not agrees(error, b'{"id": "x", "error": ""}')
    assert not agrees(error, b'{"id": "y", "error": "no events"}')
    assert agrees(error, b'{"id": "x", "error": "in other words"}')


@pytest.mark.parametrize(
    "ours",
    [
        lambda text: b"",
        lambda text: reference(text)[:-1],
        lambda text: b"\n" + reference(text),
        lambda text: reference(text).replace(b"}\n", b"}\n\n"),
        lambda text: reference(text).replace(b'"verdict"', b"verdict"),
        lambda text: b"".join(b"[]\n" for _ in LINES[:-2]),
    ],
)
def test_answers_lost_added_or_broken_are_differences(ours):
    assert differences(ours, LINES)
