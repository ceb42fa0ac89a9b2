# SPDX-License-Identifier: Apache-2.0
"""The books of the cards: where each one is, what was shown, and what every coup came to.

Reads events only. What a coup comes to is said by the reference adjudicator from what was
recorded of it, never by the table.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from studio.game import events as ev
from studio.game.cards import Card
from studio.game.house import House, ShoeMode
from tests.game.coup_book import CoupBook, Ruling, fates_of, may_be_told, positions_of

_FATES = {
    ev.HeldCardBurned: "burn",
    ev.SurplusKeptForBurn: "next_burn",
    ev.SurplusCarried: "carry",
    ev.FreeCoupDue: "free_coup",
}
# What may become of a card that was drawn outside any coup, by the house's remedy for excess.
_FATES_ASIDE = {
    "burn": ("burn",),
    "next_burn": ("burn", "next_burn"),
    "free_coup": ("burn", "free_coup"),
    "carry": ("burn", "free_coup", "carry"),
}
# A card outside its coup: its value, which draw of the shoe it was, whether players saw its face.
Physical = dict[str, Any]
Surplus = ev.HeldCardBurned | ev.SurplusKeptForBurn | ev.SurplusCarried | ev.FreeCoupDue
Named = ev.CardEntered | ev.CardCorrected
_NOT_IN_A_FREE_COUP = (
    ev.BetsOpened, ev.BetsClosed, ev.CardDealt, ev.RoundHeld, ev.RoundReleased,
    ev.RoundReconstructed, ev.ResultConfirmed, ev.RoundClosed,
)  # fmt: skip


class CoupAudit:
    """The cards of one shoe after the other, and the coup under way."""

    def __init__(self) -> None:
        self.house: House | None = None
        self.next_house: House | None = None
        self.new_shoe(0)

    def new_shoe(self, decks: int) -> None:
        """Every card is in the shoe again."""
        self.decks = decks
        self.out: Counter[str] = Counter()
        self.cards_out = self.burned = self.draws = 0
        self.before: tuple[list[Physical], list[Physical]] = ([], [])
        self.burn: list[Card | None] = []
        self.aside: list[Physical] = []
        self.carried: list[Physical] = []
        self.due: list[Physical] = []
        self.is_free = self.is_held = self.is_guarded = False
        self.new_coup()

    def new_coup(self) -> None:
        """No card of this coup is out."""
        self.book = CoupBook(self.out)
        self.hands: dict[str, list[str]] = {"P": [], "B": []}
        self.waiting: list[tuple[str, str]] = []
        self.told_aside: list[str] = []
        self.settled: set[str] = set()
        self.is_over = self.is_void = False
        self.burned_before = len(self.burn)

    @property
    def shown(self) -> list[str]:
        """Every card of this coup that players know to be in a hand."""
        return self.hands["P"] + self.hands["B"]

    def ruling(self) -> Ruling:
        """What the coup comes to by the reference."""
        assert self.house is not None
        return self.book.ruling(self.house, self.decks)

    def see(self, event: ev.Event) -> None:
        """Check one more event."""
        if self.is_free:
            assert not isinstance(event, _NOT_IN_A_FREE_COUP), event
        self._rules(event)
        match event:
            case ev.CardBurned():
                self._left(event.card)
                self.burned, self.burn = self.burned + 1, [*self.burn, event.card]
            case ev.CardDealt() | ev.CardKept():
                self._placed(event)
            case ev.CardHeld():
                self._held(event)
            case ev.CardNoted():
                self.book.said(event)
            case ev.CardEntered() | ev.CardCorrected():
                self._named(event)
            case ev.CardStruck():
                self._struck(event)
            case ev.BurnCorrected():
                self._burn_corrected(event)
            case ev.CallNoted():
                self.book.told.append({"result": event.outcome.value})
            case ev.ShoeFoundEmpty():
                self.book.told.append({"shoe_empty": True})
            case ev.IrregularityRaised():
                self.book.raised[event.code] += 1
            case ev.ReportWithdrawn():
                self.book.withdrawn(event, self.ruling)
            case ev.RoundHeld():
                self.is_held = True
            case ev.RoundReleased() | ev.RoundReconstructed():
                self._told(event)
            case ev.IrregularityResolved():
                self.is_held = False
                if not self.is_over:
                    self._wait()
            case _ if isinstance(event, Surplus):
                self._surplus(event)
            case _:
                self._stage(event)

    def _rules(self, event: ev.Event) -> None:
        if isinstance(event, ev.RulesLoaded):
            self.next_house = event.house

    def _stage(self, event: ev.Event) -> None:
        """Where a coup begins and ends."""
        match event:
            case ev.BetsClosed():
                self.is_guarded = event.guard_until is not None
            case ev.GuardEnded():
                self.is_guarded = False
            case ev.ResultDeclared():
                ruling = self.ruling()
                told = (event.outcome.value, event.player_total, event.banker_total)
                assert told == tuple(ruling[n] for n in ("outcome", "player_total", "banker_total"))
            case ev.ResultConfirmed():
                self._result(event)
            case ev.FreeCoupOpened():
                assert not self.is_free
                self.before = (self.due, self.carried)
                self.is_free, self.carried, self.due = True, self.due + self.carried, []
                self.new_coup()
            case ev.FreeCoupCancelled():
                assert self.is_free
                # what was laid out was seen, whatever was said of it before
                at = max(len(self.book.cards), len(self.before[0]))
                self._not_drawn()
                both = self.before[0] + self.before[1]
                self.due, self.carried = both[:at], both[at:]
                assert [*event.due] == [Card(one["card"]) for one in self.due]
                assert [*event.carried] == [Card(one["card"]) for one in self.carried]
                self.is_free = False
                self.new_coup()
            case ev.FreeCoupEnded():
                self._free_coup_ended(event)

    def close(self) -> None:
        """The round is over: every surplus card of a coup with a result met its fate."""
        assert self.is_over
        if not self.is_void:
            assert self.settled == set(fates_of(self.ruling()))
        if self.house is not None and self.house.shoe_mode is ShoeMode.CONTINUOUS:
            self.new_shoe(self.decks)
        self.new_coup()

    def numbers(self) -> list[int]:
        """The numbers of the coup's cards that count, in the order drawn."""
        assert self.house is not None
        return self.book.numbers_placed(self.house, self.decks)

    def _is_public(self, number: int) -> None:
        """Players see this card of the coup."""
        self.book.cards[number - 1]["is_public"] = True

    def void(self, event: ev.RoundVoided) -> None:
        """The round under way is cancelled."""
        expected = self.shown
        assert [card.value for card in event.set_aside] == expected
        self.is_over = self.is_void = True
        self.is_held = self.is_guarded = False
        self.waiting = []

    def _left(self, card: Card | None) -> None:
        self.cards_out += 1
        self.draws += 1
        if card is not None:
            self.out[card.value] += 1

    def _placed(self, event: ev.CardDealt | ev.CardKept) -> None:
        told = (event.position.value, event.card.value)
        is_dealt = isinstance(event, ev.CardDealt)
        if is_dealt and self.waiting:
            places = [position for position, _ in positions_of(self.ruling())]
            self._is_public(self.numbers()[places.index(told[0])])
            assert told == self.waiting.pop(0), "announced otherwise than it was kept"
        else:
            self._drawn(event)
            if is_dealt:
                self._is_public(len(self.book.cards))
            else:
                self.waiting.append(told)
        if not isinstance(event, ev.CardDealt):
            return
        assert not self.is_held, "a card is public in a hold"
        assert event.is_carried or not self.is_guarded, "a card is public within the guard"
        assert not self.is_over, "a card is public after the result"
        self.hands[told[0][0]].append(told[1])
        totals = (_points(hand) if hand else None for hand in self.hands.values())
        assert (event.player_total, event.banker_total) == tuple(totals)

    def _drawn(self, event: ev.CardDealt | ev.CardKept) -> None:
        assert self.ruling()["next"] == event.position.value
        if event.is_carried:
            card = self.carried.pop(0)
            assert card["card"] == event.card.value
            assert self.is_free or not card["was_seen"], "a card that players saw is dealt again"
            # it was counted when it left the shoe: no copy that came since makes it one too many
            code = event.card.value
            others = self.book.seen[code] - 1
            self.book.seen[code] = min(others, self.decks - 1)
            over = others - self.book.seen[code]
        else:
            self._left(event.card)
            over = 0
        self.book.drawn(event.card.value, draw=self.draws, carried=event.is_carried)
        self.book.cards[-1]["over"] = over

    def _held(self, event: ev.CardHeld) -> None:
        self._left(event.card)
        code = None if event.card is None else event.card.value
        if event.number is None:
            self.aside.append({"card": code, "draw": self.draws, "was_seen": False})
            return
        assert event.number == len(self.book.cards) + 1
        self.book.drawn(code, early=event.early, draw=self.draws)

    def _named(self, event: Named) -> None:
        assert event.second != event.by
        read = event.read if isinstance(event, ev.CardCorrected) else None
        self.out.update([event.card.value])
        self.out.subtract([] if read is None else [read.value])
        if event.is_aside:
            assert self.aside[event.number - 1]["card"] == (read and read.value)
            self.aside[event.number - 1]["card"] = event.card.value
        elif isinstance(event, ev.CardEntered):
            self.cards_out += event.missing
            self.book.entered(event)
        else:
            card = self.book.cards[event.number - 1]
            assert event.read.value == (card["card"] or card["entered"])
            # a carried card that is another: the copies of what it was taken for are as they are
            self.book.seen[event.read.value] += card.pop("over", 0)
            self.book.corrected(event)

    def _struck(self, event: ev.CardStruck) -> None:
        assert event.second != event.by
        assert event.reason
        self.cards_out -= 1
        self.out.subtract([] if event.card is None else [event.card.value])
        if event.is_aside:
            del self.aside[event.number - 1]
            return
        card = self.book.cards[event.number - 1]
        assert (event.card and event.card.value) == (card.get("entered") or card["card"])
        self.book.struck(event)

    def _burn_corrected(self, event: ev.BurnCorrected) -> None:
        assert event.second != event.by
        assert self.burn[event.number - 1] is event.read
        self.burn[event.number - 1] = event.card
        is_since = event.number > self.burned_before
        self.mend([event.card], [] if event.read is None else [event.read], is_over=is_since)

    def mend(
        self, drawn: Iterable[Card], not_drawn: Iterable[Card], *, is_over: bool = False
    ) -> None:
        """Cards that left the shoe before are others than were told."""
        books = [self.out] if is_over else [self.out, self.book.seen]
        for book in books:
            book.update(card.value for card in drawn)
            book.subtract([card.value for card in not_drawn])

    def _told(self, event: ev.RoundReleased | ev.RoundReconstructed) -> None:
        assert self.is_held
        assert not self.is_guarded, "a ruling shows cards within the guard"
        ruling = self.ruling()
        hands = {"P": ruling["player"], "B": ruling["banker"]}
        goes_on = all(hands[side][: len(hand)] == hand for side, hand in self.hands.items())
        assert goes_on is isinstance(event, ev.RoundReleased)
        if isinstance(event, ev.RoundReconstructed):
            told = (event.player, event.banker)
            assert told == (tuple(hands["P"]), tuple(hands["B"]))
            totals = (_points(hand) if hand else None for hand in hands.values())
            assert (event.player_total, event.banker_total) == tuple(totals)
            self.hands = {side: list(hand) for side, hand in hands.items()}
            for number in self.numbers():
                self._is_public(number)
        cards = [self.book.cards[number - 1] for number in event.aside_numbers]
        faces = [one["card"] or one.get("entered") for one in cards if may_be_told(one)]
        aside = [card.value for card in event.set_aside]
        assert aside == [face for face in faces if face is not None]
        assert Counter(aside) <= Counter(one["card"] for one in ruling["surplus"])
        self.told_aside += aside
        for one in cards:
            one["was_told"] = one.get("was_told") or not one.get("unseen")

    def _wait(self) -> None:
        """With the ruling every card has its place; what is not shown yet is announced next."""
        left = {side: list(hand) for side, hand in self.hands.items()}
        self.waiting = []
        for position, code in positions_of(self.ruling()):
            if left[position[0]]:
                assert left[position[0]].pop(0) == code
            else:
                self.waiting.append((position, code))

    def _result(self, event: ev.ResultConfirmed) -> None:
        assert not self.is_held
        ruling = self.ruling()
        assert ruling["verdict"] in ("valid", "reconstructed")
        assert event.outcome.value == ruling["outcome"]
        assert [*event.player] == ruling["player"] == self.hands["P"]
        assert [*event.banker] == ruling["banker"] == self.hands["B"]
        self._all_raised(ruling)
        self.is_over = True

    def _all_raised(self, ruling: Ruling) -> None:
        due = Counter(one["code"] for one in ruling["irregularities"])
        assert due <= self.book.raised, "an irregularity was never told"

    def _not_drawn(self) -> None:
        """No card left the shoe for this coup; those that waited are what they are now."""
        assert all(one["carried"] for one in self.book.cards)
        now = [one["card"] for one in (*self.book.cards, *self.carried)]
        for one, code in zip((*self.before[0], *self.before[1]), now, strict=True):
            one["card"] = code

    def _surplus(self, event: Surplus) -> None:
        fate = _FATES[type(event)]
        codes: list[str | None] = [card.value for card in event.cards]
        codes += [None] * (event.unread if isinstance(event, ev.HeldCardBurned) else 0)
        if self.aside:
            cards, self.aside = self.aside, []
            assert self.house is not None
            assert fate in _FATES_ASIDE[self.house.excess_card]
            assert fate == "burn" or None not in codes
        else:
            assert fate not in self.settled
            self.settled.add(fate)
            cards = self._surplus_of(fate)
        assert Counter(codes) == Counter(one["card"] for one in cards)
        match event:
            case ev.SurplusCarried():
                assert not any(one["was_seen"] for one in cards), "a card that players saw"
                assert codes == [one["card"] for one in cards]
                self.carried = sorted(self.carried + cards, key=lambda one: float(one["draw"]))
            case ev.FreeCoupDue():
                self.due = sorted(self.due + cards, key=lambda one: float(one["draw"]))
            case _:
                self.burned += len(codes)
                in_order = [one and one.value for one in event.in_order]
                # a record of before says nothing of it
                assert in_order in ([one["card"] for one in cards], [])
                self.burn += event.in_order

    def _surplus_of(self, fate: str) -> list[Physical]:
        """The coup's surplus cards with this fate, and whether players saw each."""
        placed = self.numbers()
        loose = [one for n, one in enumerate(self.book.cards, 1) if n not in placed]
        ruled = self.ruling()["surplus"]
        return [
            {
                "card": said["card"],
                "draw": one["draw"],
                "was_seen": bool(
                    one.get("is_public") or one.get("was_told") or not one.get("unseen")
                ),
            }
            for said, one in zip(ruled, loose, strict=True)
            if said["remedy"] == fate
        ]

    def _free_coup_ended(self, event: ev.FreeCoupEnded) -> None:
        assert self.is_free
        if event.outcome is not None:
            ruling = self.ruling()
            assert event.outcome.value == ruling["outcome"]
            assert [*event.player] == ruling["player"]
            assert [*event.banker] == ruling["banker"]
            self._all_raised(ruling)
            assert self.settled == set(fates_of(ruling))
        self.due, self.carried = self.carried + self.due, []
        self.is_free = False
        self.new_coup()


def _points(hand: list[str]) -> int:
    return sum(Card(code).points for code in hand) % 10
