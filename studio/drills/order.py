# SPDX-License-Identifier: Apache-2.0
"""Drills of tableau and order: too many cards, too few, and cards in the wrong box."""

from studio.drills.shoes import cards_to_burn, seen_fate
from studio.drills.words import (
    DEALER,
    END,
    HELD,
    NATURAL,
    PLAIN,
    AtShoe,
    Drill,
    Oracle,
    PlayOn,
    Pull,
    Rule,
    Step,
    Tell,
    call,
    cards,
    coup,
    dealt,
    fault,
    held,
    note,
    public,
    report,
    shows,
)
from studio.game.coup import Side
from studio.game.house import House
from studio.game.inputs import CloseBets, OpenBets, OpenFreeCoup

_SIX = "player: 2H KC 5S / 4D AC 9H"


def drills(house: House) -> tuple[Drill, ...]:
    """What must come of each, in this house."""
    return (*_excess(house), *_unseen(house), *_missed(), *_misplaced(), *_physical(house))


def _surplus(
    house: House, name: str, trains: str, deal: str, result: str, at: Side | None = None,
    raised: tuple[str, ...] = (),
) -> Drill:  # fmt: skip
    """A card is pulled after the coup is complete; ``deal`` names it last."""
    drawn = cards(deal)
    extra, count = drawn[-1], len(drawn) - 1
    noted: tuple[Step, ...] = () if at is None else (note(count + 1, at),)
    return Drill(
        name=name,
        trains=trains,
        rows=raised or (name,),
        cards=drawn,
        steps=(*coup(count), Pull(), *noted, Rule("reconstruct"), PlayOn()),
        oracle=Oracle(
            raised=raised or (name,),
            public=public(dealt(count) + HELD + END),
            results=(result,),
            fates=(f"{extra.value} {seen_fate(house)}",),
            after={extra.value: "round_released"},
        ),
    )


def _excess(house: House) -> tuple[Drill, ...]:
    return (
        _surplus(
            house,
            "excess-after-natural",
            "A fifth card is pulled though a hand has a natural: it counts for nothing.",
            "9C KD JS 3H 7C",
            NATURAL,
        ),
        _surplus(
            house,
            "excess-after-complete",
            "A card too many is pulled after the third cards.",
            "2H 4D KC AC 5S 9H 3D",
            _SIX,
        ),
        _surplus(
            house,
            "p3-when-stand-b-stands",
            "Both stand, and the dealer serves Player a third card.",
            "7D JC QS 6H 4C",
            "player: 7D QS / JC 6H",
            Side.PLAYER,
            ("excess-after-complete", "p3-when-stand-b-stands"),
        ),
        _surplus(
            house,
            "b3-when-stand",
            "Banker stands on Player's third card, and is served one all the same.",
            "4S 3D AC KC 8H 5S",
            "tie: 4S AC 8H / 3D KC",
            Side.BANKER,
            ("excess-after-complete", "b3-when-stand"),
        ),
        _overdraw(house),
    )


def _overdraw(house: House) -> Drill:
    return Drill(
        name="overdraw",
        trains="One card too many is pulled, and the shoe stops with an error because of it.",
        rows=("excess-after-natural", "shoe-failure"),
        cards=cards("9C KD JS 3H 7C"),
        steps=(
            *coup(4),
            fault("overdraw", "One card too many is pulled, and the shoe stops."),
            AtShoe("The error is cancelled on the shoe.", "clear"),
            Rule("reconstruct"),
            PlayOn(),
        ),
        oracle=Oracle(
            raised=("shoe-failure", "excess-after-natural"),
            public=held(4),
            told={"fault_cleared": 1},
            fates=(f"7C {seen_fate(house)}",),
            after={"7C": "round_released"},
        ),
    )


def _unseen(house: House) -> tuple[Drill, ...]:
    """A surplus card whose face nobody saw; where it is carried over, it begins the next coup."""
    is_carried = house.excess_card == "carry"
    more: tuple[Step, ...] = ()
    ruled: tuple[Step, ...] = (note(5, unseen=True), Rule("reconstruct"))
    heard = ""
    results: tuple[str, ...] = (NATURAL,)
    if is_carried:
        ruled = (Rule("reconstruct", faces_seen=False),)
        more = (Tell(OpenBets(by=DEALER)), Tell(CloseBets(by=DEALER)), Pull(3), PlayOn())
        heard = " bets_opened bets_closed card_dealt*4 result round_closed"
        results = (NATURAL, "player: 7C 2D / QH 5C")
    unseen = Drill(
        name="excess-unseen",
        trains="A surplus card whose face nobody saw: the supervisor's note, or the answer that "
        "the ruling asks for, decides where it goes.",
        rows=("excess-after-natural",),
        cards=cards("9C KD JS 3H 7C QH 2D 5C"),
        steps=(*coup(4), Pull(), *ruled, PlayOn(), *more),
        oracle=Oracle(
            raised=("excess-after-natural",),
            public=held(4, after=heard),
            results=results,
            fates=(f"7C {house.excess_card}",),
            never=() if is_carried else cards("7C"),
            after={"7C": "round_closed"} if is_carried else {},
        ),
    )
    return (unseen, _free_coup()) if is_carried else (unseen,)


