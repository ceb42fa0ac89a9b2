# SPDX-License-Identifier: Apache-2.0
"""A second pair of eyes: checks a record as it grows, from the feed contract and the rule book.

Shares no code with the table but its vocabulary: it reads events, keeps its own books and fails
on the first one that breaks a promise. The drawing rules stand here a second time, as prose.
"""

import msgspec

from studio.game import events as ev
from studio.game.cards import Card, Rank
from studio.game.events import Recorded
from studio.game.house import House, ResultEntry, ShoeMode

POINTS = {rank: rank.pips % 10 for rank in Rank}


def points_of(hand: list[Card]) -> int:
    return sum(POINTS[card.rank] for card in hand) % 10


def by_the_book(cards: list[Card]) -> tuple[list[Card], list[Card], str] | None:
    """Both hands and the winner of a coup of exactly these cards; None if it is not complete."""
    if len(cards) < 4:
        return None
    player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
    rest = cards[4:]
    two, other = points_of(player), points_of(banker)
    if max(two, other) < 8:
        third = None
        if two <= 5:
            if not rest:
                return None
            third = rest.pop(0)
            player.append(third)
        if _banker_draws(other, third):
            if not rest:
                return None
            banker.append(rest.pop(0))
    assert not rest, "more cards than the coup takes"
    mine, yours = points_of(player), points_of(banker)
    return player, banker, "tie" if mine == yours else "player" if mine > yours else "banker"


def _banker_draws(total: int, third: Card | None) -> bool:
    if third is None:
        return total <= 5
    value = POINTS[third.rank]
    lowest = {3: 0, 4: 2, 5: 4, 6: 6}
    highest = {3: 9, 4: 7, 5: 7, 6: 7}
    if total <= 2:
        return True
    if total == 7:
        return False
    return lowest[total] <= value <= highest[total] and (total, value) != (3, 8)


def public_cards(event: ev.Event) -> list[Card]:
    """Every card value that the public message of this event holds."""
    found = []
    for name in event.PUBLIC or ():
        value = getattr(event, name)
        found += [value] if isinstance(value, Card) else []
        found += [one for one in value if isinstance(one, Card)] if isinstance(value, tuple) else []
    return found


