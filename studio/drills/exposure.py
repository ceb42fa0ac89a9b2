# SPDX-License-Identifier: Apache-2.0
"""Drills of timing and exposure: cards too early, seen, fallen, lost, foreign."""

from msgspec.structs import replace

from studio.drills.shoes import seen_fate
from studio.drills.words import (
    DEALER,
    END,
    END_ON_SHOE,
    FREE_COUP,
    HELD,
    NATURAL,
    PAUSED,
    Drill,
    Oracle,
    PlayOn,
    Pull,
    Rule,
    Step,
    Tell,
    VoidRound,
    cards,
    coup,
    dealt,
    held,
    note,
    opened,
    public,
    report,
    shows,
)
from studio.game.house import House
from studio.game.inputs import CloseBets, CloseRound, ConfirmResult, OpenBets, OpenFreeCoup


def drills(house: House) -> tuple[Drill, ...]:
    """What must come of each, in this house."""
    return (*_timing(house), *_faces(house), *_reported())


def _timing(house: House) -> tuple[Drill, ...]:
    is_played = house.early_card == "play"
    early = Drill(
        name="card-before-close",
        trains="A card is pulled while bets are open: it is played or burned, or the round is "
        "void, by the house; it is never shown before the bets are closed and the ruling is given.",
        rows=("card-before-close",),
        cards=cards("QC 5S 6D 2D KH"),
        steps=(
            *opened(),
            Pull(),
            shows(phase="held", public_phase="held"),
            Rule("release" if is_played else "reconstruct"),
            PlayOn(),
        ),
        oracle=Oracle(
            raised=("card-before-close",),
            public=public("bets_opened bets_closed " + HELD + "card_dealt*4 " + END),
            results=("banker: QC 6D / 5S 2D" if is_played else "player: 5S 2D / 6D KH",),
            fates=() if is_played else ("QC burn",),
            after={"QC": "round_released"},
        ),
    )
    if house.early_card == "void":
        early = replace(
            early,
            steps=(*early.steps[:-2], Rule("void"), PlayOn()),
            oracle=Oracle(
                raised=("card-before-close",),
                public=public("bets_opened bets_closed round_held round_voided round_closed"),
                results=("void",),
                never=cards("QC"),
            ),
        )
    return (
        early,
        _bets_too_soon(),
        *_next_card_early(house),
        _start_not_pressed(house),
        _result_not_confirmed(),
    )


def _bets_too_soon() -> Drill:
    return Drill(
        name="bets-opened-too-soon",
        trains="Bets are opened too soon: the round is void, stakes are returned, no card is lost.",
        rows=(),
        steps=(*opened(), VoidRound(), PlayOn(), *coup(4), PlayOn()),
        oracle=Oracle(
            public=public("bets_opened bets_closed round_voided round_closed " + dealt(4) + END),
            results=("void", NATURAL),
        ),
    )


def _next_card_early(house: House) -> tuple[Drill, ...]:
    """Out before the round is cleared: by the house's remedy; where it asks, each answer once."""
    fate = house.excess_card
    if fate != "carry":
        return (_stray("next-card-early", fate),)
    return (
        _stray("next-card-early", "free_coup", faces_seen=True),
        _stray("next-card-unseen", "carry", faces_seen=False),
    )


_NEXT = "A card is pulled before the round is cleared: no bets until a supervisor ruled; "
_STRAYS = {
    "burn": _NEXT + "it is burned.",
    "next_burn": _NEXT + "it is kept for the next burn.",
    "free_coup": _NEXT + "players saw it, it is dealt out in a coup without bets.",
    "carry": _NEXT + "nobody saw it, it is the first card of the next coup.",
}


def _stray(name: str, fate: str, *, faces_seen: bool | None = None) -> Drill:
    free: tuple[Step, ...] = (
        Tell(OpenBets(by=DEALER), refused="free_coup_due"),
        Tell(OpenFreeCoup(by=DEALER)),
        END_ON_SHOE,
        Pull(3),
        PlayOn(),
    )
    carried: tuple[Step, ...] = (
        *opened(),
        Tell(CloseBets(by=DEALER)),
        END_ON_SHOE,
        Pull(3),
        PlayOn(),
    )
    is_carried = fate == "carry"
    return Drill(
        name=name,
        trains=_STRAYS[fate],
        rows=("next-card-early",),
        cards=cards("9C KD JS 3H 7C QH 2D 5C"),
        steps=(
            *coup(4),
            Tell(ConfirmResult(by=DEALER)),
            Pull(),
            shows(phase="held"),
            Tell(OpenBets(by=DEALER), refused="suspended"),
            Rule(fate, faces_seen=faces_seen),
            PlayOn(),
            *{"free_coup": free, "carry": carried}.get(fate, ()),
        ),
        oracle=Oracle(
            raised=("next-card-early",),
            public=public(
                dealt(4) + "result " + PAUSED + "round_closed "
                + (dealt(4) + END if is_carried else "")
            ),
            results=(NATURAL, "player: 7C 2D / QH 5C") if is_carried else (NATURAL,),
            fates=(f"7C {fate}",),
            never=() if is_carried else cards("7C"),
            after={"7C": "round_closed"} if is_carried else {},
        ),
    )  # fmt: skip


