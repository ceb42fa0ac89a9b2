# SPDX-License-Identifier: Apache-2.0
"""Why the next card goes where it goes, or why none is drawn: the tableau's row, as data.

A reason is a code and what its words may name; the words are in ``config/wording``. It is read
from the printed tableau (``studio.game.tableau``) and cannot disagree with it.

Source: French order of 14 May 2007, art. 55-14.
"""

import msgspec

from studio.game.cards import Card, total_of
from studio.game.tableau import PLAYER_DRAWS, is_natural, row_for

REASONS = (
    "first-four",
    "natural",
    "player-draws",
    "banker-draws-player-stood",
    "both-stand",
    "banker-draws",
    "banker-stands",
)


class Reason(msgspec.Struct, frozen=True):
    """A row of the tableau by its code.

    ``words``: ``player`` and ``banker`` are the two-card totals, ``third`` is the value of
    Player's third card.
    """

    code: str
    words: dict[str, str] = {}


def reason_for(player: tuple[Card, ...], banker: tuple[Card, ...]) -> Reason:
    """The row that decides on the next card of these hands; once complete, the last that did."""
    if len(player) < 2 or len(banker) < 2:
        return Reason("first-four")
    words = {"player": str(total_of(player[:2])), "banker": str(total_of(banker[:2]))}
    if is_natural(player, banker):
        return Reason("natural", words)
    row = row_for(player, banker)
    if row is None:
        return Reason("player-draws", words)
    if not PLAYER_DRAWS[total_of(player[:2])]:
        return Reason("banker-draws-player-stood" if row.draws else "both-stand", words)
    words["third"] = str(row.player_third)
    return Reason("banker-draws" if row.draws else "banker-stands", words)
