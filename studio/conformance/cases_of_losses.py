# SPDX-License-Identifier: Apache-2.0
"""Cases of what the wire and the service lose, repeat or mix up."""

from studio.conformance.stage import Stage
from studio.feed.follow import STALE_SECONDS

_MANY, _LOST = 2500, 1500


def first_dropped(s: Stage) -> None:
    """Nothing had happened when it joined."""
    s.begin()
    s.skip()
    s.say(through=s.at("bets_opened", 1))
    s.level()


def dropped(s: Stage) -> None:
    """One is lost, the next is not."""
    s.begin(through=s.at("bets_opened", 3))
    with s.held_answers():
        s.skip()
        s.say()
        s.shut("a message is missing")
    s.level()


def last_dropped(s: Stage) -> None:
    """One is lost, none follows."""
    s.begin(through=s.at("bets_opened", 2))
    with s.held_answers():
        s.skip()
        s.shut("the heartbeat is beyond the last message")
    s.level()


def bets_closed_dropped(s: Stage) -> None:
    """It looks as if bets were still open."""
    s.begin(through=s.at("bets_opened", 1))
    with s.held_answers():
        s.skip()
        s.shut("the heartbeat is beyond the last message")
    s.level()


def result_dropped(s: Stage) -> None:
    """The round is over, and the result is not known."""
    s.begin(through=s.at("bets_opened", 1))
    s.say(through=s.at("result", 1) - 1)
    s.skip()
    s.say()
    s.level()


def amendment_dropped(s: Stage) -> None:
    """Of a round that was paid."""
    s.begin(through=s.at("bets_opened", 3))
    with s.held_answers():
        s.skip()
        s.shut("an amendment is missing")
    s.level()


def earlier_shoe(s: Stage) -> None:
    """No snapshot has the rounds of the shoe before."""
    s.begin(through=s.at("round_closed", 6))
    s.say(through=s.at("bets_opened", 7))
    s.level()
    with s.held_answers():
        s.skip()
        s.shut("an amendment is missing")
    s.level(standing={s.table.transcript.rounds[5]: 2})


def many_dropped(s: Stage) -> None:
    """Three rounds."""
    s.begin(through=s.at("bets_opened", 1))
    s.skip(through=s.at("bets_opened", 4))
    s.level()


def duplicates(s: Stage) -> None:
    """Twice at once, and later again."""
    s.begin(through=s.at("shoe_loaded"))
    heard = []
    for _ in range(s.at("bets_opened", 3) - s.at("shoe_loaded")):
        (message,) = s.skip()
        heard.append(message)
        s.send(message)
        s.send(message)
    s.level()
    for message in heard:
        s.send(message)
    s.say()
    s.level()


def reordered(s: Stage) -> None:
    """Each pair the other way round."""
    s.begin(through=s.at("shoe_loaded"))
    while s.next < s.at("dealer_changed", 3):
        first, second = s.skip(through=s.next + 1)
        s.send(second)
        s.send(first)
    s.level()


def slow_reading(s: Stage) -> None:
    """More than any queue holds."""
    s.begin(through=s.at("bets_opened", 2))
    s.pause()
    for number in range(_MANY + _LOST):
        s.go_to(s.at("dealer_changed", 2))
        if number < _MANY:
            s.say()
        else:
            s.skip()
    s.go_on()
    s.level()
    s.say()
    s.level()


def older_revision_late(s: Stage) -> None:
    """The result comes after its amendment, and again after that."""
    s.begin(through=s.at("bets_opened", 2))
    s.say(through=s.at("result", 2) - 1)
    (first,) = s.skip()
    s.say()
    s.send(first)
    s.level()
    s.send(first)
    s.say()
    s.level()


def restart(s: Stage) -> None:
    """Gone, and back at the same addresses; what happened last was never sent."""
    s.begin(through=s.at("bets_opened", 3))
    s.air.close()
    s.shut("the service is gone", STALE_SECONDS)
    s.skip()
    s.air.open()
    s.level()
    s.say()
    s.level()


def new_epoch(s: Stage) -> None:
    """The backup was made after round 2: round 3 is lost."""
    s.begin(through=s.at("round_closed", 2))
    backup = s.table.place
    s.say()
    s.level()
    (late,) = s.skip()
    s.air.close()
    s.table.restore(backup)
    s.go_to(s.at("result_amended", 2, nth=2))
    s.skip()
    s.go_to(s.at("shoe_ended"))
    s.skip(through=s.at("bets_opened", 7))
    s.air.open()
    _, amended, lost, *_ = s.table.transcript.rounds
    s.level(unknown=(lost,), standing={amended: 3})
    s.send(late)
    s.say()
    s.level(unknown=(lost,), standing={amended: 3})
