# SPDX-License-Identifier: Apache-2.0
"""Drills of results: called wrongly, confirmed early, found wrong late, paid wrongly."""

from studio.drills.words import (
    DEALER,
    END,
    NATURAL,
    PAUSED,
    PLAIN,
    SUPERVISOR,
    AmendRound,
    Drill,
    Oracle,
    PlayOn,
    Pull,
    Rule,
    Tell,
    call,
    cards,
    coup,
    dealt,
    fault,
    held,
    opened,
    public,
    report,
    shows,
)
from studio.game.house import House
from studio.game.inputs import AnswerCall, ConfirmResult

_CHIPS = (
    "Chips are not simulated: the result on the feed is right, and the dealer says that it was "
    "paid wrongly at the table."
)


def drills(house: House) -> tuple[Drill, ...]:
    """What must come of each, in this house."""
    is_void = house.found_late == "void"
    wrong = Drill(
        name="wrong-result-announced",
        trains="The dealer calls the wrong winner: the cards decide, nothing was paid.",
        rows=("wrong-result-announced",),
        steps=(*coup(4), call("banker"), Rule("release"), PlayOn()),
        oracle=Oracle(
            raised=("wrong-result-announced",),
            public=held(4),
        ),
    )
    suit = fault("misread", "The next card is read as another.", card="9D")
    amendment = "void" if is_void else f"amended {NATURAL}"
    amended = "round_voided " if is_void else "result_amended "
    confirmed = Drill(
        name="result-confirmed-early",
        trains="A result is confirmed, and found wrong before the cards are cleared.",
        rows=("found-after-next",),
        steps=(
            *coup(2),
            suit,
            Pull(2),
            Tell(ConfirmResult(by=DEALER)),
            AmendRound(cards("9C JS"), cards("KD 3H")),
            PlayOn(),
        ),
        oracle=Oracle(
            public=public(dealt(4) + "result " + amended + "round_closed"),
            results=("player: 9C 9D / KD 3H", amendment),
        ),
    )
    late = Drill(
        name="found-after-next",
        trains="A misread card is found when the next round has begun: the earlier result is "
        "amended or void by the house, and the round under way goes on.",
        rows=("found-after-next",),
        cards=cards("9C KD JS 3H 8C AS KS 5D"),
        steps=(
            *coup(2),
            suit,
            Pull(2),
            PlayOn(),
            *coup(2),
            AmendRound(cards("9C JS"), cards("KD 3H")),
            PlayOn(),
        ),
        oracle=Oracle(
            public=public(
                dealt(4)
                + "result round_closed bets_opened bets_closed card_dealt*2 "
                + amended
                + "card_dealt*2 "
                + END
            ),
            results=(
                "player: 9C 9D / KD 3H",
                amendment,
                "player: 8C KS / AS 5D",
            ),
        ),
    )
    return (
        wrong,
        confirmed,
        late,
        _scored(),
        _paid(),
        _paid_late(),
        _paid_and_amended(amended, amendment),
    )


def _scored() -> Drill:
    """Player draws to five; the dealer takes it for six."""
    return Drill(
        name="mis-scored",
        trains="Player's five is counted as six, and the result is called a card too soon: the "
        "table counts by itself, and asks for that card.",
        rows=("mis-scored", "p3-missed"),
        cards=cards("5C 7S QD TH 4S"),
        steps=(*coup(4), call("banker"), report("mis-scored"), Rule("release"), PlayOn()),
        oracle=Oracle(
            raised=("p3-missed", "mis-scored"),
            public=held(4, 5),
            results=("player: 5C QD 4S / 7S TH",),
        ),
    )


def _paid() -> Drill:
    return Drill(
        name="wrong-paid",
        trains="The chips go the wrong way: front-ends pay by the feed, which is right.",
        rows=("wrong-paid",),
        steps=(
            *coup(4),
            Tell(ConfirmResult(by=DEALER)),
            report("wrong-paid"),
            Rule("release"),
            PlayOn(),
        ),
        oracle=Oracle(
            raised=("wrong-paid",),
            public=public(dealt(4) + "result " + PAUSED + "round_closed"),
        ),
        eyes=_CHIPS,
    )


def _paid_late() -> Drill:
    """The next round runs, and has nothing to do with it."""
    return Drill(
        name="wrong-paid-late",
        trains="A wrong payment is told of when bets are open again: the pit is called, and the "
        "round that runs is dealt as ever.",
        rows=("wrong-paid",),
        cards=PLAIN * 2,
        steps=(
            *coup(4),
            PlayOn(),
            *opened(),
            report("wrong-paid"),
            shows(phase="bets_open", public_phase="bets_open"),
            Tell(AnswerCall(by=SUPERVISOR)),
            *coup(4)[1:],
            PlayOn(),
        ),
        oracle=Oracle(
            public=public(f"{dealt(4)}{END} {dealt(4)}{END}"), results=(NATURAL, NATURAL)
        ),
        eyes=_CHIPS,
    )


def _paid_and_amended(amended: str, amendment: str) -> Drill:
    return Drill(
        name="wrong-paid-amended",
        trains="A wrong result is confirmed and paid: it is amended or void by the house, and "
        "front-ends settle anew by the feed's revision.",
        rows=("wrong-paid", "found-after-next"),
        steps=(
            *coup(2),
            fault("misread", "The next card is read as another.", card="9D"),
            Pull(2),
            Tell(ConfirmResult(by=DEALER)),
            report("wrong-paid"),
            Rule("release"),
            AmendRound(cards("9C JS"), cards("KD 3H")),
            PlayOn(),
        ),
        oracle=Oracle(
            raised=("wrong-paid",),
            public=public(dealt(4) + "result " + PAUSED + amended + "round_closed"),
            results=("player: 9C 9D / KD 3H", amendment),
        ),
    )
