# SPDX-License-Identifier: Apache-2.0
"""Found late: a later revision of a result, or a void, as the house says, and who learns of it."""

from datetime import timedelta

import msgspec
import pytest
from msgspec.structs import replace

from studio.feed import wire
from studio.feed.view import applied
from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.bets import settle
from studio.game.coup import Outcome
from studio.game.roads import counts_of, roads_of
from studio.game.snapshot import PublicState, public_state
from studio.game.state import Phase
from tests.feed.examples import EPOCH
from tests.game.houses import NAMES
from tests.game.misdeal_stories import audited, dealt, go_home, rules
from tests.game.table_driver import BY, FACTS, SECOND, WHY, Driven, amendment, hand, names_of

AMENDING = [name for name in NAMES if rules(name).found_late == "amend"]
VOIDING = [name for name in NAMES if rules(name).found_late == "void"]


def first_round(name: str = "studio", /, **changes: object) -> tuple[Driven, str]:
    """A round with a result, and its id."""
    table = Driven(rules(name, **changes)).played()
    return table, table.state.round or ""


def amend(round_: str, player: str = "2H 6S", banker: str = "KS 7D") -> inp.AmendRound:
    return inp.AmendRound(by=BY, **amendment(round_, player, banker))


@pytest.mark.req("VOID-6")
@pytest.mark.parametrize("name", AMENDING)
@pytest.mark.parametrize("when", ["settling", "closed", "betting", "dealing", "held", "next shoe"])
def test_a_result_is_amended_whenever_it_is_found_to_be_wrong(when: str, name: str) -> None:
    table, round_ = first_round(name)
    if when not in ("settling", "next shoe"):
        table.ask("close_round")
    if when in ("betting", "dealing", "held"):
        table.betting()
    if when in ("dealing", "held"):
        table.expire()
        table.cards("2H KS")
    if when == "held":
        table.unread()
    if when == "next shoe":
        table.ask("end_shoe")
        table.ask("load_shoe")
    before = table.state
    (amended,) = table.give(amend(round_, "2H KS 9D", "3S 2D"))
    assert isinstance(amended, ev.ResultAmended)
    assert (amended.revision, amended.outcome) == (2, Outcome.BANKER)
    assert (amended.player_total, amended.banker_total, amended.natural) == (1, 5, False)
    assert amended.bets == settle(table.house, hand("2H KS 9D"), hand("3S 2D"))
    assert (amended.reason, amended.by, amended.second) == ("review", BY, SECOND)
    assert amended.detail == WHY
    first = next(one for one in table.log if isinstance(one.event, ev.ResultConfirmed))
    assert amended.supersedes == first.public_seq
    assert table.log[-1].shoe == first.shoe
    assert table.log[-1].round == round_
    after = replace(
        table.state, seq=before.seq, public_seq=before.public_seq, results=before.results,
        earlier=before.earlier, revision=before.revision, result_seq=before.result_seq,
        settle_until=before.settle_until, copies=before.copies, cards_out=before.cards_out,
        copies_before=before.copies_before, round_cards=before.round_cards,
    )  # fmt: skip
    assert after == before
    audited(table)


@pytest.mark.parametrize("name", VOIDING)
@pytest.mark.parametrize("when", ["settling", "held behind it", "dealing", "next shoe"])
def test_in_some_houses_what_is_found_late_is_void(when: str, name: str) -> None:
    table, round_ = first_round(name)
    if when == "held behind it":
        table.card("2C")
    if when == "dealing":
        table.dealing().cards("2H KS")
    if when == "next shoe":
        table.ask("end_shoe")
    table.give(amend(round_))
    (void,) = [one.event for one in table.log if isinstance(one.event, ev.RoundVoided)]
    assert (void.revision, void.reason, void.second) == (2, "review", SECOND)
    assert (void.text, void.detail) == ("round-voided", WHY)
    assert void.set_aside == hand("9H TC KS 7D")
    assert table.refused(amend(round_)) in ("already_void", "unknown_round")
    if when == "held behind it":
        assert (table.state.phase, table.state.suspended) == (Phase.SETTLING, None)
        assert table.state.burned == 1
    if when == "dealing":
        assert table.state.player == hand("2H")
    audited(table)


def test_roads_and_counts_are_those_of_the_standing_results() -> None:
    table, round_ = first_round()
    table.played("9H KS TC 7D")
    table.give(amend(round_, "2H KS 9D", "3S 2D"))
    shown = public_state(table.state)
    assert [one.outcome for one in shown.results] == [Outcome.BANKER, Outcome.PLAYER]
    assert shown.roads == roads_of("BP")
    assert shown.counts == counts_of(table.state.results)


@pytest.mark.req("VOID-2")
def test_an_amendment_is_refused_unless_everything_about_it_is_right() -> None:
    table, round_ = first_round()
    said = amend(round_)
    assert table.refused(replace(said, round="BAC-1-20261129-0099")) == "unknown_round"
    assert table.refused(replace(said, second=BY)) == "same_person"
    assert table.refused(replace(said, second="")) == "second_missing"
    assert table.refused(replace(said, reason=" ")) == "reason_missing"
    assert table.refused(amend(round_, "2H 6S", "KS")) == "incomplete"
    assert table.refused(amend(round_, "2H KS", "3S 2D")) == "incomplete"
    assert table.refused(amend(round_, "9H KS 2C", "3S 2D")) == "no_such_coup"
    assert table.refused(amend(round_, "9H TC", "KS 7D")) == "unchanged"
    table.give(said)
    assert table.refused(said) == "unchanged"