def _start_not_pressed(house: House) -> Drill:
    is_carry = house.excess_card == "carry"
    fate = seen_fate(house)
    is_free = fate == "free_coup"
    return Drill(
        name="start-not-pressed",
        trains="The dealer forgets to open bets and pulls a card that all see: it may not enter "
        "a coup with bets.",
        rows=("start-not-pressed",),
        cards=cards("7C QH 2D 5C 9C KD JS 3H" if is_free else "7C 9C KD JS 3H"),
        steps=(
            Pull(),
            shows(phase="held"),
            Rule(fate, faces_seen=True if is_carry else None),
            *(FREE_COUP if is_free else (END_ON_SHOE,)),
            *coup(4),
            PlayOn(),
        ),
        oracle=Oracle(
            raised=("next-card-early",),
            public=public(PAUSED + dealt(4) + END),
            fates=(f"7C {fate}",),
            never=cards("7C"),
        ),
    )


def _result_not_confirmed() -> Drill:
    return Drill(
        name="result-not-confirmed",
        trains="The dealer forgets the result's key: the table waits, and nothing is lost.",
        rows=("result-not-confirmed",),
        steps=(
            *coup(4),
            Tell(OpenBets(by=DEALER), refused="bets_closed"),
            shows(phase="result", prompt="confirm-result"),
            PlayOn(),
        ),
        oracle=Oracle(public=public(dealt(4) + END)),
    )


def _faces(house: House) -> tuple[Drill, ...]:
    is_kept = house.face_up_card == "keep"
    face_up = Drill(
        name="face-up-in-shoe",
        trains="A card lay face up in the shoe: kept or burned by the house. The shoe counted it.",
        rows=("face-up-in-shoe",),
        cards=cards("TD 6S 4H 5H 2C 9D"),
        steps=(
            *coup(3),
            note(3, face_up=True),
            Rule("release" if is_kept else "reconstruct"),
            PlayOn(),
        ),
        oracle=Oracle(
            raised=("face-up-in-shoe",),
            public=public(
                dealt(3)
                + (HELD + "card_dealt*3 " if is_kept
                   else "round_held round_reconstructed card_dealt*2 ")
                + END
            ),
            results=("player: TD 4H 2C / 6S 5H 9D" if is_kept else "banker: TD 5H / 6S 2C",),
            fates=() if is_kept else ("4H burn",),
        ),
    )  # fmt: skip
    # the hands change where face-up cards are burned; elsewhere nothing does
    after: tuple[Step, ...] = () if is_kept else (note(3, face_up=False), Rule("release"))
    changed = "round_held round_reconstructed " + HELD + "card_dealt "
    otherwise = Drill(
        name="said-otherwise",
        trains="A card is said to have lain face up, and then that it did not: players get the "
        "hands that the cards give, each time.",
        rows=() if is_kept else ("said-otherwise",),
        cards=cards("TD 6S 4H 5H 2C 9D"),
        steps=(
            *coup(3),
            note(3, face_up=True),
            Rule("release" if is_kept else "reconstruct"),
            *after,
            PlayOn(),
        ),
        oracle=Oracle(
            raised=("face-up-in-shoe",) if is_kept else ("face-up-in-shoe", "said-otherwise"),
            public=public(dealt(3) + (HELD if is_kept else changed) + "card_dealt*3 " + END),
            results=("player: TD 4H 2C / 6S 5H 9D",),
        ),
    )
    return (face_up, otherwise)


# what it is, and what is only said of it: the cards come as ever
_IN_A_COUP = {
    "exposed-in-deal": (
        "A card flashes while it is dealt: no decision hangs on it, play on.",
        "No card is shown here: it is read as ever, and the dealer says that it flashed.",
    ),
    "card-on-floor": (
        "A card falls: staff lift it, it is the card that was read, and it counts.",
        "No card falls here: it is read as ever, and the dealer says that it fell.",
    ),
    "card-lost": (
        "A card is missing from the table: the shoe read it, and it counts as read.",
        "No card is lost here: it is read as ever, and the dealer says that it is missing.",
    ),
    "card-damaged": (
        "A card is torn: the coup is finished first.",
        "No card is torn here: it is read as ever, and the dealer says that it is.",
    ),
}


def _reported() -> tuple[Drill, ...]:
    """What only eyes can see: a person names it, a supervisor rules."""
    said = tuple(
        Drill(
            name=code,
            trains=trains,
            rows=(code,),
            steps=(*coup(3), report(code), Rule("release"), PlayOn()),
            oracle=Oracle(
                raised=(code,),
                public=public(dealt(3) + HELD + "card_dealt " + END),
            ),
            eyes=eyes,
        )
        for code, (trains, eyes) in _IN_A_COUP.items()
    )
    return (*said, _cleared_early())


def _cleared_early() -> Drill:
    return Drill(
        name="table-cleared-early",
        trains="Cards are swept before the result is confirmed: they are laid back as read.",
        rows=("table-cleared-early",),
        steps=(
            *coup(4),
            Tell(CloseRound(by=DEALER), refused="not_now"),
            report("table-cleared-early"),
            shows(phase="held", outcome="player"),
            Rule("release"),
            shows(phase="result", prompt="confirm-result"),
            PlayOn(),
        ),
        oracle=Oracle(raised=("table-cleared-early",), public=held(4)),
        eyes="No card is swept here: the dealer presses the key of a cleared table too soon, and "
        "says that the cards are gone.",
    )
