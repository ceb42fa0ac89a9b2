# SPDX-License-Identifier: Apache-2.0
"""The words of a coup: whose hand, which position, how it ended."""

from enum import Enum


class Side(str, Enum):
    """A hand of the coup; its value is the word used on the wire."""

    PLAYER = "player"
    BANKER = "banker"


class Outcome(str, Enum):
    """How a coup ended."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


class Position(str, Enum):
    """Where a card goes, in the order P1 B1 P2 B2, then as the tableau says."""

    side: Side
    is_player: bool

    P1 = "P1"
    B1 = "B1"
    P2 = "P2"
    B2 = "B2"
    P3 = "P3"
    B3 = "B3"

    def __new__(cls, name: str) -> "Position":
        position = str.__new__(cls, name)
        position._value_ = name
        position.is_player = name[0] == "P"
        position.side = Side.PLAYER if position.is_player else Side.BANKER
        return position
