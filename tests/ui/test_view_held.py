# SPDX-License-Identifier: Apache-2.0
"""A held table at the console: what it shows, what it keeps covered, what may be ruled."""

import pytest
from msgspec.structs import replace

from studio.game.coup import Side
from studio.game.house import Burn, BurnRule
from studio.wording import languages
from tests.game.table_driver import Driven, house, plain_house
from tests.ui.test_view_press import after_step
from tests.ui.test_view_prompts import after, check
from tests.ui.test_view_walks import SIGNS, cards_in_view
from tests.ui.view_texts import open_to_all, seen_of, speech, texts_of
from ui.view.model import BandRole, Face, Mark, View
from ui.view.press import pressed
from ui.view.whole import view_of


def seen(table: Driven) -> View:
    return view_of(open_to_all(table), speech())


def guarded() -> Driven:
    return Driven(house(burn=Burn(BurnRule.NONE), close_guard_ms=1500))


@pytest.mark.req("RND-4")
def test_a_card_drawn_within_the_close_guard_is_covered_until_it_ends() -> None:
    table = guarded().dealing()
    table.cards("9H KS")
    view = seen(table)
    assert not cards_in_view(view)
    faces = [place.face for place in view.hands.player.places]
    assert faces[0] is Face.DOWN
    assert (view.hands.player.total, view.hands.banker.total) == ("", "")
    table.expire()
    assert {card.value for card in cards_in_view(seen(table))} == {"9H", "KS"}


@pytest.mark.req("RND-4")
def test_a_card_drawn_while_bets_were_open_holds_and_is_covered() -> None:
    table = guarded().betting()
    table.card("9H")
    assert table.state.guard_until is not None
    for one in (table.state.hold, view_of(open_to_all(table), speech()).held):
        assert one is not None
    view = seen(table)
    assert not cards_in_view(view)
    assert not [text for _, text in texts_of(view) if SIGNS.search(text)]
    assert view.held is not None
    assert view.held.evidence[0].raw == ""
    assert view.held.evidence[0].facts == "while bets were open"
    table.expire()
    assert {card.value for card in cards_in_view(seen(table))} == {"9H"}


@pytest.mark.req("REC-2")
def test_burned_cards_are_a_count() -> None:
    table = Driven(plain_house(burn=Burn(BurnRule.FIXED, 3))).ready()
    table.cards("9H KS 2C")
    view = seen(table)
    assert not cards_in_view(view)
    assert view.shoe.burned == "3 burned"
    between = Driven().ready()
    between.card("2C")
    held = seen(between)
    assert not cards_in_view(held)
    assert held.held is not None
    assert held.held.aside_title == "1 aside, to be burned"
    assert [one.consequence for one in held.held.proposals] == [
        "What lies aside is burned; nothing else changes"
    ]


def carrying(codes: str) -> Driven:
    """A coup, with these cards after it, of a house that carries what nobody saw."""
    table = Driven(plain_house(excess_card="carry")).dealing()
    table.cards("9H KS TC 7D " + codes)
    return table


def strayed(fate: str) -> Driven:
    table = Driven(plain_house(excess_card=fate)).ready()
    table.card("2C")
    return table


@pytest.mark.parametrize("language", languages())
def test_whether_players_saw_a_face_is_asked_as_two_rulings(language: str) -> None:
    for table in (carrying("2C"), carrying("2C 3C"), strayed("carry")):
        check(open_to_all(table), language)
    held = seen(carrying("2C")).held
    assert held is not None
    assert held.proposals_title == "DID PLAYERS SEE THE FACE?"
    told = [(one.key, one.consequence, one.details) for one in held.proposals]
    assert told == [
        (
            "reconstruct-seen",
            "Seen: it begins a coup without bets",
            ("2♣: begins a coup without bets",),
        ),
        (
            "reconstruct-unseen",
            "Not seen: it begins the next coup",
            ("2♣: is the first card of the next coup",),
        ),
        ("void", "Stakes are returned", ()),
    ]


@pytest.mark.parametrize(
    "fate, keys, covered, title",
    [
        ("next_burn", ["next_burn"], 0, "1 aside, to be burned"),
        ("free_coup", ["free_coup"], 1, "LIES ASIDE"),
        ("carry", ["free_coup-seen", "carry-unseen"], 1, "LIES ASIDE"),
    ],
)
def test_a_card_between_rounds_lies_aside_face_down_and_its_fate_is_told(
    fate: str, keys: list[str], covered: int, title: str
) -> None:
    held = seen(strayed(fate)).held
    assert held is not None
    assert [one.key for one in held.proposals] == keys
    assert [(place.face, place.card) for place in held.aside] == [(Face.DOWN, None)] * covered
    assert held.aside_title == title
    assert all(len(one.details) == covered for one in held.proposals)
    assert not [line for one in held.proposals for line in one.details if "2" in line]


