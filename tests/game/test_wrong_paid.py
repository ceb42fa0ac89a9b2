# SPDX-License-Identifier: Apache-2.0
"""A wrong payment is told of: it has no influence on the cards of a later round.

While the round is settled its cards lie there to be looked at, and the table is held. Once the
next one is under way the pit is told, with the round that it is about, and play goes on.
"""

import pytest

from studio.game import events as ev
from studio.game.cards import Card
from studio.game.holds import withdrawable
from studio.game.prompts import prompt_for
from studio.game.snapshot import public_state, staff_state
from studio.game.state import Phase, SupervisorCall
from tests.game.misdeal_stories import audited, codes_of, go_home, rules
from tests.game.table_driver import BY, WHY, Driven, amendment, names_of

CODE = "wrong-paid"


def next_round(when: str, name: str = "studio") -> tuple[Driven, str]:
    """A round that was paid, and the next one so far; the first one's id."""
    table = Driven(rules(name)).played()
    paid = table.state.round or ""
    table.ask("close_round")
    table.betting()
    if when != "bets open":
        table.expire()
    table.cards({"dealing": "2H KC", "result": "9S KC TD 7S"}.get(when, ""))
    if when == "held":
        table.unread()
    return table, paid


@pytest.mark.parametrize("when", ["bets open", "dealing", "result"])
def test_a_payment_of_the_round_before_is_told_to_the_pit_and_play_goes_on(when: str) -> None:
    table, paid = next_round(when)
    before = (table.state.phase, prompt_for(table.state), public_state(table.state))
    seen = table.state.public_seq
    (told,) = table.ask("report_irregularity", code=CODE, detail="Banker was paid")
    assert told == ev.SupervisorCalled(by=BY, code=CODE, about=paid, detail="Banker was paid")
    assert (table.state.phase, prompt_for(table.state), public_state(table.state)) == before
    assert table.state.public_seq == seen, "players hear nothing of it"
    call = SupervisorCall(table.now, BY, CODE, paid)
    assert staff_state(table.state).call == call
    if when == "bets open":
        table.expire()
    audited(table)
    go_home(table)


def test_the_round_that_was_paid_is_amended_beside_the_one_that_runs() -> None:
    table, paid = next_round("dealing")
    table.ask("report_irregularity", code=CODE)
    (amended,) = table.ask("amend_round", **amendment(paid, "9H TC", "KS 6D"))
    assert isinstance(amended, ev.ResultAmended)
    assert amended.round == paid
    assert table.state.player == (Card("2H"),)
    table.ask("answer_call")
    assert table.state.call is None
    go_home(table)


def test_a_hold_of_the_next_round_is_not_a_payments_and_its_ruling_stays_good() -> None:
    table, paid = next_round("held")
    held = table.state.hold
    table.ask("report_irregularity", code=CODE)
    assert table.state.hold == held
    assert table.state.call is not None
    assert table.state.call.about == paid
    go_home(table)


def test_a_second_word_of_it_is_on_record_and_the_call_waits_since_the_first() -> None:
    table, _ = next_round("bets open")
    table.ask("call_supervisor")
    since = table.now
    assert names_of(table.ask("report_irregularity", code=CODE)) == ["SupervisorCalled"]
    assert names_of(table.ask("report_irregularity", code=CODE)) == ["SupervisorCalled"]
    assert table.state.call is not None
    assert (table.state.call.since, table.state.call.code) == (since, CODE)


@pytest.mark.parametrize("shoe", ["the same", "the next"])
def test_it_is_about_the_last_round_that_has_a_result(shoe: str) -> None:
    table = Driven(rules("studio")).played()
    paid = table.state.round
    if shoe == "the next":
        table.ask("close_round")
        table.ask("end_shoe")
        table.ask("load_shoe")
    table.betting()
    table.ask("report_irregularity", code=CODE)
    assert table.state.call is not None
    assert table.state.call.about == paid


def test_where_nothing_was_paid_yet_it_is_about_no_round() -> None:
    table = Driven(rules("studio")).betting()
    table.ask("report_irregularity", code=CODE)
    assert table.state.call is not None
    assert table.state.call.about is None
    assert table.state.phase is Phase.BETS_OPEN


def test_while_the_round_is_settled_its_cards_stay_until_it_was_looked_at() -> None:
    table = Driven(rules("studio")).played()
    table.ask("report_irregularity", code=CODE, detail=WHY)
    assert (table.state.phase, codes_of(table)) == (Phase.HELD, [CODE])
    assert table.state.call is None
    assert withdrawable(table.state) == (CODE,)
    table.ask("withdraw_report", code=CODE)
    assert codes_of(table) == []
    table.rule("release")
    assert table.state.phase is Phase.SETTLING
    go_home(table)
