# SPDX-License-Identifier: Apache-2.0
"""The published example frames of the Angel Eye II-EX, one stream."""

import json
from pathlib import Path

import pytest

from drivers.base import Decoded
from drivers.registry import decoder_for
from studio.game.cards import Card
from studio.game.coup import Outcome
from studio.game.inputs import (
    CardDrawn,
    CardRepeated,
    CutCardDrawn,
    DeviceMode,
    FaultCleared,
    FaultKind,
    FaultReported,
    FrameRejected,
    LockChanged,
    Report,
    ResultReported,
    SequenceGap,
    ShoeStandby,
    ShoeStarted,
    Target,
)

VECTORS = json.loads(
    (Path(__file__).parents[1] / "golden" / "angel_eye_iiex_vectors.json").read_text()
)

EXPECTED: list[list[Report]] = [
    [CardDrawn(Card("8S"), Target.PLAYER, 1)],
    [CardDrawn(Card("TH"), Target.BANKER, 1)],
    [CardDrawn(Card("AD"), Target.PLAYER, 2)],
    [CardDrawn(Card("KC"), Target.BANKER, 2)],
    [ResultReported(Outcome.PLAYER)],
    [CutCardDrawn()],
    [ShoeStarted()],
    [ShoeStandby()],
    [CardDrawn(Card("5C"), in_game=False, mode=DeviceMode.SETTING)],
    [FaultReported(FaultKind.NO_READ, 1, latched=True)],
    [FaultCleared(1)],
    [LockChanged(locked=True)],
    [FrameRejected("checksum")],
    [SequenceGap("3", "4"), CardDrawn(Card("7D"), Target.FIRST)],
    [CardDrawn(Card("QS"), Target.BURN, 1)],
    [CardRepeated(Card("8S"), Target.PLAYER, 1)],
]


@pytest.mark.req("REC-5")
def test_each_published_frame_gives_its_report() -> None:
    decoder = decoder_for("angel_eye_iiex", {})
    assert len(VECTORS) == len(EXPECTED)
    for vector, expected in zip(VECTORS, EXPECTED, strict=True):
        raw = bytes.fromhex(vector["hex"])
        decoded = decoder.feed(raw)
        assert [item.report for item in decoded if isinstance(item, Decoded)] == expected
        assert {item.raw for item in decoded} == {raw}
        last = decoded[-1]
        assert isinstance(last, Decoded)
        assert last.seq == vector["report"].get("seq")
