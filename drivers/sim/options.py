# SPDX-License-Identifier: Apache-2.0
"""What a simulated shoe can be told at its start."""

from enum import Enum

import msgspec

from studio.game.cards import Card, cards_in

LOOPBACK = ("127.0.0.1", "localhost")


class BurnRule(str, Enum):
    """How many cards the table will burn from a new shoe."""

    NONE = "none"
    FIXED = "fixed"
    DECKS = "decks"
    FIRST_CARD = "first_card"


class Burn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The burn that the shoe marks its first cards for.

    ``cards`` counts for ``fixed``. With ``first_card`` the first card and as many more as it
    counts (pictures 10, ace ``ace``) are marked.
    """

    rule: BurnRule = BurnRule.NONE
    cards: int = 0
    ace: int = 1


class SimOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Everything about one simulated shoe; durations in seconds at ``speed`` 1.

    ``script`` is the order of the first cards of the first shoe, the rest of the decks follow
    shuffled; with ``script_only`` nothing follows. ``cut_card_from_end``: how many cards lie
    behind the cut card; None for no cut card. ``repeats``: how often each report is sent again
    after the first time (2 gives the "three times" seen in the field). ``speed`` 0: as fast as
    the line takes. ``results``: the shoe reports ``G`` after a complete coup.
    ``pty`` is the path of the symbolic link that names the pseudo-terminal; ``tcp`` and
    ``control`` are ``host:port``, port 0 for a free one. ``auto`` deals coups by itself.
    """

    decks: int = 8
    seed: int = 0
    script: tuple[str, ...] = ()
    script_only: bool = False
    cut_card_from_end: int | None = 14
    burn: Burn = Burn()
    results: bool = True
    baud: int = 4800
    speed: float = 1.0
    repeats: int = 0
    repeat_spacing_seconds: float = 0.05
    alphabet: str = "1234567890"
    command_check_with_stx: bool = True
    pty: str | None = None
    tcp: str | None = None
    control: str = "127.0.0.1:0"
    auto: bool = False
    auto_card_seconds: float = 1.0
    auto_rest_seconds: float = 5.0


def faults_of(options: SimOptions) -> tuple[str, ...]:
    """Everything wrong with these options, each with what would be right; empty when good."""
    cards = len(options.script) if options.script_only else cards_in(options.decks)
    cut = options.cut_card_from_end
    bad_codes = [code for code in options.script if code not in set(Card)]
    checks = (
        (options.decks < 1, f"decks: {options.decks}; a shoe holds 1 deck or more"),
        (bool(bad_codes), f"script: {bad_codes[:5]}; a card is rank then suit, like 9H or TC"),
        (
            options.script_only and not options.script,
            "script_only: without a script the shoe would be empty; give a script",
        ),
        (
            cut is not None and not 0 <= cut <= cards,
            f"cut_card_from_end: {cut}; it must be 0 to {cards}, or none",
        ),
        (options.baud < 50, f"baud: {options.baud}; 4800 is the maker's default"),
        (not 0 <= options.speed < float("inf"), f"speed: {options.speed}; 0 or more"),
        (options.repeats < 0, f"repeats: {options.repeats}; 0 or more"),
        (options.repeat_spacing_seconds < 0, "repeat_spacing_seconds: must be 0 or more"),
        (options.burn.cards < 0, f"burn.cards: {options.burn.cards}; 0 or more"),
        (options.burn.ace < 0, f"burn.ace: {options.burn.ace}; 1 or 11"),
        (
            len(options.alphabet) < 2 or not _is_printable_ascii(options.alphabet),
            f"alphabet: {options.alphabet!r}; two printable ASCII characters or more",
        ),
        (
            options.auto_card_seconds < 0 or options.auto_rest_seconds < 0,
            "auto_card_seconds, auto_rest_seconds: must be 0 or more",
        ),
        (
            options.control.rpartition(":")[0] not in LOOPBACK,
            f"control: {options.control}; whoever reaches it deals cards: 127.0.0.1 only",
        ),
        (
            options.pty is None and options.tcp is None,
            "pty, tcp: the shoe has no line; give a path for the one or host:port for the other",
        ),
    )
    return tuple(text for is_wrong, text in checks if is_wrong)


def _is_printable_ascii(text: str) -> bool:
    return text.isascii() and text.isprintable()
