# SPDX-License-Identifier: Apache-2.0
"""Drills of the reader: cards not read, misread, told twice or not at all."""

from studio.drills.shoes import seen_fate
from studio.drills.words import (
    DEALER,
    END,
    END_ON_SHOE,
    FREE_COUP,
    PAUSED,
    REASON,
    SUPERVISOR,
    AtShoe,
    Drill,
    Oracle,
    PlayOn,
    Pull,
    Rule,
    Tell,
    VoidRound,
    cards,
    correct,
    coup,
    dealt,
    enter,
    fault,
    held,
    public,
    report,
    shows,
    strike,
    voided,
)
from studio.game.house import House
from studio.game.inputs import ConfirmResult, EnterCard, StrikeCard

_LOST = fault("lost", "The next report is lost on the way.")
_SLID = fault("ghost", "The next card slides back into the shoe and comes out again.")
_CLEAR = AtShoe("The error is cancelled on the shoe.", "clear")


def drills(house: House) -> tuple[Drill, ...]:
    """What must come of each, in this house."""
    return (*_unread(), *_misread(), *_twice(), _ghost_between(house), *_gaps(), *_shoe())


def _unread() -> tuple[Drill, ...]:
    blind = fault("unreadable", "The next card cannot be read.", how="card")
    unread = Drill(
        name="misscan-none",
        trains="A card leaves the shoe and is not read: two people enter it from the pictures.",
        rows=("misscan-none",),
        steps=(
            *coup(2),
            blind,
            Pull(),
            shows(phase="held", prompt="enter-card"),
            Tell(
                EnterCard(by=SUPERVISOR, second=SUPERVISOR, number=3, card=cards("JS")[0]),
                refused="same_person",
            ),
            enter(3, "JS"),
            Rule("release"),
            PlayOn(),
        ),
        oracle=Oracle(
            raised=("misscan-none",),
            public=held(2),
            after={"JS": "round_released"},
        ),
    )
    later = Drill(
        name="misscan-late",
        trains="A card that was not read is noticed after another was pulled: both stay hidden "
        "until the ruling, and take their places in the order drawn.",
        rows=("misscan-none",),
        steps=(*coup(2), blind, Pull(2), enter(3, "JS"), Rule("release"), PlayOn()),
        oracle=Oracle(
            raised=("misscan-none",),
            public=held(2),
            after={"JS": "round_released", "3H": "round_released"},
        ),
    )
    void = Drill(
        name="misscan-unknown",
        trains="A card that nobody can name: the round is void.",
        rows=("misscan-none",),
        steps=(*coup(2), blind, Pull(), Rule("void"), PlayOn()),
        oracle=Oracle(
            raised=("misscan-none",),
            public=voided(2),
            results=("void",),
            never=cards("JS"),
        ),
    )
    by_error = Drill(
        name="misscan-by-error",
        trains="The shoe tells of an unread card by an error alone: it is entered as missing.",
        rows=("misscan-none", "shoe-failure"),
        steps=(
            *coup(2),
            fault("unreadable", "The next card cannot be read.", how="error"),
            Pull(),
            enter(3, "JS", missing=True),
            Rule("release"),
            PlayOn(),
        ),
        oracle=Oracle(
            raised=("shoe-failure", "misscan-none"),
            public=held(2),
            after={"JS": "round_released"},
        ),
    )
    return (unread, later, void, by_error)


def _misread() -> tuple[Drill, ...]:
    wrong = fault("misread", "The next card is read as another.", card="4D")
    return (
        Drill(
            name="misread",
            trains="A card is read as another: the card on the table is right, the read is kept.",
            rows=("misread",),
            steps=(
                *coup(2),
                wrong,
                Pull(),
                correct(3, "JS"),
                Rule("reconstruct"),
                PlayOn(),
            ),
            oracle=Oracle(
                raised=("misread",),
                public=public(dealt(3) + "round_held round_reconstructed card_dealt " + END),
            ),
        ),
        Drill(
            name="misread-of-suit",
            trains="A suit is read wrongly, which no total shows: pairs depend on it.",
            rows=("misread",),
            steps=(
                *coup(2),
                fault("misread", "The next card is read in another suit.", card="JD"),
                Pull(2),
                correct(3, "JS"),
                Rule("reconstruct"),
                PlayOn(),
            ),
            oracle=Oracle(
                raised=("misread",),
                public=public(dealt(4) + "round_held round_reconstructed " + END),
            ),
        ),
    )


