# SPDX-License-Identifier: Apache-2.0
"""What a record of a table says of one coup, kept as a record of the adjudication contract.

The reference adjudicator, which knows nothing of the table, then says what the coup comes to.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from studio.game import events as ev
from studio.game.house import House
from tests.adjudication.reading import Remedies, Understood
from tests.adjudication.reference import judged

Ruling = dict[str, Any]
ORDER = ("P1", "B1", "P2", "B2", "P3", "B3")


class CoupBook:
    """One coup as it was recorded. ``seen``: what left the shoe before it, by card code."""

    def __init__(self, seen: Counter[str] | None = None) -> None:
        self.seen = Counter(seen or {})
        self.told: list[dict[str, Any]] = []
        self.raised: Counter[str] = Counter()

    @property
    def cards(self) -> list[dict[str, Any]]:
        """The events of cards, in the order in which they left the shoe."""
        return [one for one in self.told if "card" in one]

    def drawn(
        self, code: str | None, *, early: bool = False, draw: float = 0, carried: bool = False
    ) -> None:
        """A card left the shoe, as the ``draw``-th, or came over from the coup before."""
        self.told.append({"card": code, "early": early, "draw": draw, "carried": carried})

    def said(self, event: ev.CardNoted) -> None:
        """How a card lay."""
        card = self.cards[event.number - 1]
        is_seen = card["early"] and not card.get("early_said")
        if event.early and not card["early"]:
            card["early"] = card["early_said"] = True
        if event.not_early and not is_seen:
            card["early"] = card["early_said"] = False
        if event.at is not None:
            card["at"] = event.at.value
        for flag in ("face_up", "stuck", "unseen"):
            card.pop(flag, None)
            if getattr(event, flag):
                card[flag] = True

    def entered(self, event: ev.CardEntered) -> None:
        """A value for a card that was not read, or that the shoe never told of."""
        cards = self.cards
        if not event.missing:
            cards[event.number - 1]["entered"] = event.card.value
            return
        # it left the shoe right after the card before it, or right before the one after it
        near = cards[event.number - 2]["draw"] + 0.5 if event.number > 1 else None
        draw = near or (cards[0]["draw"] - 0.5 if cards else 0)
        card = {"card": None, "entered": event.card.value, "early": False, "draw": draw}
        card["carried"] = False
        places = [at for at, one in enumerate(self.told) if "card" in one]
        at = places[event.number - 1] if event.number <= len(cards) else len(self.told)
        self.told.insert(at, card)

    def corrected(self, event: ev.CardCorrected) -> None:
        """Another value for a card."""
        card = self.cards[event.number - 1]
        card["entered" if card["card"] is None else "card"] = event.card.value

    def withdrawn(self, event: ev.ReportWithdrawn, ruling: Callable[[], Ruling]) -> None:
        """What was said of the shoe, or a call, was a mistake; what the cards show stays."""
        assert event.reason.strip()
        before = ruling()["irregularities"]
        calls = [one for one in self.told if "result" in one]
        gone = [] if event.call is None else [calls[event.call - 1]]
        if event.code == "insufficient-cards":
            gone = [one for one in self.told if "shoe_empty" in one]
        self.told = [one for one in self.told if not any(one is other for other in gone)]
        after = ruling()["irregularities"]
        lost = {one["code"] for one in before if one not in after}
        assert lost <= ({event.code} if gone else set())

    def struck(self, event: ev.CardStruck) -> None:
        """A read that was no card."""
        gone = self.cards[event.number - 1]
        self.told = [one for one in self.told if one is not gone]

    def numbers_placed(self, house: House, decks: int) -> list[int]:
        """The number of each card that counts, in the order drawn: P1 B1 P2 B2 and so on."""
        ends = [at for at, one in enumerate(self.told, 1) if "card" in one]
        rulings = [self.ruling(house, decks, end) for end in (0, *ends)]
        counts = [len(one["player"]) + len(one["banker"]) for one in rulings]
        return [n for n, count in enumerate(counts[1:], 1) if count > counts[n - 1]]

    def ruling(self, house: House, decks: int, end: int | None = None) -> Ruling:
        """What the coup, or its first events up to ``end``, come to by the reference."""
        remedies = Remedies(
            decks, house.excess_card, house.early_card, house.face_up_card, house.stuck_cards, ""
        )
        events: list[dict[str, Any]] = []
        for one in self.told[:end]:
            # what was public in a hand was seen, whatever anybody says of it
            told = {"early", "unseen"} if one.get("is_public") else {"early"}
            plain = {key: value for key, value in one.items() if key not in told}
            opens = [{"bets": "open"}] if one.get("early") else []
            closes = [{"bets": "closed"}] if opens else []
            events += [*opens, plain, *closes]
        return judged(Understood(remedies, dict(self.seen), events))


def may_be_told(card: dict[str, Any]) -> bool:
    """What was known while bets were open, and not public, is never on the feed."""
    return not card.get("unseen") and (card.get("is_public") or not card["early"])


def positions_of(ruling: Ruling) -> list[tuple[str, str]]:
    """Position and card of every card that counts, in the order drawn."""
    hands = {"P": ruling["player"], "B": ruling["banker"]}
    return [
        (name, hands[name[0]][int(name[1]) - 1])
        for name in ORDER
        if len(hands[name[0]]) >= int(name[1])
    ]


def fates_of(ruling: Ruling) -> dict[str, list[str | None]]:
    """The surplus by its remedy, in the order drawn."""
    fates: dict[str, list[str | None]] = {}
    for one in ruling["surplus"]:
        fates.setdefault(one["remedy"], []).append(one["card"])
    return fates
