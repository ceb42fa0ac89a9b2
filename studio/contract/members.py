# SPDX-License-Identifier: Apache-2.0
"""What each member of the public contract means, beyond its type: one row for each name. Pure.

A row stands for a member wherever it occurs; ``Class.name`` is for one that means something else
there. A code is any word: those listed are today's, and a reader must take others.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

DECIMAL = r"^-?[0-9]+(\.[0-9]+)?$"
UTC_TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z$"
HEAD = "^[0-9a-f]{64}$"


class Member(NamedTuple):
    """The description of a member, and keywords that its schema gets beside its type's."""

    text: str
    more: Mapping[str, Any] = MappingProxyType({})


def _code(text: str, *known: str) -> Member:
    return Member(f"{text} Others may be added: take any.", {"examples": list(known)})


def _time(text: str) -> Member:
    return Member(f"{text} UTC, ending in Z.", {"pattern": UTC_TIME})


def _amount(text: str) -> Member:
    return Member(text, {"pattern": DECIMAL})


_REASONS = ("misdeal", "device", "review", "staff", "system")
_TOTAL = "0 to 9; null for a hand without cards."

MEMBERS: dict[str, Member] = {
    # the envelope
    "v": Member("Version. It goes up only when a member changes its meaning: refuse another one."),
    "table": Member("The table's name."),
    "epoch": Member("The run of numbers that seq counts in; another one only after a restore."),
    "seq": Member(
        "Number of the message in its epoch, from 1; otherwise, that of the last message.",
        {"minimum": 0},
    ),
    "shoe": Member("The shoe's id; null where there is none. Never used again."),
    "round": Member("The round's id; null where there is none. Never used again."),
    "type": Member("What the message says. A type that you do not know still counts."),
    "at": _time("When it was recorded."),
    "source": _code("Who is behind it.", "shoe", "manual", "timer", "system"),
    "data": Member("What the message says, by its type."),
    # the table
    "environment": _code("live pays; test never does.", "live", "test"),
    "house": Member("The set of rules that the table plays by."),
    "decks": Member("Decks in the shoe.", {"minimum": 1}),
    "shoe_mode": _code("continuous: shuffled after each coup, no roads.", "shoe", "continuous"),
    "currency": Member("Currency of the limits, such as EUR."),
    "limits": Member("The bands of stakes to choose from, on each main bet."),
    "min": _amount("The smallest stake."),
    "max": _amount("The largest stake."),
    "paytable": Member(
        "Bets on offer: for each, the odds of each way to win, to one.",
        {
            "additionalProperties": {
                "type": "object",
                "additionalProperties": {"type": "string", "pattern": DECIMAL},
            }
        },
    ),
    "dealer": Member("The dealer's screen name."),
    "stream": Member("The video stream; null if there is none."),
    "picture_delay_ms": Member(
        "How late the picture is: delay cards and results by it, once; never bets_closed.",
        {"minimum": 0},
    ),
    "software": Member("The program that deals."),
    "version": Member("Its version."),
    "digest": Member("The digest of its files."),
    "manual_mode": Member("Cards are told by people."),
    "on": Member("Cards are told by people from now on, or are not any more."),
    # what happens
    "reason": _code("Why.", *_REASONS),
    "text": _code(
        "A code for the words that players see.",
        "nothing-changed",
        "surplus-set-aside",
        "rebuilt-by-tableau",
        "round-voided",
    ),
    "Error.text": Member("For a person to read."),
    "rounds": Member("Rounds with a result.", {"minimum": 0}),
    "burned": Member("Cards burned.", {"minimum": 0}),
    "left": Member("Cards that were left.", {"minimum": 0}),
    "last_coup": _code("Which coup is the shoe's last, after the cut card.", "this", "next"),
    "seconds": Member("How long bets are open.", {"minimum": 0}),
    "closes_at": _time("Take no bet at or after this moment of the studio's clock."),
    "position": Member("Where the card lies."),
    "card": Member("Rank and suit: 9H, TC."),
    "player": Member("Player's cards, in order."),
    "banker": Member("Banker's cards, in order."),
    "player_total": Member(_TOTAL, {"minimum": 0, "maximum": 9}),
    "banker_total": Member(_TOTAL, {"minimum": 0, "maximum": 9}),
    "set_aside": Member("Cards that viewers saw and that do not count."),
    "revision": Member("1, then one more with each amendment or void. The highest stands."),
    "outcome": Member("Who won. In a state, null for a void round."),
    "natural": Member("A hand had 8 or 9 with two cards."),
    "pairs": Member("Whose first two cards have the same rank."),
    "bets": Member(
        "Profit for each unit staked, for every bet on offer: 0.95, -1, 0 for a push.",
        {"additionalProperties": {"type": "string", "pattern": DECIMAL}},
    ),
    "amendable_until": _time("No amendment or void of this round comes after it."),
    "supersedes": Member("The seq of what it replaces; null for a void of no result."),
    "Pairs.player": Member("Player has one."),
    "Pairs.banker": Member("Banker has one."),
    # the heartbeat
    "head": Member("The chain up to and with message seq.", {"pattern": HEAD}),
    "suspended": _code("Why no bets are taken; null if they may be.", *_REASONS),
    "signature": Member("The studio's hand. Absent only at a table without keys."),
    "algorithm": _code("How it is signed; any other is not to be believed.", "ed25519"),
    "key": Member("The public key, in hex.", {"pattern": "^[0-9a-f]+$"}),
    "value": Member("The signature, in hex.", {"pattern": "^[0-9a-f]+$"}),
    # requests and answers
    "ask": Member("What is asked."),
    "id": Member("Any text of the asker's; the answer has it, too."),
    "after": Member("The last seq that you have."),
    "limit": Member("At most so many; the studio gives 5000 at most."),
    "answer": Member("What is answered."),
    "tables": Member("What this endpoint serves."),
    "pub": Member("The endpoint of the table's messages."),
    "state": Member("The table as it stands after message seq."),
    "payloads": Member("Messages in order, each a text of exactly the bytes that were sent."),
    "more": Member("There are others: ask again, after the last of these."),
    "code": _code(
        "The reason, for programs.",
        "bad_request",
        "version",
        "unknown_table",
        "unknown_round",
        "epoch_changed",
        "too_old",
    ),
    "Error.epoch": Member("With epoch_changed: the one in force."),
    "AskAcknowledge.epoch": Member("That of the message you mean; null or absent: any."),
    "Acknowledged.at": _time("When this operator said so first."),
    "oldest": Member("With too_old: the first seq that is still kept."),
    # the state of a snapshot
    "phase": _code(
        "Where the round is.",
        "closed",
        "shuffling",
        "idle",
        "bets_open",
        "dealing",
        "held",
        "result",
    ),
    "cards_out": Member("Cards of this shoe that were shown.", {"minimum": 0}),
    "results": Member("This shoe's rounds in order, each as it stands."),
    "roads": Member("The roads of this shoe; null where cards are shuffled after each coup."),
    "counts": Member("What this shoe came to; null where there are no roads."),
    "bead": Member("The bead plate: every result in order."),
    "big_road": Member("The big road: every win in order."),
    "big_eye": Member("A derived road: r and b, oldest first. In an ask, one mark or null."),
    "small": Member("As big_eye."),
    "cockroach": Member("As big_eye."),
    "Roads.ask": Member("What each derived road would get if Banker (B) or Player (P) won next."),
    "B": Member("If Banker wins next."),
    "P": Member("If Player wins next."),
    "col": Member("Column, from 0.", {"minimum": 0}),
    "row": Member("Row, from 0.", {"minimum": 0}),
    "mark": Member("P, B, or on the bead plate T."),
    "ties": Member("Ties on this mark.", {"minimum": 0}),
    "Counts.player": Member("Rounds that Player won.", {"minimum": 0}),
    "Counts.banker": Member("Rounds that Banker won.", {"minimum": 0}),
    "tie": Member("Rounds that ended in a tie.", {"minimum": 0}),
    "player_pair": Member("Rounds in which Player had a pair.", {"minimum": 0}),
    "banker_pair": Member("Rounds in which Banker had a pair.", {"minimum": 0}),
    "naturals": Member("Rounds in which either hand had a natural.", {"minimum": 0}),
}
