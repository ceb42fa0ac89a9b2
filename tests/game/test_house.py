# SPDX-License-Identifier: Apache-2.0
"""House files: the shipped ones, and what is said of a wrong one."""

from decimal import Decimal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.game.house import (
    REMEDIES,
    SIDE_BETS,
    Burn,
    BurnRule,
    GamingDay,
    House,
    LastCoup,
    Limit,
    ShoeMode,
    faults_in,
    faults_of,
    house_of,
)
from tests.game.houses import NAMES, data_of, house

# decks, cut card from the end, excess, early, face up, stuck, last coup, found late
RULINGS = {
    "studio": (8, 14, "burn", "burn", "burn", "order", "one_more", "amend"),
    "atlantic-city": (6, 7, "carry", "play", "burn", "order", "current", "amend"),
    "continuous": (6, None, "burn", "burn", "burn", "order", "current", "amend"),
    "venezia": (6, 10, "burn", "play", "burn", "order", "current", "amend"),
    "france": (6, 10, "burn", "play", "burn", "order", "current", "void"),
    "macau": (8, 12, "burn", "play", "keep", "order", "one_more", "amend"),
    "spain": (6, 10, "burn", "play", "burn", "void", "current", "void"),
}


def test_these_houses_are_shipped():
    assert sorted(RULINGS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_house_is_sound_and_called_as_its_file(name):
    assert faults_in(data_of(name)) == []
    assert house(name).name == name


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.req("VOID-10")
def test_a_shipped_house_rules_as_laid_down(name):
    rules = house(name)
    assert RULINGS[name] == (
        rules.decks,
        rules.cut_card_from_end,
        rules.excess_card,
        rules.early_card,
        rules.face_up_card,
        rules.stuck_cards,
        rules.last_coup.value,
        rules.found_late,
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_value_of_a_shipped_house_has_its_source(name):
    data = data_of(name)
    sources = data.pop("sources")
    bets = data.pop("side_bets")
    wanted = {key for key in data if key not in ("name", "title")}
    wanted |= {f"side_bets.{bet}" for bet in bets} or {"side_bets"}
    assert set(sources) == wanted
    for key, source in sources.items():
        confirmed = "confirm with your regulator" in source
        assert confirmed or not any(
            doubt in source for doubt in ("usual", "own choice", "general knowledge")
        ), key


def test_atlantic_city_burns_by_the_first_card_and_takes_5_to_300():
    rules = house("atlantic-city")
    assert rules.burn == Burn(BurnRule.FIRST_CARD, ace=1)
    assert rules.limits == (Limit("5", "300"),)
    assert rules.currency == "GBP"


def test_the_continuous_house_has_no_cut_card_no_burn_and_five_limits():
    rules = house("continuous")
    assert rules.shoe_mode is ShoeMode.CONTINUOUS
    assert rules.burn == Burn(BurnRule.NONE)
    assert [(limit.min, limit.max) for limit in rules.limits] == [
        ("100", "10000"),
        ("200", "20000"),
        ("1000", "50000"),
        ("5000", "50000"),
        ("10000", "200000"),
    ]


def test_macau_burns_as_many_cards_as_there_are_decks():
    assert house("macau").burn == Burn(BurnRule.DECKS)


def test_the_studio_offers_every_side_bet():
    assert set(house().side_bets) == set(SIDE_BETS)


def test_the_cards_of_a_house_are_those_of_its_decks():
    assert (house("venezia").cards, house("macau").cards) == (312, 416)


def test_a_table_may_be_without_betting_time_and_close_guard():
    assert faults_of(house(betting_seconds=0, close_guard_ms=0, settle_seconds=0)) == []


@pytest.mark.parametrize("key, remedies", REMEDIES.items())
def test_a_house_may_choose_any_remedy_of_the_list_and_no_other(key, remedies):
    for remedy in remedies:
        assert faults_of(house(**{key: remedy})) == []
    assert faults_of(house(**{key: "bury"})) == [
        f'{key}: "bury" is no remedy here; use one of {", ".join(remedies)}'
    ]


@pytest.mark.parametrize(
    "last_coup, needed",
    [(LastCoup.CURRENT, 6), (LastCoup.ONE_MORE, 11), (LastCoup.ALWAYS_ONE_MORE, 12)],
)
@pytest.mark.req("VOID-11")
def test_the_cards_behind_the_cut_card_finish_the_last_coup(last_coup, needed):
    assert faults_of(house(last_coup=last_coup, cut_card_from_end=needed)) == []
    [fault] = faults_of(house(last_coup=last_coup, cut_card_from_end=needed - 1))
    assert fault == (
        f"cut_card_from_end: {needed - 1} cards cannot always finish the last coup"
        f' with last_coup "{last_coup.value}"; use {needed} or more'
    )


@pytest.mark.parametrize(
    "changes, key, right",
    [
        ({"name": "Big House"}, "name", "lower-case"),
        ({"name": ""}, "name", "lower-case"),
        ({"title": " "}, "title", "say the house's name"),
        ({"sources": {"colour": "none"}}, "sources.colour", "name one"),
        ({"decks": 0}, "decks", "use 1 to 12"),
        ({"decks": 13}, "decks", "use 1 to 12"),
        ({"cut_card_from_end": None}, "cut_card_from_end", "use 11 or more"),
        ({"cut_card_from_end": 209}, "cut_card_from_end", "use 11 to 208"),
        ({"shoe_mode": ShoeMode.CONTINUOUS}, "cut_card_from_end", "remove it"),
        ({"burn": Burn(BurnRule.FIXED)}, "burn.cards", "use 1 to 12"),
        ({"burn": Burn(BurnRule.FIXED, cards=0)}, "burn.cards", "use 1 to 12"),
        ({"burn": Burn(BurnRule.DECKS, cards=8)}, "burn.cards", "remove it"),
        ({"burn": Burn(BurnRule.FIRST_CARD, ace=10)}, "burn.ace", "use 1 or 11"),
        ({"betting_seconds": -1}, "betting_seconds", "use 0 to 3600"),
        ({"betting_seconds": float("nan")}, "betting_seconds", "use 0 to 3600"),
        ({"close_guard_ms": 60001}, "close_guard_ms", "use 0 to 60000"),
        ({"settle_seconds": float("inf")}, "settle_seconds", "use 0 to 3600"),
        ({"amend_minutes": -0.5}, "amend_minutes", "use 0 to 525600"),
        ({"gaming_day": GamingDay(turns_at_hour=24)}, "gaming_day.turns_at_hour", "use 0 to 23"),
        ({"gaming_day": GamingDay(turns_at_hour=-1)}, "gaming_day.turns_at_hour", "use 0 to 23"),
        ({"gaming_day": GamingDay(time_zone="")}, "gaming_day.time_zone", "use a name"),
        ({"currency": "eur"}, "currency", "three capitals"),
        ({"commission": "5%"}, "commission", '"0.05"'),
        ({"commission": "1"}, "commission", '"0.05"'),
        ({"commission": "0", "banker_six_pays": "half"}, "banker_six_pays", '"0.5"'),
        ({"commission": "0", "banker_six_pays": "1.5"}, "banker_six_pays", '"0.5"'),
        ({"banker_six_pays": "0.5"}, "commission", 'use "0" or remove banker_six_pays'),
        ({"tie_odds": "0"}, "tie_odds", '"8"'),
        ({"tie_odds": "8:1"}, "tie_odds", '"8"'),
        ({"limits": ()}, "limits", "give at least one"),
        ({"limits": (Limit("0", "5"),)}, "limits.1.min", 'such as "5"'),
        ({"limits": (Limit("1", "2"), Limit("1", "-5"))}, "limits.2.max", 'such as "300"'),
        ({"limits": (Limit("10", "9.99"),)}, "limits.1", "raise max"),
        ({"limits": (Limit("10", "10"),)}, "limits.1", "raise max"),
        ({"side_bets": {"panda": {"win": "25"}}}, "side_bets.panda", "use one of player_pair"),
        ({"side_bets": {"big": {}}}, "side_bets.big.win", "say what this case pays"),
        ({"side_bets": {"big": {"win": "much"}}}, "side_bets.big.win", '"11"'),
        (
            {"side_bets": {"perfect_pair": {"one": "25", "both": "200", "three": "1"}}},
            "side_bets.perfect_pair.three",
            "use one, both",
        ),
    ],
)
def test_an_unsound_rule_is_reported_with_its_key_and_what_would_be_right(changes, key, right):
    [fault] = faults_of(house(**changes))
    assert fault.startswith(f"{key}: ")
    assert right in fault.partition("; ")[2]


@pytest.mark.parametrize("cards", [1, 12])
def test_a_fixed_burn_says_how_many(cards):
    assert faults_of(house(burn=Burn(BurnRule.FIXED, cards=cards))) == []


def test_the_variant_without_commission_is_sound():
    assert faults_of(house(commission="0.00", banker_six_pays="0.5")) == []


@pytest.mark.parametrize(
    "text", ["1e3", "\u0661", ".5", "5.", "", "+1", "-1", " 1", "1_000", "NaN", "1,5"]
)
def test_an_amount_is_plain_digits_with_a_point(text):
    assert len(faults_of(house(tie_odds=text))) == 1


def test_all_faults_of_a_file_are_reported_at_once():
    data = data_of()
    del data["found_late"]
    data |= {
        "decks": "8",
        "deckz": 8,
        "last_coup": "never",
        "commission": 0.05,
        "burn": {"rule": "some"},
        "limits": [{"min": 5, "max": "300"}],
        "excess_card": "bury",
        "gaming_day": {"turns_at_hour": 24},
    }
    assert faults_in(data) == [
        "deckz: no such setting; remove it or correct its name",
        "decks: not of the right kind; give a whole number",
        "last_coup: invalid enum value 'never'; use one of current, one_more, always_one_more",
        "burn: invalid enum value 'some' at burn.rule; use one of none, fixed, decks, first_card",
        "found_late: missing; every house must say it",
        "commission: not of the right kind; give a text in quotes",
        "limits: not of the right kind at limits[0].min; give a text in quotes",
        "gaming_day.turns_at_hour: 24 is no hour of the day; use 0 to 23",
        'excess_card: "bury" is no remedy here; use one of burn, next_burn, free_coup, carry',
    ]


def test_a_limit_has_two_ends_and_nothing_else():
    band = {"min": "5", "max": "300", "maximum": "400"}
    assert faults_in(data_of() | {"limits": [band]}) == [
        "limits: more than min and max in one of them; give these two"
    ]


def test_an_empty_file_lists_what_every_house_must_say():
    required = [field.name for field in msgspec.structs.fields(House) if field.required]
    reported = [fault.partition(":")[0] for fault in faults_in({})]
    assert reported == [*required, "cut_card_from_end"]


@given(
    st.dictionaries(
        st.sampled_from(House.__struct_fields__) | st.text(max_size=5),
        st.none() | st.integers() | st.floats() | st.text() | st.lists(st.integers()),
        max_size=6,
    )
)
def test_any_data_is_judged_and_none_raises(changes):
    faults = faults_in(data_of() | changes)
    if not faults:
        house_of(data_of() | changes)


@given(st.decimals(min_value=0, max_value=10**6, places=4))
def test_any_plain_decimal_is_an_amount(amount):
    limit = Limit(str(amount), "99999999")
    assert faults_of(house(limits=(limit,))) == [] or Decimal(amount) == 0
