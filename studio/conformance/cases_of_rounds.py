# SPDX-License-Identifier: Apache-2.0
"""Cases of joining, of what happens in a round, and of time."""

from datetime import timedelta

from studio.conformance.stage import Stage
from studio.feed.follow import STALE_SECONDS

_AHEAD = timedelta(seconds=30)
_FEW_SECONDS = 4.0


def late_join(s: Stage) -> None:
    """Start in the third round."""
    s.begin(through=s.at("bets_opened", 3))


def join_under_way(s: Stage) -> None:
    """Messages and a snapshot that is older than they are."""
    with s.held_answers():
        s.start(through=s.at("bets_closed", 2))
        s.asked()
        s.say(through=s.at("bets_opened", 3))
    s.level()
    s.say()
    s.level()


def whole_round(s: Stage) -> None:
    """Nothing goes wrong."""
    s.begin(through=s.at("shoe_loaded"))
    for type_ in ("bets_opened", "bets_closed", "result", "round_closed"):
        s.say(through=s.at(type_, 1))
        s.level()


def amended(s: Stage) -> None:
    """Round 2, twice."""
    s.begin(through=s.at("bets_opened", 2))
    for index in (
        s.at("result", 2),
        s.at("result_amended", 2),
        s.at("round_closed", 2),
        s.at("bets_opened", 3),
        s.at("result_amended", 2, nth=2),
    ):
        s.say(through=index)
        s.level()


def voided(s: Stage) -> None:
    """Round 4 after its result, round 5 without one, round 1 while round 6 is open."""
    s.begin(through=s.at("bets_opened", 4, nth=2))
    for index in (
        s.at("result", 4),
        s.at("round_voided", 4),
        s.at("round_voided", 5),
        s.at("bets_opened", 6),
        s.at("round_voided", 1),
    ):
        s.say(through=index)
        s.level()


def acknowledged(s: Stage) -> None:
    """An amendment, a void after a result, and a void of a round that has no result."""
    first, amended, _, voided, without, *_ = s.table.transcript.rounds
    s.begin(through=s.at("result", 2))
    s.say()
    s.acknowledged(amended, 2)
    s.say(through=s.at("bets_opened", 6))
    s.level()
    for round_, revision in ((amended, 3), (voided, 2), (without, 1)):
        s.acknowledged(round_, revision)
    s.skip()
    s.acknowledged(first, 2)


def suspended(s: Stage) -> None:
    """Round 4."""
    s.begin(through=s.at("bets_opened", 4))
    for _ in ("table_suspended", "table_resumed", "bets_opened"):
        s.say()
        s.level()


def last_word(s: Stage) -> None:
    """Only the heartbeat says it; then the service is back, and the round goes on."""
    s.begin(through=s.at("bets_opened", 4))
    s.table.suspended = "system"
    s.air.beat_now()
    s.shut("the heartbeat says suspended")
    s.table.suspended = None
    s.say(through=s.at("bets_opened", 4, nth=2))
    s.level()


def past_closes_at(s: Stage) -> None:
    """A window of a few seconds, on a clock that is not the front-end's."""
    s.ahead = _AHEAD
    s.begin(through=s.at("bets_opened", 2))
    s.table.betting_seconds = _FEW_SECONDS
    s.say(through=s.at("bets_opened", 3))
    s.shut("closes_at is past", _FEW_SECONDS, from_now=True)
    s.say()
    s.level()


def stale(s: Stage) -> None:
    """Silence."""
    s.begin(through=s.at("bets_opened", 3))
    s.silence()
    s.shut("nothing was heard for 3 s", STALE_SECONDS)
    s.beating()
    s.level()
