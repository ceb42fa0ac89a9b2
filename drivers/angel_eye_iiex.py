# SPDX-License-Identifier: Apache-2.0
"""The Angel Eye II-EX shoe (Angel Playing Cards): RS-232C, 4800 baud (9600 seen), 8N1.

Shoe to host, unasked: a report.

    ENQ(05)  Seq(1 ASCII)  Type(1 ASCII)  payload  ETX(03)  BCC(2 ASCII hex digits, upper case)

    Type  meaning                      payload (every byte but those of M has bit 7 set)
    S     start of communication       -
    P     stand by, between rounds     -
    D     card drawn in a game         target and index, card
    d     card drawn outside a game    mode and error code, card
    R     card report sent again       as D
    G     result                       bits 6-4: 1 player, 2 tie, 4 banker, 7 forced end;
                                       bit 0 player pair, bit 1 banker pair
    C     cutting card drawn           -
    E     error                        bit 6 the shoe is in error mode, bits 5-0 code
    e     error cancelled              bits 6-0 code
    L     key lock                     bit 0: locked
    M     preset value changed         2 ASCII address, 4 ASCII value

    target and index   bits 6-4: 0 player, 1 banker, 2 burn, 4 first card, 5 burn count;
                       bits 3-0: 0 to 10; for player and banker 1 to 3, the n-th card of that side
    mode               bits 6-4: 0 lock, 1 error, 2 setting; bits 3-0: error code or 0
    card               bits 6-4: 0 none, 1 diamond, 2 club, 3 spade, 4 heart;
                       bits 3-0: 0 none, 1 ace, 2 to 10, 11 jack, 12 queen, 13 king

Host to shoe, in engineering mode only: STX(02) 'O' 'P' type(2) data(2 digits) ETX BCC.
The shoe answers ACK(06), or NAK(15) and a code byte; to a read, STX data ETX BCC (contents
not public).

Theory of operation. The maker's specification is not public; the table above was drawn from two
independent public readers of the shoe, and where they disagree the point is a setting whose
default is the safe one. BCC is the exclusive or of the bytes from Seq to ETX. No byte of a
report's body can be ENQ, STX, ETX, ACK or NAK, so one of those always begins something new. NAK
and its code are one unit, for codes 02 and 03 are STX and ETX.

The shoe sends each report several times. A report equal in Seq, type and payload to the one
before is a repeat and is counted, not acted on; equal cards alone say nothing, for neighbours may
be equal. A Seq that is not the next one means that reports were lost: ``SequenceGap`` comes just
before the report that shows it. After the line was closed and opened, a report equal to the last
one heard is given as ``CardRepeated``, evidence and never a card, and the sequence goes on from
it: a reconnect that lost nothing shows no gap. ``S`` begins a new sequence. ``R`` is taken as a
repeat only; it never is a new card and never clears a round.

The line carries no table, shoe, round, pack or copy number.
"""

from enum import Enum

import msgspec

from drivers.angel_eye_iiex_payloads import letter, meaning_of
from drivers.base import Capabilities, Decoded, Duplicate, Explanation
from drivers.framing import Framer, Layout, Scrap, xor_of
from studio.game.inputs import (
    CardDrawn,
    CardRepeated,
    CardUnreadable,
    CommandAnswered,
    FrameRejected,
    Report,
    SequenceGap,
    ShoeStarted,
)

STX, ETX, ENQ, ACK, NAK = 0x02, 0x03, 0x05, 0x06, 0x15
_NAK_CODES = bytes.fromhex("01 02 03 11 12 13 14 21 22 ff")


class CheckScope(str, Enum):
    """Which bytes the BCC covers; ``learn`` tries both and keeps the first that fits."""

    EXCLUDE_START = "exclude_start"
    INCLUDE_START = "include_start"
    LEARN = "learn"


class DuplicateKey(str, Enum):
    """What must be equal to the report before for a report to be a repeat of it."""

    SEQ = "seq"
    SEQ_TYPE = "seq_type"
    SEQ_TYPE_PAYLOAD = "seq_type_payload"