class Audit:
    """The books of one record."""

    def __init__(self) -> None:
        self.seq = 0
        self.public_seq = 0
        self.rounds: set[str] = set()
        self.shoes: set[str] = set()
        self.is_suspended = False
        self.is_open = False
        self.is_held = False
        self.shoe: str | None = None
        self.decks = 0
        self.dealt = 0
        self.burned = 0
        self.aside = 0
        self.house: House | None = None
        self.next_house: House | None = None
        self.coups_left: int | None = None
        self.last_number = ("", 0)
        self.results: dict[str, tuple[int, str | None]] = {}
        self._begin_round(None)
        self.encoded: list[bytes] = []

    def _begin_round(self, round_: str | None) -> None:
        self.round = round_
        self.are_bets_open = False
        self.drawn: list[Card] = []
        self.shown: list[Card] = []
        self.hands: dict[str, list[Card]] = {"P": [], "B": []}
        self.revisions: list[Recorded] = []

    def see(self, recorded: Recorded) -> None:
        """Check one more event."""
        event = recorded.event
        self.encoded.append(msgspec.json.encode(recorded))
        self.seq += 1
        assert recorded.seq == self.seq
        assert (recorded.public_seq is None) == (event.PUBLIC is None)
        if recorded.public_seq is not None:
            self.public_seq += 1
            assert recorded.public_seq == self.public_seq
        self._shoe(recorded)
        self._table(event)
        self._round(recorded)
        self._no_card_too_early(event)

    def _table(self, event: ev.Event) -> None:
        match event:
            case ev.TableOpened():
                self.is_open = True
            case ev.TableClosed():
                assert self.is_open
                assert self.round is None
                self.is_open = self.is_suspended = False
            case ev.TableSuspended():
                assert not self.is_suspended
                self.is_suspended, self.are_bets_open = True, False
            case ev.TableResumed():
                assert self.is_suspended
                self.is_suspended = False

    def _shoe(self, recorded: Recorded) -> None:
        event = recorded.event
        match event:
            case ev.ShoeLoaded():
                assert event.shoe not in self.shoes
                self.shoes.add(event.shoe)
                self.shoe, self.decks = event.shoe, event.decks
                self.dealt = self.burned = self.aside = 0
                self.coups_left = None
            case ev.CutCardSeen():
                assert self.coups_left is None, "only the first cut card counts"
                self.coups_left = {"this": 1, "next": 2}[event.last_coup]
            case ev.CardBurned():
                self.burned += 1
            case ev.CardHeld():
                self.aside += 1
            case ev.HeldCardBurned():
                assert len(event.cards) + event.unread == self.aside
                self.burned, self.aside = self.burned + self.aside, 0
            case ev.RulesLoaded():
                self.next_house = event.house
                self.house = self.house if self.round else event.house
            case ev.RoundClosed():
                if self.house is not None and self.house.shoe_mode is ShoeMode.CONTINUOUS:
                    self.dealt = self.burned = 0
                if self.coups_left is not None:
                    self.coups_left -= 1
                self.house = self.next_house
            case ev.ShoeEnded():
                assert self.aside == 0
                assert (event.seen, event.burned) == (self.dealt, self.burned)
                in_it = event.seen + event.burned + event.left
                assert in_it == 52 * self.decks or event.reason
        assert recorded.shoe == self.shoe
        if isinstance(event, ev.ShoeEnded):
            self.shoe = None
            self.results = {}

    def _round(self, recorded: Recorded) -> None:
        event = recorded.event
        match event:
            case ev.BetsOpened():
                assert self.is_open
                assert not self.is_suspended
                assert not self.are_bets_open
                if event.round != self.round:
                    assert self.round is None, "the round before was never closed"
                    assert event.round not in self.rounds
                    self.rounds.add(event.round)
                    self._numbered(event)
                    self._begin_round(event.round)
                assert not self.drawn, "bets open while cards are out"
                assert not self.revisions
                self.are_bets_open = True
            case ev.BetsClosed():
                self.are_bets_open = False
            case ev.CardKept():
                self._draw(event.card)
            case ev.CardDealt():
                self._show(event)
            case ev.RoundHeld():
                self.is_held = True
            case ev.RoundReleased():
                self.is_held = False
            case ev.ResultConfirmed() | ev.RoundVoided():
                self._stands(recorded, event)
            case ev.RoundClosed():
                assert self.revisions, "closed without a result"
        assert recorded.round == self.round
        if isinstance(event, ev.RoundClosed):
            self._begin_round(None)

    def _numbered(self, event: ev.BetsOpened) -> None:
        """Rounds count up by one in their day, and no day comes twice."""
        assert self.coups_left != 0, "a round after the last coup"
        number = int(event.round[-4:])
        day, last = self.last_number
        assert event.round.split("-")[-2] == event.day >= day
        assert number == (last + 1 if event.day == day else 1)
        self.last_number = (event.day, number)

    def _draw(self, card: Card) -> None:
        assert self.round is not None
        self.drawn.append(card)
        self.dealt += 1

    def _show(self, event: ev.CardDealt) -> None:
        assert not self.are_bets_open, "a card is public while bets are open"
        assert not self.is_held, "a card is public in a hold"
        assert not self.revisions, "a card is public after the result"
        if len(self.shown) == len(self.drawn):
            self._draw(event.card)
        self.shown.append(event.card)
        assert self.shown == self.drawn[: len(self.shown)]
        self.hands[event.position.value[0]].append(event.card)
        player, banker = (points_of(hand) if hand else None for hand in self.hands.values())
        assert (event.player_total, event.banker_total) == (player, banker)

    def _stands(self, recorded: Recorded, event: ev.ResultConfirmed | ev.RoundVoided) -> None:
        assert not self.are_bets_open, "bets were never closed"
        last = self.revisions[-1].public_seq if self.revisions else None
        assert event.revision == len(self.revisions) + 1
        if isinstance(event, ev.RoundVoided):
            assert event.supersedes == last
            assert event.round == self.round
            self.is_held = False
        else:
            assert last is None
            assert event.by or (self.house and self.house.result_entry is ResultEntry.AUTO)
            assert not self.is_held
            assert self.shown == self.drawn
            told = by_the_book(self.drawn)
            assert told is not None
            assert (list(event.player), list(event.banker), event.outcome.value) == told
            assert (event.player_total, event.banker_total) == tuple(map(points_of, told[:2]))
        self.revisions.append(recorded)
        outcome = None if isinstance(event, ev.RoundVoided) else event.outcome.value
        self.results[recorded.round or ""] = (event.revision, outcome)

    def _no_card_too_early(self, event: ev.Event) -> None:
        left = list(self.shown)
        for card in public_cards(event):
            assert card in left, f"{card.value} is not public"
            left.remove(card)
