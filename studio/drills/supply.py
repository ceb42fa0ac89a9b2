# SPDX-License-Identifier: Apache-2.0
"""Drills of supply: one copy too many, an empty shoe, the cut card, the burn."""

from studio.drills.shoes import after_others, cards_to_burn, factory_order
from studio.drills.words import (
    DEALER,
    END,
    END_ON_SHOE,
    NATURAL,
    NEXT_SHOE,
    PAUSED,
    PLAIN,
    REASON,
    SUPERVISOR,
    AtShoe,
    Drill,
    Oracle,
    PlayOn,
    Pull,
    Rule,
    Step,
    Tell,
    burn,
    cards,
    correct_burn,
    coup,
    dealt,
    fault,
    is_closed,
    public,
    report,
    shows,
    voided,
)
from studio.game.house import House, LastCoup, ShoeMode
from studio.game.inputs import BurnCards, ChangeDealer, NoteShoeEmpty, OpenBets

# So many cards are pulled out of the shoe in one go.
_AT_ONCE = 40


def drills(house: House) -> tuple[Drill, ...]:
    """What must come of each, in this house."""
    bad = (_duplicate(house), _foreign(), _unshuffled(house))
    return (*bad, _empty(), *_cut_cards(house), *_burns(house), _burn_misread(house))


def _duplicate(house: House) -> Drill:
    return Drill(
        name="duplicate-card",
        trains="One copy too many of a card: the round is void, the shoe is closed.",
        rows=("duplicate-card",),
        cards=cards("7H " * house.decks + "2C 3D 7H"),
        steps=(*burn(house.decks), *coup(3), Rule("void"), PlayOn(), *is_closed()),
        oracle=Oracle(
            raised=("duplicate-card",),
            public=voided(2, NEXT_SHOE),
            results=("void", NATURAL),
            never=cards("7H"),
            counts=False,
        ),
    )


def _foreign() -> Drill:
    return Drill(
        name="foreign-card",
        trains="A card of another deck comes out: the round is void, the shoe is closed.",
        rows=("foreign-card",),
        # it reads like any card, and only eyes see its back
        foreign=(3,),
        steps=(*coup(3), report("foreign-card"), Rule("void"), PlayOn(), *is_closed()),
        oracle=Oracle(
            raised=("foreign-card",),
            public=voided(3, NEXT_SHOE),
            results=("void", NATURAL),
            counts=False,
        ),
    )


def _unshuffled(house: House) -> Drill:
    return Drill(
        name="unshuffled-shoe",
        trains="The cards come in their factory order: void, the shoe is closed.",
        rows=("unshuffled-shoe",),
        cards=factory_order(house),
        has_own_burn=True,
        steps=(*coup(3), report("unshuffled-shoe"), Rule("void"), PlayOn(), *is_closed()),
        oracle=Oracle(
            raised=("unshuffled-shoe",),
            public=voided(3, NEXT_SHOE),
            results=("void", NATURAL),
        ),
    )


def _empty() -> Drill:
    return Drill(
        name="insufficient-cards",
        trains="The shoe is found empty in the middle of a coup: the round is void.",
        rows=("insufficient-cards",),
        steps=(
            *coup(3),
            Tell(NoteShoeEmpty(by=DEALER)),
            Rule("void"),
            PlayOn(),
            Tell(OpenBets(by=DEALER), refused="shoe_stopped"),
        ),
        oracle=Oracle(
            raised=("insufficient-cards",),
            public=voided(3),
            results=("void",),
        ),
    )


def _cut_cards(house: House) -> tuple[Drill, ...]:
    if house.shoe_mode is ShoeMode.CONTINUOUS:
        return ()
    cut = AtShoe("The cut card comes out.", "cut_card")
    is_last = house.last_coup is LastCoup.CURRENT
    more: tuple[Step, ...] = (*coup(4), PlayOn())
    over: tuple[Step, ...] = (Tell(OpenBets(by=DEALER), refused="shoe_over"),)
    mid = Drill(
        name="cut-card-mid-round",
        trains="The cut card comes within a coup: the house says whether one more is dealt.",
        rows=("cut-card-mid-round",),
        cards=cards("9C KD JS 3H 8C AS KS 5D"),
        steps=(*coup(2), cut, Pull(2), PlayOn(), *(() if is_last else more), *over),
        oracle=Oracle(
            public=public(
                dealt(2) + "cut_card_seen card_dealt*2 " + END
                + ("" if is_last else " " + dealt(4) + END)
            ),
            results=(NATURAL,) if is_last else (NATURAL, "player: 8C KS / AS 5D"),
        ),
    )  # fmt: skip
    is_one_more = house.last_coup is LastCoup.ALWAYS_ONE_MORE
    first = Drill(
        name="cut-card-first",
        trains="The cut card comes before the first card of a coup.",
        rows=("cut-card-first",),
        cards=cards("9C KD JS 3H 8C AS KS 5D"),
        steps=(cut, *coup(4), PlayOn(), *(more if is_one_more else ()), *over),
        oracle=Oracle(
            public=public(
                "cut_card_seen " + dealt(4) + END + (" " + dealt(4) + END if is_one_more else "")
            ),
            results=(NATURAL, "player: 8C KS / AS 5D") if is_one_more else (NATURAL,),
        ),
    )
    return (mid, first)