_KEY_LENGTH = {DuplicateKey.SEQ: 1, DuplicateKey.SEQ_TYPE: 2, DuplicateKey.SEQ_TYPE_PAYLOAD: None}


class AngelEyeSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is not settled in public about this shoe; the defaults are the safe choices.

    ``ack_reports`` sends ACK for each report: off, for the shoe mostly talks to another system
    too. ``sequence`` is the run of Seq characters, after the last comes the first; empty switches
    gap detection off. ``report_check`` is the BCC scope of reports, ``command_check`` that of
    commands (the published lock example fits only with STX included). ``engineering`` allows
    commands to be built at all. ``longest_frame`` is in bytes.
    """

    ack_reports: bool = False
    sequence: str = "0123456789"
    duplicate_key: DuplicateKey = DuplicateKey.SEQ_TYPE_PAYLOAD
    report_check: CheckScope = CheckScope.EXCLUDE_START
    command_check: CheckScope = CheckScope.INCLUDE_START
    engineering: bool = False
    longest_frame: int = 64

    def __post_init__(self) -> None:
        if len(set(self.sequence)) != len(self.sequence):
            raise ValueError("sequence: a character is named twice; name each once, in their order")
        if self.command_check is CheckScope.LEARN:
            raise ValueError(
                "command_check: there is nothing to learn from before a command is sent;"
                " use include_start or exclude_start"
            )
        if not 16 <= self.longest_frame <= 1024:
            raise ValueError("longest_frame: must be 16 to 1024 bytes")


class AngelEyeIIEX:
    """Decoder of one shoe's line; see the module for the frames."""

    name = "angel_eye_iiex"
    version = "1"
    capabilities = Capabilities(
        has_side=True,
        has_slot=True,
        has_seq=True,
        has_copy=False,
        has_pack=False,
        has_result=True,
        has_lock=True,
        has_fault_clear=True,
        repeats_frames=True,
        needs_ack=False,
        can_query=False,
        heartbeat_seconds=None,
    )

    def __init__(self, settings: AngelEyeSettings) -> None:
        self._settings = settings
        self._framer = Framer(
            Layout(
                starts=bytes((ENQ, STX)),
                end=ETX,
                check_length=2,
                longest=settings.longest_frame,
                alone=bytes((ACK,)),
                pairs={NAK: _NAK_CODES},
            )
        )
        self._scope = settings.report_check
        self._key_length = _KEY_LENGTH[settings.duplicate_key]
        self._last: bytes | None = None
        self._last_repeat: bytes | None = None
        self._last_seq: str | None = None
        self._is_first_after_reopening = False

    def feed(self, chunk: bytes) -> list[Decoded | Duplicate]:
        """Take bytes as they come; return what they complete."""
        out: list[Decoded | Duplicate] = []
        for piece in self._framer.feed(chunk):
            raw, end = piece.raw, piece.end
            if isinstance(piece, Scrap):
                out.append(Decoded(FrameRejected(piece.reason), raw, end))
            elif raw[0] == ENQ and not self._is_sound(raw):
                out.append(Decoded(FrameRejected("checksum"), raw, end))
            elif raw[0] == ENQ:
                self._report(raw, end, out)
            else:
                out.append(Decoded(_answer(raw), raw, end))
        return out

    def reopened(self) -> None:
        """The line was closed and opened: the next report may be the last one, sent again."""
        self._framer.reset()
        self._is_first_after_reopening = True

    def acknowledgement(self, decoded: Decoded | Duplicate) -> bytes:
        """ACK for each report with a good check, if the settings ask for it; else nothing."""
        if not self._settings.ack_reports or decoded.raw[:1] != bytes((ENQ,)):
            return b""
        if isinstance(decoded, Decoded):
            report = decoded.report
            if isinstance(report, SequenceGap):
                return b""
            if isinstance(report, FrameRejected) and report.reason != "bad_field":
                return b""
        return bytes((ACK,))

    def explain(self, raw: bytes) -> Explanation:
        """Lay out a frame: control bytes by name, Seq and type as letters, the rest in hex."""
        if len(raw) < 4 or raw[0] not in (ENQ, STX) or raw[-3] != ETX:
            return Explanation(" ".join(_field(place, raw) for place in range(len(raw))), "none")
        fields = " ".join(_field(place, raw) for place in range(len(raw) - 2))
        fields = f"{fields} {letter(raw[-2])}{letter(raw[-1])}"
        fits = _scope_of(raw)
        if fits is None:
            return Explanation(fields, "wrong")
        if raw[0] == STX or self._scope in (fits, CheckScope.LEARN):
            return Explanation(fields, "ok")
        return Explanation(fields, "other_scope", f'report_check = "{fits.value}"')

    def _is_sound(self, raw: bytes) -> bool:
        fits = _scope_of(raw)
        if self._scope is CheckScope.LEARN and fits is not None:
            self._scope = fits
        return fits is self._scope

    def _report(self, raw: bytes, end: int, out: list[Decoded | Duplicate]) -> None:
        body = raw[1:-3]
        report = meaning_of(body)
        if not body:
            out.append(Decoded(report, raw, end))
            return
        seq = letter(body[0])
        key = body[: self._key_length]
        is_first, self._is_first_after_reopening = self._is_first_after_reopening, False
        if key in (self._last, self._last_repeat):
            out.append(_again(report, raw, end, seq) if is_first else Duplicate(raw, end))
            return
        if isinstance(report, CardRepeated) and seq == self._last_seq:
            self._last_repeat = key
        else:
            if not isinstance(report, ShoeStarted) and self._last_seq is not None:
                expected = self._after(self._last_seq)
                if seq != expected and self._settings.sequence:
                    out.append(Decoded(SequenceGap(expected, seq), raw, end, seq))
            self._last, self._last_repeat, self._last_seq = key, None, seq
        out.append(Decoded(report, raw, end, seq))

    def _after(self, seq: str) -> str:
        """The Seq due after this one; ``?`` after one that is not of the sequence."""
        sequence = self._settings.sequence
        place = sequence.find(seq)
        return "?" if place < 0 else sequence[(place + 1) % len(sequence)]


