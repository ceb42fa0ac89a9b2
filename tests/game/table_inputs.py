# SPDX-License-Identifier: Apache-2.0
"""Houses of every kind, and whatever a table can be told, for the state machine."""

from hypothesis import strategies as st
from msgspec.structs import replace

from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome
from studio.game.house import Burn, BurnRule, LastCoup, ResultEntry
from studio.game.inputs import Target
from tests.game.table_driver import FACTS, house

HOUSES = {
    "studio": house(),
    "atlantic-city": house("atlantic-city"),
    "continuous": house("continuous"),
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
