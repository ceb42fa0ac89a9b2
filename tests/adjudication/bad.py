# SPDX-License-Identifier: Apache-2.0
"""What a coup record may not say: events, members and whole lines that cannot be understood."""

import json
from typing import Any

GOOD_CARDS: list[dict[str, Any]] = [{"card": code} for code in ("9C", "KD", "JS", "3H")]
# First and last unread, so that an entry for either can be wrong in itself alone.
UNREAD_AT_BOTH_ENDS = [{"card": None}, *GOOD_CARDS, {"card": None}]

# Each makes any record bad, wherever it stands among the events.
EVENTS: tuple[tuple[str, Any], ...] = (
    ("text-for-an-event", "9C"),
    ("null-for-an-event", None),
    ("list-for-an-event", ["card", "9C"]),
    ("number-for-an-event", 9),
    ("event-without-members", {}),
    ("box-alone", {"at": "player"}),
    ("event-not-known", {"shuffle": True}),
    ("kind-in-capitals", {"Card": "9C"}),
    ("two-kinds-in-one-event", {"card": "9C", "result": "player"}),
    ("card-and-cut-card-in-one-event", {"card": "9C", "cut_card": True}),
    ("card-and-enter-in-one-event", {"card": None, "enter": "9C", "for": 1}),
    ("member-not-known-beside-a-card", {"card": "9C", "by": "s-014"}),
    ("member-not-known-beside-a-result", {"result": "player", "total": 9}),
    ("box-beside-a-result", {"result": "player", "at": "player"}),
    ("stuck-beside-a-cut-card", {"cut_card": True, "stuck": True}),
    ("for-beside-a-card", {"card": "9C", "for": 1}),
    ("rank-not-known", {"card": "1C"}),
    ("suit-not-known", {"card": "9X"}),
    ("ten-in-two-digits", {"card": "10C"}),
    ("suit-before-rank", {"card": "C9"}),
    ("card-in-small-letters", {"card": "9c"}),
    ("card-with-a-space", {"card": "9C "}),
    ("joker", {"card": "Joker"}),
    ("empty-card", {"card": ""}),
    ("number-for-a-card", {"card": 9}),
    ("false-for-a-card", {"card": False}),
    ("list-for-a-card", {"card": ["9C"]}),
    ("object-for-a-card", {"card": {"rank": "9", "suit": "C"}}),
    ("box-not-known", {"card": "9C", "at": "tie"}),
    ("box-in-capitals", {"card": "9C", "at": "PLAYER"}),
    ("number-for-a-box", {"card": "9C", "at": 1}),
    ("list-for-a-box", {"card": "9C", "at": ["player"]}),
    ("null-for-a-box", {"card": "9C", "at": None}),
    ("number-for-face-up", {"card": "9C", "face_up": 1}),
    ("text-for-stuck", {"card": "9C", "stuck": "true"}),
    ("null-for-unseen", {"card": "9C", "unseen": None}),
    ("nought-for-unseen", {"card": "9C", "unseen": 0}),
    ("bets-not-known", {"bets": "close"}),
    ("true-for-bets", {"bets": True}),
    ("null-for-bets", {"bets": None}),
    ("list-for-bets", {"bets": ["open"]}),
    ("number-for-cut-card", {"cut_card": 1}),
    ("text-for-cut-card", {"cut_card": "yes"}),
    ("cut-card-false-alone", {"cut_card": False}),
    ("shoe-empty-false-alone", {"shoe_empty": False}),
    ("null-for-shoe-empty", {"shoe_empty": None}),
    ("result-not-known", {"result": "punto"}),
    ("null-for-a-result", {"result": None}),
    ("true-for-a-result", {"result": True}),
    ("object-for-a-result", {"result": {"winner": "player"}}),
    ("enter-for-no-card", {"enter": "9C"}),
    ("enter-for-card-nought", {"enter": "9C", "for": 0}),
    ("enter-for-a-card-counted-from-the-end", {"enter": "9C", "for": -1}),
    ("enter-for-a-card-far-off", {"enter": "9C", "for": 1000}),
    ("enter-for-a-text", {"enter": "9C", "for": "1"}),
    ("enter-for-true", {"enter": "9C", "for": True}),
    ("enter-for-null", {"enter": "9C", "for": None}),
    ("enter-for-a-half", {"enter": "9C", "for": 1.5}),
    ("enter-for-two-cards", {"enter": "9C", "for": [1, 2]}),
    ("enter-without-a-card", {"enter": None, "for": 1}),
    ("enter-card-not-known", {"enter": "9Z", "for": 1}),
    ("enter-in-a-box", {"enter": "9C", "for": 1, "at": "player"}),
)

