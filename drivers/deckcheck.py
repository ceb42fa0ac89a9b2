# SPDX-License-Identifier: Apache-2.0
"""Checking a shoe with cards that are known: what was drawn against what was read.

The cards are known either in their order, or as a number of whole decks in any order. The outcome
is a record to be kept with the device (GLI-19 C.6.8(n)); this module compares, and leaves keeping
to its caller.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime

import msgspec

from drivers.base import Decoded, Decoder
from drivers.listen import chunks_of
from drivers.transport import Line
from studio.game.cards import Card
from studio.game.inputs import CardDrawn, CardUnreadable, FaultReported, FrameRejected, SequenceGap


class DeckFault(ValueError):
    """A list of cards that cannot be used; says which word in which line."""


class Confusion(msgspec.Struct, frozen=True):
    """A card read as another one; ``place`` counts the cards drawn from 1."""

    place: int
    expected: Card
    read: Card


class DeckOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a check ended. ``missing`` were expected and not read, ``extra`` the other way round.

    ``unreadable`` names the places of cards that were drawn and not read. ``gaps`` counts reports
    lost on the line, ``rejected`` frames that were no frames, ``faults`` those the shoe told of.
    """

    device: str
    driver: str
    driver_version: str
    at: datetime
    is_passed: bool
    in_order: bool
    expected: int
    read: int
    unreadable: tuple[int, ...]
    confusions: tuple[Confusion, ...]
    missing: tuple[Card, ...]
    extra: tuple[Card, ...]
    gaps: int
    rejected: int
    faults: int


def cards_from(text: str) -> tuple[Card, ...]:
    """Cards in their order, as in ``9H TC``, over any number of lines; ``#`` begins a comment.

    Raises ``DeckFault`` with every word that is no card.
    """
    cards, faults = [], []
    for number, line in enumerate(text.splitlines(), 1):
        for word in line.partition("#")[0].upper().split():
            try:
                cards.append(Card(word))
            except ValueError:
                faults.append(
                    f"line {number}: {word!r} is no card; write rank and suit, as in 9H or TC"
                )
    if not cards and not faults:
        faults.append("no card is named")
    if faults:
        raise DeckFault("; ".join(faults))
    return tuple(cards)


def decks_of(decks: int) -> tuple[Card, ...]:
    """The cards of so many whole decks."""
    return tuple(Card) * decks


class DeckCheck:
    """One check under way: hears what comes, then compares."""

    def __init__(self, expected: tuple[Card, ...], *, in_order: bool) -> None:
        self._expected = expected
        self._in_order = in_order
        self._read: list[Card | None] = []
        self._gaps = self._rejected = self._faults = 0

    @property
    def is_complete(self) -> bool:
        """Whether as many cards were drawn as are expected."""
        return len(self._read) >= len(self._expected)

    def hear(self, item: Decoded) -> str | None:
        """Take one report; returns a line for a person if it was a card."""
        match item.report:
            case CardDrawn(card):
                return self._heard(card)
            case CardUnreadable():
                return self._heard(None)
            case SequenceGap():
                self._gaps += 1
            case FrameRejected():
                self._rejected += 1
            case FaultReported():
                self._faults += 1
            case _:
                pass
        return None

    def _heard(self, card: Card | None) -> str:
        place = len(self._read)
        self._read.append(card)
        text = f"{place + 1:>4}  {card.value if card is not None else 'not read'}"
        if self._in_order and place < len(self._expected) and card != self._expected[place]:
            text += f"  expected {self._expected[place].value}"
        return text

    def outcome(self, device: str, decoder: Decoder, at: datetime) -> DeckOutcome:
        """How it ended, if no more cards are drawn."""
        compare = _compared_in_order if self._in_order else _compared_as_heap
        confusions, missing, extra = compare(self._expected, self._read)
        unreadable = tuple(place for place, card in enumerate(self._read, 1) if card is None)
        return DeckOutcome(
            device=device,
            driver=decoder.name,
            driver_version=decoder.version,
            at=at,
            is_passed=not (confusions or missing or extra or unreadable or self._gaps),
            in_order=self._in_order,
            expected=len(self._expected),
            read=len(self._read),
            unreadable=unreadable,
            confusions=tuple(confusions),
            missing=tuple(missing),
            extra=tuple(extra),
            gaps=self._gaps,
            rejected=self._rejected,
            faults=self._faults,
        )