def test_a_card_drawn_before_the_round_is_cleared_lies_beside_its_cards() -> None:
    table = Driven(plain_house(excess_card="carry")).played()
    table.card("2C")
    held = seen(table).held
    assert held is not None
    assert held.as_laid is not None
    assert [place.face for place in held.aside] == [Face.DOWN]
    assert not {one.card for hand in held.as_laid for one in hand.places} & {"2C"}


def test_a_hold_takes_over_and_names_who_comes() -> None:
    table = after("9H KS TC 7D 2C")
    view = view_of(seen_of(table), speech())
    assert (view.band.role, view.band.do) == (BandRole.STOP, "STOP · WAIT FOR ANNA")
    assert view.band.why == "Leave every card where it lies. Do not call a result."
    two = view_of(seen_of(table, supervisors=("Anna", "Bernardo")), speech())
    long = view_of(seen_of(table, supervisors=("Massimiliano-Alessandro",)), speech())
    assert {two.band.do, long.band.do} == {"STOP · CALL SUPERVISOR"}


def test_the_surplus_card_lies_aside_and_its_fate_is_told() -> None:
    held = seen(after("9H KS TC 7D 2C")).held
    assert held is not None
    assert [(place.card, place.mark) for place in held.aside] == [("2C", Mark.SURPLUS)]
    assert held.unknown_box == ()
    first = held.proposals[0]
    assert (first.consequence, first.details) == ("PUNTO WINS 9\u20137", ("2♣: is burned",))
    assert first.is_first
    assert held.must_title == "AS IT MUST BE · PUNTO WINS 9\u20137"


def test_a_card_in_the_wrong_box_is_outlined_in_both_pictures() -> None:
    table = after("6H 2C KD 2S 5H")
    table.ask("note_card", number=5, at=Side.PLAYER)
    held = seen(table).held
    assert held is not None
    assert held.as_laid is not None
    assert held.as_must_be is not None
    laid = [(one.card, one.mark) for one in held.as_laid[0].places]
    must = [(one.card, one.mark) for one in held.as_must_be[1].places]
    assert laid[-1] == ("5H", Mark.MOVES)
    assert must[-1] == ("5H", Mark.ARRIVES)
    assert held.found[0][0] == "Punto stands: the card in its box is Banco's third."


def test_an_unread_card_is_drawn_as_one() -> None:
    table = after("9H")
    table.unread()
    view = seen(table)
    assert view.band.do == "STOP · CARD 2 NOT READ"
    assert view.held is not None
    assert view.held.as_laid is not None
    assert [one.face for one in view.held.as_laid[1].places] == [Face.UNREAD]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    "cards", ["9H KS TC 7D 2C", "2H 2S 3D 3C 6S 9C 2D", "6H 6S KD QC 2C 3C", "2H 2H 2H 2H"]
)
def test_a_hold_fits_in_every_language(cards: str, language: str) -> None:
    table = after(cards)
    check(seen_of(table), language)
    for _ in range(2):
        table.unread()
        check(seen_of(table), language)


def test_a_card_of_which_nobody_said_where_it_lies_is_told_apart_from_one_somebody_noted() -> None:
    table = after("2H KS")
    table.ask("note_card", number=2, at=Side.PLAYER)
    held = seen(table).held
    assert held is not None
    assert held.as_laid is not None
    marks = [place.mark for place in held.as_laid[0].places]
    assert marks == [Mark.ASKED, Mark.MOVES]
    assert held.laid_note == "Dashed: nobody said where it lies"
    assert [one.laid for one in held.evidence] == ["Punto's box?", "Punto's box"]


def test_the_evidence_is_each_read_with_its_time_and_raw_bytes_also_beside_the_reasons() -> None:
    table = after("2H KS")
    first, second = table.state.origins
    assert first is not None
    assert second is not None
    replaced = tuple(replace(one, raw="05314481b1033743") for one in (first, second))
    table.state = replace(table.state, origins=replaced)
    table.ask("note_card", number=2, at=Side.PLAYER)
    held = seen(table).held
    assert held is not None
    told = [(one.number, one.card, one.at, one.raw) for one in held.evidence]
    raw = "05 31 44 81 b1 03 37 43"
    assert told == [(1, "2♥", "12:00:21", raw), (2, "K♠", "12:00:22", raw)]
    why = after_step(open_to_all(table), pressed(open_to_all(table), "why", speech()))
    panel = view_of(why, speech()).panel
    assert panel is not None
    assert panel.evidence == held.evidence
    calm = open_to_all(after("2H KS"))
    panel = view_of(after_step(calm, pressed(calm, "why", speech())), speech()).panel
    assert panel is not None
    assert panel.evidence == ()
