# SPDX-License-Identifier: Apache-2.0
"""One of every event, and the golden journal of them.

``python -m tests.store.every_event NAME`` keeps them as a new golden journal: to be run when an
event is added or gets a new form.
"""

import sys
from datetime import timedelta

from studio.game import events as ev
from studio.game.cards import Card
from studio.game.coup import Outcome, Position, Side
from studio.game.house import Burn, BurnRule, GamingDay, House, LastCoup, Limit
from studio.game.inputs import (
    CardDrawn,
    FaultKind,
    FaultReported,
    SettingChange,
    SoftwareFinding,
    TableFacts,
    Target,
)
from studio.store.chain import GENESIS, Row, row_of
from studio.store.journal import Entry
from tests.store.golden import keep
from tests.store.samples import NOON, ORIGIN, SHOE, TABLE, Story, amended, confirmed, voided

EPOCH = "0e4c2a52-5b0e-4a55-9a5c-6f6f1f0c7d11"
ROUND = "BAC-1-20261129-0214"

HOUSE = House(
    name="example",
    title="An example",
    decks=8,
    cut_card_from_end=16,
    last_coup=LastCoup.ONE_MORE,
    burn=Burn(BurnRule.FIRST_CARD, ace=11),
    excess_card="burn",
    early_card="keep",
    face_up_card="burn",
    stuck_cards="void",
    found_late="amend",
    banker_six_pays="0.5",
    limits=(Limit("5", "300"), Limit("25.50", "5000")),
    side_bets={"player_pair": {"pair": "11"}},
    gaming_day=GamingDay("Europe/Rome", 8),
    sources={"commission": "confirm with your regulator"},
)


def of_the_table() -> list[ev.Event]:
    """What happens outside rounds."""
    return [
        ev.ServiceRestarted(
            facts=TableFacts(TABLE, "test", "cam-1", 900, "0.1.0", "sha256:00", "recorder-2/1"),
        ),
        ev.RulesLoaded(house=HOUSE),
        ev.TableOpened(
            environment="test",
            house="example",
            decks=8,
            shoe_mode="shoe",
            currency="EUR",
            limits=HOUSE.limits,
            paytable={"banker": {"win": "0.95"}, "tie": {"tie": "8"}},
            dealer="Zoë",
            stream=None,
            picture_delay_ms=900,
            software=ev.Software("0.1.0", "sha256:00"),
            by="dealer-7",
        ),
        ev.DealerChanged(dealer="Léa", by="pit-1"),
        ev.TableSuspended(reason="device"),
        ev.TableResumed(reason="device", by="pit-1"),
        ev.ManualModeChanged(on=True, by="pit-1"),
        ev.StreamChanged(trust=ev.Trust.SUSPECT, reason="line_lost", origin=ORIGIN),
        ev.ReaderChanged(reason="the old one reads no card", by="pit-1"),
        ev.StreamChanged(trust=ev.Trust.TRUSTED, reason="first card of a coup", in_step=True),
        ev.ShoeNoted(report=FaultReported(FaultKind.NO_READ, 3, latched=False), origin=ORIGIN),
        ev.ShoeNoted(report=CardDrawn(Card("AS"), Target.BURN, 1), origin=ORIGIN),
        ev.ShoeLoaded(decks=8, shoe=SHOE, burn=None, by="dealer-7"),
        ev.CardBurned(card=Card("AD"), burn=12, origin=ORIGIN),
        ev.CardBurned(card=None, burn=12),
        ev.BurnCompleted(burned=12),
        ev.BurnCorrected(
            number=1, card=Card("2H"), read=Card("AD"), burn=3, by="pit-1", second="pit-2"
        ),
        ev.BurnCorrected(
            number=1, card=Card("2H"), read=None, burn=None, by="pit-1", second="pit-2"
        ),
        ev.VoidedCardCorrected(
            round=ROUND, number=2, card=Card("6H"), read=Card("6D"), by="pit-1", second="pit-2"
        ),
        ev.VoidedCardCorrected(
            round=ROUND, number=2, card=Card("6H"), read=None, by="pit-1", second="pit-2"
        ),
        ev.BurnOrdered(burn=13, reason="a new dealer", by="dealer-7"),
        ev.FreeCoupDue(cards=(Card("7D"),)),
        ev.FreeCoupOpened(by="dealer-7"),
        ev.CardKept(position=Position.P1, card=Card("7D"), is_carried=True),
        ev.FreeCoupEnded(
            player=(Card("7D"), Card("KD")),
            banker=(Card("2C"), Card("7H")),
            outcome=Outcome.BANKER,
            by="dealer-7",
        ),
        ev.FreeCoupEnded(player=(Card("7D"),), banker=(), outcome=None, by="pit-1"),
        ev.FreeCoupOpened(by="dealer-7", due=1),
        ev.FreeCoupCancelled(due=(Card("7D"),), carried=(Card("2C"),), by="dealer-7"),
        *of_the_staff(),
        *of_the_software(),
        ev.EpochBegun(
            reason="restored",
            by="root",
            from_epoch="7b1d3c50-97f1-4b5c-8b4e-0d3f0a5b1e22",
            from_seq=70,
            from_hash="5f" * 32,
            from_public_seq=20,
            from_head="a0" * 32,
            day="20261129",
            lost=3600,
            rounds_given=214,
            shoes_given=3,
        ),
    ]


