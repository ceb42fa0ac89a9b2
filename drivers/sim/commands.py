# SPDX-License-Identifier: Apache-2.0
"""What a person, a test or the automatic dealer can tell a simulated shoe, and its answers.

A real shoe is worked by hand: cards are pulled, keys are turned, cables come out. Here each of
these is one command, a JSON object with its name in ``do``; each is answered by one object.
"""

from enum import Enum
from typing import Annotated

import msgspec

from drivers.sim.faults import FaultKind
from drivers.sim.protocol import Mode

Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Seconds = Annotated[float, msgspec.Meta(ge=0)]


class Unreadable(str, Enum):
    """How the shoe says that it could not read a card: an empty ``D``, ``E`` code 1, or both."""

    CARD = "card"
    ERROR = "error"
    BOTH = "both"


class _Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    pass


class Pull(_Command, frozen=True, tag="pull"):
    """Pull the next card out, ``n`` times."""

    n: Annotated[int, msgspec.Meta(ge=1)] = 1


class Standby(_Command, frozen=True, tag="standby"):
    """Report ``P`` now."""


class CutCard(_Command, frozen=True, tag="cut_card"):
    """Report ``C`` now, whatever lies in the shoe."""


class ForcedEnd(_Command, frozen=True, tag="forced_end"):
    """End the coup on the shoe by its button: ``G`` forced end, then ``P``."""


class ChangeShoe(_Command, frozen=True, tag="change_shoe"):
    """Take the shoe out and put another in: ``S``, ``P``, new cards.

    Without ``seed`` the cards follow from the first seed and the number of the shoe. ``foreign``:
    which of the script's cards, counted from 1, have another back: they are of none of the decks,
    and are read as any other. ``cut_card`` false: none was put in.
    """

    seed: str | None = None
    script: tuple[str, ...] = ()
    foreign: tuple[int, ...] = ()
    cut_card: bool = True


class Restart(_Command, frozen=True, tag="restart"):
    """Power off and on: ``S``, ``P``, the sequence from its start; the cards stay as they are."""


class SetMode(_Command, frozen=True, tag="mode"):
    """Turn the key: ``game``, ``lock`` or ``setting``; ``error`` is left by ``clear``."""

    mode: Mode


class Clear(_Command, frozen=True, tag="clear"):
    """Cancel an error on the shoe; without a code all of them."""

    code: Annotated[int, msgspec.Meta(ge=0, le=127)] | None = None


class Retransmit(_Command, frozen=True, tag="retransmit"):
    """Report ``R`` of the last card, or of ``card`` at the same place."""

    card: str | None = None


class ReportData(_Command, frozen=True, tag="report"):
    """Send any report: ``hex`` is type and payload; sequence and check are added."""

    hex: str


class SendBytes(_Command, frozen=True, tag="bytes"):
    """Send these bytes as they are."""

    hex: str


class Fault(_Command, frozen=True, tag="fault", kw_only=True):
    """Make something go wrong, at once or with the next report.

    Kinds in ``SPOILING`` spoil the next ``count`` reports (0: all, until kind ``none``), the
    first copy of each or ``all_copies``; the other fields are those of ``faults.Spoil``.

    ========== ====================================================================
    lost       the next ``count`` reports are not sent; the sequence goes on
    seq_jump   the sequence skips ``size``; seq_reset: starts again
    seq_stuck  the next ``count`` reports carry the sequence of the one before
    unreadable the next card is not read; ``how`` the shoe says so
    misread    the next card is read as ``card``
    ghost      the next card slides back and comes out again: it is told, and counted, twice
    overdraw   one card too many is pulled now: ``E`` code 2, then ``d``
    error      ``E`` with ``code``, ``latched`` or not
    noise      ``size`` random bytes now; break: one NUL
    flood      ``count`` standby reports now
    silence    nothing is sent for ``seconds`` (None: until kind ``none``); it is lost
    refuse     the next ``count`` commands are answered NAK ``code``; no_reply: not at all
    none       no fault any longer
    ========== ====================================================================
    """

    kind: FaultKind
    count: Count = 1
    all_copies: bool = False
    size: Count = 3
    at: Count | None = None
    bit: Annotated[int, msgspec.Meta(ge=0, le=7)] | None = None
    code: Annotated[int, msgspec.Meta(ge=0, le=255)] | None = None
    gap_seconds: Seconds = 0.02
    read_at: Annotated[float, msgspec.Meta(ge=0.1, le=16)] = 2.0
    seconds: Seconds | None = None
    how: Unreadable = Unreadable.BOTH
    card: str | None = None
    latched: bool = True


class GetState(_Command, frozen=True, tag="state"):
    """The simulator's own account; with ``reports`` also what it sent of late."""

    reports: bool = False


class Unplug(_Command, frozen=True, tag="unplug"):
    """Take the cable out, now or when ``after_bytes`` more bytes have left.

    ``reset``: TCP connections end with a reset instead of a close.
    """

    after_bytes: Count | None = None
    reset: bool = False


class Plug(_Command, frozen=True, tag="plug"):
    """Put the cable in again."""


class Drain(_Command, frozen=True, tag="drain"):
    """Answered when the last byte has left."""


class Stop(_Command, frozen=True, tag="stop"):
    """End the simulator."""


ShoeCommand = (
    Pull
    | Standby
    | CutCard
    | ForcedEnd
    | ChangeShoe
    | Restart
    | SetMode
    | Clear
    | Retransmit
    | ReportData
    | SendBytes
    | Fault
    | GetState
)
LineCommand = Unplug | Plug | Drain | Stop
ControlCommand = ShoeCommand | LineCommand


class PulledCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """One pull, as it was: ``card`` is the truth, ``read`` what the shoe made of it.

    ``target`` and ``index`` as reported, None for a card outside a game; ``cut_card``: the cut
    card came out before it; ``result`` is set by the card that ended the coup. ``foreign``: it has
    another back, as eyes can see.
    """

    card: str | None
    read: str | None
    target: str | None = None
    index: int = 0
    coup: int = 0
    cut_card: bool = False
    result: str | None = None
    foreign: bool = False


class Sent(msgspec.Struct, frozen=True, omit_defaults=True):
    """One report: where its first byte is in all bytes sent, the good frame, and its fate."""

    offset: int
    hex: str
    copies: int = 1
    fault: str | None = None


class State(msgspec.Struct, frozen=True):
    """The simulator's own account of the shoe in place.

    ``bytes_sent`` counts from the start, ``idle`` says that none waits to be sent; ``unread`` ones
    wait in the pseudo-terminal for a host, ``bytes_lost`` were taken by nobody. ``connections``
    counts hosts on TCP; whether one has the pseudo-terminal open, nobody can tell.
    ``last_byte_at_ns``: when the last byte left, on the machine's monotonic clock.
    """

    shoe: int
    left: int
    coup: int
    burning: bool
    between_coups: bool
    cut_card_out: bool
    mode: Mode
    errors: tuple[int, ...]
    seq: str
    bytes_sent: int
    idle: bool
    drawn: tuple[PulledCard, ...]
    earlier_shoes: tuple[tuple[str, ...], ...]
    reports: tuple[Sent, ...] = ()
    plugged: bool = True
    connections: int = 0
    unread: int = 0
    bytes_lost: int = 0
    last_byte_at_ns: int = 0


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to a command; ``error`` says what to do instead when ``ok`` is false."""

    ok: bool
    error: str | None = None
    pulled: tuple[PulledCard, ...] = ()
    state: State | None = None
