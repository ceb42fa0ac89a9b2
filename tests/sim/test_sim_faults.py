# SPDX-License-Identifier: Apache-2.0
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.sim import commands, protocol
from drivers.sim.commands import Fault, Unreadable
from drivers.sim.device import SimulatedShoe
from drivers.sim.faults import SPOILING, FaultKind, Spoil, at_wrong_baud, spoiled
from drivers.sim.options import SimOptions
from drivers.sim.protocol import Mode
from studio.game.cards import Card
from tests.sim.wire import Bench, face, frames, letters, place, seqs

FRAME = protocol.report("1", protocol.card_drawn(protocol.Target.PLAYER, 1, Card("8S")))


def spoil(kind: FaultKind, **fields: int) -> bytes:
    pieces = spoiled(FRAME, Spoil(kind=kind, **fields), random.Random(1))
    return b"".join(piece.data for piece in pieces)


def test_each_way_to_spoil_a_frame_does_what_it_says() -> None:
    assert spoil(FaultKind.SPLIT) == FRAME
    assert spoil(FaultKind.GARBAGE_BEFORE, size=4)[4:] == FRAME
    assert spoil(FaultKind.GARBAGE_AFTER, size=4)[:-4] == FRAME
    assert len(spoil(FaultKind.GARBAGE_INSIDE, size=4)) == len(FRAME) + 4
    assert spoil(FaultKind.BAD_CHECK) == FRAME[:-2] + b"4G".replace(b"G", b"E")
    assert spoil(FaultKind.LOWER_CHECK) == FRAME[:-2] + b"4f"
    assert spoil(FaultKind.OTHER_SCOPE) == FRAME[:-2] + b"4A"
    assert spoil(FaultKind.NO_ETX) == FRAME.replace(b"\x03", b"")
    assert spoil(FaultKind.TRUNCATED, size=5) == FRAME[:3]
    assert len(spoil(FaultKind.OVERLONG, size=40)) == len(FRAME) + 40
    assert letters(spoil(FaultKind.OVERLONG, size=40)) == "D"
    assert spoil(FaultKind.BIT_FLIP, at=4, bit=0) == FRAME[:4] + b"\xb9" + FRAME[5:]
    assert spoil(FaultKind.SEVEN_BITS) == bytes.fromhex("0531440138033446")
    assert spoil(FaultKind.NAK_BEFORE, code=3) == b"\x15\x03" + FRAME
    assert spoil(FaultKind.NAK_AFTER, code=2) == FRAME + b"\x15\x02"


@given(st.binary(max_size=40))
def test_the_right_baud_rate_reads_what_was_sent(data: bytes) -> None:
    assert at_wrong_baud(data, 1.0) == data


@pytest.mark.parametrize("read_at", [0.5, 2.0, 4.0])
def test_a_wrong_baud_rate_gives_bytes_without_a_frame(read_at: float) -> None:
    stream = at_wrong_baud(FRAME * 20, read_at)
    assert len(stream) > 20
    assert FRAME not in stream
    assert at_wrong_baud(stream, 1.0) == stream


@pytest.mark.parametrize("kind", sorted(SPOILING))
def test_a_fault_hits_the_next_reports_and_no_more(kind: FaultKind) -> None:
    bench = Bench()
    assert bench.fault(kind=kind, count=2) == b""
    bench.pull(2)
    assert letters(bench.pull()) == "D"
    sent = bench.shoe.state(reports=True).reports
    assert [each.fault for each in sent[-3:]] == [kind.value, kind.value, None]


def test_only_the_first_copy_is_spoiled_unless_told_otherwise() -> None:
    bench = Bench(repeats=2)
    bench.fault(kind=FaultKind.BAD_CHECK)
    heard = bench.pull()
    assert len(frames(heard[8:])) == 2
    bench.fault(kind=FaultKind.TRUNCATED, size=7, all_copies=True)
    assert bench.pull() == b"\x05" * 3


def test_a_standing_fault_stays_until_it_is_lifted() -> None:
    bench = Bench()
    bench.fault(kind=FaultKind.LOWER_CHECK, count=0)
    bench.pull(30)
    assert all(each.fault == "lower_check" for each in bench.shoe.state(reports=True).reports[2:])
    bench.fault(kind=FaultKind.NONE)
    assert letters(bench.pull())[0] == "D"
    assert bench.shoe.state(reports=True).reports[-1].fault is None


