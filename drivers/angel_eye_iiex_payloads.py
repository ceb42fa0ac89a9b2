# SPDX-License-Identifier: Apache-2.0
"""What the reports of an Angel Eye II-EX mean, type by type; the table heads ``angel_eye_iiex``.

Pure, without memory: framing, check and sequence are the decoder's.
"""

from collections.abc import Callable

from studio.game.cards import RANKS, Card
from studio.game.coup import Outcome
from studio.game.inputs import (
    CardDrawn,
    CardRepeated,
    CardUnreadable,
    CutCardDrawn,
    DeviceMode,
    FaultCleared,
    FaultKind,
    FaultReported,
    FrameRejected,
    LockChanged,
    Report,
    ResultReported,
    SettingChanged,
    ShoeStandby,
    ShoeStarted,
    Target,
    UnknownReport,
)


class _BadField(Exception):
    """A field has a value that the table does not know."""


_SUITS = {1: "D", 2: "C", 3: "S", 4: "H"}
_TARGETS = {
    0: Target.PLAYER,
    1: Target.BANKER,
    2: Target.BURN,
    4: Target.FIRST,
    5: Target.BURN_COUNT,
}
_MODES = {0: DeviceMode.LOCK, 1: DeviceMode.ERROR, 2: DeviceMode.SETTING}
_OUTCOMES = {1: Outcome.PLAYER, 2: Outcome.TIE, 4: Outcome.BANKER, 7: None}
_FAULTS = {
    1: FaultKind.NO_READ,
    2: FaultKind.OVERDRAW,
    3: FaultKind.BUTTON_MISUSE,
    4: FaultKind.REVERSE_EXIT,
    5: FaultKind.REVERSE_MID,
    6: FaultKind.WRONG_SET,
    7: FaultKind.DRAW_TIMEOUT,
}


def _split(byte: int) -> tuple[int, int]:
    """Bits 6-4 and bits 3-0 of a payload byte."""
    if byte < 0x80:
        raise _BadField
    return byte >> 4 & 7, byte & 15


def _face(byte: int) -> Card | None:
    """The card of a card byte; None when the shoe read no suit or no rank."""
    suit, rank = _split(byte)
    if suit > 4 or rank > 13:
        raise _BadField
    return Card(RANKS[rank - 1] + _SUITS[suit]) if suit and rank else None


def _place(byte: int) -> tuple[Target, int | None]:
    code, index = _split(byte)
    target = _TARGETS.get(code)
    lowest, highest = (1, 3) if target in (Target.PLAYER, Target.BANKER) else (0, 10)
    if target is None or not lowest <= index <= highest:
        raise _BadField
    return target, index or None


def _drawn(payload: bytes) -> Report:
    (target, index), card = _place(payload[0]), _face(payload[1])
    if card is None:
        return CardUnreadable("no suit or no rank", target, index)
    return CardDrawn(card, target, index)


def _drawn_outside(payload: bytes) -> Report:
    (mode, code), card = _split(payload[0]), _face(payload[1])
    if mode not in _MODES:
        raise _BadField
    if card is None:
        return CardUnreadable(f"no suit or no rank, outside a game ({_MODES[mode].value} mode)")
    return CardDrawn(card, in_game=False, mode=_MODES[mode], mode_code=code or None)


def _repeated(payload: bytes) -> Report:
    (target, index), card = _place(payload[0]), _face(payload[1])
    return CardRepeated(card, target, index)


def _result(payload: bytes) -> Report:
    outcome, pairs = _split(payload[0])
    if outcome not in _OUTCOMES:
        raise _BadField
    return ResultReported(_OUTCOMES[outcome], bool(pairs & 1), bool(pairs & 2))


def _fault(payload: bytes) -> Report:
    _split(payload[0])
    code = payload[0] & 0x3F
    return FaultReported(_FAULTS.get(code, FaultKind.OTHER), code, bool(payload[0] & 0x40))


def _fault_cleared(payload: bytes) -> Report:
    _split(payload[0])
    return FaultCleared(payload[0] & 0x7F)


def _lock(payload: bytes) -> Report:
    _split(payload[0])
    return LockChanged(bool(payload[0] & 1))


def _preset(payload: bytes) -> Report:
    text = payload.decode("latin-1")
    if not (text.isascii() and text.isprintable()):
        raise _BadField
    return SettingChanged(text[:2], text[2:])


_REPORTS: dict[int, tuple[int, Callable[[bytes], Report]]] = {
    ord("S"): (0, lambda _: ShoeStarted()),
    ord("P"): (0, lambda _: ShoeStandby()),
    ord("D"): (2, _drawn),
    ord("d"): (2, _drawn_outside),
    ord("R"): (2, _repeated),
    ord("G"): (1, _result),
    ord("C"): (0, lambda _: CutCardDrawn()),
    ord("E"): (1, _fault),
    ord("e"): (1, _fault_cleared),
    ord("L"): (1, _lock),
    ord("M"): (6, _preset),
}


def letter(byte: int) -> str:
    """A byte as a person writes it: itself if printable, else two hex digits."""
    return chr(byte) if 0x20 < byte < 0x7F else f"{byte:02x}"


def meaning_of(body: bytes) -> Report:
    """What a report with a good check says; ``body`` is Seq, type and payload."""
    if len(body) < 2:
        return FrameRejected("bad_field")
    row = _REPORTS.get(body[1])
    if row is None:
        return UnknownReport(letter(body[1]))
    length, read = row
    if len(body) != length + 2:
        return FrameRejected("bad_field")
    try:
        return read(body[2:])
    except _BadField:
        return FrameRejected("bad_field")