def _again(report: Report, raw: bytes, end: int, seq: str) -> Decoded | Duplicate:
    """The last report before a reconnect, heard again as the first after it."""
    match report:
        case CardDrawn(card, target, index):
            return Decoded(CardRepeated(card, target, index), raw, end, seq)
        case CardUnreadable(_, target, index):
            return Decoded(CardRepeated(None, target, index), raw, end, seq)
        case ShoeStarted():  # opening a line may restart the shoe, and a start may be told twice
            return Decoded(report, raw, end, seq)
        case _:
            return Duplicate(raw, end)


def _answer(raw: bytes) -> Report:
    """The shoe's answer to a command: ACK, NAK and its code, or data with its check."""
    if raw[0] == ACK:
        return CommandAnswered("ok")
    if raw[0] == NAK:
        return CommandAnswered("nak", f"{raw[1]:02x}")
    if _scope_of(raw) is None:
        return FrameRejected("checksum")
    return CommandAnswered("data", raw[1:-3].hex())


def _scope_of(raw: bytes) -> CheckScope | None:
    """Over which bytes the check of a whole frame is right; None if over neither choice."""
    excluded = xor_of(raw[1:-2])
    if raw[-2:] == b"%02X" % excluded:
        return CheckScope.EXCLUDE_START
    if raw[-2:] == b"%02X" % (excluded ^ raw[0]):
        return CheckScope.INCLUDE_START
    return None


_NAMES = {STX: "STX", ETX: "ETX", ENQ: "ENQ", ACK: "ACK", NAK: "NAK"}


def _field(place: int, raw: bytes) -> str:
    byte = raw[place]
    if byte in _NAMES and not (place == 1 and raw[0] == NAK):
        return _NAMES[byte]
    return letter(byte) if raw[0] == ENQ and place <= 2 else f"{byte:02x}"
