# SPDX-License-Identifier: Apache-2.0
"""A second pair of eyes: checks a record as it grows, from the feed contract and the rule book.

Shares no code with the table but its vocabulary: it reads events, keeps its own books and fails
on the first one that breaks a promise. Cards and coups have books of their own (``coup_audit``).
"""

from collections import Counter
from datetime import datetime

import msgspec

from studio.game import events as ev
from studio.game.cards import Card
from studio.game.events import Recorded
from studio.game.house import ResultEntry, ShoeMode
from tests.adjudication.reference import next_position, outcome, total
from tests.game.coup_audit import CoupAudit


def public_cards(event: ev.Event) -> list[Card]:
    """Every card value that the public message of this event holds."""
    found = []
    for name in event.PUBLIC or ():
        value = getattr(event, name)
        found += [value] if isinstance(value, Card) else []
        found += [one for one in value if isinstance(one, Card)] if isinstance(value, tuple) else []
    return found


class Standing(msgspec.Struct):
    """What stands for a round that has a result."""

    revision: int
    public_seq: int
    outcome: str | None
    shoe: str | None
    cards: list[Card]
    until: datetime | None
    out: list[Card]
    is_shuffled_in: bool


class Audit:
    """The books of one record. ``mends``: an amendment says what it changes in the inventory."""

    def __init__(self, *, mends: bool = True) -> None:
        self.mends = mends
        self.seq = 0
        self.public_seq = 0
        self.rounds: set[str] = set()
        self.shoes: set[str] = set()
        self.is_suspended = False
        self.is_open = False
        self.shoe: str | None = None
        self.coups_left: int | None = None
        self.bad_news = 0
        self.last_number = ("", 0)
        self.revisions_lost: dict[str, int] = {}
        self.cards = CoupAudit()
        self.standing: dict[str, Standing] = {}
        self.surplus_of: dict[int, str | None] = {}
        self.voided: dict[str, Counter[Card | None]] = {}
        self._begin_round(None)
        self.encoded: list[bytes] = []

    @property
    def results(self) -> dict[str, tuple[int, str | None]]:
        """Revision and outcome of every round of this shoe."""
        return {
            name: (one.revision, one.outcome)
            for name, one in self.standing.items()
            if one.shoe == self.shoe
        }

    def _begin_round(self, round_: str | None) -> None:
        self.round = round_
        self.are_bets_open = False

    def see(self, recorded: Recorded) -> None:
        """Check one more event."""
        event = recorded.event
        self.encoded.append(msgspec.json.encode(recorded))
        if isinstance(event, ev.EpochBegun):
            self._new_epoch(recorded, event)
            return
        self.seq += 1
        assert recorded.seq == self.seq
        assert (recorded.public_seq is None) == (event.PUBLIC is None)
        if recorded.public_seq is not None:
            self.public_seq += 1
            assert recorded.public_seq == self.public_seq
        if isinstance(event, ev.ResultAmended) or self._is_late(event):
            self._revised(recorded)
            return
        if isinstance(event, ev.VoidedCardCorrected):
            self._voided_corrected(recorded, event)
            return
        self._of_a_round(event)
        self.cards.see(event)
        self._shoe(recorded)
        self._table(event)
        self._round(recorded)
        self._no_card_too_early(event)

    def _new_epoch(self, recorded: Recorded, event: ev.EpochBegun) -> None:
        """Both numbers begin anew; ids and revisions go on beyond those that may be lost."""
        assert (event.from_seq, event.from_public_seq) == (self.seq, self.public_seq)
        assert (recorded.seq, recorded.public_seq) == (1, None)
        self.seq, self.public_seq = 1, 0
        day, last = self.last_number
        known = last + event.lost if event.day == day else min(event.lost, 90_000)
        self.last_number = (max(day, event.day), max(known, event.rounds_given))
        for name in (*self.standing, *([] if self.round is None else [self.round])):
            self.revisions_lost[name] = self._revision_of(name) + event.lost

    def _revision_of(self, name: str) -> int:
        standing = self.standing.get(name)
        return max(0 if standing is None else standing.revision, self.revisions_lost.get(name, 0))

    def _of_a_round(self, event: ev.Event) -> None:
        """The surplus of a coup is its round's, also once it is burned, and corrected then."""
        burn = self.cards.burn
        if not burn:
            self.surplus_of.clear()
        match event:
            case ev.HeldCardBurned() | ev.SurplusKeptForBurn() if not self.cards.aside:
                for number, _ in enumerate(event.in_order, len(burn) + 1):
                    self.surplus_of[number] = self.round
            case ev.BurnCorrected(number=number) if self.surplus_of.get(number) in self.standing:
                out = self.standing[self.surplus_of[number] or ""].out
                out[:] = [*(Counter(out) - Counter([event.read])).elements(), event.card]

    def _lies_void(self, event: ev.RoundVoided) -> None:
        """The cards of a round that is void, as far as they are no surplus that met its fate."""
        before = self.standing.get(event.round)
        if event.round == self.round:
            told = [one.get("entered") or one["card"] for one in self.cards.book.cards]
            known, _ = self._out_in_coup()
            cards = Counter[Card | None](known if before is None else before.out)
            cards[None] += told.count(None)
        elif before is not None and before.shoe == self.shoe and not before.is_shuffled_in:
            numbers = (n for n, name in self.surplus_of.items() if name == event.round)
            burned = Counter(self.cards.burn[number - 1] for number in numbers)
            cards = Counter[Card | None](before.cards) - burned
        else:
            return
        self.voided[event.round] = cards

    def _voided_corrected(self, recorded: Recorded, event: ev.VoidedCardCorrected) -> None:
        """The round stays void; the card that was read is not out, the other one is."""
        assert (recorded.shoe, recorded.round) == (self.shoe, event.round)
        assert self.standing[event.round].outcome is None
        assert event.second != event.by
        assert event.read is not event.card
        assert self.voided[event.round][event.read] > 0
        self.voided[event.round].update([event.card])
        self.voided[event.round].subtract([event.read])
        not_drawn = [] if event.read is None else [event.read]
        self.cards.mend([event.card], not_drawn, is_over=event.round == self.round)

    def _is_late(self, event: ev.Event) -> bool:
        return isinstance(event, ev.RoundVoided) and event.round != self.round

    def _table(self, event: ev.Event) -> None:
        match event:
            case ev.TableOpened():
                self.is_open = True
            case ev.TableClosed():
                assert self.is_open
                assert self.round is None
                assert not self.cards.is_free
                self.is_open = self.is_suspended = False
            case ev.TableSuspended():
                assert not self.is_suspended
                self.is_suspended, self.are_bets_open = True, False
            case ev.TableResumed():
                assert self.is_suspended
                self.is_suspended = False

    def _shoe(self, recorded: Recorded) -> None:
        event, cards = recorded.event, self.cards
        match event:
            case ev.ShoeLoaded():
                assert event.shoe not in self.shoes
                self.shoes.add(event.shoe)
                self.shoe = event.shoe
                cards.new_shoe(event.decks)
                self.voided.clear()
                self.coups_left = None
                self.bad_news = 0
            case ev.IrregularityRaised(code="foreign-card" | "unshuffled-shoe") | ev.ShoeStopped():
                self.bad_news += 1
            case ev.ReportWithdrawn(code="foreign-card" | "unshuffled-shoe"):
                self.bad_news -= 1
            case ev.FreeCoupOpened() | ev.BurnOrdered():
                self._is_shoe_good()
            case ev.CutCardSeen():
                assert self.coups_left is None, "only the first cut card counts"
                self.coups_left = {"this": 1, "next": 2}[event.last_coup]
            case ev.RulesLoaded():
                is_under_way = self.round is not None or cards.is_free
                cards.house = cards.house if is_under_way else event.house
            case ev.RoundClosed():
                assert event.was_dealt or not cards.book.cards
                is_spared = self.coups_left == 1 and not event.was_dealt
                if self.coups_left is not None and not is_spared:
                    self.coups_left -= 1
                cards.close()
                if not cards.out:
                    # all were shuffled in again
                    self.voided.clear()
                cards.house = cards.next_house
            case ev.FreeCoupEnded() | ev.FreeCoupCancelled():
                cards.house = cards.next_house
            case ev.ShoeEnded():
                assert not cards.aside
                assert event.seen + event.burned == cards.cards_out
                assert event.burned == cards.burned
                in_it = event.seen + event.burned + event.left
                assert in_it == 52 * cards.decks or event.reason
        assert recorded.shoe == self.shoe
        if isinstance(event, ev.ShoeEnded):
            self.shoe = None

    def _round(self, recorded: Recorded) -> None:
        event = recorded.event
        match event:
            case ev.BetsOpened():
                assert self.is_open
                assert not self.is_suspended
                assert not self.are_bets_open
                if event.round != self.round:
                    assert self.round is None, "the round before was never closed"
                    assert not self.cards.due, "cards that players saw wait for a free coup"
                    assert event.round not in self.rounds
                    self._is_shoe_good()
                    self.rounds.add(event.round)
                    self._numbered(event)
                    self._begin_round(event.round)
                    self.cards.new_coup()
                assert not self.cards.book.cards, "bets open while cards are out"
                assert event.round not in self.standing
                self.are_bets_open = True
            case ev.BetsClosed():
                self.are_bets_open = False
            case ev.ResultConfirmed():
                self._result(recorded, event)
            case ev.RoundVoided():
                assert not self.are_bets_open, "bets were never closed"
                self.cards.void(event)
                self._lies_void(event)
                self._stands(recorded, event)
            case ev.RoundClosed():
                assert self.round in self.standing, "closed without a result"
        assert recorded.round == self.round
        if isinstance(event, ev.RoundClosed):
            self._begin_round(None)

    def _is_shoe_good(self) -> None:
        assert not self.bad_news, "this shoe deals no more"
        out = self.cards.out
        assert all(copies <= self.cards.decks for copies in out.values()), "a copy too many"

    def _numbered(self, event: ev.BetsOpened) -> None:
        """Rounds count up by one in their day, and no day comes twice."""
        assert self.coups_left != 0, "a round after the last coup"
        number = int(event.round.rsplit("-", 1)[1])
        day, last = self.last_number
        assert event.round.split("-")[-2] == event.day >= day
        assert number == (last + 1 if event.day == day else 1)
        self.last_number = (event.day, number)

    def _result(self, recorded: Recorded, event: ev.ResultConfirmed) -> None:
        assert not self.are_bets_open, "bets were never closed"
        assert not self.cards.is_guarded
        assert recorded.round not in self.standing
        house = self.cards.house
        assert event.by or (house and house.result_entry is ResultEntry.AUTO)
        self._stands(recorded, event)

    def _revised(self, recorded: Recorded) -> None:
        """A result that was given is changed, or taken back, after its round perhaps."""
        event = recorded.event
        assert isinstance(event, ev.ResultAmended | ev.RoundVoided)
        before = self.standing[event.round]
        assert before.outcome is not None
        assert before.until is not None
        assert recorded.at <= before.until
        assert recorded.shoe == before.shoe
        assert event.second not in (None, event.by)
        if isinstance(event, ev.ResultAmended):
            assert event.amendable_until == before.until
            self._mended(event, before)
        else:
            assert list(event.set_aside) == before.cards
            self._lies_void(event)
        self._stands(recorded, event)

    def _mended(self, event: ev.ResultAmended, before: Standing) -> None:
        """A new card that was not out in that coup is out; it replaces one that is gone, if so."""
        fresh = Counter([*event.player, *event.banker]) - Counter(before.out)
        gone = Counter(before.cards) - Counter([*event.player, *event.banker])
        is_here = before.shoe == self.shoe and self.shoe is not None
        if not self.mends or not is_here or (before.is_shuffled_in and event.round != self.round):
            assert (event.drawn, event.not_drawn, event.more_out) == ((), (), 0)
            return
        assert Counter(event.drawn) == fresh
        is_known = gone.total() <= fresh.total()
        assert Counter(event.not_drawn) == (gone if is_known else Counter())
        assert event.more_out == max(fresh.total() - gone.total(), 0)
        self.cards.cards_out += event.more_out
        self.cards.mend(event.drawn, event.not_drawn, is_over=event.round == self.round)
        for card in event.not_drawn:
            before.out.remove(card)
        before.out += event.drawn

    def _stands(
        self, recorded: Recorded, event: ev.ResultConfirmed | ev.ResultAmended | ev.RoundVoided
    ) -> None:
        assert recorded.round is not None
        assert recorded.public_seq is not None
        before = self.standing.get(recorded.round)
        assert event.revision == self._revision_of(recorded.round) + 1
        if not isinstance(event, ev.ResultConfirmed):
            assert event.supersedes == (None if before is None else before.public_seq)
        shoe = self.shoe if before is None else before.shoe
        out, is_shuffled_in = (
            self._out_in_coup() if before is None else (before.out, before.is_shuffled_in)
        )
        made = Standing(
            event.revision, recorded.public_seq, None, shoe, [], None, out, is_shuffled_in
        )
        if not isinstance(event, ev.RoundVoided):
            player = [card.value for card in event.player]
            banker = [card.value for card in event.banker]
            assert next_position(player, banker) is None
            assert event.outcome.value == outcome(player, banker)
            assert (event.player_total, event.banker_total) == (total(player), total(banker))
            naturals = [total(hand[:2]) for hand in (player, banker)]
            assert event.natural is (max(naturals) >= 8)
            pairs = [hand[0][0] == hand[1][0] for hand in (player, banker)]
            assert [event.pairs.player, event.pairs.banker] == pairs
            made.outcome, made.until = event.outcome.value, event.amendable_until
            made.cards = [*event.player, *event.banker]
        self.standing[recorded.round] = made

    def _out_in_coup(self) -> tuple[list[Card], bool]:
        """The cards of the coup under way, and whether they go back into the shoe after it."""
        house, told = self.cards.house, self.cards.book.cards
        codes = [one.get("entered") or one["card"] for one in told]
        is_shuffled_in = house is not None and house.shoe_mode is ShoeMode.CONTINUOUS
        return [Card(code) for code in codes if code is not None], is_shuffled_in

    def _no_card_too_early(self, event: ev.Event) -> None:
        left = [*self.cards.shown, *self.cards.told_aside]
        for card in public_cards(event):
            assert not self.are_bets_open, "a card is public while bets are open"
            assert card.value in left, f"{card.value} is not public"
            left.remove(card.value)
