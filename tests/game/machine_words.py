# SPDX-License-Identifier: Apache-2.0
"""What the state machine of a table plays with: houses, cards, and what can be said of them."""

from hypothesis import strategies as st
from msgspec.structs import replace

from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome, Side
from studio.game.house import Burn, BurnRule, House, LastCoup, ResultEntry
from studio.game.inputs import Target
from studio.game.irregularities import REPORTABLE
from tests.adjudication.reference import next_position
from tests.game.table_driver import FACTS, house

_QUICK = {"close_guard_ms": 0, "burn": Burn(BurnRule.NONE)}

HOUSES: dict[str, House] = {
    "studio": house(),
    "atlantic-city": house("atlantic-city"),
    "continuous": house("continuous"),
    "venezia": house("venezia", **_QUICK),
    "france": house("france", **_QUICK),
    "macau": house("macau"),
    "spain": house("spain", **_QUICK),
    "free-coup": house(excess_card="free_coup", face_up_card="keep", **_QUICK),
    "early-void": house("venezia", early_card="void", **_QUICK),
    "next-burn": house(
        "venezia", excess_card="next_burn", second_person=("rule_hold", "void_round"), **_QUICK
    ),
    "carry": house("atlantic-city", decks=1, cut_card_from_end=14, **_QUICK),
    "winner": house(
        "macau", result_entry=ResultEntry.WINNER, close_guard_ms=0, burn=Burn(BurnRule.NONE)
    ),
    "auto": house(
        "spain",
        decks=1,
        result_entry=ResultEntry.AUTO,
        close_guard_ms=0,
        last_coup=LastCoup.ALWAYS_ONE_MORE,
        burn=Burn(BurnRule.FIXED, 2),
    ),
    "auto-guarded": house(
        "france", decks=1, result_entry=ResultEntry.AUTO, burn=Burn(BurnRule.FIRST_CARD, ace=11)
    ),
}
OTHER_FACTS = replace(FACTS, version="0.2.0")

cards = st.sampled_from(Card)
some_cards = st.sampled_from([Card("9H"), Card("KS"), Card("2D"), Card("5C"), Card("AS")])
names = st.sampled_from(sorted(HOUSES))
mostly = st.sampled_from([True] * 9 + [False])
reasons = st.sampled_from(["", "  ", "seen on video"])
targets = st.sampled_from(Target)
indexes = st.sampled_from([None, 1, 2, 3])
other_reports = st.one_of(
    st.builds(inp.CardRepeated, card=st.none() | some_cards),
    st.builds(
        inp.ResultReported,
        outcome=st.sampled_from([None, *Outcome]),
        player_pair=st.booleans(),
        banker_pair=st.booleans(),
    ),
    st.builds(
        inp.FaultReported,
        kind=st.sampled_from(inp.FaultKind),
        code=st.integers(0, 9),
        latched=st.booleans(),
    ),
    st.builds(
        inp.FrameRejected,
        reason=st.sampled_from(["checksum", "no_end", "overlong", "bad_field", "noise"]),
    ),
    st.sampled_from(
        [
            inp.ShoeStarted(),
            inp.ShoeStandby(),
            inp.FaultCleared(1),
            inp.LockChanged(locked=True),
            inp.SettingChanged("01", "08"),
            inp.SequenceGap("3", "5"),
            inp.UnknownReport("Z"),
            inp.CommandAnswered("ok"),
            inp.CommandAnswered("nak", "02"),
        ]
    ),
)


sides = st.sampled_from([None, None, *Side])
rarely = st.sampled_from([False] * 4 + [True])
seconds = st.sampled_from(["s-002", "s-002", "s-002", "s-001", " "])
codes = st.sampled_from([*REPORTABLE, "misscan-none", "nothing"])


def _dealt(drawn: list[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The hands that these cards make, as far as they go."""
    hands: dict[str, list[Card]] = {"P": [], "B": []}
    for card in drawn:
        player, banker = ([one.value for one in hand] for hand in hands.values())
        due = next_position(player, banker)
        if due is None:
            break
        hands[due[0]].append(card)
    return tuple(hands["P"]), tuple(hands["B"])


amended_hands = st.lists(cards, min_size=3, max_size=6).map(_dealt)
