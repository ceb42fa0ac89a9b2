# SPDX-License-Identifier: Apache-2.0
"""Checking a shoe with known cards."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.base import Decoded
from drivers.deckcheck import (
    Confusion,
    DeckCheck,
    DeckFault,
    DeckOutcome,
    cards_from,
    check_deck,
    decks_of,
    summary_of,
)
from drivers.endpoint import SerialEndpoint
from drivers.registry import decoder_for
from drivers.transport import line_to
from studio.game.cards import Card
from tests.drivers.frames import report, shoe
from tests.drivers.lines import Plug, SpokenTo

AT = datetime(2026, 11, 29, 23, 59, 59, tzinfo=UTC)
DECODER = decoder_for("angel_eye_iiex", {})


def checked(expected: tuple[Card, ...], *frames: bytes, in_order: bool = True) -> DeckOutcome:
    check = DeckCheck(expected, in_order=in_order)
    decoder = decoder_for("angel_eye_iiex", {})
    for frame in frames:
        for item in decoder.feed(frame):
            if isinstance(item, Decoded):
                check.hear(item)
    return check.outcome("shoe-1", DECODER, AT)


def codes(text: str) -> tuple[Card, ...]:
    return cards_from(text)


ORDER = codes("9H TC AS 2D")


@pytest.mark.req("DEV-1")
def test_cards_read_in_their_order_pass() -> None:
    outcome = checked(ORDER, *shoe("9H", "TC", "AS", "2D"))
    assert outcome.is_passed
    assert (outcome.expected, outcome.read) == (4, 4)
    assert summary_of(outcome) == ["PASSED: 4 cards drawn, 4 expected"]


def test_a_card_read_as_another_is_named_with_its_place() -> None:
    outcome = checked(ORDER, *shoe("9H", "TS", "AS", "2D"))
    assert not outcome.is_passed
    assert outcome.confusions == (Confusion(2, Card("TC"), Card("TS")),)
    assert "card 2: TC was read as TS" in summary_of(outcome)


def test_one_missing_card_does_not_make_all_after_it_wrong() -> None:
    outcome = checked(ORDER, *shoe("9H", "AS", "2D"))
    assert (outcome.missing, outcome.extra, outcome.confusions) == ((Card("TC"),), (), ())


def test_one_card_missing_from_eight_decks_is_found() -> None:
    decks = decks_of(8)
    read = [card.value for card in decks]
    del read[200]
    outcome = checked(decks, *shoe(*read))
    assert (outcome.missing, outcome.extra, outcome.confusions) == ((decks[200],), (), ())


def test_one_card_too_many_is_named() -> None:
    outcome = checked(ORDER, *shoe("9H", "TC", "TC", "AS", "2D"))
    assert (outcome.missing, outcome.extra, outcome.confusions) == ((), (Card("TC"),), ())
    assert "too many: TC" in summary_of(outcome)


def test_an_unreadable_card_fails_and_keeps_its_place() -> None:
    frames = shoe("9H", "TC", "AS", "2D")
    frames[2] = report("3", "D", b"\xa1\x80")
    outcome = checked(ORDER, *frames)
    assert not outcome.is_passed
    assert (outcome.unreadable, outcome.missing, outcome.confusions) == ((3,), (), ())
    assert "not read: card 3" in summary_of(outcome)


def test_what_the_line_and_the_shoe_did_is_counted() -> None:
    frames = shoe("9H", "TC", "AS", "2D")
    bad = frames[0][:-1] + b"!"
    outcome = checked(ORDER, frames[0], bad, report("4", "E", b"\x81"), report("5", "P"))
    assert (outcome.gaps, outcome.rejected, outcome.faults) == (1, 1, 1)
    assert not outcome.is_passed
    assert len(summary_of(outcome)) == 5


def test_whole_decks_may_come_in_any_order() -> None:
    mixed = [card.value for card in reversed(decks_of(2))]
    assert checked(decks_of(2), *shoe(*mixed), in_order=False).is_passed


def test_a_foreign_card_in_whole_decks_is_named_with_what_it_replaced() -> None:
    mixed = ["KH" if card is Card("2C") else card.value for card in decks_of(1)]
    outcome = checked(decks_of(1), *shoe(*mixed), in_order=False)
    assert (outcome.missing, outcome.extra) == ((Card("2C"),), (Card("KH"),))
    assert not outcome.is_passed


@given(st.lists(st.sampled_from(list(Card)), min_size=1), st.lists(st.sampled_from(list(Card))))
def test_a_check_passes_only_if_the_cards_are_the_same(one: list[Card], two: list[Card]) -> None:
    frames = shoe(*[card.value for card in two])
    ordered = checked(tuple(one), *frames)
    heap = checked(tuple(one), *frames, in_order=False)
    assert ordered.is_passed == (one == two)
    assert heap.is_passed == (sorted(one) == sorted(two))
    for outcome in (ordered, heap):
        assert len(one) - len(outcome.missing) == len(two) - len(outcome.extra)


def test_an_outcome_is_a_record_that_can_be_written_and_read() -> None:
    outcome = checked(ORDER, *shoe("9H", "TS", "AS"))
    text = msgspec.json.encode(outcome)
    assert msgspec.json.decode(text, type=DeckOutcome) == outcome
    assert (outcome.device, outcome.driver, outcome.at) == ("shoe-1", "angel_eye_iiex", AT)


def test_a_list_of_cards_is_read_with_comments() -> None:
    assert codes("9h tc  # two cards\n\n#none\nAS") == codes("9H TC AS")


def test_every_word_that_is_no_card_is_named() -> None:
    with pytest.raises(DeckFault, match=r"line 1: '10H' .*line 2: 'X'"):
        cards_from("9H 10H\nX # TC")
    with pytest.raises(DeckFault, match="no card is named"):
        cards_from("# nothing\n")


def test_a_shoe_is_checked_over_a_line(tmp_path: Path) -> None:
    check = DeckCheck(ORDER, in_order=True)
    with Plug(tmp_path) as plug:
        lines = check_deck(
            SpokenTo(plug, b"".join(frame * 3 for frame in shoe("9H", "TS", "AS", "2D"))),
            decoder_for("angel_eye_iiex", {}),
            check,
            idle_seconds=60,
        )
        texts = list(lines)
    assert texts == ["   1  9H", "   2  TS  expected TC", "   3  AS", "   4  2D"]
    assert check.is_complete


def test_a_shoe_that_gives_no_more_cards_ends_the_check(tmp_path: Path) -> None:
    check = DeckCheck(ORDER, in_order=True)
    with Plug(tmp_path) as plug:
        line = line_to(SerialEndpoint(str(plug.path)))
        assert list(check_deck(line, DECODER, check, idle_seconds=0)) == []
    assert not check.is_complete
