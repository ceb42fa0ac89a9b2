# SPDX-License-Identifier: Apache-2.0
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.sim import commands, protocol
from drivers.sim.commands import PulledCard
from drivers.sim.device import SimulatedShoe
from drivers.sim.options import Burn, BurnRule, SimOptions
from drivers.sim.protocol import Mode
from tests.sim.wire import Bench, face, frames, letters, place, seqs

COUP_OF_SIX = ("2S", "3S", "2D", "3D", "6C", "6H")


def test_power_up_is_started_then_standby() -> None:
    assert letters(Bench().power_up) == "SP"


def test_a_coup_is_six_cards_then_result_then_standby() -> None:
    bench = Bench(script=COUP_OF_SIX)
    heard = bench.pull(6)
    assert letters(heard) == "DDDDDDGP"
    cards = frames(heard)[:6]
    assert tuple(face(frame) for frame in cards) == COUP_OF_SIX
    assert [place(frame) for frame in cards] == [(0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (1, 3)]
    assert frames(heard)[6][3] == 0xC3  # 0 against 2: banker, both pairs
    assert letters(bench.pull()) == "D"
    assert bench.pulled[0].coup == 2


def test_a_shoe_may_keep_its_results_to_itself() -> None:
    bench = Bench(script=COUP_OF_SIX, results=False)
    assert letters(bench.pull(6)) == "DDDDDDP"


def test_nothing_comes_without_a_pull() -> None:
    bench = Bench()
    assert bench.shoe.step(1e6) == b""
    assert bench.shoe.wake is None


def test_the_cut_card_comes_before_its_card_in_mid_round() -> None:
    bench = Bench(script=COUP_OF_SIX, script_only=True, cut_card_from_end=4)
    assert letters(bench.pull(6)) == "DDCDDDDGP"
    assert [pulled.cut_card for pulled in bench.pulled] == [False, False, True, False, False, False]


def test_an_empty_shoe_refuses() -> None:
    bench = Bench(script=("2S",), script_only=True)
    assert len(bench.pull(5)) == 8
    assert "change_shoe" in bench.refusal(commands.Pull())
    assert bench.shoe.state().left == 0


def test_another_shoe_starts_again_with_its_own_cards_and_burn() -> None:
    bench = Bench(burn=Burn(BurnRule.FIXED, cards=1))
    first = [frame[4] for frame in frames(bench.pull(20)) if frame[2:3] == b"D"]
    assert letters(bench.do(commands.ChangeShoe())) == "SP"
    heard = frames(bench.pull(20))
    assert place(heard[0]) == (2, 1)
    assert [frame[4] for frame in heard if frame[2:3] == b"D"] != first
    state = bench.shoe.state()
    assert (state.shoe, state.left) == (2, 396)
    assert len(state.earlier_shoes[0]) == 20


def test_another_shoe_can_be_scripted() -> None:
    bench = Bench()
    bench.do(commands.ChangeShoe(script=("9H", "9H")))
    assert [face(frame) for frame in frames(bench.pull(2))] == ["9H", "9H"]
    bad = bench.refusal(commands.ChangeShoe(script=("9X",)))
    assert "9X" in bad
    assert bench.shoe.state().shoe == 2


@given(st.integers(0, 3), st.sampled_from(["1234567890", "ABC", "01"]), st.integers(1, 60))
@settings(max_examples=30)
def test_repeats_are_the_same_bytes_and_the_sequence_wraps(
    repeats: int, alphabet: str, cards: int
) -> None:
    bench = Bench(repeats=repeats, alphabet=alphabet)
    heard = frames(bench.power_up + bench.pull(cards))
    assert len(heard) % (repeats + 1) == 0
    groups = [heard[n : n + repeats + 1] for n in range(0, len(heard), repeats + 1)]
    assert all(len(set(group)) == 1 for group in groups)
    order = "".join(chr(group[0][1]) for group in groups)
    assert order == (alphabet * len(order))[: len(order)]


def test_repeats_keep_their_spacing() -> None:
    options = SimOptions(pty="unused", repeats=2, repeat_spacing_seconds=0.5)
    shoe = SimulatedShoe(options, 0.0)
    shoe.step(100.0)
    shoe.do(commands.Pull(), 100.0)
    frame_seconds = 8 * 10 / 4800
    for start in (100.0, 100.5 + frame_seconds, 101.0 + 2 * frame_seconds):
        assert shoe.step(start + 0.001) == b""
        assert letters(shoe.step(start + frame_seconds + 0.001)) == "D"


def test_the_line_is_paced_and_wakes_when_a_byte_is_due() -> None:
    shoe = SimulatedShoe(SimOptions(pty="unused"), 0.0)
    assert shoe.step(0.0) == b""
    heard = b""
    while (wake := shoe.wake) is not None:
        chunk = shoe.step(wake)
        assert len(chunk) == 1
        heard += chunk
        assert len(heard) <= wake * 480 + 1e-6
    assert letters(heard) == "SP"


def test_the_account_is_what_was_dealt_and_what_was_sent() -> None:
    bench = Bench(script=COUP_OF_SIX, script_only=True)
    heard = bench.power_up + bench.pull(6)
    state = bench.shoe.state(reports=True)
    assert state.drawn[0] == PulledCard("2S", "2S", "player", 1, 1)
    assert state.drawn[-1] == PulledCard("6H", "6H", "banker", 3, 1, result="banker")
    assert state.bytes_sent == len(heard)
    for sent in state.reports:
        frame = bytes.fromhex(sent.hex)
        assert heard[sent.offset : sent.offset + len(frame)] == frame
    assert bench.shoe.state().reports == ()
    assert bench.shoe.do(commands.GetState(reports=True), 0.0).state == state


def test_standby_cut_card_and_forced_end_can_be_reported_by_hand() -> None:
    bench = Bench()
    assert letters(bench.do(commands.Standby())) == "P"
    assert letters(bench.do(commands.CutCard())) == "C"
    bench.pull(3)
    heard = bench.do(commands.ForcedEnd())
    assert letters(heard) == "GP"
    assert frames(heard)[0][3] == 0xF0
    assert place(frames(bench.pull())[0]) == (0, 1)


def test_power_off_and_on_keeps_the_cards_and_restarts_the_sequence() -> None:
    bench = Bench(script=COUP_OF_SIX)
    bench.pull(2)
    heard = bench.do(commands.Restart())
    assert (letters(heard), seqs(heard)) == ("SP", "12")
    assert face(frames(bench.pull())[0]) == "2D"


def test_the_lock_makes_cards_come_outside_a_game() -> None:
    bench = Bench()
    heard = bench.do(commands.SetMode(Mode.LOCK)) + bench.pull()
    assert letters(heard) == "Ld"
    assert place(frames(heard)[1]) == (0, 0)
    assert bench.pulled[0].target is None
    assert letters(bench.do(commands.SetMode(Mode.GAME)) + bench.pull()) == "LD"


def test_setting_mode_is_for_checking_a_deck() -> None:
    bench = Bench()
    assert bench.do(commands.SetMode(Mode.SETTING)) == b""
    assert [place(frame) for frame in frames(bench.pull(52))] == [(2, 0)] * 52
    assert "fault" in bench.refusal(commands.SetMode(Mode.ERROR))


def test_a_host_locks_unlocks_and_confirms() -> None:
    bench = Bench()
    lock = bench.shoe.step(0.0, protocol.command("LK", "02"))
    assert (lock[:1], letters(lock[1:])) == (b"\x06", "L")
    assert bench.shoe.state().mode is Mode.LOCK
    assert bench.shoe.step(0.0, protocol.command("LK", "01"))[:1] == b"\x06"
    assert bench.shoe.step(0.0, protocol.command("GP", "00")) == b"\x06"
    assert bench.shoe.state().mode is Mode.GAME


@pytest.mark.parametrize(
    "sent, answer",
    [
        (protocol.command("LK", "03"), b"\x15\x11"),
        (protocol.command("EC", "05"), b"\x15\xff"),
        (protocol.command("GP", "00", with_stx=False), b"\x15\x02"),
        (b"\x06\x06\x15", b""),
    ],
)
def test_a_host_is_refused_with_the_code_of_the_reason(sent: bytes, answer: bytes) -> None:
    assert Bench().shoe.step(0.0, sent) == answer


def test_a_host_that_leaves_stx_out_of_the_check_can_be_suited() -> None:
    bench = Bench(command_check_with_stx=False)
    assert bench.shoe.step(0.0, protocol.command("GP", "00", with_stx=False)) == b"\x06"


def test_left_to_itself_it_deals_coup_after_coup_and_shoe_after_shoe() -> None:
    options = SimOptions(pty="unused", decks=1, auto=True, speed=10.0, cut_card_from_end=14)
    shoe, heard, now = SimulatedShoe(options, 0.0), b"", 0.0
    while shoe.state().shoe < 3:
        wake = shoe.wake
        assert wake is not None
        now = max(now, wake)
        heard += shoe.step(now)
    told = letters(heard)
    assert told.count("C") == 2
    assert told.count("S") == 2
    assert told.count("G") >= 10
    assert now > 2.0


def test_left_to_itself_it_waits_while_locked() -> None:
    shoe = SimulatedShoe(SimOptions(pty="unused", auto=True, speed=0.0), 0.0)
    shoe.do(commands.SetMode(Mode.LOCK), 0.0)
    shoe.step(0.0)
    shoe.step(1.0)
    assert shoe.step(2.0) == b""
    wake = shoe.wake
    assert wake is not None
    assert wake > 2.0


def test_a_card_of_another_back_is_read_as_any_other_and_takes_the_place_of_none() -> None:
    bench = Bench(decks=1)
    bench.do(commands.ChangeShoe(script=("2S", "9H"), foreign=(2,)))
    assert bench.shoe.state().left == 53
    assert [face(frame) for frame in frames(bench.pull(2))] == ["2S", "9H"]
    assert [pulled.foreign for pulled in bench.shoe.state().drawn] == [False, True]
    bench.pull(51)
    assert [pulled.card for pulled in bench.shoe.state().drawn].count("9H") == 2


def test_a_shoe_may_come_without_its_cut_card_and_the_next_one_has_it_again() -> None:
    bench = Bench(decks=1, cut_card_from_end=14)
    bench.do(commands.ChangeShoe(cut_card=False))
    bench.pull(52)
    assert not bench.shoe.state().cut_card_out
    bench.do(commands.ChangeShoe())
    bench.pull(40)
    assert bench.shoe.state().cut_card_out