def of_the_staff() -> list[ev.Event]:
    """That a supervisor was called, and what people tried with badge and PIN."""
    return [
        ev.SupervisorCalled(by="s-0004"),
        ev.SupervisorCallEnded(by="s-0002"),
        ev.ManagerRung(),
        ev.HoldClaimed(by="s-0002"),
        ev.HoldClaimed(by="s-0003", taken_from="s-0002"),
        ev.HoldReleased(by="s-0003"),
        ev.StaffNoted(act="log_in", result="wrong", by=None, from_where="desk-1"),
        ev.StaffNoted(
            act="approve",
            result="done",
            by="s-0002",
            from_where="desk-1",
            about="s-0004",
            detail="rule_hold",
        ),
    ]


def of_the_software() -> list[ev.Event]:
    """Its files are approved and checked, and other settings are put in force."""
    path = "/opt/sabot/studio/service.py"
    found = SoftwareFinding("changed", path, "d" * 64, "e" * 64)
    added = SoftwareFinding("added", "/opt/sabot/studio/other\nname.py", None, "e" * 64)
    good = {"approved": "a" * 64, "files": 11664, "seconds": 2.25}
    rules = SettingChange("houses/example.toml", "betting_seconds", "15", "20", restart=False)
    port = SettingChange("tables/BAC-1.toml", "feed.public_events", None, '"tcp://0.0.0.0:5550"')
    return [
        ev.SoftwareApproved(digest="a" * 64, reason="the table was set up", by="set-up"),
        ev.SoftwareChecked(why="start", digest="a" * 64, **good),
        ev.SoftwareCheckAsked(by="s-0002"),
        ev.SoftwareChecked(why="asked", digest="f" * 64, count=2, findings=(found, added), **good),
        ev.SoftwareApproved(digest="f" * 64, reason="0.1.1", by="s-0002", second="s-0003"),
        ev.SettingsApplied(
            before="b" * 64,
            after="c" * 64,
            changes=(rules, port),
            after_round=ROUND,
            reason="longer bets",
            by="s-0002",
            second="s-0003",
            manifest="a" * 64,
        ),
    ]


