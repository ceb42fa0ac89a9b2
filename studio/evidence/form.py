# SPDX-License-Identifier: Apache-2.0
"""The form of an evidence file: one JSON object about one round. Pure.

It holds everything twice: once to be read (``round`` to ``cases``), once as it was stored, to be
proven (``messages`` and ``proof``). Times are UTC as in the record, hashes are lower-case hex.

**For the studio** ``proof`` holds every row of the journal from the round's first to its last,
byte for byte, and on to the first head that was exported after it; each later amendment or void
has a stretch of its own. What was so when the round began (``environment``, ``house``, ``dealer``,
``software``, ``rules``) and the ``cases`` are from the record and the staff's database; they are
not in this proof.

**For an operator** there is nothing of staff and no card that players did not see: it is made of
the public messages alone, and of the few members that ``studio.evidence.operators`` names. Its
proof is the public chain.
"""

from enum import Enum
from typing import Any

import msgspec

FORM = "sabot evidence 1"

# In the file itself, so that whoever has it needs nothing else.
HOW = {
    "studio": (
        "Each stretch of proof begins with the hash before.hash and the head before.head.",
        "All are 32 bytes in hex. Texts are hashed as their UTF-8 bytes.",
        "header: the JSON array [table, epoch, seq, version, type, at, source, shoe, round,",
        "  public_seq, bytes of event, bytes of payload or null], no blanks, UTF-8 unescaped",
        "hash of a row: SHA-256(hash of the row before, header, event, payload if there is one)",
        "head of a row with a payload: SHA-256(head before, payload)",
        "The last ones are those of exported, a line that was kept outside of the record.",
    ),
    "operator": (
        "Each stretch of proof begins with the head before.head. All heads are 32 bytes in hex.",
        "head of a message: SHA-256(head of the message before, UTF-8 bytes of payload)",
        "The last one is that of exported, a line that was kept outside of the record. The feed",
        "  itself tells the newest head every second, in a signed heartbeat.",
    ),
}


class Audience(str, Enum):
    """For whom a file is made."""

    STUDIO = "studio"
    OPERATOR = "operator"


class _Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of the file; a member that is None is left out."""


class RoundFacts(_Part, frozen=True):
    """Which round, and how it stands."""

    round: str
    table: str
    environment: str
    house: str
    day: str
    shoe: str | None
    status: str
    revision: int
    dealer: str | None = None


class Video(_Part, frozen=True):
    """Where the round is seen: the recorder's stream, and from when to when."""

    stream: str | None
    begins: str
    ends: str | None


class Software(_Part, frozen=True):
    """The program that dealt the round; more than one, where it was started anew meanwhile."""

    version: str
    digest: str


class Happened(_Part, frozen=True):
    """One event of the record."""

    epoch: str
    seq: int
    at: str
    source: str
    round: str | None
    type: str
    data: dict[str, Any]


class CardLine(_Part, frozen=True):
    """One card as an event tells it, who or what told, and the shoe's own bytes in hex."""

    epoch: str
    seq: int
    at: str
    type: str
    card: str | None
    position: str | None
    source: str
    by: str | None = None
    second: str | None = None
    raw: str | None = None


class StaffLine(_Part, frozen=True):
    """One of the staff: what the record names them for; ``name`` if the accounts were asked."""

    staff: str
    did: tuple[str, ...]
    name: str | None = None
    roles: str | None = None


class CaseLine(_Part, frozen=True):
    """One entry of a case about the round."""

    case: str
    at: str
    act: str
    by: str
    operator: str
    reference: str
    due: str
    text: str


class Sent(_Part, frozen=True):
    """One public message: ``payload`` is the text of the very bytes that were sent."""

    epoch: str
    seq: int
    payload: str
    head: str


class StoredRow(_Part, frozen=True):
    """A row of the journal; ``event`` and ``payload`` are the text of its very bytes."""

    seq: int
    version: int
    type: str
    at: str
    source: str
    shoe: str | None
    round: str | None
    event: str
    hash: str
    public_seq: int | None
    payload: str | None
    head: str | None


class Ends(_Part, frozen=True):
    """Where both chains stood before a stretch; ``hash`` and ``seq`` for the studio only."""

    public_seq: int
    head: str
    seq: int | None = None
    hash: str | None = None


class ExportedHead(_Part, frozen=True):
    """A line of the heads kept outside; ``seq`` and ``hash`` for the studio only."""

    public_seq: int
    head: str
    at: str
    seq: int | None = None
    hash: str | None = None


class Stretch(_Part, frozen=True):
    """Rows without a gap, from where to which head; ``exported`` is None if none was kept."""

    epoch: str
    before: Ends
    exported: ExportedHead | None
    rows: tuple[StoredRow, ...] | None = None
    messages: tuple[Sent, ...] = ()


class Evidence(_Part, frozen=True):
    """The whole file."""

    form: str
    made_for: Audience
    how: tuple[str, ...]
    round: RoundFacts
    video: Video
    software: tuple[Software, ...]
    revisions: tuple[dict[str, Any], ...]
    cards: tuple[CardLine, ...]
    events: tuple[Happened, ...]
    rulings: tuple[Happened, ...]
    messages: tuple[Sent, ...]
    proof: tuple[Stretch, ...]
    staff: tuple[StaffLine, ...] | None = None
    cases: tuple[CaseLine, ...] | None = None
    rules: dict[str, Any] | None = None