def _twice() -> tuple[Drill, ...]:
    again = AtShoe("The shoe sends its last card report again, and says so.", "retransmit")
    return (
        Drill(
            name="ghost-read",
            trains="A card slides back and comes out again, and the shoe tells of two: two people "
            "strike the second, and players get the hands of the cards that there are.",
            rows=("ghost-read",),
            steps=(
                *coup(1),
                _SLID,
                Pull(1, heard=2),
                report("ghost-read"),
                shows(phase="held"),
                Tell(
                    StrikeCard(by=SUPERVISOR, second=SUPERVISOR, number=3, reason=REASON),
                    refused="same_person",
                ),
                strike(3),
                Rule("reconstruct"),
                Pull(2),
                END_ON_SHOE,
                PlayOn(),
            ),
            oracle=Oracle(
                raised=("ghost-read",),
                public=public(dealt(3) + "round_held round_reconstructed card_dealt*2 " + END),
            ),
        ),
        Drill(
            name="double-read",
            trains="The shoe repeats a card: it is one card, and nothing is asked of anybody.",
            rows=("double-read",),
            steps=(*coup(2), again, Pull(2), PlayOn()),
            oracle=Oracle(public=public(dealt(4) + END), told={"card_repeated": 1}),
        ),
        Drill(
            name="identical-neighbours",
            trains="Two equal cards in a row are two cards: nothing may swallow one.",
            rows=("double-read",),
            cards=cards("8S 5D 5D 2C 6H"),
            steps=(*coup(5), PlayOn()),
            oracle=Oracle(
                public=public(dealt(5) + END), results=("player: 8S 5D 6H / 5D 2C",)
            ),
        ),
        Drill(
            name="repeat-mismatch",
            trains="The shoe repeats a card that is not the last it told: compared, and played on.",
            rows=("repeat-mismatch",),
            steps=(
                *coup(2),
                AtShoe("The shoe repeats another card.", "retransmit", {"card": "2D"}),
                shows(phase="held"),
                Rule("release"),
                Pull(2),
                PlayOn(),
            ),
            oracle=Oracle(
                raised=("repeat-mismatch",),
                public=held(2),
                never=cards("2D"),
            ),
        ),
    )  # fmt: skip


def _ghost_between(house: House) -> Drill:
    fate = seen_fate(house)
    return Drill(
        name="ghost-between-rounds",
        trains="A card slides out between two rounds and is read twice: one read is struck, the "
        "card goes where the house sends what players saw, and the count of the shoe is right.",
        rows=("ghost-read", "next-card-early"),
        cards=cards("9C KD JS 3H 7C QH 2D 5C"),
        steps=(
            *coup(4),
            Tell(ConfirmResult(by=DEALER)),
            _SLID,
            Pull(1, heard=2),
            strike(2),
            Rule(fate, faces_seen=True if house.excess_card == "carry" else None),
            PlayOn(),
            *(FREE_COUP if fate == "free_coup" else ()),
        ),
        oracle=Oracle(
            raised=("next-card-early",),
            public=public(dealt(4) + "result " + PAUSED + "round_closed"),
            fates=(f"7C {fate}",),
            never=cards("7C"),
        ),
    )


def _gaps() -> tuple[Drill, ...]:
    lost = Drill(
        name="frame-lost",
        trains="A report is lost, and the next card shows it: the missing card is entered by two.",
        rows=("frame-lost",),
        steps=(
            *coup(2),
            _LOST,
            Pull(1, heard=0),
            Pull(),
            shows(phase="held", trust="suspect"),
            enter(3, "JS", missing=True),
            Rule("release"),
            PlayOn(),
        ),
        oracle=Oracle(
            raised=("frame-lost", "misscan-none"),
            public=held(2),
            after={"JS": "round_released", "3H": "round_released"},
        ),
    )
    unknown = Drill(
        name="frame-lost-unknown",
        trains="A report is lost and nobody knows which card it was: the round is void, and the "
        "count of the shoe shows it at its end.",
        rows=("frame-lost",),
        steps=(
            *coup(2),
            _LOST,
            Pull(1, heard=0),
            Pull(),
            shows(phase="held"),
            VoidRound(),
            PlayOn(),
        ),
        oracle=Oracle(
            raised=("frame-lost",),
            public=voided(2),
            results=("void",),
            never=cards("JS 3H"),
            counts=False,
        ),
    )
    return (lost, unknown)


def _shoe() -> tuple[Drill, ...]:
    lock = AtShoe("The key of the shoe is turned to lock.", "mode", {"mode": "lock"})
    unlock = AtShoe("The key is turned back.", "mode", {"mode": "game"})
    forced = AtShoe("Somebody ends the coup on the shoe by its button.", "forced_end")
    return (
        Drill(
            name="shoe-failure",
            trains="The shoe stops with an error in mid-round: cancelled, compared, played on.",
            rows=("shoe-failure",),
            steps=(
                *coup(2),
                fault("error", "The shoe reports that a card moved backwards.", code=4),
                shows(phase="held"),
                _CLEAR,
                Rule("release"),
                Pull(2),
                PlayOn(),
            ),
            oracle=Oracle(
                raised=("shoe-failure",),
                public=held(2),
                told={"fault_cleared": 1},
            ),
        ),
        Drill(
            name="card-out-of-game",
            trains="A card is pulled while the shoe is locked: it counts where the tableau asks.",
            rows=("card-out-of-game",),
            steps=(*coup(2), lock, Pull(), unlock, Rule("release"), PlayOn()),
            oracle=Oracle(
                raised=("card-out-of-game",),
                public=held(2),
                told={"lock_changed": 2},
                after={"JS": "round_released"},
            ),
        ),
        Drill(
            name="shoe-mismatch",
            trains="The shoe counts a card as another's first: its word is evidence, the order of "
            "the cards decides.",
            rows=("shoe-mismatch",),
            steps=(*coup(2), forced, Pull(), shows(phase="held"), Rule("release"), PlayOn()),
            oracle=Oracle(
                raised=("shoe-mismatch",),
                public=held(2),
                after={"JS": "round_released"},
            ),
        ),
        Drill(
            name="result-of-shoe-differs",
            trains="The shoe reports a result that the cards do not give.",
            rows=("shoe-mismatch",),
            steps=(
                *coup(2),
                AtShoe("The shoe reports that Banker won.", "report", {"hex": "47c0"}),
                shows(phase="held"),
                Rule("release"),
                Pull(2),
                PlayOn(),
            ),
            oracle=Oracle(
                raised=("shoe-mismatch",),
                public=held(2),
            ),
        ),
    )
