# SPDX-License-Identifier: Apache-2.0
"""How fast the pure part is: judging, deciding, folding, exact odds."""

import random
import subprocess
import sys
import time

import msgspec

from studio.game.adjudicate import at_bets_of, ruling_of
from studio.game.cards import Card
from studio.game.coup import Side
from studio.game.evolve import evolve
from studio.game.inputs import (
    CardDrawn,
    CloseRound,
    ConfirmResult,
    EndShoe,
    Input,
    LoadShoe,
    OpenBets,
    Origin,
    Refusal,
    Reported,
    Stamp,
    TimerExpired,
)
from studio.game.odds import odds_of
from studio.game.state import Phase, timer_of
from studio.game.table import decide
from studio.game.tableau import coup_table, next_position, outcome_of
from tests.adjudication.vectors import vectors
from tests.bench.figures import median, quantile, rates, spin, tell
from tests.game.houses import NAMES, house
from tests.game.table_driver import BY, Driven

COUPS = 20_000
REPEATS = 30
TABLE_COUPS = 400_000
ROUNDS = 1_500
ODDS = """
import time
from studio.game.odds import odds_of
began = time.perf_counter()
odds_of(8)
print(time.perf_counter() - began)
"""
PUBLISHED_EIGHT_DECKS = (2292252566437888, 2230518282592256, 475627426473216)


def judging() -> None:
    """Coups judged position by position, as the table does, against a loop of plain Python."""
    rng = random.Random(1)
    shoe = list(Card) * 8
    coups = [rng.sample(shoe, 6) for _ in range(COUPS)]

    def judge() -> int:
        for cards in coups:
            player: tuple[Card, ...] = ()
            banker: tuple[Card, ...] = ()
            drawn = iter(cards)
            while (position := next_position(player, banker)) is not None:
                if position.side is Side.PLAYER:
                    player = (*player, next(drawn))
                else:
                    banker = (*banker, next(drawn))
            outcome_of(player, banker)
        return COUPS

    tell(
        "coups judged position by position",
        per_second=median(rates(judge)),
        to_reach=80_000,
        floor_plain_loops_per_second=spin(),
    )


def judging_by_table() -> None:
    """The same through the table generated from the tableau, as odds and simulation do."""
    rng = random.Random(1)
    points = "".join(str(rng.randrange(10)) for _ in range(6 * TABLE_COUPS))
    table = coup_table()

    def judge() -> int:
        ended = [table[int(points[at : at + 6])] for at in range(0, len(points), 6)]
        return len(ended)

    tell(
        "coups judged through the table",
        per_second=median(rates(judge)),
        to_reach=1_000_000,
        floor_plain_loops_per_second=spin(),
    )


def deciding() -> None:
    """One input through decide and evolve, in whole rounds with commands, timers and cards."""
    table = Driven().ready()
    rng = random.Random(1)
    origin = Origin("shoe", "s1", 1, 8, "05314481b8033446", table.now, "1")
    decided: list[float] = []
    evolved: list[float] = []

    def give(given: Input) -> None:
        stamp = Stamp(table.now, table.day)
        began = time.perf_counter()
        events = decide(table.state, given, stamp)
        between = time.perf_counter()
        if isinstance(events, Refusal):
            raise TypeError(events.text)
        for recorded in events:
            table.state = evolve(table.state, recorded)
        evolved.append(time.perf_counter() - between)
        decided.append(between - began)

    shoe: list[Card] = []
    for _ in range(ROUNDS):
        if len(shoe) < 20:  # no coup reaches the cut card, which is 14 from the end
            if table.state.rounds:
                give(CloseRound(by=BY))
                give(EndShoe(by=BY))
                give(LoadShoe(by=BY))
            shoe = list(Card) * 8
            rng.shuffle(shoe)
        give(OpenBets(by=BY))
        armed = timer_of(table.state)
        if armed is not None:
            give(TimerExpired(armed.name, armed.due))
        while table.state.phase is Phase.DEALING:
            give(Reported(origin, CardDrawn(shoe.pop())))
        give(ConfirmResult(by=BY))
    both = [a + b for a, b in zip(decided, evolved, strict=True)]
    for name, took in (("decide", decided), ("evolve", evolved), ("decide and evolve", both)):
        tell(
            f"{name}, one input",
            microseconds_median=median(took) * 1e6,
            microseconds_mean=sum(took) / len(took) * 1e6,
            microseconds_p99=quantile(took, 0.99) * 1e6,
            to_reach=30,
            inputs=len(took),
        )


def odds() -> None:
    """Exact odds of eight decks, each time by a fresh process, which has nothing cached."""
    found = odds_of(8)
    took = [float(subprocess.check_output([sys.executable, "-c", ODDS])) for _ in range(5)]
    tell(
        "exact odds of eight decks",
        seconds=median(took),
        to_reach=1.0,
        equal_to_published=(found.banker, found.player, found.tie) == PUBLISHED_EIGHT_DECKS,
        floor_plain_loops_per_second=spin(),
    )


def _dealt(count: int) -> list[bytes]:
    """Records of coups dealt from full shoes, without a misdeal."""
    rng = random.Random(1)
    lines = []
    for number in range(count):
        cards = rng.sample(list(Card), 6)
        hands: dict[Side, tuple[Card, ...]] = {Side.PLAYER: (), Side.BANKER: ()}
        events = []
        while (due := next_position(hands[Side.PLAYER], hands[Side.BANKER])) is not None:
            hands[due.side] = (*hands[due.side], cards[len(events)])
            events.append({"card": cards[len(events)]})
        record = {"id": str(number), "house": NAMES[number % len(NAMES)], "events": events}
        lines.append(msgspec.json.encode(record))
    return lines


def adjudicating() -> None:
    """Coup records to rulings through the table's decisions, in a second of processor time.

    Coups as they are dealt, with a misdeal in one of five, and the misdeals of the examples alone.
    Against reading their JSON alone, and in loops of plain Python: what a coup costs anywhere.
    """
    houses = {name: at_bets_of(house(name)) for name in NAMES}
    misdeals = [msgspec.json.encode(vector.coup) for vector in vectors()] * REPEATS
    dealt = _dealt(4 * len(misdeals))
    loops = spin()
    for what, lines in (
        ("coup records adjudicated, none a misdeal", dealt),
        ("coup records adjudicated, one in five a misdeal", dealt + misdeals),
        ("coup records adjudicated, all of them misdeals", misdeals),
    ):

        def rule(lines: list[bytes] = lines) -> int:
            for line in lines:
                msgspec.json.encode(ruling_of(line, houses.get))
            return len(lines)

        def read(lines: list[bytes] = lines) -> int:
            for line in lines:
                msgspec.json.encode(msgspec.json.decode(line))
            return len(lines)

        per_second = median(rates(rule, clock=time.process_time))
        tell(
            what,
            per_second=per_second,
            to_reach=5_000,
            floor_plain_loops_per_second=loops,
            plain_loops_for_a_record=loops / per_second,
            floor_records_read_and_written_per_second=median(rates(read)),
        )
