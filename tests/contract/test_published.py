# SPDX-License-Identifier: Apache-2.0
"""What was published is kept, and whoever breaks it is told what to do."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.contract.published import WHAT_TO_DO, breaks, published

Change = Callable[[dict[str, Any]], object]

RESULT = ("messages/result", "$defs", "Result")
HISTORY = ("asks/history",)
STATE = ("answers/snapshot", "$defs", "PublicState")


def changed(at: tuple[str, ...], change: Change) -> list[str]:
    """The breaks of what is published, with one schema of it changed."""
    new = copy.deepcopy(published())
    part = new
    for step in at:
        part = part[step]
    change(part)
    return breaks(published(), new)


def test_the_contract_keeps_what_was_published() -> None:
    assert breaks(published()) == []


@pytest.mark.parametrize(
    "at, change, said",
    [
        ((), lambda all_: all_.pop("messages/result"), "messages/result is gone"),
        (RESULT, lambda one: one["properties"].pop("bets"), "messages/result.data.bets: is gone"),
        (
            RESULT,
            lambda one: one["properties"].update(odds=one["properties"].pop("bets")),
            "messages/result.data.bets: is gone",
        ),
        (
            RESULT,
            lambda one: one["properties"]["revision"].update(type="string"),
            'messages/result.data.revision: type was "integer", is "string"',
        ),
        (
            RESULT,
            lambda one: one["required"].remove("bets"),
            "messages/result.data.bets: was always sent, and may be left out now",
        ),
        (
            RESULT,
            lambda one: one.update(additionalProperties=False),
            "messages/result.data: additionalProperties was null, is false",
        ),
        (
            ("messages/result", "$defs", "Outcome"),
            lambda one: one["enum"].append("push"),
            "messages/result.data.outcome: enum was",
        ),
        (
            ("messages/result", "$defs", "Pairs"),
            lambda one: one["properties"].pop("banker"),
            "messages/result.data.pairs.banker: is gone",
        ),
        (
            STATE,
            lambda one: one["properties"]["closes_at"].pop("anyOf"),
            "answers/snapshot.state.closes_at: anyOf was",
        ),
        (
            HISTORY,
            lambda one: one["required"].append("limit"),
            "asks/history.limit: nobody had to send it, and now everybody must",
        ),
        (
            HISTORY,
            lambda one: one["properties"]["limit"].update(maximum=100),
            "asks/history.limit: maximum was null, is 100",
        ),
        (
            HISTORY,
            lambda one: one["properties"]["v"].update(const=2),
            "asks/history.v: const was 1, is 2",
        ),
    ],
)
def test_a_break_is_told_with_its_place_and_what_to_do(
    at: tuple[str, ...], change: Change, said: str
) -> None:
    found = changed(at, change)
    assert any(line.startswith(said) for line in found), found
    assert all(line.endswith(WHAT_TO_DO) for line in found)


@pytest.mark.parametrize(
    "at, change",
    [
        ((), lambda all_: all_.update({"messages/drum_roll": {"type": "object"}})),
        (RESULT, lambda one: one["properties"].update(new={"type": "string"})),
        (RESULT, lambda one: one["required"].append("new")),
        (RESULT, lambda one: one["properties"]["bets"].update(description="other words")),
        (STATE, lambda one: one["properties"].update(new={"type": "string"})),
        (HISTORY, lambda one: one["properties"].update(new={"type": "string"})),
        (HISTORY, lambda one: one["required"].remove("after")),
    ],
)
def test_what_adds_and_takes_nothing_away_is_no_break(at: tuple[str, ...], change: Change) -> None:
    assert changed(at, change) == []