def _free_coup() -> Drill:
    return Drill(
        name="free-coup",
        trains="A surplus card that players saw is dealt out in a coup without bets.",
        rows=("excess-after-natural",),
        cards=cards("9C KD JS 3H 7C QH 2D 5C 8C AS KS 5D"),
        steps=(
            *coup(4),
            Pull(),
            Rule("reconstruct", faces_seen=True),
            PlayOn(),
            Tell(OpenBets(by=DEALER), refused="free_coup_due"),
            Tell(OpenFreeCoup(by=DEALER)),
            Pull(3),
            PlayOn(),
            *coup(4),
            PlayOn(),
        ),
        oracle=Oracle(
            raised=("excess-after-natural",),
            public=held(4, after=dealt(4) + END),
            results=(NATURAL, "player: 8C KS / AS 5D"),
            fates=("7C free_coup",),
            never=cards("QH 2D 5C"),
            after={"7C": "round_released"},
        ),
    )


def _early_call(name: str, trains: str, deal: str, count: int, called: str, result: str) -> Drill:
    """The result is called ``count`` cards into the coup, where the tableau asks for more."""
    drawn = cards(deal)
    return Drill(
        name=name,
        trains=trains,
        rows=(name,),
        cards=drawn,
        steps=(*coup(count), call(called), Rule("release"), PlayOn()),
        oracle=Oracle(
            raised=(name,),
            public=held(count, len(drawn)),
            results=(result,),
        ),
    )


def _missed() -> tuple[Drill, ...]:
    return (
        _early_call(
            "initial-short",
            "The result is called on two cards.",
            "9C KD JS 3H",
            2,
            "player",
            NATURAL,
        ),
        _early_call(
            "p3-missed",
            "The result is called while Player must still draw.",
            "5C 7S QD TH 4S",
            4,
            "banker",
            "player: 5C QD 4S / 7S TH",
        ),
        _early_call(
            "b3-missed",
            "The result is called while Banker must still draw.",
            "AD 4S KS 2H 7C 3D",
            5,
            "player",
            "banker: AD KS 7C / 4S 2H 3D",
        ),
    )


def _moved(
    name: str, trains: str, deal: str, notes: dict[int, Side], raised: tuple[str, ...], result: str
) -> Drill:
    """Cards lie in the wrong box; all are out when somebody sees it. Nothing changes on air."""
    drawn = cards(deal)
    return Drill(
        name=name,
        trains=trains,
        rows=raised,
        cards=drawn,
        steps=(
            *coup(len(drawn)),
            *(note(number, at) for number, at in notes.items()),
            Rule("release"),
            PlayOn(),
        ),
        oracle=Oracle(
            raised=raised,
            public=held(len(drawn), len(drawn)),
            results=(result,),
        ),
    )


def _misplaced() -> tuple[Drill, ...]:
    player, banker = Side.PLAYER, Side.BANKER
    return (
        _moved(
            "initial-order-ppbb",
            "Two cards for Player, then two for Banker: they are moved by the order drawn.",
            "8C 4D AS KH",
            {2: player, 3: banker},
            ("initial-order",),
            "player: 8C AS / 4D KH",
        ),
        _moved(
            "initial-order-bpbp",
            "Banker is served first: the hands are swapped.",
            "9C KD JS 3H",
            {1: banker, 2: player, 3: banker, 4: player},
            ("initial-order",),
            NATURAL,
        ),
        _moved(
            "p3-skipped-b-drawn",
            "Player's third card is laid in Banker's box.",
            "2S 5D 3C KH 4D 7S",
            {5: banker, 6: banker},
            ("p3-skipped-b-drawn",),
            "player: 2S 3C 4D / 5D KH 7S",
        ),
        _moved(
            "p3-when-stand-b-draws",
            "Player stands, and Banker's third card is laid in Player's box.",
            "6D 2C KC 2S 5H",
            {5: player},
            ("p3-when-stand-b-draws",),
            "banker: 6D KC / 2C 2S 5H",
        ),
        _moved(
            "third-to-wrong-hand",
            "Banker's third card is laid in Player's box.",
            "2H 4D KC AC 5S 9H",
            {6: player},
            ("third-to-wrong-hand",),
            _SIX,
        ),
    )


def _physical(house: House) -> tuple[Drill, ...]:
    is_void = house.stuck_cards == "void"
    double = Drill(
        name="double-pull",
        trains="Two cards leave the shoe together: in order, or void, as the house has it.",
        rows=("double-pull",),
        cards=cards("4H 9C KD 7S 3C"),
        steps=(*coup(3), note(3, stuck=True), Rule("void" if is_void else "release"), PlayOn()),
        oracle=Oracle(
            raised=("double-pull",),
            public=public(
                dealt(3)
                + ("round_held round_voided round_closed" if is_void
                   else HELD + "card_dealt*2 " + END)
            ),
            results=("void",) if is_void else ("player: 4H KD 3C / 9C 7S",),
        ),
    )  # fmt: skip
    returned = Drill(
        name="card-returned",
        trains="A drawn card is pushed back into the shoe: it is taken out again, and counts once.",
        rows=("card-returned", "shoe-failure"),
        steps=(
            *coup(2),
            fault("error", "The last card is pushed back: it moves backwards at the exit.", code=4),
            AtShoe("It comes out again, and the shoe says that it told of it.", "retransmit"),
            AtShoe("The error is cancelled on the shoe.", "clear"),
            report("card-returned"),
            shows(phase="held", cards_out=len(cards_to_burn(house, PLAIN)) + 2),
            Rule("release"),
            PlayOn(),
        ),
        oracle=Oracle(
            raised=("shoe-failure", "card-returned"),
            public=held(2),
            told={"card_repeated": 1, "fault_cleared": 1},
        ),
    )
    return (double, returned)
