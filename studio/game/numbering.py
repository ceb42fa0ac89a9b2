# SPDX-License-Identifier: Apache-2.0
"""Which ids and revisions are given next, so that none is ever given twice.

A record that is restored has lost what came after it, and with it numbers that players have heard.
How many is not known. Nothing that has a number (round, shoe, revision of one round) is given
twice within a second; so no more of them can be lost than seconds have passed since the last event
that is left, and numbers go on beyond those. The same holds when the same backup is restored again.
"""

from msgspec.structs import replace

from studio.game.staff_events import EpochBegun
from studio.game.state import ShoeStep, TableState

# The longest gaming day: the one on which clocks are put back.
_MOST_OF_A_DAY = 25 * 3600


def next_round(state: TableState, day: str) -> tuple[str, int]:
    """Gaming day and number of the next round. The day never goes back, whatever the clock does."""
    return _next(day, state.round_day, state.round_number)


def next_shoe(state: TableState, day: str) -> tuple[str, int]:
    """Gaming day and number of the next shoe."""
    return _next(day, state.shoe_day, state.shoe_number)


def next_revision(state: TableState, round_id: str, standing: int) -> int:
    """The next revision of a round of which ``standing`` is the last on record, 0 for none."""
    return max(standing, state.revisions_given.get(round_id, 0)) + 1


def _next(day: str, last_day: str, last: int) -> tuple[str, int]:
    day = max(day, last_day)
    return day, last + 1 if day == last_day else 1


def epoch_begun(s: TableState, event: EpochBegun) -> TableState:
    """Numbers that may have been given since count as given; the shoe has moved on, unheard.

    The raw log may still know what it said: of rounds that are no longer on record.
    """
    known = {s.round: s.revision} if s.round is not None else {}
    known |= {one.round: one.revision for one in s.results}
    known |= {one.standing.round: one.standing.revision for one in s.earlier}
    revisions = {
        name: max(last, s.revisions_given.get(name, 0)) + event.lost for name, last in known.items()
    }
    round_day, rounds = _given(event, s.round_day, s.round_number, event.rounds_given)
    shoe_day, shoes = _given(event, s.shoe_day, s.shoe_number, event.shoes_given)
    s = replace(s, round_day=round_day, round_number=rounds, shoe_day=shoe_day, shoe_number=shoes)
    return replace(s, public_seq=0, revisions_given=revisions, is_restored=True, session=None,
                   ordinal=0, shoe_step=ShoeStep.OFF,
                   may_miss_cards=s.shoe is not None)  # fmt: skip


def _given(event: EpochBegun, last_day: str, last: int, told: int) -> tuple[str, int]:
    """The day and the number up to which all may have been given; ``told`` is what a person knows.

    Of an earlier day as many as seconds are in it.
    """
    day = max(event.day, last_day)
    if day == last_day:
        return day, max(last + event.lost, told)
    return day, max(min(event.lost, _MOST_OF_A_DAY), told)