def test_a_lost_report_leaves_a_hole_in_the_sequence() -> None:
    bench = Bench()
    bench.fault(kind=FaultKind.LOST)
    assert seqs(bench.power_up + bench.pull(2)) == "124"
    assert len(bench.shoe.state().drawn) == 2


def test_the_sequence_jumps_sticks_and_starts_again() -> None:
    bench = Bench()
    bench.fault(kind=FaultKind.SEQ_JUMP, size=2)
    assert seqs(bench.pull()) == "5"
    bench.fault(kind=FaultKind.SEQ_STUCK, count=2)
    assert seqs(bench.pull(2)) == "55"
    bench.fault(kind=FaultKind.SEQ_RESET)
    assert seqs(bench.do(commands.Standby())) == "1"


@pytest.mark.parametrize(
    "how, heard",
    [(Unreadable.CARD, "D"), (Unreadable.ERROR, "E"), (Unreadable.BOTH, "DE")],
)
def test_an_unreadable_card_leaves_the_shoe_all_the_same(how: Unreadable, heard: str) -> None:
    bench = Bench(script=("9H", "8H"))
    bench.fault(kind=FaultKind.UNREADABLE, how=how)
    stream = bench.pull()
    assert letters(stream) == heard
    if "D" in heard:
        assert frames(stream)[0][4] == 0x80
    if "E" in heard:
        assert frames(stream)[-1][3] == 0x81
    assert (bench.pulled[0].card, bench.pulled[0].read) == ("9H", None)
    assert face(frames(bench.pull())[0]) == "8H"


def test_a_ghost_is_one_card_that_is_told_and_counted_twice() -> None:
    bench = Bench(script=("9H", "8H"))
    bench.fault(kind=FaultKind.GHOST)
    told = frames(bench.pull())
    assert [face(frame) for frame in told] == ["9H", "9H"]
    assert [place(frame) for frame in told] == [(0, 1), (1, 1)]
    assert seqs(b"".join(told)) == "34", "each with a sequence of its own"
    assert [one.card for one in bench.pulled] == ["9H"]
    following = frames(bench.pull())
    assert [(face(frame), place(frame)) for frame in following] == [("8H", (0, 2))]


def test_a_misread_card_is_reported_as_another() -> None:
    bench = Bench(script=("9H",))
    assert "card" in bench.refusal(Fault(kind=FaultKind.MISREAD))
    assert "9X" in bench.refusal(Fault(kind=FaultKind.MISREAD, card="9X"))
    bench.fault(kind=FaultKind.MISREAD, card="AS")
    assert face(frames(bench.pull())[0]) == "AS"
    assert bench.pulled[0].card == "9H"


def test_an_overdraw_is_an_error_and_a_card_outside_the_game_until_cancelled() -> None:
    bench = Bench()
    heard = frames(bench.fault(kind=FaultKind.OVERDRAW))
    assert [frame[2:3] for frame in heard] == [b"E", b"d"]
    assert heard[0][3] == 0xC2
    assert place(heard[1]) == (1, 2)
    assert len(bench.pulled) == 1
    assert letters(bench.pull()) == "d"
    assert letters(bench.do(commands.Clear())) == "e"
    assert letters(bench.pull()) == "D"


def test_errors_latch_or_pass_and_the_host_can_cancel_them() -> None:
    bench = Bench()
    assert frames(bench.fault(kind=FaultKind.ERROR, code=7, latched=False))[0][3] == 0x87
    assert bench.shoe.state().mode is Mode.GAME
    bench.fault(kind=FaultKind.ERROR, code=4)
    bench.fault(kind=FaultKind.ERROR, code=5)
    assert bench.shoe.state().errors == (4, 5)
    answer = bench.shoe.step(0.0, protocol.command("EC", "04"))
    assert (answer[:1], frames(answer[1:])[0][2:4]) == (b"\x06", b"e\x84")
    assert bench.shoe.state().mode is Mode.ERROR
    bench.do(commands.Clear(5))
    assert bench.shoe.state().mode is Mode.GAME


def test_noise_break_and_flood_come_at_once() -> None:
    bench = Bench()
    assert len(bench.fault(kind=FaultKind.NOISE, size=50)) == 50
    assert bench.fault(kind=FaultKind.BREAK) == b"\x00"
    assert letters(bench.fault(kind=FaultKind.FLOOD, count=500)) == "P" * 500


