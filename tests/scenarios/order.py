# SPDX-License-Identifier: Apache-2.0
"""A. Tableau and order: too many cards, too few, and cards in the wrong box."""

from collections.abc import Iterable

from studio.game.coup import Outcome, Side
from studio.game.house import House
from tests.game.table_driver import Driven
from tests.scenarios.rows import Row, Scenario, card_row, each, excess_of, pair, row
from tests.scenarios.tables import BURN, BY_HAND, CARDS, Place, Story, after, dealt, next_round

_P, _B = Side.PLAYER, Side.BANKER
_NATURAL, _COMPLETE = "excess-after-natural", "excess-after-complete"


def drawn(codes: str, *, in_guard: bool = False) -> Story:
    """These cards are drawn, one after another."""
    return lambda rule: dealt(rule, codes, in_guard=in_guard)


def noted(codes: str, *numbers: int, at: Side | Iterable[Side], early: int | None = None) -> Story:
    """Of these cards somebody says where they lie: each as it comes (``early``), or at the end."""

    def story(rule: House) -> Driven:
        cards = codes.split()
        table = dealt(rule, " ".join(cards[: early or len(cards)]))
        sides = [at] * len(numbers) if isinstance(at, Side) else list(at)
        for number, side in zip(numbers, sides, strict=True):
            table.ask("note_card", number=number, at=side)
        return table

    return story


def called(codes: str, outcome: Outcome) -> Story:
    """The dealer calls this winner over these cards."""

    def story(rule: House) -> Driven:
        table = dealt(rule, codes)
        table.ask("call_result", outcome=outcome)
        return table

    return story


def then(codes: str, due: str) -> Story:
    """The coup is closed, and the card is the first of the next one."""

    def story(rule: House) -> Driven:
        table = next_round(dealt(rule, codes))
        table.card(due)
        return table

    return story


# --- cards too many ------------------------------------------------------------------------------

# the coup with a natural, and one that is like it but for the card that makes the natural
_NATURALS = {
    "Player 9": ("9H KS TC 7D", "5H KS TC 7D"),
    "Player 8": ("8H KS TC 7D", "4H KS TC 7D"),
    "Banker 9": ("7H 9S KC QD", "7H 5S KC QD"),
    "Banker 8": ("7H 8S KC QD", "7H 4S KC QD"),
    "both": ("8H 9S KC QD", "4H 5S KC QD"),
}


def _after_natural() -> dict[str, Scenario]:
    found = {}
    for name, (coup, near) in _NATURALS.items():
        found[f"{name}, fifth card"] = pair(
            _NATURAL, drawn(f"{coup} 2C"), drawn(f"{near} 2C"), number=5
        )
        found[f"{name}, fifth card in the guard"] = pair(
            _NATURAL,
            drawn(f"{coup} 2C", in_guard=True),
            drawn(f"{near} 2C", in_guard=True),
            number=5,
        )
        found[f"{name}, sixth card"] = pair(
            _NATURAL,
            drawn(f"{coup} 3C 2C"),
            drawn("2H 2S KC QD 9C 2C"),
            number=6,
            also=(_NATURAL,),
        )
    return found


# the complete coup, and one of as many cards that asks for one more; none for seven cards
_COMPLETE_COUPS = {
    "after both stand": ("6H 7S KC QD", "6H 5S KC QD"),
    "after P3": ("2H 7S KC QD 3S", "2H 5S KC QD 4S"),
    "after B3 of five": ("6H 2S KC QD 7C", "2H 2S KC QD 9C"),
    "after B3 of six": ("2H 2S KC QD 9C 4S", ""),
}


def _after_complete() -> dict[str, Scenario]:
    found = {}
    for name, (coup, near) in _COMPLETE_COUPS.items():
        lawful = drawn(f"{near} 2C") if near else then(coup, "2C")
        number = len(coup.split()) + 1
        found[name] = pair(_COMPLETE, drawn(f"{coup} 2C"), lawful, number=number)
        found[f"{name}, in the guard"] = pair(
            _COMPLETE,
            drawn(f"{coup} 2C", in_guard=True),
            drawn(f"{near or '2H 2S KC QD 9C'} 2C", in_guard=True),
            number=number,
        )
        found[f"{name}, once more"] = pair(
            _COMPLETE,
            drawn(f"{coup} 3C 2C"),
            then(coup, "2C"),
            number=number + 1,
            also=(_COMPLETE,),
        )
    return found


