# SPDX-License-Identifier: Apache-2.0
"""The bytes of an Angel Eye II-EX: reports as the shoe sends them, commands as the host does.

Pure, and written from the protocol notes alone, so that it shares no mistake with the driver.
It knows frames, not the game.

    report     ENQ  seq(1)  type(1)  payload(0..n, bit 7 set)  ETX  BCC(2 hex digits)
    command    STX  'O' 'P'  type(2)  data(2)  ETX  BCC(2 hex digits)
    answer     ACK, or NAK and one code byte (which may equal STX or ETX)

The BCC of a report is the XOR of all bytes from seq to ETX. The notes contradict themselves on
whether the BCC of a command includes STX; the only printed example does, so that is the default.
"""

from enum import Enum
from functools import reduce
from operator import xor

import msgspec

from studio.game.cards import Card, Suit

STX, ETX, ENQ, ACK, NAK = 0x02, 0x03, 0x05, 0x06, 0x15

RANK_ORDER = "A23456789TJQK"
SUIT_BITS = {Suit.DIAMONDS: 1, Suit.CLUBS: 2, Suit.SPADES: 3, Suit.HEARTS: 4}
MAX_INDEX = 10


class Target(Enum):
    """Where the shoe says that a card of a game goes: its name, and bits 6-4 of the payload."""

    PLAYER = ("player", 0)
    BANKER = ("banker", 1)
    BURN = ("burn", 2)
    FIRST = ("first", 4)
    BURN_COUNT = ("burn_count", 5)

    @property
    def word(self) -> str:
        """The name used in the simulator's own account."""
        return self.value[0]

    @property
    def bits(self) -> int:
        """Bits 6-4 of the first payload byte."""
        return self.value[1]


class Mode(str, Enum):
    """What the shoe is doing; outside a game its cards are reported as type ``d``."""

    GAME = "game"
    LOCK = "lock"
    ERROR = "error"
    SETTING = "setting"


MODE_BITS = {Mode.LOCK: 0, Mode.ERROR: 1, Mode.SETTING: 2}


