# SPDX-License-Identifier: Apache-2.0
"""Corrections that wait for a front-end to say that it has applied them, and its word on the way.

Nothing is acknowledged before the front-end says so. Its word goes to the studio, again and again
until the studio has it on record. The highest revision of a round is the one that waits.

Pure: no sockets, no clock.
"""

from collections.abc import Iterable

from studio.feed import asks
from studio.feed.acknowledgements import correction_of
from studio.feed.asks import Answer, AskAcknowledge
from studio.feed.updates import (
    Accepted,
    Acknowledged,
    Alarm,
    Asking,
    Effect,
    Joined,
    RoundChecked,
    Update,
    WaitingCorrection,
)

ASK_AGAIN_SECONDS = 2.0


class Corrections:
    """The corrections of one table. ``waiting`` are those of an earlier run."""

    def __init__(self, table: str, waiting: Iterable[WaitingCorrection] = ()) -> None:
        self._table = table
        self._waiting = {one.round: one for one in waiting}
        self._said: dict[str, tuple[AskAcknowledge, float]] = {}

    @property
    def waiting(self) -> tuple[WaitingCorrection, ...]:
        """What waits, in the order in which it was heard of."""
        return tuple(self._waiting.values())

    def hear(self, update: Update) -> None:
        """Take note of corrections in what the front-end is told."""
        match update:
            case Accepted(message=message) | RoundChecked(message=message):
                found = None if message is None else correction_of(message)
                if found is not None:
                    self._wait(WaitingCorrection(found.round, found.revision, found.epoch))
            case Joined(state=state):
                for one in state.results:
                    if one.revision > 1 or one.outcome is None:
                        self._wait(WaitingCorrection(one.round, one.revision, None))
            case _:
                pass

    def _wait(self, new: WaitingCorrection) -> None:
        known = self._waiting.get(new.round)
        is_same = known is not None and known.revision == new.revision and new.epoch is None
        if not is_same and (known is None or known.revision <= new.revision):
            self._waiting.pop(new.round, None)
            self._waiting[new.round] = new

    def acknowledge(self, round_id: str, revision: int, now: float) -> list[Effect]:
        """The front-end has applied that revision of a round."""
        known = self._waiting.get(round_id)
        epoch = known.epoch if known is not None and known.revision == revision else None
        ask = AskAcknowledge(
            id=f"{self._table}-acknowledge-{round_id}-{revision}",
            table=self._table,
            round=round_id,
            revision=revision,
            epoch=epoch,
        )
        self._said[ask.id] = (ask, now)
        return [Asking(ask)]

    def answer(self, answer: Answer) -> list[Effect]:
        """A request was answered; only the answers to a word given here count."""
        said = self._said.get(answer.id or "")
        if said is None:
            return []
        ask = said[0]
        match answer:
            case asks.Acknowledged(round=round_id, revision=revision, at=at):
                del self._said[ask.id]
                known = self._waiting.get(round_id)
                if known is not None and known.revision <= revision:
                    del self._waiting[round_id]
                return [Acknowledged(self._table, round_id, revision, at)]
            case asks.Error(code=code, text=text):
                del self._said[ask.id]
                what = f"round {ask.round}, revision {ask.revision} cannot be acknowledged"
                return [Alarm(self._table, "ask_refused", f"{what}: {code}: {text}")]
            case _:
                return []

    def tick(self, now: float) -> list[Effect]:
        """Time passed: what got no answer is said again."""
        late = [ask for ask, at in self._said.values() if now - at >= ASK_AGAIN_SECONDS]
        for ask in late:
            self._said[ask.id] = (ask, now)
        return [Asking(ask) for ask in late]