# --- third cards in the wrong box, or for a hand that stands -------------------------------------

_STANDS = {6: "6H", 7: "7H"}
_BANKER = ("QS", "AS", "2S", "3S", "4S", "5S", "6S", "7S")


def _p3_when_stand_b_draws() -> dict[str, Scenario]:
    code = "p3-when-stand-b-draws"
    return {
        f"Player {p}, Banker {b}": pair(
            code,
            noted(f"{first} {_BANKER[b]} KC QD 2C", 5, at=_P),
            noted(f"{first} {_BANKER[b]} KC QD 2C", 5, at=_B),
            number=5,
        )
        for p, first in _STANDS.items()
        for b in range(6)
    }


def _p3_when_stand_b_stands() -> dict[str, Scenario]:
    return {
        f"Player {p}, Banker {b}": pair(
            "p3-when-stand-b-stands",
            noted(f"{first} {_BANKER[b]} KC QD 2C", 5, at=_P),
            noted(f"{first} {_BANKER[b]} KC QD 2C", 5, at=_B),
            number=5,
            also=(_COMPLETE,),
            instead=(_COMPLETE, "b3-when-stand"),
        )
        for p, first in _STANDS.items()
        for b in (6, 7)
    }


# Banker's total and Player's third card on which he stands, and the nearest on which he draws
_STANDS_ON = {(3, "8C"): (3, "9C"), (4, "KC"): (4, "2C"), (5, "3C"): (5, "4C"),
              (6, "5C"): (6, "6C"), (7, "6C"): (6, "6C")}  # fmt: skip


def _b3_when_stand() -> dict[str, Scenario]:
    stood = {
        f"Player stands on {p}, Banker {b}": pair(
            "b3-when-stand",
            noted(f"{first} {_BANKER[b]} KC QD 2C", 5, at=_B),
            noted(f"{first} {_BANKER[5]} KC QD 2C", 5, at=_B),
            number=5,
            also=(_COMPLETE,),
        )
        for p, first in _STANDS.items()
        for b in (6, 7)
    }
    drew = {
        f"Banker {b}, Player's third {third[0]}": pair(
            "b3-when-stand",
            noted(f"QH {_BANKER[b]} KD QD {third} 2C", 6, at=_B),
            noted(f"QH {_BANKER[near[0]]} KD QD {near[1]} 2C", 6, at=_B),
            number=6,
            also=(_COMPLETE,),
        )
        for (b, third), near in _STANDS_ON.items()
    }
    return stood | drew


def _p3_skipped() -> dict[str, Scenario]:
    firsts = ("QH", "AH", "2H", "3H", "4H", "5H")
    return {
        f"Player {p}, {when}": pair(
            "p3-skipped-b-drawn",
            noted(f"{first} {banker} KC QD 9C{more}", 5, at=_B),
            noted(f"{first} {banker} KC QD 9C{more}", 5, at=_P),
            number=5,
        )
        for p, first in enumerate(firsts)
        for when, banker, more in (("Banker stands", "7S", ""), ("Banker drew", "2S", " 4D"))
    }


def _third_to_wrong_hand() -> dict[str, Scenario]:
    thirds = ("8C", "8C", "8C", "9C", "2C", "4C", "6C")
    return {
        f"Banker {b}": pair(
            "third-to-wrong-hand",
            noted(f"QH {_BANKER[b]} KD QD {third} 2D", 6, at=_P),
            noted(f"QH {_BANKER[b]} KD QD {third} 2D", 6, at=_B),
            number=6,
        )
        for b, third in enumerate(thirds)
    }


_ORDER = (_P, _B, _P, _B)