class Winner(str, Enum):
    """What the shoe believes a round came to."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"
    FORCED = "forced"


WINNER_BITS = {Winner.PLAYER: 1, Winner.TIE: 2, Winner.BANKER: 4, Winner.FORCED: 7}

STARTED = b"S"
STANDBY = b"P"
CUT_CARD = b"C"


class NakCode(Enum):
    """Why a command is refused: the code byte after NAK."""

    OVERRUN = 0x01
    CHECK = 0x02
    NO_ETX = 0x03
    FORMAT = 0x11
    ADDRESS = 0x12
    COMMAND = 0x13
    TYPE = 0x14
    BUSY = 0x21
    WRITING = 0x22
    OTHER = 0xFF


def check(body: bytes) -> bytes:
    """The BCC of these bytes: their XOR, two upper-case hex digits."""
    return b"%02X" % reduce(xor, body, 0)


def report(seq: str, data: bytes) -> bytes:
    """A whole report: ``data`` is the type letter and its payload, ``seq`` one ASCII character."""
    body = seq.encode("ascii") + data + bytes([ETX])
    return bytes([ENQ]) + body + check(body)


def face(card: Card | None) -> int:
    """The second byte of a card payload; no suit and no rank when the card could not be read."""
    if card is None:
        return 0x80
    return 0x80 | SUIT_BITS[card.suit] << 4 | RANK_ORDER.index(card.rank.value) + 1


def card_drawn(target: Target, index: int, card: Card | None) -> bytes:
    """``D``: a card of a game. The draw index has room for 0 to 10; a higher one stays at 10."""
    return bytes([ord("D"), 0x80 | target.bits << 4 | min(index, MAX_INDEX), face(card)])


def card_outside(mode: Mode, code: int, card: Card | None) -> bytes:
    """``d``: a card drawn outside a game; ``code`` is an error code, 0 for none."""
    return bytes([ord("d"), 0x80 | MODE_BITS[mode] << 4 | code & 0x0F, face(card)])


def retransmission(target: Target, index: int, card: Card | None) -> bytes:
    """``R``: the payload of a card report once more."""
    return b"R" + card_drawn(target, index, card)[1:]


def result(winner: Winner, *, player_pair: bool = False, banker_pair: bool = False) -> bytes:
    """``G``: the result as the shoe sees it."""
    return bytes([ord("G"), 0x80 | WINNER_BITS[winner] << 4 | banker_pair << 1 | int(player_pair)])


def fault(code: int, *, latched: bool) -> bytes:
    """``E``: an error, code 0 to 63; ``latched`` when the shoe went into error mode."""
    return bytes([ord("E"), 0x80 | latched << 6 | code & 0x3F])


def fault_cleared(code: int) -> bytes:
    """``e``: an error is over."""
    return bytes([ord("e"), 0x80 | code & 0x7F])


def key_lock(*, locked: bool) -> bytes:
    """``L``: the key lock was turned."""
    return bytes([ord("L"), 0x80 | int(locked)])


def preset(address: str, value: str) -> bytes:
    """``M``: a preset value was changed; two characters of address, four of value."""
    return f"M{address:0>2.2}{value:0>4.4}".encode("ascii")


def nak(code: NakCode) -> bytes:
    """A refusal: NAK and its code."""
    return bytes([NAK, code.value])


class HostCommand(msgspec.Struct, frozen=True):
    """A good command of the host: ``LK``, ``EC`` or ``GP`` and its two digits."""

    kind: str
    data: str


COMMAND_KINDS = ("LK", "EC", "GP")
COMMAND_LENGTH = 10


class CommandParser:
    """Finds the host's commands in a stream of bytes. State: the bytes of an unfinished one.

    ``with_stx``: the BCC of a command includes its STX. Bytes between commands (a host that
    acknowledges reports) are counted in ``ignored``.
    """

    def __init__(self, *, with_stx: bool = True) -> None:
        self._with_stx = with_stx
        self._held = bytearray()
        self.ignored = 0

    def feed(self, chunk: bytes) -> list[HostCommand | NakCode]:
        """Take bytes as they come; return the commands they complete, or why one is refused."""
        self._held += chunk
        found: list[HostCommand | NakCode] = []
        while True:
            start = self._held.find(STX)
            if start < 0:
                self.ignored += len(self._held)
                self._held.clear()
                return found
            self.ignored += start
            del self._held[:start]
            end = self._held.find(ETX)
            next_start = self._held.find(STX, 1, end if end >= 0 else len(self._held))
            if next_start > 0 or (end < 0 and len(self._held) >= COMMAND_LENGTH):
                del self._held[: next_start if next_start > 0 else len(self._held)]
                found.append(NakCode.NO_ETX)
                continue
            if end < 0 or len(self._held) < end + 3:
                return found
            frame = bytes(self._held[: end + 3])
            del self._held[: end + 3]
            found.append(self._read(frame))

    def _read(self, frame: bytes) -> HostCommand | NakCode:
        body, bcc = frame[:-2], frame[-2:]
        if check(body if self._with_stx else body[1:]) != bcc:
            return NakCode.CHECK
        if len(frame) != COMMAND_LENGTH or not frame[5:7].isdigit():
            return NakCode.FORMAT
        if frame[1:3] != b"OP":
            return NakCode.COMMAND
        kind = frame[3:5].decode("latin-1")
        if kind not in COMMAND_KINDS:
            return NakCode.TYPE
        return HostCommand(kind, frame[5:7].decode("ascii"))


def command(kind: str, data: str, *, with_stx: bool = True) -> bytes:
    """A command as a host sends it: ``command("LK", "02")`` locks."""
    body = bytes([STX]) + f"OP{kind}{data}".encode("ascii") + bytes([ETX])
    return body + check(body if with_stx else body[1:])
