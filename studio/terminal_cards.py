# SPDX-License-Identifier: Apache-2.0
"""Cards as boxes and totals as big figures. Pure: cards in, lines of text out."""

from rich.style import Style
from rich.text import Text

from studio.game.cards import Card, Suit

CARD_ROWS = 5
CARD_COLUMNS = 7
FIGURE_COLUMNS = 6

_SYMBOLS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}
_RED = Style(color="bright_red", bold=True)
_BLACK = Style(bold=True)
_EDGE = Style(dim=False)
_PLACE = Style(dim=True)

_FIGURES = {
    "0": ("██████", "██  ██", "██  ██", "██  ██", "██████"),
    "1": ("  ██  ", "████  ", "  ██  ", "  ██  ", "██████"),
    "2": ("██████", "    ██", "██████", "██    ", "██████"),
    "3": ("██████", "    ██", "██████", "    ██", "██████"),
    "4": ("██  ██", "██  ██", "██████", "    ██", "    ██"),
    "5": ("██████", "██    ", "██████", "    ██", "██████"),
    "6": ("██████", "██    ", "██████", "██  ██", "██████"),
    "7": ("██████", "    ██", "    ██", "    ██", "    ██"),
    "8": ("██████", "██  ██", "██████", "██  ██", "██████"),
    "9": ("██████", "██  ██", "██████", "    ██", "██████"),
    "-": ("      ", "      ", "██████", "      ", "      "),
}


def suit_style(card: Card) -> Style:
    """Red for hearts and diamonds; the suit's letter and symbol are always there as well."""
    return _RED if card.suit in (Suit.HEARTS, Suit.DIAMONDS) else _BLACK


def short(card: Card) -> Text:
    """A card in a line: its code and the symbol of its suit, ``9H♥``."""
    return Text(f"{card.value}{_SYMBOLS[card.suit]}", suit_style(card))


def hand(cards: tuple[Card, ...], places: int = 3) -> list[Text]:
    """Five lines: the cards as boxes side by side, with an outline for each that is not there."""
    lines = [Text(no_wrap=True) for _ in range(CARD_ROWS)]
    for place in range(places):
        piece = _card(cards[place]) if place < len(cards) else _outline(is_third=place == 2)
        for line, row in zip(lines, piece, strict=True):
            line.append(" " if line.cell_len else "")
            line.append_text(row)
    return lines


def figure(total: int | None, style: Style) -> list[Text]:
    """Five lines: a total in big figures, a bar where there is none."""
    return [
        Text(row, style, no_wrap=True) for row in _FIGURES["-" if total is None else str(total)]
    ]


def _card(card: Card) -> list[Text]:
    style = suit_style(card)
    rank = "10" if card.rank.value == "T" else card.rank.value
    rows = (f"│{rank:<5}│", f"│  {_SYMBOLS[card.suit]}  │", f"│{card.suit.value:>5}│")
    lines = [Text("╭─────╮", _EDGE)]
    for row in rows:
        line = Text(row, style)
        line.stylize(_EDGE, 0, 1)
        line.stylize(_EDGE, len(row) - 1)
        lines.append(line)
    return [*lines, Text("╰─────╯", _EDGE)]


def _outline(*, is_third: bool) -> list[Text]:
    """Where a card is still to come; a third card may never come, so nothing is drawn for it."""
    if is_third:
        return [Text(" " * CARD_COLUMNS) for _ in range(CARD_ROWS)]
    return [Text(row, _PLACE) for row in ("╭╌╌╌╌╌╮", *["╎     ╎"] * 3, "╰╌╌╌╌╌╯")]
