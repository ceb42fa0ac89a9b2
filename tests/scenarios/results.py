# SPDX-License-Identifier: Apache-2.0
"""F. Results: called wrongly, not confirmed, found wrong late."""

from datetime import timedelta
from functools import partial

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.coup import Outcome
from studio.game.house import House
from studio.game.prompts import prompt_for
from tests.game.table_driver import BY, Driven, amendment
from tests.scenarios.rows import Row, Scenario, pair, row, signs
from tests.scenarios.tables import COMPLETE, PHASES, Story, asked, bets_closed, bets_open, dealt

# --- wrong-result-announced ----------------------------------------------------------------------

_P, _B, _T = Outcome.PLAYER, Outcome.BANKER, Outcome.TIE
# what completes each coup with each winner
_COUPS = {
    "natural": {_P: "9H KS TC 7D", _B: "7H 9S KC QD", _T: "8H 8S KC QD"},
    "both stand": {_P: "7H 6S KC QD", _B: "6H 7S KC QD", _T: "6H 6S KC QD"},
    "P3 alone": {_P: "2H 7S KC QD 6C", _B: "2H 7S KC QD 3C", _T: "2H 7S KC QD 5C"},
    "B3 alone": {_P: "6H 5S KC QD JC", _B: "6H 5S KC QD 2C", _T: "6H 5S KC QD AC"},
    "both draw": {
        _P: "2H 2S KC QD 9C 8S",
        _B: "2H 2S KC QD 9C 4S",
        _T: "2H 2S KC QD 9C 9S",
    },
}


def _called(rule: House, codes: str, outcome: Outcome) -> Driven:
    return asked(dealt(rule, codes), "call_result", outcome=outcome)


def _keyed(rule: House, codes: str, outcome: Outcome) -> Driven:
    return asked(dealt(rule, codes), "confirm_result", outcome=outcome)


def _wrong() -> dict[str, Scenario]:
    return {
        f"{name}, {won.value} wins, {said.value} {how}": pair(
            "wrong-result-announced",
            partial(story, codes=codes, outcome=said),
            partial(story, codes=codes, outcome=won),
            number=len(codes.split()),
        )
        for name, coups in _COUPS.items()
        for won, codes in coups.items()
        for said in Outcome
        if said is not won
        for how, story in (("called", _called), ("by the key", _keyed))
    }


# --- result-not-confirmed ------------------------------------------------------------------------


def _bets_too_soon(story: Story, *, is_confirmed: bool) -> Story:
    def told(rule: House) -> Driven:
        table = story(rule)
        if is_confirmed:
            table.ask("confirm_result")
        table.give(inp.OpenBets(by=BY))
        return table

    return told


def _waits(table: Driven) -> bool:
    """No bets were opened over the coup: it asks for its result, and nothing is held."""
    is_asked = prompt_for(table.state).code == "confirm-result"
    return is_asked and isinstance(table.last, inp.Refusal) and table.state.hold is None


_NOT_CONFIRMED = {
    one.name: (
        _bets_too_soon(PHASES[one.name], is_confirmed=False),
        _bets_too_soon(PHASES[one.name], is_confirmed=True),
    )
    for one in COMPLETE
}

# --- found-after-next ----------------------------------------------------------------------------


def _next(rule: House, *, codes: str | None, unread: bool = False) -> Driven:
    """The round after; ``codes``: what is out of it, None while its bets are open."""
    table = asked(PHASES["settling"](rule), "close_round")
    if codes is None:
        return bets_open(table)
    bets_closed(table).cards(codes)
    if unread:
        table.unread()
    return table


def _next_settled(rule: House) -> Driven:
    return asked(_next(rule, codes="2H 7S KC QD 6C"), "confirm_result")


def _next_shoe(rule: House) -> Driven:
    return asked(asked(PHASES["settling"](rule), "end_shoe"), "load_shoe")


_LATER: dict[str, Story] = {
    "settling": PHASES["settling"],
    "between rounds": PHASES["between rounds"],
    "suspended": PHASES["suspended"],
    "table closed": PHASES["table closed"],
    "next bets open": partial(_next, codes=None),
    "next coup, no card": partial(_next, codes=""),
    "next coup, one card": partial(_next, codes="2H"),
    "next coup, four cards": partial(_next, codes="2H 7S KC QD"),
    "next coup held": partial(_next, codes="2H 7S", unread=True),
    "next result": partial(_next, codes="2H 7S KC QD 6C"),
    "next settling": _next_settled,
    "next shoe": _next_shoe,
}


def _amended(story: Story, *, in_time: bool) -> Story:
    """Two people say what the first round's cards were, in time or too late."""

    def told(rule: House) -> Driven:
        table = story(rule)
        first = next(one.round for one in table.log if isinstance(one.event, ev.ResultConfirmed))
        if not in_time:
            table.now += timedelta(minutes=rule.amend_minutes)
        table.give(inp.AmendRound(by=BY, **amendment(first or "")))
        return table

    return told


def _is_put_right(table: Driven) -> bool:
    """The house's way: a later revision of the first round, or that round void."""
    rule = table.state.house
    wanted = ev.ResultAmended if rule is not None and rule.found_late == "amend" else ev.RoundVoided
    first = next(one.round for one in table.log if isinstance(one.event, ev.ResultConfirmed))
    events = [one.event for one in table.log if one.round == first]
    return [one.revision for one in events if isinstance(one, wanted)] == [2]


def _found_late() -> dict[str, Scenario]:
    stories = {
        name: (_amended(story, in_time=True), _amended(story, in_time=False))
        for name, story in _LATER.items()
    }
    held = {"next coup held": stories.pop("next coup held")}
    unread = ("misscan-none",)
    return signs(_is_put_right, stories) | signs(_is_put_right, held, codes=unread, instead=unread)


ROWS: dict[str, Row] = {
    "wrong-result-announced": row(_wrong()),
    "result-not-confirmed": row(signs(_waits, _NOT_CONFIRMED)),
    "found-after-next": row(_found_late()),
}
