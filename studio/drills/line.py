# SPDX-License-Identifier: Apache-2.0
"""Drills of the shoe and its line: cable, noise, silence, lost and repeated reports, a second shoe.

A lost line never starts, ends or voids a round, and players hear nothing of it.
"""

from studio.drills.words import (
    DEALER,
    END,
    END_ON_SHOE,
    HELD,
    PLAIN,
    REASON,
    SECOND,
    SUPERVISOR,
    AtShoe,
    Drill,
    Oracle,
    PlayOn,
    Pull,
    RecordCard,
    Rule,
    Step,
    SwapShoe,
    Tell,
    VoidRound,
    cards,
    coup,
    dealt,
    enter,
    fault,
    held,
    public,
    shows,
)
from studio.game.cards import Card
from studio.game.coup import Position
from studio.game.inputs import (
    BurnCards,
    CloseBets,
    CloseRound,
    ConfirmResult,
    DealCard,
    OpenBets,
    SetManualMode,
    TrustStream,
)

_DEAL = "9C KD JS 3H"
_OUT = AtShoe("The cable comes out.", "unplug")
_IN = AtShoe("The cable is put in again.", "plug")
_CODES = {
    2: "too many cards are drawn",
    3: "a button is pressed at the wrong time",
    4: "a card moves backwards at the exit",
    5: "a card moves backwards inside",
    6: "a card is set wrongly",
    7: "a card takes too long",
    9: "something that its manual does not name",
}


def drills() -> tuple[Drill, ...]:
    """What must come of each; the house has no say in them."""
    return (*_cable(), *_noise(), *_sequence(), *_device(), *_by_hand(), *_burns())


def _calm(name: str, trains: str, *steps: Step, told: dict[str, int]) -> Drill:
    """Something happens after two cards, and the round goes on as if it had not."""
    return Drill(
        name=name,
        trains=trains,
        rows=(),
        cards=cards(_DEAL),
        steps=(*coup(2), *steps, Pull(2), PlayOn()),
        oracle=Oracle(public=public(dealt(4) + END), told=told),
    )


def _missing(name: str, trains: str, *steps: Step, end: tuple[Step, ...] = ()) -> Drill:
    """Player's second card leaves the shoe unheard; the next one shows it, and it is entered."""
    return Drill(
        name=name,
        trains=trains,
        rows=("frame-lost",),
        cards=cards(_DEAL),
        steps=(
            *coup(2),
            *steps,
            Pull(),
            shows(phase="held", public_phase="held"),
            enter(3, "JS", missing=True),
            Rule("release"),
            PlayOn(),
            *end,
        ),
        oracle=Oracle(
            raised=("frame-lost", "misscan-none"),
            public=held(2),
            after={"JS": "round_released", "3H": "round_released"},
        ),
    )


def _cable() -> tuple[Drill, ...]:
    lost = shows(trust="lost", prompt="shoe-line-down")
    again = shows(trust="suspect")
    return (
        _calm(
            "cable-out",
            "The cable comes out between two cards and is put in again: no card is missing.",
            _OUT,
            lost,
            _IN,
            again,
            told={"line_lost": 1, "line_up": 1},
        ),
        _missing(
            "cable-out-card-lost",
            "A card is pulled while the cable is out: the next one shows that it is missing.",
            _OUT,
            lost,
            Pull(1, heard=0),
            _IN,
            again,
        ),
    )