def test_in_a_silence_reports_are_lost() -> None:
    shoe = SimulatedShoe(SimOptions(pty="unused", speed=0.0), 0.0)
    shoe.step(0.0)
    shoe.do(Fault(kind=FaultKind.SILENCE, seconds=5.0), 0.0)
    shoe.do(commands.Pull(), 1.0)
    assert shoe.step(1.0) == b""
    shoe.do(commands.Pull(), 5.0)
    assert seqs(shoe.step(5.0)) == "4"
    shoe.do(Fault(kind=FaultKind.SILENCE), 5.0)
    shoe.do(commands.Pull(), 500.0)
    assert shoe.step(500.0) == b""
    shoe.do(Fault(kind=FaultKind.NONE), 500.0)
    shoe.do(commands.Standby(), 500.0)
    assert letters(shoe.step(500.0)) == "P"


def test_commands_can_be_refused_or_left_without_a_reply() -> None:
    bench = Bench()
    bench.fault(kind=FaultKind.REFUSE)
    bench.fault(kind=FaultKind.REFUSE, code=3)
    bench.fault(kind=FaultKind.NO_REPLY)
    command = protocol.command("GP", "00")
    assert bench.shoe.step(0.0, command) == b"\x15\x21"
    assert bench.shoe.step(0.0, command) == b"\x15\x03"
    assert bench.shoe.step(0.0, command * 2) == b"\x06"


def test_a_repeat_of_a_card_report_names_the_last_card_or_another() -> None:
    bench = Bench(script=("9H",))
    assert "pull" in bench.refusal(commands.Retransmit())
    bench.pull()
    matching, other = frames(bench.do(commands.Retransmit()) + bench.do(commands.Retransmit("2C")))
    assert (matching[2:3], place(matching), face(matching)) == (b"R", (0, 1), "9H")
    assert (place(other), face(other)) == ((0, 1), "2C")


def test_any_report_and_any_bytes_can_be_sent() -> None:
    bench = Bench()
    assert frames(bench.do(commands.ReportData("44848e")))[0][1:5] == b"3D\x84\x8e"
    assert bench.do(commands.SendBytes("00ff")) == b"\x00\xff"
    assert "hex" in bench.refusal(commands.SendBytes("xyz"))


FAULTS = st.builds(
    Fault,
    kind=st.sampled_from(FaultKind),
    count=st.integers(0, 3),
    all_copies=st.booleans(),
    size=st.integers(0, 20),
    at=st.none() | st.integers(0, 9),
    bit=st.none() | st.integers(0, 7),
    code=st.none() | st.integers(0, 255),
    read_at=st.floats(0.1, 16),
    seconds=st.none() | st.floats(0, 5),
    how=st.sampled_from(Unreadable),
    card=st.none() | st.sampled_from(Card).map(lambda card: card.value),
)
DEEDS = st.one_of(
    FAULTS,
    st.builds(commands.Pull, st.integers(1, 8)),
    st.builds(commands.SetMode, st.sampled_from(Mode)),
    st.builds(commands.Clear, st.none() | st.integers(0, 127)),
    st.sampled_from([commands.ChangeShoe(), commands.Restart(), commands.ForcedEnd()]),
)
FROM_THE_HOST = st.binary(max_size=12) | st.sampled_from(
    [protocol.command(kind, data) for kind in ("LK", "EC", "GP") for data in ("00", "01", "02")]
)


@given(st.lists(st.tuples(DEEDS, FROM_THE_HOST), max_size=25), st.integers(0, 2))
def test_whatever_is_done_to_it_the_cards_add_up(
    deeds: list[tuple[commands.ShoeCommand, bytes]], repeats: int
) -> None:
    shoe = SimulatedShoe(SimOptions(pty="unused", decks=1, repeats=repeats), 0.0)
    now = 0.0
    for deed, received in deeds:
        before = shoe.state()
        answer = shoe.do(deed, now)
        state = shoe.state(reports=True)
        if not answer.ok:
            assert state.drawn == before.drawn
        assert state.left + sum(pulled.card is not None for pulled in state.drawn) == 52
        assert state.drawn[len(state.drawn) - len(answer.pulled) :] == answer.pulled
        now = max(now, shoe.wake or now) + 0.01
        shoe.step(now, received)