def _initial_order() -> dict[str, Scenario]:
    code, coup = "initial-order", "9H KS TC 7D"
    found = {}
    for number, right in enumerate(_ORDER, 1):
        wrong = _B if right is _P else _P
        for when, early in (("at once", number), ("after four", None)):
            found[f"card {number}, {when}"] = pair(
                code,
                noted(coup, number, at=wrong, early=early),
                noted(coup, number, at=right, early=early),
                number=number,
            )
    for name, sides in {"PPBB": (_P, _P, _B, _B), "BPBP": (_B, _P, _B, _P)}.items():
        numbers = (2, 3) if name == "PPBB" else (1, 2, 3, 4)
        laid = [sides[number - 1] for number in numbers]
        found[name] = pair(
            code,
            noted(coup, *numbers, at=laid),
            noted(coup, 1, 2, 3, 4, at=_ORDER),
            number=numbers[0],
        )
    return found


# --- called too soon -----------------------------------------------------------------------------

# the coup to be called too soon, and for each winner the card that makes the call right
_B3_DUE = {
    "five cards": ("6H 5S KC QD", {Outcome.PLAYER: "JC", Outcome.BANKER: "2C", Outcome.TIE: "AC"}),
    "six cards": (
        "2H 2S KC QD 9C",
        {Outcome.PLAYER: "8S", Outcome.BANKER: "4S", Outcome.TIE: "9S"},
    ),
}
_P3_DUE = {
    "Banker stands": (
        "2H 7S KC QD",
        {Outcome.PLAYER: "6C", Outcome.BANKER: "3C", Outcome.TIE: "5C"},
    ),
    "Banker stands on it": (
        "QH 3S KC QD",
        {Outcome.PLAYER: "8C"},
    ),
}  # fmt: skip
FOURS = {Outcome.PLAYER: "9H KS TC 7D", Outcome.BANKER: "7H 9S KC QD", Outcome.TIE: "8H 8S KC QD"}


def _missed(code: str, due: dict[str, tuple[str, dict[Outcome, str]]]) -> dict[str, Scenario]:
    return {
        f"{name}, {outcome.value} called": pair(
            code,
            called(coup, outcome),
            called(f"{coup} {third}", outcome),
            number=len(coup.split()),
        )
        for name, (coup, thirds) in due.items()
        for outcome, third in thirds.items()
    }


def _initial_short() -> dict[str, Scenario]:
    return {
        f"{count} cards, {outcome.value} called": pair(
            "initial-short",
            called(" ".join(coup.split()[:count]), outcome),
            called(coup, outcome),
            number=count,
        )
        for count in range(4)
        for outcome, coup in FOURS.items()
    }


# --- two at once ---------------------------------------------------------------------------------


def _stuck(rule: House, place: Place, *, stuck: bool) -> Driven:
    table = after(rule, place)
    table.ask("note_card", number=place.number, stuck=stuck)
    return table


def _double_pull() -> dict[str, Scenario]:
    return each(
        "double-pull",
        (*CARDS, *BY_HAND),
        lambda rule, place: _stuck(rule, place, stuck=True),
        lambda rule, place: _stuck(rule, place, stuck=False),
        also=excess_of,
        instead=excess_of,
    )


ROWS: dict[str, Row] = {
    _NATURAL: row(_after_natural()),
    _COMPLETE: row(_after_complete()),
    "p3-when-stand-b-draws": row(_p3_when_stand_b_draws()),
    "p3-when-stand-b-stands": row(_p3_when_stand_b_stands()),
    "b3-when-stand": row(_b3_when_stand()),
    "b3-missed": row(_missed("b3-missed", _B3_DUE)),
    "p3-missed": row(_missed("p3-missed", _P3_DUE)),
    "p3-skipped-b-drawn": row(_p3_skipped()),
    "third-to-wrong-hand": row(_third_to_wrong_hand()),
    "initial-order": row(_initial_order()),
    "initial-short": row(_initial_short()),
    "double-pull": card_row(
        _double_pull(), {BURN: "A burn is counted, not placed: two cards of it are two cards."}
    ),
}
