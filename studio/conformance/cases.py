# SPDX-License-Identifier: Apache-2.0
"""Everything a front-end is put through: what is done, what is expected, and by which rule."""

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from studio.conformance import cases_of_losses as losses
from studio.conformance import cases_of_rounds as rounds
from studio.conformance import cases_of_trust as trust
from studio.conformance.stage import Stage


class Needs(str, Enum):
    """What a case cannot do without."""

    NOTHING = ""
    SIGNING = "a signing key"
    KEYS = "keys"
    PAUSE = "a system that can pause a process"


class Case(NamedTuple):
    """One row of the pass sheet."""

    name: str
    done: str
    expected: str
    rule: str
    play: Callable[[Stage], None]
    needs: Needs = Needs.NOTHING


_JOINING = (
    "Joining: subscribe, ask for a snapshot, drop messages with seq not above the snapshot's, "
    "apply the rest"
)
_GAP = (
    "A gap (a message beyond last + 1, or a heartbeat beyond last): no bets until it is filled by "
    "history from the last one, never by a snapshot"
)
_ONCE = "seq counts without holes: each message counts once, in the order of seq"
_REVISION = "The highest revision of a round stands, in whatever order they arrive"
_BETS = (
    "Bets end with bets_closed or table_suspended, whichever comes first, and at closes_at by the "
    "time of the heartbeats; only another bets_opened opens them again"
)
_STALE = "Three seconds without any message or heartbeat: no bets until caught up again"
_EPOCH = (
    "Another epoch: ask `round` for each round not settled or still amendable; an unknown one is "
    "suspended and the studio called; then join"
)
_SIGNED = (
    "A heartbeat counts only with the studio's signature over table, epoch, seq, head, at and "
    "suspended, and only if its at is later than the last one's"
)