@pytest.mark.parametrize(
    "player, banker, pairs",
    [("4H 4S", "2S KD", (True, False)), ("2H KS", "4S 4D", (False, True))],
)
def test_an_amended_result_tells_of_a_natural_and_a_pair_in_either_hand(
    player: str, banker: str, pairs: tuple[bool, bool]
) -> None:
    table, round_ = first_round()
    (amended,) = table.give(amend(round_, player, banker))
    assert isinstance(amended, ev.ResultAmended)
    assert amended.natural
    assert (amended.pairs.player, amended.pairs.banker) == pairs
    audited(table)


@pytest.mark.req("VOID-6")
def test_a_result_can_be_amended_up_to_the_last_moment_of_its_time() -> None:
    table, round_ = first_round()
    until = table.state.results[-1].amendable_until
    assert until is not None
    table.now = until - timedelta(seconds=1)
    assert names_of(table.give(amend(round_))) == ["ResultAmended"]
    assert table.now == until
    assert table.refused(amend(round_, "9H TC", "KS 7D")) == "too_late"


def test_after_its_time_a_result_stands() -> None:
    table, round_ = first_round(amend_minutes=30)
    table.now += timedelta(minutes=31)
    assert table.refused(amend(round_)) == "too_late"
    assert (
        table.refused(inp.VoidRound(by=BY, round=round_, reason="x", second=SECOND)) == "too_late"
    )
    table.ask("end_shoe")
    assert table.state.earlier == ()
    assert table.refused(amend(round_)) == "unknown_round"


def test_results_of_earlier_shoes_are_kept_only_as_long_as_they_can_be_amended() -> None:
    table, first = first_round(amend_minutes=30)
    table.ask("end_shoe")
    table.ask("load_shoe")
    table.now += timedelta(minutes=20)
    second = table.played().state.round or ""
    table.now += timedelta(minutes=20)
    table.ask("end_shoe")
    assert [one.standing.round for one in table.state.earlier] == [second]
    assert table.refused(amend(first)) == "unknown_round"
    table.give(amend(second))
    table.give(amend(second, "9H TC", "KS 7D"))
    assert [one.standing.revision for one in table.state.earlier] == [3]


def test_a_round_under_way_has_nothing_to_amend() -> None:
    table = dealt(rules("studio"))
    assert table.refused(amend(table.state.round or "")) == "unknown_round"


def payloads(table: Driven, since: int = 0) -> list[bytes]:
    """The public messages after event ``since``, as they are sent."""
    return [
        wire.public_payload(FACTS.table, EPOCH, one)
        for one in table.log[since:]
        if one.public_seq is not None
    ]


def joined(table: Driven) -> PublicState:
    """A snapshot as it comes over the wire."""
    encoded = msgspec.json.encode(public_state(table.state))
    return msgspec.convert(msgspec.json.decode(encoded), PublicState)


@pytest.mark.req("VOID-6", "FEED-9")
def test_who_joined_late_sees_what_everybody_sees_who_saw_it_all() -> None:
    table, round_ = first_round()
    view, told = joined(table), len(table.log)
    table.betting().card("5C")
    table.ask("rule_hold")
    table.cards("2H KS TC 7D")
    table.ask("note_card", number=2, face_up=True)
    table.ask("rule_hold")
    late, late_told = joined(table), len(table.log)
    table.give(amend(round_, "2H KS 9D", "3S 2D"))
    go_home(table)
    for payload in payloads(table, told):
        view = applied(view, wire.decode(payload))
    for payload in payloads(table, late_told):
        late = applied(late, wire.decode(payload))
    assert view == late == joined(table)


@pytest.mark.req("VOID-6")
def test_an_older_revision_that_arrives_late_is_ignored() -> None:
    table, round_ = first_round()
    view, told = joined(table), len(table.log)
    table.give(amend(round_))
    table.give(amend(round_, "2H KS 9D", "3S 2D"))
    second, third = (wire.decode(one) for one in payloads(table, told))
    for order in ((second, third), (third, second), (third, second, second)):
        seen = view
        for message in order:
            seen = applied(seen, message)
        assert seen == joined(table)


def test_an_amendment_of_a_round_of_an_earlier_shoe_changes_no_picture_of_this_one() -> None:
    table, round_ = first_round()
    table.ask("end_shoe")
    table.ask("load_shoe")
    view, told = joined(table), len(table.log)
    assert names_of(table.give(amend(round_))) == ["ResultAmended"]
    for payload in payloads(table, told):
        view = applied(view, wire.decode(payload))
    assert view == joined(table)
    assert view.results == ()


@pytest.mark.req("VOID-6")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("when", ["closed", "dealing", "next shoe"])
def test_a_round_that_is_over_is_voided_by_two_people_in_every_house(name: str, when: str) -> None:
    table, round_ = first_round(name)
    match when:
        case "closed":
            table.ask("close_round")
        case "dealing":
            table.betting().card("2H")
        case _:
            table.ask("end_shoe")
            table.ask("load_shoe")
    held_back = (table.state.phase, table.state.player, table.state.round)
    void = inp.VoidRound(by=BY, round=round_, reason="B3 was never drawn")
    assert table.refused(void) == "second_missing"
    assert names_of(table.give(replace(void, second=SECOND))) == ["RoundVoided"]
    assert (table.state.phase, table.state.player, table.state.round) == held_back
    assert table.refused(replace(void, second=SECOND)) == "already_void"
    audited(table)


@pytest.mark.parametrize("name", VOIDING)
def test_naming_the_cards_that_stand_voids_nothing(name: str) -> None:
    table, round_ = first_round(name)
    assert table.refused(amend(round_, "9H TC", "KS 7D")) == "unchanged"


def test_no_card_of_a_coup_without_bets_was_drawn_while_bets_were_open() -> None:
    table = Driven(rules("studio")).ready()
    table.ask("open_free_coup")
    table.card("2H")
    assert table.refused(inp.NoteCard(by=BY, number=1, early=True)) == "no_bets"
