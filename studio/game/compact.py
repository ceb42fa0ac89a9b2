# SPDX-License-Identifier: Apache-2.0
"""A coup as a person types it, in one line; ``record_from`` turns it into a coup record.

    6D>P   card 6 of diamonds, laid in Player's box (>B: Banker's; without >: not known)
    6D^    it lay face up in the shoe
    6D+    it left the shoe together with the card before it
    6D~    nobody, camera included, saw its face
    ??     a card that was not read (??>P, ??^ and so on)
    3=5D   the third card, which was not read, was the 5 of diamonds
    ( )    bets open, bets closed
    CUT    the cut card appeared
    P! B! T!   the dealer called Player, Banker or a tie
    EMPTY  no card is left in the shoe

Example: ``6D>P 2C>B KC>P 2S>B 5H>P``. Pure: text in, the contract's own words out.
"""

import re
from typing import Any

_SIDES = {"P": "player", "B": "banker"}
_CALLS = {"P!": "player", "B!": "banker", "T!": "tie"}
_MARKS = {"^": "face_up", "+": "stuck", "~": "unseen"}
_CARD = re.compile(r"(\?\?|[A23456789TJQK][SHDC])((?:>[PB]|[\^+~])*)")
_ENTRY = re.compile(r"([1-9][0-9]*)=([A23456789TJQK][SHDC])")


class BadCoup(ValueError):
    """A word of the line is not understood; the text says which, and what it could be."""


def record_from(line: str, house: str) -> dict[str, Any]:
    """The coup record of a typed line. Raises BadCoup."""
    if not line.strip():
        raise BadCoup(
            'the coup is empty: give its cards, as in "6D>P 2C>B KC>P 2S>B"; --help lists the words'
        )
    return {"house": house, "events": [_event(word) for word in line.split()]}


def _event(word: str) -> dict[str, Any]:
    upper = word.upper()
    if upper in _CALLS:
        return {"result": _CALLS[upper]}
    if word in ("(", ")"):
        return {"bets": "open" if word == "(" else "closed"}
    if upper == "CUT":
        return {"cut_card": True}
    if upper == "EMPTY":
        return {"shoe_empty": True}
    entry = _ENTRY.fullmatch(upper)
    if entry is not None:
        return {"enter": entry[2], "for": int(entry[1])}
    card = _CARD.fullmatch(upper)
    if card is None:
        raise BadCoup(
            f"{word!r} is not understood: a card is rank then suit, as in 9H or TC, with >P or >B "
            "for its box; --help lists the other words"
        )
    event: dict[str, Any] = {"card": None if card[1] == "??" else card[1]}
    for mark in re.findall(r">[PB]|[\^+~]", card[2]):
        if mark.startswith(">"):
            event["at"] = _SIDES[mark[1]]
        else:
            event[_MARKS[mark]] = True
    return event