_Difference = tuple[list[Confusion], list[Card], list[Card]]


def _compared_in_order(expected: tuple[Card, ...], read: list[Card | None]) -> _Difference:
    """By the fewest changes, so that one card that is missing does not make all after it wrong."""
    confusions: list[Confusion] = []
    missing: list[Card] = []
    extra: list[Card] = []
    changes = _fewest_changes(expected, read)
    i = j = 0
    while i < len(expected) or j < len(read):
        here = changes[i][j]
        card = read[j] if j < len(read) else None
        if i < len(expected) and here == changes[i + 1][j] + 1:
            missing.append(expected[i])
            i += 1
        elif j < len(read) and here == changes[i][j + 1] + 1:
            if card is not None:
                extra.append(card)
            j += 1
        else:
            if card is not None and card != expected[i]:
                confusions.append(Confusion(j + 1, expected[i], card))
            i, j = i + 1, j + 1
    return confusions, missing, extra


def _fewest_changes(expected: tuple[Card, ...], read: list[Card | None]) -> list[list[int]]:
    """``[i][j]``: how many changes make the cards expected from i on those read from j on.

    Of cards missing, too many, or other than expected. Whole decks in their order repeat
    themselves, which misleads a search for the longest equal stretch.
    """
    rows, columns = len(expected), len(read)
    changes = [[0] * (columns + 1) for _ in range(rows + 1)]
    for j in range(columns):
        changes[rows][j] = columns - j
    for i in range(rows - 1, -1, -1):
        changes[i][columns] = rows - i
        for j in range(columns - 1, -1, -1):
            changes[i][j] = min(
                changes[i + 1][j + 1] + (expected[i] != read[j]),
                changes[i + 1][j] + 1,
                changes[i][j + 1] + 1,
            )
    return changes


def _compared_as_heap(expected: tuple[Card, ...], read: list[Card | None]) -> _Difference:
    """As a number of each card; what an unreadable card was is not known, so it is missing."""
    want, have = Counter(expected), Counter(card for card in read if card is not None)
    return [], sorted((want - have).elements()), sorted((have - want).elements())


def check_deck(
    line: Line,
    decoder: Decoder,
    check: DeckCheck,
    *,
    idle_seconds: float,
    monotonic: Callable[[], float] = time.monotonic,
) -> Iterator[str]:
    """Hear a shoe until all cards are drawn, or none came for ``idle_seconds``; a line a card.

    Raises ``LineError``.
    """
    last = monotonic()
    for chunk in chunks_of(line, None, monotonic):
        for item in decoder.feed(chunk):
            text = check.hear(item) if isinstance(item, Decoded) else None
            if text is not None:
                last = monotonic()
                yield text
        if check.is_complete or monotonic() - last >= idle_seconds:
            return


def summary_of(outcome: DeckOutcome) -> list[str]:
    """The outcome for a person, a line for each kind of fault."""
    verdict = "PASSED" if outcome.is_passed else "FAILED"
    lines = [f"{verdict}: {outcome.read} cards drawn, {outcome.expected} expected"]
    lines += [
        f"card {wrong.place}: {wrong.expected.value} was read as {wrong.read.value}"
        for wrong in outcome.confusions
    ]
    for word, cards in (("missing", outcome.missing), ("too many", outcome.extra)):
        if cards:
            lines.append(f"{word}: {' '.join(card.value for card in cards)}")
    if outcome.unreadable:
        lines.append(f"not read: card {', '.join(map(str, outcome.unreadable))}")
    if outcome.gaps:
        lines.append(f"{outcome.gaps} gaps in the sequence: reports were lost on the line")
    if outcome.rejected:
        lines.append(f"{outcome.rejected} frames were rejected")
    if outcome.faults:
        lines.append(f"the shoe reported {outcome.faults} faults")
    return lines