CASES: tuple[Case, ...] = (
    Case(
        "late-join",
        "the front-end starts when two rounds are over and bets of the third are open",
        "results of both rounds, bets open",
        _JOINING,
        rounds.late_join,
    ),
    Case(
        "join-under-way",
        "messages are sent while the snapshot, taken before them, is on its way",
        "the picture after the last message",
        _JOINING,
        rounds.join_under_way,
    ),
    Case(
        "round",
        "a round from bets_opened to round_closed",
        "bets open, then closed; one result, paid once",
        _BETS,
        rounds.whole_round,
    ),
    Case(
        "first-dropped",
        "the first message of the table is lost",
        "no bets before it is there; then the whole picture",
        _GAP,
        losses.first_dropped,
    ),
    Case(
        "dropped",
        "a message is lost while bets are open; history is late",
        "no bets until history has come",
        _GAP,
        losses.dropped,
    ),
    Case(
        "last-dropped",
        "the last message is lost while bets are open: only the heartbeat tells",
        "no bets until history has come",
        _GAP,
        losses.last_dropped,
    ),
    Case(
        "bets-closed-dropped",
        "bets_closed is lost, and no other message follows",
        "no bets from the next heartbeat on",
        _GAP,
        losses.bets_closed_dropped,
    ),
    Case(
        "result-dropped",
        "result is lost, round_closed is not",
        "the result, paid once",
        _GAP,
        losses.result_dropped,
    ),
    Case(
        "amendment-dropped",
        "result_amended of a round that is over is lost while bets of the next are open",
        "no bets until history has come; the amended result",
        _GAP,
        losses.amendment_dropped,
    ),
    Case(
        "earlier-shoe",
        "result_amended of a round of the shoe before is lost: no snapshot has it",
        "no bets until history has come; the amended result",
        _GAP,
        losses.earlier_shoe,
    ),
    Case(
        "many-dropped",
        "all messages of three rounds are lost; the heartbeats are not",
        "every result and amendment of them",
        _GAP,
        losses.many_dropped,
    ),
    Case(
        "duplicates",
        "every message of two rounds arrives twice, and all of them once more",
        "each round paid once",
        _ONCE,
        losses.duplicates,
    ),
    Case(
        "reordered",
        "the messages of two rounds arrive in pairs, the later one first",
        "the same picture as in order",
        _ONCE,
        losses.reordered,
    ),
    Case(
        "slow-reading",
        "the front-end is paused while 4,000 messages are sent, and 1,500 of them are lost",
        "the picture after the last message",
        _GAP + "; history comes in pages while `more` is true",
        losses.slow_reading,
        Needs.PAUSE,
    ),
    Case(
        "amended",
        "a result is amended before round_closed, and once more while the next round is open",
        "each revision in place of the last one",
        _REVISION,
        rounds.amended,
    ),
    Case(
        "voided",
        "a round is void without a result, one after its result, one long after round_closed",
        "stakes returned: outcome null, nothing paid in the end",
        _REVISION,
        rounds.voided,
    ),
    Case(
        "older-revision-late",
        "revision 1 of a round arrives after revision 2",
        "revision 2",
        _REVISION,
        losses.older_revision_late,
    ),
    Case(
        "acknowledged",
        "a result is amended twice, and rounds are void; one void is lost",
        "acknowledge of each, by its round and revision",
        "result_amended and round_voided: when they are paid or paid back, `acknowledge` until it "
        "is answered",
        rounds.acknowledged,
        Needs.KEYS,
    ),
    Case(
        "suspended",
        "the table is suspended while bets are open, resumed, and bets are opened again",
        "no bets from table_suspended to the next bets_opened",
        _BETS,
        rounds.suspended,
    ),
    Case(
        "last-word",
        "a heartbeat alone says suspended, as when nothing can be stored any more",
        "no bets",
        "When nothing can be stored any more, `suspended` of the heartbeat is the last word on air",
        rounds.last_word,
    ),
    Case(
        "closes-at",
        "closes_at passes and bets_closed does not come; the studio's clock is 30 s ahead",
        "no bets after closes_at by the studio's clock",
        _BETS,
        rounds.past_closes_at,
    ),
    Case(
        "stale",
        "no heartbeat and no message while bets are open, then heartbeats again",
        "no bets, then bets open again",
        _STALE,
        rounds.stale,
    ),
    Case(
        "restart",
        "the service is gone while bets are open and comes back with one message more",
        "no bets, then the picture after that message, bets open",
        "A restart keeps the epoch: history from the last message, never a snapshot",
        losses.restart,
    ),
    Case(
        "new-epoch",
        "a restore from a backup: another epoch, one round lost, one amended, a new shoe; "
        "then a message of the old epoch arrives",
        "the amended result, the lost round unknown, nothing of the old epoch",
        _EPOCH,
        losses.new_epoch,
    ),
    Case(
        "unknown",
        "messages of a type, and members, that no contract names yet",
        "the same picture as without them",
        "A subscriber ignores types and members it does not know; an unknown type still counts",
        trust.unknown,
    ),
    Case(
        "other-table",
        "messages and a suspension of table BAC-10, beside BAC-1",
        "the picture of BAC-1",
        "Subscribe with the slash, BAC-1/: or BAC-1 also brings BAC-10",
        trust.other_table,
    ),
    Case(
        "environment",
        "the front-end is told to expect `live`, and the table says `test`",
        "no bets; status refused, or the front-end ends",
        "Name the environment: `live` pays, `test` does not; a table of the other kind is refused",
        trust.wrong_environment,
    ),
    Case(
        "forged-heartbeat",
        "the studio is silent, and somebody sends heartbeats signed with another key",
        "no bets",
        _SIGNED,
        trust.forged_heartbeat,
        Needs.SIGNING,
    ),
    Case(
        "unsigned-heartbeat",
        "the studio is silent, and somebody sends heartbeats without a signature",
        "no bets",
        _SIGNED,
        trust.unsigned_heartbeat,
        Needs.SIGNING,
    ),
    Case(
        "replayed-heartbeat",
        "the studio is silent, and somebody sends a heartbeat of its own again and again",
        "no bets",
        _SIGNED,
        trust.replayed_heartbeat,
        Needs.SIGNING,
    ),
    Case(
        "changed-message",
        "a message is changed on its way: the signed head of the next heartbeat tells",
        "no bets",
        "head covers every message, byte for byte: no bets on a chain that is not the studio's",
        trust.changed_message,
        Needs.SIGNING,
    ),
)