# Each makes any record bad when the record has this member.
MEMBERS: tuple[tuple[str, str, Any], ...] = (
    ("house-not-known", "house", "monaco"),
    ("house-in-capitals", "house", "Venezia"),
    ("house-with-a-space", "house", "venezia "),
    ("house-by-its-file", "house", "venezia.toml"),
    ("house-by-a-path", "house", "../houses/venezia"),
    ("house-without-a-name", "house", ""),
    ("null-for-a-house", "house", None),
    ("number-for-a-house", "house", 6),
    ("list-for-a-house", "house", ["venezia"]),
    ("object-for-a-house", "house", {"name": "venezia"}),
    ("null-for-events", "events", None),
    ("object-for-events", "events", {"card": "9C"}),
    ("text-for-events", "events", "9C KD JS 3H"),
    ("true-for-events", "events", True),
    ("null-for-seen", "seen", None),
    ("list-for-seen", "seen", ["7H"]),
    ("number-for-seen", "seen", 8),
    ("seen-card-not-known", "seen", {"7X": 1}),
    ("seen-card-empty", "seen", {"": 1}),
    ("seen-a-negative-number", "seen", {"7H": -1}),
    ("seen-a-text", "seen", {"7H": "8"}),
    ("seen-true", "seen", {"7H": True}),
    ("seen-null", "seen", {"7H": None}),
    ("seen-a-half", "seen", {"7H": 0.5}),
    ("seen-a-list", "seen", {"7H": [1]}),
    ("member-not-known", "table", "BAC-1"),
    ("member-in-capitals", "Events", []),
    ("ruling-in-the-record", "verdict", "valid"),
)

# Lines of which not even the id can be told.
LINES: tuple[tuple[str, bytes], ...] = (
    ("no-json", b"9C KD JS 3H"),
    ("half-an-object", b'{"id": "half", "events": [{"card": "9C"}'),
    ("single-quotes", b"{'id': 'x', 'events': []}"),
    ("trailing-comma", b'{"id": "x", "events": [],}'),
    ("two-records-on-a-line", b'{"id": "x", "events": []} {"id": "y", "events": []}'),
    ("comment", b'{"id": "x", "events": []} // a comment'),
    ("no-number-of-json", b'{"id": "x", "events": [{"enter": "9C", "for": NaN}]}'),
    ("bytes-that-are-no-text", b'{"id": "\xff\xfe", "events": []}'),
    ("control-character", b'{"id": "a\x00b", "events": []}'),
    ("brackets-without-end", b"[" * 100_000),
    ("list-for-a-record", b'[{"card": "9C"}]'),
    ("text-for-a-record", b'"9C"'),
    ("number-for-a-record", b"9"),
    ("null-for-a-record", b"null"),
    ("true-for-a-record", b"true"),
)


def _cards(*codes: str | None) -> list[dict[str, Any]]:
    return [{"card": code} for code in codes]


# Records that are bad as a whole: each says in its id why.
RECORDS: tuple[dict[str, Any], ...] = (
    {"id": "no-events"},
    {"id": "no-events-but-a-house", "house": "spain"},
    {"id": "entered-card-was-read", "events": [*GOOD_CARDS, {"enter": "9C", "for": 1}]},
    {"id": "entered-card-was-never-drawn", "events": [*_cards(None), {"enter": "9C", "for": 2}]},
    {"id": "entered-without-any-card", "events": [{"enter": "9C", "for": 1}]},
    {"id": "entered-twice", "events": [*_cards(None), *2 * [{"enter": "9C", "for": 1}]]},
    {
        "id": "entered-twice-before-and-after",
        "events": [{"enter": "9C", "for": 1}, *_cards(None), {"enter": "8C", "for": 1}],
    },
    {
        "id": "entered-after-the-hold-for-a-card-that-was-read",
        "events": [*_cards("9C", None, "JS"), {"enter": "3H", "for": 3}],
    },
    {
        "id": "entered-for-a-removed-card-that-was-read",
        "events": [{"card": "9C", "face_up": True}, {"enter": "3H", "for": 1}],
    },
)


# A member given twice, in each place where members are.
TWICE: dict[str, bytes] = {
    "house-twice": b'{"id": "house-twice", "house": "spain", "house": "macau", "events": []}',
    "events-twice": b'{"events": [], "id": "events-twice", "events": [{"cut_card": true}]}',
    "seen-card-twice": b'{"id": "seen-card-twice", "seen": {"7H": 1, "7H" :8}, "events": []}',
    "card-twice": b'{"id": "card-twice", "events": [{"card": "9C"}, {"card":"KD","card":"KD"}]}',
    "box-twice": b'{"id": "box-twice", "events": [{"card":"9C","at":"player","at":"banker"}]}',
    "name-escaped": b'{"id": "name-escaped", "events": [], "e\\u0076ents": []}',
}


def line_of(record: Any) -> bytes:
    """A record as one line, without its end."""
    return json.dumps(record).encode()


def all_lines() -> dict[str, tuple[str | None, bytes]]:
    """Every bad line by its name, with the id that its answer has."""
    lines: dict[str, tuple[str | None, bytes]] = {
        name: (name, line_of({"id": name, "events": [*UNREAD_AT_BOTH_ENDS, event]}))
        for name, event in EVENTS
    }
    for name, member, value in MEMBERS:
        lines[name] = (name, line_of({"id": name, "events": GOOD_CARDS} | {member: value}))
    for record in RECORDS:
        lines[record["id"]] = (record["id"], line_of(record))
    lines |= {name: (name, line) for name, line in TWICE.items()}
    return lines | {name: (None, line) for name, line in LINES}
