# SPDX-License-Identifier: Apache-2.0
"""A bad line: garbage, split, repeated and corrupted frames, floods, a wrong baud rate.

Nothing of it may raise, and no card may be invented: what the record says was read is what left
the shoe, or the table knows that something is missing.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.sim.commands import Fault, ForcedEnd
from drivers.sim.faults import SPOILING, FaultKind
from tests.system.rig import Hands, Studio, studio
from tests.system.witness import (
    account,
    all_heard,
    cards_on_record,
    comes_in_order,
    coups_dealt,
    coups_shown,
    is_sound,
    log_of,
)
from tests.waiting import until

SIMULATOR = ("--seed", "7", "--repeats", "2", "--repeat-spacing", "0.001")
SITE = {"rule": '"none"'}
SPOILED = sorted(SPOILING, key=lambda kind: kind.value)
# Bad data with a good check: whatever repeats it otherwise contradicts it.
SOUND = [FaultKind.OVERLONG, FaultKind.SEVEN_BITS]
# Harmless in every copy: the frame itself arrives whole.
WHOLE = {
    FaultKind.SPLIT,
    FaultKind.GARBAGE_BEFORE,
    FaultKind.GARBAGE_AFTER,
    FaultKind.NAK_BEFORE,
    FaultKind.NAK_AFTER,
}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """One table for all kinds of noise: each test deals rounds of its own."""
    with studio(tmp_path_factory.mktemp("garbage"), *SIMULATOR, house=SITE) as running:
        running.start()
        yield running
        assert is_sound(running)


def _between_rounds(running: Studio) -> Hands:
    """Whatever was wrong before is over, on the line, at the table and at the shoe."""
    running.shoe.fault(FaultKind.NONE)
    hands = Hands(running)
    hands.play_to("settling")
    if not running.shoe.state().between_coups:
        running.shoe.ask(ForcedEnd())
    hands.play_to("dealing")
    return hands


def _spoil(running: Studio, kind: FaultKind, *, count: int, all_copies: bool) -> None:
    running.shoe.ask(Fault(kind=kind, count=count, all_copies=all_copies, gap_seconds=0.0005))


def _nothing_is_invented(running: Studio, hands: Hands) -> None:
    log_of(running)
    assert comes_in_order(cards_on_record(running), account(running))
    assert comes_in_order(coups_shown(hands), coups_dealt(running.shoe.state().drawn))


@pytest.mark.req("REC-5", "REC-6")
@pytest.mark.parametrize("kind", sorted(set(SPOILED) - set(SOUND)), ids=lambda kind: kind.value)
def test_what_is_spoiled_once_and_repeated_well_is_dealt_as_it_was(
    kind: FaultKind, table: Studio
) -> None:
    hands = _between_rounds(table)
    before, drawn = hands.snapshot().seq, len(account(table))
    _spoil(table, kind, count=0, all_copies=False)
    hands.play_to("result")
    table.shoe.fault(FaultKind.NONE)
    hands.play_to("settling")
    assert cards_on_record(table, before) == account(table)[drawn:]
    assert coups_shown(hands)[-1] == coups_dealt(table.shoe.state().drawn)[-1]
    _nothing_is_invented(table, hands)


@pytest.mark.req("REC-5", "REC-6")
def test_a_frame_with_a_good_check_that_its_repeat_contradicts_holds_the_round(
    table: Studio,
) -> None:
    hands = _between_rounds(table)
    hands.pull()
    _spoil(table, FaultKind.OVERLONG, count=1, all_copies=False)
    table.shoe.pull()
    hands.wait_for(phase="held")
    hands.play_to("settling")
    _nothing_is_invented(table, hands)


@pytest.mark.req("REC-5", "REC-6", "REC-7")
@pytest.mark.parametrize("kind", SPOILED, ids=lambda kind: kind.value)
def test_what_is_spoiled_in_every_copy_is_dealt_right_or_known_to_be_missing(
    kind: FaultKind, table: Studio
) -> None:
    hands = _between_rounds(table)
    hands.pull()
    seen = hands.snapshot().state["cards_out"]
    _spoil(table, kind, count=1, all_copies=True)
    table.shoe.pull()
    all_heard(table, hands)
    state = hands.snapshot().state
    check = bytes.fromhex(table.shoe.state(reports=True).reports[-2].hex)[-2:]
    is_same = kind is FaultKind.LOWER_CHECK and check.isdigit()
    if kind in WHOLE or is_same:
        assert (state["phase"], state["cards_out"]) == ("dealing", seen + 1)
    elif kind in SOUND and state["phase"] == "dealing":
        # it had its place in the sequence: the shoe's count of the next card shows the loss
        assert (state["trust"], state["cards_out"]) == ("suspect", seen)
        hands.pull()
        assert hands.snapshot().state["phase"] == "held"
    else:
        assert (state["phase"], state["cards_out"]) == ("held", seen)
    hands.play_to("settling")
    _nothing_is_invented(table, hands)


@pytest.mark.req("REC-6")
@pytest.mark.parametrize("phase", ["settling", "dealing", "result"])
def test_noise_of_any_length_in_any_phase_is_no_card(phase: str, table: Studio) -> None:
    hands = _between_rounds(table)
    before = hands.play_to(phase)
    seq, drawn = hands.snapshot().seq, len(account(table))
    for size in (1, 7, 300, 20_000):
        table.shoe.ask(Fault(kind=FaultKind.NOISE, size=size))
        table.shoe.fault(FaultKind.BREAK)
    all_heard(table, hands)
    state = hands.snapshot().state
    assert (state["phase"], state["cards_out"]) == (before["phase"], before["cards_out"])
    assert state["public"] == before["public"]
    hands.play_to("settling")
    assert cards_on_record(table, seq) == account(table)[drawn:]
    _nothing_is_invented(table, hands)


@pytest.mark.req("REC-6")
def test_frames_that_stand_in_noise_and_run_into_one_another_are_all_read(table: Studio) -> None:
    hands = _between_rounds(table)
    seq, drawn = hands.snapshot().seq, len(account(table))
    table.shoe.ask(Fault(kind=FaultKind.NOISE, size=50))
    table.shoe.pull(4)
    until(lambda: len(cards_on_record(table, seq)) == 4, 20)
    hands.play_to("settling")
    assert cards_on_record(table, seq) == account(table)[drawn:]
    _nothing_is_invented(table, hands)


@pytest.mark.req("REC-6")
def test_a_flood_of_valid_frames_delays_the_deal_and_changes_nothing(table: Studio) -> None:
    hands = _between_rounds(table)
    hands.pull()
    seq, drawn = hands.snapshot().seq, len(account(table))
    table.shoe.ask(Fault(kind=FaultKind.FLOOD, count=300))
    table.shoe.ask(Fault(kind=FaultKind.NOISE, size=200_000))
    table.shoe.ask(Fault(kind=FaultKind.FLOOD, count=10))
    hands.play_to("settling")
    assert cards_on_record(table, seq) == account(table)[drawn:]
    assert coups_shown(hands)[-1] == coups_dealt(table.shoe.state().drawn)[-1]
    _nothing_is_invented(table, hands)


@pytest.mark.req("REC-6", "REC-7")
@pytest.mark.parametrize(
    "kind", [FaultKind.SEQ_JUMP, FaultKind.SEQ_STUCK, FaultKind.LOST], ids=lambda kind: kind.value
)
def test_a_sequence_that_does_not_go_on_holds_a_round_under_way(
    kind: FaultKind, table: Studio
) -> None:
    hands = _between_rounds(table)
    hands.pull()
    table.shoe.fault(kind)
    table.shoe.pull(2)
    held = hands.wait_for(phase="held")
    assert held["hold"]["raised"][0]["code"] == "frame-lost"
    all_heard(table, hands)
    hands.play_to("settling")
    _nothing_is_invented(table, hands)


@pytest.mark.req("REC-6")
@pytest.mark.parametrize("read_at", ["0.5", "2.0", "4.0"])
def test_a_line_at_a_wrong_baud_rate_brings_no_card_and_no_exception(
    read_at: str, tmp_path: Path
) -> None:
    with studio(tmp_path, *SIMULATOR, house=SITE) as running:
        wrong = Fault(kind=FaultKind.WRONG_BAUD, count=0, all_copies=True, read_at=float(read_at))
        running.shoe.ask(wrong)
        running.start()
        hands = Hands(running)
        hands.play_to("idle")
        running.shoe.pull(20)
        running.shoe.fault(FaultKind.NONE)
        all_heard(running, hands)
        state = hands.snapshot().state
        assert (state["phase"], state["cards_out"]) == ("idle", 0)
        assert cards_on_record(running) == []
        running.shoe.ask(ForcedEnd())
        hands.play_to("settling")
        assert coups_shown(hands) == coups_dealt(running.shoe.state().drawn)[-1:]
        assert is_sound(running)
        log_of(running)