def _noise() -> tuple[Drill, ...]:
    bad = "with a wrong check"
    return (
        _calm(
            "garbage",
            "Noise on the line is no card.",
            fault("noise", "Three hundred random bytes come down the line.", size=300),
            told={"frame_rejected": 1},
        ),
        _calm(
            "line-break",
            "The line breaks for a moment, which is no card.",
            fault("break", "The line breaks for a moment."),
            told={"frame_rejected": 1},
        ),
        _calm(
            "flood",
            "The shoe says the same again and again: the deal goes on.",
            fault("flood", "A hundred stand-by reports come.", count=100),
            told={"shoe_standby": 100},
        ),
        _calm(
            "garbled-card",
            "A card's report is garbled and its repeat is good: one card, and no question.",
            fault("bad_check", f"The next report comes once {bad}.", count=1),
            told={"frame_rejected": 1},
        ),
        _missing(
            "garbled-card-lost",
            "A card's report is garbled in every copy: the shoe's sequence tells of it.",
            fault("bad_check", f"The next report comes always {bad}.", count=1, all_copies=True),
            Pull(1, heard=0),
            shows(trust="suspect"),
        ),
        _missing(
            "silence",
            "The shoe falls silent, and a card is pulled meanwhile.",
            fault("silence", "The shoe sends nothing any more."),
            Pull(1, heard=0),
            fault("none", "The shoe speaks again."),
        ),
    )


def _sequence() -> tuple[Drill, ...]:
    jump = Drill(
        name="sequence-jump",
        trains="The shoe's sequence jumps: the cards on the table are compared, none is missing.",
        rows=("frame-lost",),
        cards=cards(_DEAL),
        steps=(
            *coup(2),
            fault("seq_jump", "The shoe's sequence skips three.", size=3),
            Pull(),
            shows(phase="held"),
            Rule("release"),
            PlayOn(),
        ),
        oracle=Oracle(
            raised=("frame-lost",),
            public=held(2),
            after={"JS": "round_released"},
        ),
    )
    return (jump,)


def _device() -> tuple[Drill, ...]:
    codes: list[Step] = []
    for code, what in _CODES.items():
        codes += [
            fault("error", f"The shoe stops: {what} (code {code}).", code=code),
            shows(phase="held"),
            AtShoe("The error is cancelled on the shoe.", "clear", {"code": code}),
            Rule("release"),
        ]
    every = Drill(
        name="fault-codes",
        trains="The shoe stops with each of its errors, one after another, in one round.",
        rows=("shoe-failure",),
        cards=cards(_DEAL),
        steps=(*coup(2), *codes, Pull(2), PlayOn()),
        oracle=Oracle(
            raised=("shoe-failure",) * len(_CODES),
            public=public(dealt(2) + HELD * len(_CODES) + "card_dealt*2 " + END),
            told={"fault_reported": len(_CODES), "fault_cleared": len(_CODES)},
        ),
    )
    restart = _calm(
        "shoe-restart",
        "The shoe is switched off and on in mid-round: it is doubted, and the round goes on.",
        AtShoe("The shoe is switched off and on.", "restart"),
        shows(trust="suspect"),
        told={"shoe_started": 1},
    )
    unknown = _calm(
        "unknown-report",
        "The shoe says something that nobody knows: it is kept as evidence.",
        AtShoe("A report of an unknown kind comes.", "report", {"hex": "5a8181"}),
        told={"unknown_report": 1},
    )
    return (every, restart, unknown, _second_shoe())


def _second_shoe() -> Drill:
    return Drill(
        name="second-shoe",
        trains="The shoe cannot go on: the round is void, and another shoe takes its place.",
        rows=("shoe-failure",),
        cards=cards(_DEAL),
        steps=(
            *coup(2),
            fault("error", "The shoe stops: something that its manual does not name.", code=9),
            shows(phase="held"),
            VoidRound(),
            PlayOn(),
            SwapShoe(cards("8C AS KS 5D")),
            *coup(4),
            PlayOn(),
        ),
        oracle=Oracle(
            raised=("shoe-failure",),
            public=public(
                dealt(2) + "round_held round_voided round_closed shoe_ended shoe_loaded "
                + dealt(4) + END
            ),
            results=("void", "player: 8C KS / AS 5D"),
        ),
    )  # fmt: skip


def _deal(code: str, position: Position) -> Tell:
    card = DealCard(by=DEALER, second=SECOND, card=Card(code), position=position)
    return Tell(card)