def long_drills(house: House) -> tuple[Drill, ...]:
    """The cut card would lie before the third card of the coup, but nobody put one in."""
    if house.shoe_mode is ShoeMode.CONTINUOUS:
        return ()
    before = house.cards - (house.cut_card_from_end or 0) - 2 - len(cards_to_burn(house, PLAIN))
    order = BurnCards(by=SUPERVISOR, count=before, reason=REASON)
    pulls: tuple[Step, ...] = tuple(
        Pull(min(_AT_ONCE, before - out)) for out in range(0, before, _AT_ONCE)
    )
    is_last = house.last_coup is LastCoup.CURRENT
    more: tuple[Step, ...] = () if is_last else (*coup(4), PlayOn())
    heard = "" if is_last else "cut_card_seen " + dealt(4) + END + " "
    missed = Drill(
        name="cut-card-missed",
        trains="The cut card does not come where it was due: the shoe is closed in its time.",
        rows=("cut-card-missed",),
        cards=after_others(house, before, PLAIN * 2),
        has_own_burn=True,
        has_cut_card=False,
        steps=(
            *(Tell(order), *pulls, END_ON_SHOE),
            *(*coup(4), PlayOn()),
            shows(phase="held", public_phase="idle"),
            Rule("release"),
            *more,
            *is_closed("shoe_stopped" if is_last else "shoe_over"),
        ),
        oracle=Oracle(
            raised=("cut-card-missed",),
            public=public(f"{dealt(4)}{END} {PAUSED}{heard}{NEXT_SHOE}"),
            results=(NATURAL,) * (2 if is_last else 3),
        ),
    )
    return (missed,)


def _burns(house: House) -> tuple[Drill, ...]:
    drawn = cards("7C 8C 9C KD JS 3H")
    before = len(cards_to_burn(house, drawn))
    held_once = Oracle(
        raised=("burn-count-wrong",),
        public=public(PAUSED + dealt(4) + END),
        never=cards("7C 8C"),
    )
    few = Drill(
        name="burn-count-wrong",
        trains="One card too few is burned: it is said before the first card of a coup, and the "
        "missing one is burned.",
        rows=("burn-count-wrong",),
        cards=drawn,
        steps=(
            *burn(1),
            report("burn-count-wrong"),
            shows(phase="held", burned=before + 1),
            Rule("release"),
            *burn(1),
            shows(phase="idle", burned=before + 2),
            *coup(4),
            PlayOn(),
        ),
        oracle=held_once,
    )
    many = Drill(
        name="burn-one-too-many",
        trains="One card too many is burned: it stays out, and the count of the shoe has it.",
        rows=("burn-count-wrong",),
        cards=drawn,
        steps=(
            *burn(2),
            report("burn-count-wrong"),
            Rule("release"),
            shows(phase="idle", burned=before + 2),
            *coup(4),
            PlayOn(),
        ),
        oracle=held_once,
    )
    relief = Drill(
        name="burn-on-relief",
        trains="The dealer changes, and a card is burned: it must not become Player's first.",
        rows=("burn-on-relief",),
        cards=cards("7C 9C KD JS 3H"),
        steps=(
            Tell(ChangeDealer(by=SUPERVISOR, dealer=REASON)),
            *burn(1),
            *coup(4),
            PlayOn(),
        ),
        oracle=Oracle(
            public=public("dealer_changed " + dealt(4) + END),
            never=cards("7C"),
        ),
    )
    return (few, many, relief)


def _burn_misread(house: House) -> Drill:
    drawn = cards("7C 9C KD JS 3H")
    burned = len(cards_to_burn(house, drawn))
    return Drill(
        name="burn-misread",
        trains="A burned card is read as another: two people correct it, and nobody else learns "
        "of it. Later copies of both are counted right.",
        rows=("misread",),
        cards=drawn,
        steps=(
            fault("misread", "The next card is read as another.", card="8C"),
            *burn(1),
            correct_burn(burned + 1, "7C"),
            *coup(4),
            PlayOn(),
        ),
        oracle=Oracle(public=public(dealt(4) + END), never=cards("7C 8C")),
    )