def of_a_round() -> list[ev.Event]:
    """What happens in rounds."""
    return [
        ev.BetsOpened(seconds=12.5, closes_at=NOON, round=ROUND, day="20261129", by="dealer-7"),
        ev.BetsOpened(
            seconds=12.5,
            closes_at=NOON,
            round=ROUND,
            day="20261129",
            by="dealer-7",
            video_stream="recorder-2/1",
        ),
        ev.BetsClosed(guard_until=NOON + timedelta(milliseconds=1500)),
        ev.CardKept(position=Position.P1, card=Card("9H"), origin=ORIGIN),
        ev.GuardEnded(),
        ev.CardDealt(
            position=Position.P1, card=Card("9H"), player_total=9, banker_total=None, origin=ORIGIN
        ),
        ev.CutCardSeen(last_coup="next", origin=ORIGIN),
        ev.CardHeld(card=Card("TC"), origin=ORIGIN),
        ev.CardHeld(card=None, number=3, early=True, origin=ORIGIN),
        ev.CardNoted(
            number=3, at=Side.BANKER, early=True, face_up=True, stuck=True, unseen=True, by="pit-1"
        ),
        ev.CardNoted(
            number=3,
            at=None,
            early=False,
            face_up=False,
            stuck=False,
            unseen=False,
            by="pit-1",
            not_early=True,
        ),
        ev.CardEntered(number=3, card=Card("5D"), missing=False, by="pit-1", second="pit-2"),
        ev.CardCorrected(number=1, card=Card("8H"), read=Card("9H"), by="pit-1", second="pit-2"),
        ev.CardEntered(
            number=2, card=Card("5D"), missing=False, by="pit-1", second="pit-2", is_aside=True
        ),
        ev.CardCorrected(
            number=1, card=Card("8H"), read=Card("9H"), by="pit-1", second="pit-2", is_aside=True
        ),
        ev.CardStruck(number=2, card=Card("9H"), reason="read twice", by="pit-1", second="pit-2"),
        ev.CardStruck(
            number=1, card=None, reason="read twice", by="pit-1", second="pit-2", is_aside=True
        ),
        ev.ShoeFoundEmpty(by="dealer-7"),
        ev.IrregularityRaised(code="excess_card", detail="P3", card=Card("TC"), origin=ORIGIN),
        ev.RoundHeld(reason="misdeal"),
        ev.ReportWithdrawn(code="card-lost", reason="found", by="dealer-7", second="pit-1"),
        ev.ReportWithdrawn(code="p3-missed", reason="not called", by="pit-1", call=2),
        ev.HeldCardBurned(cards=(Card("TC"),), unread=1),
        ev.HeldCardBurned(cards=(Card("TC"),), unread=1, in_order=(None, Card("TC"))),
        ev.IrregularityResolved(remedy="burn", reason="seen by all", by="pit-1"),
        ev.RoundReleased(set_aside=(Card("TC"),), text="nothing_changed", by="pit-1"),
        ev.RoundReconstructed(
            player=(Card("9H"), Card("KD")),
            banker=(),
            player_total=9,
            banker_total=None,
            set_aside=(Card("2C"),),
            text="put_back_in_order",
            by="pit-1",
        ),
        ev.ResultDeclared(outcome=Outcome.PLAYER, player_total=9, banker_total=7),
        ev.CallNoted(outcome=Outcome.BANKER, by="dealer-7"),
        confirmed(),
        amended(ROUND, 2, 15),
        voided(ROUND, 3, 16),
        ev.SurplusCarried(cards=(Card("TC"),)),
        ev.SurplusKeptForBurn(cards=(Card("TC"),)),
        ev.SurplusKeptForBurn(cards=(Card("TC"),), in_order=(Card("TC"),)),
        ev.RoundClosed(),
        ev.RoundClosed(was_dealt=False),
        ev.SupervisorCalled(by="s-0004", code="wrong-paid", about=ROUND, detail="banker was paid"),
    ]


def entries() -> list[Entry]:
    """All of them, in a record that a journal takes."""
    story = Story()
    return [
        *story.tell(*of_the_table(), source=ev.Source.SYSTEM),
        *story.tell(*of_a_round(), round_id=ROUND),
        *story.tell(
            ev.ShoeStopped(code="foreign-card", by="pit-1"),
            ev.ShoeEnded(
                rounds=1, burned=14, left=400, seen=16, counted=400, reason="cut_card", by="pit-1"
            ),
            ev.TableClosed(reason="staff", by="pit-1"),
            source=ev.Source.MANUAL,
        ),
    ]


def rows() -> list[Row]:
    """The rows that they become."""
    hashed = head = GENESIS
    made = []
    for recorded, payload in entries():
        row = row_of(recorded, payload, TABLE, EPOCH, hashed, head)
        hashed, head = row.hash, row.head or head
        made.append(row)
    return made


if __name__ == "__main__":
    print(keep(sys.argv[1], TABLE, EPOCH, rows()))
