# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.sim import protocol
from drivers.sim.protocol import CommandParser, HostCommand, Mode, NakCode, Target, Winner, command
from studio.game.cards import Card

VECTORS = Path(__file__).parents[1] / "golden" / "angel_eye_iiex_vectors.json"

DATA_OF_THE_VECTORS = [
    protocol.card_drawn(Target.PLAYER, 1, Card("8S")),
    protocol.card_drawn(Target.BANKER, 1, Card("TH")),
    protocol.card_drawn(Target.PLAYER, 2, Card("AD")),
    protocol.card_drawn(Target.BANKER, 2, Card("KC")),
    protocol.result(Winner.PLAYER),
    protocol.CUT_CARD,
    protocol.STARTED,
    protocol.STANDBY,
    protocol.card_outside(Mode.SETTING, 0, Card("5C")),
    protocol.fault(1, latched=True),
    protocol.fault_cleared(1),
    protocol.key_lock(locked=True),
    None,
    protocol.card_drawn(Target.FIRST, 0, Card("7D")),
    protocol.card_drawn(Target.BURN, 1, Card("QS")),
    protocol.retransmission(Target.PLAYER, 1, Card("8S")),
]


def test_reports_are_the_published_bytes() -> None:
    vectors = json.loads(VECTORS.read_text())
    assert len(vectors) == len(DATA_OF_THE_VECTORS)
    for number, (vector, data) in enumerate(zip(vectors, DATA_OF_THE_VECTORS, strict=True), 1):
        if data is not None:
            assert protocol.report(str(number % 10), data).hex() == vector["hex"], vector


def test_results_say_winner_and_pairs() -> None:
    assert protocol.result(Winner.TIE, player_pair=True) == bytes([0x47, 0xA1])
    assert protocol.result(Winner.BANKER, banker_pair=True) == bytes([0x47, 0xC2])
    assert protocol.result(Winner.FORCED) == bytes([0x47, 0xF0])


def test_a_card_that_was_not_read_has_no_suit_and_no_rank() -> None:
    assert protocol.card_drawn(Target.BANKER, 3, None) == bytes([0x44, 0x93, 0x80])


def test_a_preset_is_six_characters() -> None:
    assert protocol.preset("7", "12") == b"M070012"


def test_the_lock_command_is_the_printed_example() -> None:
    assert command("LK", "02") == bytes.fromhex("02 4F 50 4C 4B 30 32 03") + b"1B"
    assert command("LK", "02", with_stx=False)[-2:] == b"19"


@given(
    st.lists(
        st.tuples(st.sampled_from(["LK", "EC", "GP"]), st.from_regex("[0-9]{2}", fullmatch=True)),
        max_size=4,
    ),
    st.booleans(),
    st.data(),
)
def test_commands_are_found_however_they_are_split(
    wanted: list[tuple[str, str]], with_stx: bool, data: st.DataObject
) -> None:
    stream = b"\x06".join(command(kind, digits, with_stx=with_stx) for kind, digits in wanted)
    parser = CommandParser(with_stx=with_stx)
    found: list[HostCommand | NakCode] = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        found += parser.feed(stream[:size])
        stream = stream[size:]
    assert found == [HostCommand(kind, digits) for kind, digits in wanted]


@given(st.binary())
def test_no_bytes_of_a_host_raise_anything(stream: bytes) -> None:
    parser = CommandParser()
    parser.feed(stream)
    parser.feed(b"\x00" * 20)
    assert HostCommand("GP", "00") in parser.feed(command("GP", "00") * 2)


@pytest.mark.parametrize(
    "stream, refusal",
    [
        (command("LK", "02", with_stx=False), NakCode.CHECK),
        (command("LK", "xx"), NakCode.FORMAT),
        (command("LK", "021"), NakCode.FORMAT),
        (command("ZZ", "00"), NakCode.TYPE),
        (b"\x02OPLK02" + command("GP", "00"), NakCode.NO_ETX),
        (b"\x02OPLK020000", NakCode.NO_ETX),
        (b"\x02XYLK02\x03" + protocol.check(b"\x02XYLK02\x03"), NakCode.COMMAND),
    ],
)
def test_a_bad_command_is_refused_with_its_code(stream: bytes, refusal: NakCode) -> None:
    assert CommandParser().feed(stream)[0] is refusal