def _manual(*, on: bool) -> Tell:
    return Tell(SetManualMode(by=SUPERVISOR, second=SECOND, on=on))


def _by_hand() -> tuple[Drill, ...]:
    unheard = Pull(1, heard=0)
    rest: tuple[Step, ...] = (
        unheard,
        _deal("JS", Position.P2),
        unheard,
        _deal("3H", Position.B2),
    )
    end: tuple[Step, ...] = (Tell(ConfirmResult(by=DEALER)), Tell(CloseRound(by=DEALER)))
    dies = Drill(
        name="shoe-dies",
        trains="The shoe dies in mid-round: the coup is finished by hand, by two people.",
        rows=("shoe-failure",),
        cards=cards(_DEAL),
        steps=(
            *coup(2),
            _OUT,
            shows(trust="lost", prompt="shoe-line-down"),
            _manual(on=True),
            *rest,
            *end,
            _IN,
            shows(trust="suspect"),
            _manual(on=False),
        ),
        oracle=Oracle(
            public=public(
                dealt(2) + "manual_mode card_dealt*2 " + END + " manual_mode"
            ),
            told={"line_lost": 1, "line_up": 1},
        ),
    )  # fmt: skip
    whole = Drill(
        name="manual-coup",
        trains="A whole coup is dealt with the shoe unplugged, every card entered by two people.",
        rows=(),
        cards=cards(_DEAL),
        steps=(
            _OUT,
            shows(trust="lost"),
            _manual(on=True),
            Tell(OpenBets(by=DEALER)),
            Tell(CloseBets(by=DEALER)),
            unheard,
            Tell(
                DealCard(by=DEALER, second=SECOND, card=Card("9C"), position=Position.B1),
                refused="other_position",
            ),
            _deal("9C", Position.P1),
            unheard,
            _deal("KD", Position.B1),
            *rest,
            *end,
            _IN,
            shows(trust="suspect"),
            _manual(on=False),
        ),
        oracle=Oracle(
            public=public("manual_mode " + dealt(4) + END + " manual_mode"),
            told={"line_lost": 1, "line_up": 1},
        ),
    )
    return (dies, whole)


def _burns() -> tuple[Drill, ...]:
    order = Tell(BurnCards(by=DEALER, count=2, reason=REASON))
    burn, told = cards("7C 8C"), (Pull(1, heard=0), RecordCard())
    lost = Drill(
        name="burn-card-lost",
        trains="A burned card is not heard: the next one shows it, and two people add it.",
        rows=(),
        cards=(*burn, *PLAIN),
        steps=(
            order,
            fault("silence", "The shoe sends nothing any more."),
            Pull(1, heard=0),
            fault("none", "The shoe speaks again."),
            Pull(),
            shows(phase="burning", trust="suspect", note="compare-cards"),
            RecordCard(burn[0]),
            shows(phase="idle"),
            Tell(TrustStream(by=SUPERVISOR, reason=REASON)),
            shows(trust="trusted"),
            END_ON_SHOE,
            *coup(4),
            PlayOn(),
        ),
        oracle=Oracle(public=public(dealt(4) + END), never=burn, told={"sequence_gap": 1}),
    )
    by_hand = Drill(
        name="burn-by-hand",
        trains="Cards are burned with the shoe unplugged: two people tell of each.",
        rows=(),
        cards=(*burn, *PLAIN),
        steps=(
            order,
            _OUT,
            shows(prompt="shoe-line-down"),
            _manual(on=True),
            shows(prompt="burn-card-by-hand"),
            *told,
            *told,
            shows(phase="idle"),
            _IN,
            shows(trust="suspect"),
            END_ON_SHOE,
            _manual(on=False),
            *coup(4),
            PlayOn(),
        ),
        oracle=Oracle(
            public=public("manual_mode*2 " + dealt(4) + END),
            never=burn,
            told={"line_lost": 1, "line_up": 1},
        ),
    )
    return (lost, by_hand)
