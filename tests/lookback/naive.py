# SPDX-License-Identifier: Apache-2.0
"""A search as anybody would do it who has all day: fold every event, look at every round."""

from collections.abc import Iterable, Iterator

from studio.game import events as ev
from studio.game.evolve import evolve
from studio.game.state import TableState
from studio.store.chain import time_text
from studio.store.search import Sought


class Round:
    """What came of one round."""

    def __init__(self, opened: ev.Recorded, state: TableState) -> None:
        self.id = opened.round or ""
        self.opened_at = time_text(opened.at)
        self.outcome: str | None = None
        self.dealers: list[str] = [state.dealer]
        self.irregularities: list[str] = []


def rounds_of(told: Iterable[ev.Recorded]) -> dict[str, Round]:
    """Every round of these events."""
    state, found = TableState(), dict[str, Round]()
    for recorded in told:
        before, state = state, evolve(state, recorded)
        event, one = recorded.event, found.get(recorded.round or "")
        match event:
            case ev.BetsOpened() if one is None:
                one = found[event.round] = Round(recorded, state)
                one.dealers.append(event.by)
            case ev.ResultConfirmed() | ev.ResultAmended() if one is not None:
                one.outcome = event.outcome.value
            case ev.RoundVoided() if one is not None:
                one.outcome = "void"
            case ev.DealerChanged() if before.round is not None:
                found[before.round].dealers.append(event.dealer)
            case ev.IrregularityRaised() if before.round is not None:
                found[before.round].irregularities.append(event.code)
            case _:
                pass
    return found


def fitting(rounds: Iterable[Round], sought: Sought) -> list[str]:
    """The ids of those that fit, newest first."""
    fits = [one for one in rounds if all(_fits(one, sought))]
    fits.sort(key=lambda one: (one.opened_at, one.id), reverse=True)
    return [one.id for one in fits][: sought.limit]


def _fits(one: Round, sought: Sought) -> Iterator[bool]:
    yield sought.round in (None, one.id)
    yield sought.begin is None or one.opened_at >= sought.begin
    yield sought.end is None or one.opened_at < sought.end
    yield sought.dealer is None or sought.dealer in one.dealers
    yield sought.outcome in (None, one.outcome)
    yield sought.irregularity is None or sought.irregularity in one.irregularities
    yield sought.after is None or (one.opened_at, one.id) < sought.after
