# SPDX-License-Identifier: Apache-2.0
"""C. Cards that lay face up, and cards of which one copy too many came out."""

from functools import partial

from studio.game.cards import Card
from studio.game.house import House, ShoeMode
from tests.game.table_driver import Driven
from tests.scenarios.rows import Row, Scenario, card_row, each, excess_of, houses, nowhere, pair
from tests.scenarios.tables import (
    BEYOND,
    BURN,
    BY_HAND,
    CARDS,
    IN_COUP,
    NATURAL,
    Place,
    Story,
    asked,
    begun,
    bets_closed,
    bets_open,
    copies,
    noted,
    pulled,
)

_FACE_UP, _OTHERWISE, _COPY = "face-up-in-shoe", "said-otherwise", "duplicate-card"


def _ruled(rule: House, place: Place, *, stays: bool) -> Driven:
    """A card was said to lie face up and is ruled on; then that is said again, or taken back."""
    table = noted(rule, place, face_up=True)
    if table.state.guard_until is not None:
        table.expire()
    table.ask("rule_hold")
    return asked(table, "note_card", number=place.number, face_up=stays)


_KEPT = houses(
    lambda rule: rule.face_up_card == "keep",
    "No card is removed here by what a person says of it.",
)

# --- one copy too many ---------------------------------------------------------------------------


def _drawn(rule: House, place: Place, *, spare: int) -> Driven:
    """All copies but so many left the shoe before this card."""
    table = copies(rule, place.due, rule.decks - spare)
    begun(table, place).cards(place.cards)
    return table


def _in_coup() -> dict[str, Scenario]:
    found = each(_COPY, IN_COUP, partial(_drawn, spare=0), partial(_drawn, spare=1))
    for place in BEYOND:
        excess = excess_of(place)
        both = each(_COPY, (place,), partial(_drawn, spare=0), partial(_drawn, spare=1))
        one = both[place.name]
        found[place.name] = Scenario(
            happens=one.happens, almost=one.almost, codes=(_COPY, *excess), instead=excess,
            number=place.number,
        )  # fmt: skip
    return found


def _before(spare: int, *, played: bool = False) -> Story:
    """Before a round, or after its result, so many copies are left."""

    def story(rule: House) -> Driven:
        table = copies(rule, "8S", rule.decks - spare)
        if played:
            bets_closed(table).cards(NATURAL)
            table.ask("confirm_result")
        return table

    return story


def _burned(rule: House, *, spare: int) -> Driven:
    return copies(rule, "8S", rule.decks + 1 - spare)


def _bets(rule: House, *, spare: int) -> Driven:
    return bets_open(copies(rule, "8S", rule.decks - spare))


def _said(rule: House, *, spare: int, unread: bool) -> Driven:
    """Two people say that the second card is one of them."""
    table = bets_closed(copies(rule, "8S", rule.decks - spare))
    table.card("2H")
    if unread:
        table.unread()
        return asked(table, "enter_card", number=2, card=Card("8S"))
    table.card("KS")
    return asked(table, "correct_card", number=2, card=Card("8S"))


def _closed(rule: House, *, spare: int) -> Driven:
    return asked(_before(spare, played=True)(rule), "close_round")


_NEXT = "next-card-early"
_ELSEWHERE = {
    "bets open": Scenario(
        happens=pulled(partial(_bets, spare=0)),
        almost=pulled(partial(_bets, spare=1)),
        codes=(_COPY, "card-before-close"),
        instead=("card-before-close",),
        number=1,
    ),
    "before the first round": pair(
        _COPY, pulled(_before(0)), pulled(_before(1)), also=(_NEXT,), instead=(_NEXT,)
    ),
    "settling": pair(
        _COPY,
        pulled(_before(0, played=True)),
        pulled(_before(1, played=True)),
        also=(_NEXT,),
        instead=(_NEXT,),
    ),
    "between rounds": pair(
        _COPY,
        pulled(partial(_closed, spare=0)),
        pulled(partial(_closed, spare=1)),
        also=(_NEXT,),
        instead=(_NEXT,),
        never_in=houses(
            lambda rule: rule.shoe_mode is ShoeMode.CONTINUOUS,
            "The cards are back in the shoe when a round is closed.",
        ),
    ),
    "corrected": pair(
        _COPY,
        partial(_said, spare=0, unread=False),
        partial(_said, spare=1, unread=False),
        also=("misread",),
        instead=("misread",),
        number=2,
    ),
    "entered": pair(
        _COPY,
        partial(_said, spare=0, unread=True),
        partial(_said, spare=1, unread=True),
        also=("misscan-none",),
        instead=("misscan-none",),
        number=2,
    ),
}

_NO_NOTE = "A note is of a card of a coup; burned cards are counted, whatever their faces."

ROWS: dict[str, Row] = {
    _FACE_UP: card_row(
        each(
            _FACE_UP,
            (*CARDS, *BY_HAND),
            partial(noted, face_up=True),
            partial(noted, face_up=False),
            also=excess_of,
            instead=excess_of,
        ),
        {BURN: _NO_NOTE},
    ),
    _OTHERWISE: card_row(
        each(
            _OTHERWISE,
            (*IN_COUP, *BY_HAND[:2]),
            partial(_ruled, stays=False),
            partial(_ruled, stays=True),
            at_card=False,
            never_in=_KEPT,
        ),
        {BURN: _NO_NOTE}
        | {
            one.name: "A surplus card changes no hand, whatever is said of it."
            for one in (*BEYOND, BY_HAND[2])
        },
    ),
    _COPY: card_row(
        _in_coup() | {BURN: pair(_COPY, partial(_burned, spare=0), partial(_burned, spare=1))},
        nowhere((one.name for one in BY_HAND), "It is refused: nobody can tell of such a card."),
        **_ELSEWHERE,
    ),
}
