# SPDX-License-Identifier: Apache-2.0
"""Which rounds a subscriber must still look after: not settled, or settled and amendable.

Pure. The highest revision stands, in whatever order they are heard of.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

import msgspec

from studio.feed import messages as m
from studio.feed.wire import Message
from studio.game.snapshot import PublicState

# A void does not say until when it may be amended.
VOID_AMENDABLE = timedelta(days=1)


class OpenRound(msgspec.Struct, frozen=True):
    """A round that is not done with: ``revision`` 0 while it has no result."""

    revision: int = 0
    amendable_until: datetime | None = None


OpenRounds = dict[str, OpenRound]


def after_message(rounds: OpenRounds, message: Message) -> OpenRounds:
    """The open rounds after one more message; those are gone whose time to amend is over."""
    data, round_id = message.data, message.round
    if round_id is None:
        return rounds
    known = rounds.get(round_id)
    match data:
        case m.BetsOpened():
            return {**_still_open(rounds, message.at), round_id: known or OpenRound()}
        case m.Result() | m.RoundVoided() if known is None or data.revision > known.revision:
            return {**rounds, round_id: OpenRound(data.revision, _until(known, message))}
        case _:
            return rounds


def in_snapshot(state: PublicState, at: datetime | None) -> OpenRounds:
    """The rounds of a snapshot that are not settled or still amendable."""
    rounds = {
        one.round: OpenRound(one.revision, one.amendable_until)
        for one in state.results
        if one.amendable_until is not None
    }
    if state.round is not None and state.round not in rounds:
        rounds[state.round] = OpenRound()
    return rounds if at is None else _still_open(rounds, at)


def standing(messages: Iterable[Message]) -> Message | None:
    """The message with the highest revision: what stands for the round."""
    revised = [message for message in messages if revision_of(message)]
    return max(revised, key=revision_of, default=None)


def revision_of(message: Message) -> int:
    """The revision that a result, an amendment or a void is; 0 for any other message."""
    data = message.data
    return data.revision if isinstance(data, m.Result | m.RoundVoided) else 0


def _until(known: OpenRound | None, message: Message) -> datetime:
    if isinstance(message.data, m.Result):
        return message.data.amendable_until
    if known is not None and known.amendable_until is not None:
        return known.amendable_until
    return message.at + VOID_AMENDABLE


def _still_open(rounds: OpenRounds, at: datetime) -> OpenRounds:
    return {
        round_id: one
        for round_id, one in rounds.items()
        if one.amendable_until is None or one.amendable_until >= at
    }
