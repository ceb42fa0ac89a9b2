# SPDX-License-Identifier: Apache-2.0
"""A studio of another day: the same messages, with more members at every place, and more types."""

import json
from typing import Any

from hypothesis import strategies as st

NEW = "of_tomorrow"
_ANYTHING: tuple[Any, ...] = (None, True, 7, "x", [], [{}], {"a": {"v": 2}})
# What is in these is by bet, and by the way to win: there may be more of both.
_ODDS = {"bets": "12", "paytable": {NEW: "12"}}


def grown(value: Any, new: Any = None) -> Any:
    """The same, with a member more in every object, and a bet more wherever bets are."""
    if isinstance(value, list):
        return [grown(inner, new) for inner in value]
    if not isinstance(value, dict):
        return value
    more: dict[str, Any] = {}
    for name, inner in value.items():
        is_by_bet = name in _ODDS and isinstance(inner, dict)
        more[name] = {NEW: _ODDS[name], **inner} if is_by_bet else grown(inner, new)
    # first and last: nobody may go by the order
    return {NEW: new, **more, NEW + "_2": new}


def as_sent_tomorrow(payload: bytes, new: Any = None) -> bytes:
    """A message or an answer as another day's studio would send it."""
    return json.dumps(grown(json.loads(payload), new), ensure_ascii=False).encode()


def without_new(value: Any) -> Any:
    """What is there of today."""
    if isinstance(value, dict):
        return {key: without_new(one) for key, one in value.items() if not key.startswith(NEW)}
    if isinstance(value, list):
        return [without_new(one) for one in value]
    return value


anything = st.sampled_from(_ANYTHING)
