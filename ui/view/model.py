# SPDX-License-Identifier: GPL-3.0-or-later
"""The view model: what a console's widgets draw, ready to be drawn.

Every text is in the language it is to be read in, filled in and within its box's budget
(``ui.view.boxes``). Colours are named by role only. A widget decides nothing: what is not here is
not on screen. ``None`` or an empty text means that the place stays empty, not that it moves.
"""

from enum import Enum

import msgspec

from studio.game.cards import Card
from studio.game.roads import Counts, Roads
from studio.game.state import StandingResult


class BandRole(str, Enum):
    """What the band is for.

    ``MOVE``: your move. ``OPEN``: bets are open. ``WAIT``: hands off for a moment. ``STOP``:
    trouble, a person must rule. ``OFF``: nothing on screen is current.
    """

    MOVE = "move"
    OPEN = "open"
    WAIT = "wait"
    STOP = "stop"
    OFF = "off"


class Lamp(str, Enum):
    """State of a line in the header; each is drawn with a shape of its own beside its colour."""

    GOOD = "good"
    DOUBT = "doubt"
    BAD = "bad"


class LampView(msgspec.Struct, frozen=True):
    """A line: its name (SHOE, FEED), how it is, and the state in a word."""

    name: str
    lamp: Lamp
    word: str


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The line on top: table, house, limits, round, lines, people, clock.

    ``is_called``: the supervisor's line says since when one was called, and is drawn louder.
    ``badges`` are short standing facts: test environment, manual mode, suspended, coup without
    bets, last coup.
    """

    table: str
    house: str
    limits: str
    round: str
    dealer: str
    supervisor: str
    person: str
    clock: str
    lamps: tuple[LampView, ...]
    badges: tuple[str, ...]
    is_called: bool = False


class Band(msgspec.Struct, frozen=True, kw_only=True):
    """The one loud thing: what to do (large), what to say, why.

    ``key``: what is pressed (``Space``), "" when a hand does it; ``key_label``: the button's words,
    or "pull the card". ``act``: what the key does. ``help``: the quiet keys below it. ``clock``:
    the betting clock in seconds ("12"), or the guard's; ``part``: how much of it is left, 0 to 1.
    ``since``: how long the trouble lasts ("0:12"). ``note``: what is to be done at the shoe
    beside it. ``code``: the prompt's or state's code, for screen readers, sounds and tests.
    """

    code: str
    role: BandRole
    do: str
    say: str = ""
    why: str = ""
    note: str = ""
    act: str = ""
    key: str = ""
    key_label: str = ""
    help: str = ""
    clock: str = ""
    part: float | None = None
    since: str = ""


class Face(str, Enum):
    """How a place is drawn.

    Empty; next (it glows); a card face up; a card that is there but not shown; one not read.
    """

    EMPTY = "empty"
    NEXT = "next"
    UP = "up"
    DOWN = "down"
    UNREAD = "unread"


class Mark(str, Enum):
    """An outline on a card in trouble: it moves away, it belongs here, it is surplus.

    ``ASKED``: nobody said where it lies; it is drawn where the screen asked for it.
    """

    NONE = "none"
    MOVES = "moves"
    ARRIVES = "arrives"
    SURPLUS = "surplus"
    ASKED = "asked"


class PlaceView(msgspec.Struct, frozen=True):
    """One place of a box.

    ``position`` is P1 to B3, "" for a card aside; ``label`` the place's own words ("next");
    ``spoken`` is for a screen reader. ``number`` is the card's number in the coup where it matters.
    """

    position: str
    face: Face
    card: Card | None = None
    label: str = ""
    mark: Mark = Mark.NONE
    spoken: str = ""
    number: int | None = None


class HandView(msgspec.Struct, frozen=True):
    """A box: ``side`` is player or banker, ``name`` its word, ``total`` "" while it has none.

    ``told``: one quiet line beside the name ("drew on 5", "stands on 6", "natural 9").
    """

    side: str
    name: str
    total: str
    told: str
    is_winner: bool
    places: tuple[PlaceView, ...]


class Hands(msgspec.Struct, frozen=True):
    """Both boxes. ``is_veiled``: drawn behind a veil, for they may not be current.

    ``result``: the outcome in words, once there is one; ``outcome`` player, banker, tie or void.
    """

    player: HandView
    banker: HandView
    is_veiled: bool = False
    result: str = ""
    outcome: str = ""


class MoveView(msgspec.Struct, frozen=True):
    """One card to move, to be ticked once it lies there. ``is_next``: the key ticks this one."""

    number: int
    text: str
    card: Card
    to: str
    is_done: bool
    is_next: bool


class ProposalView(msgspec.Struct, frozen=True):
    """A ruling that can be given; ``consequence`` is its headline, ``details`` one line each.

    ``key`` names it among the others: its remedy, and the answer that it goes with.
    """

    key: str
    name: str
    consequence: str
    details: tuple[str, ...]
    needs_second: bool
    is_first: bool
    is_chosen: bool


class ReadView(msgspec.Struct, frozen=True):
    """A card as evidence: how it came, and the report's bytes (monospaced)."""

    number: int
    card: str
    laid: str
    facts: str
    at: str
    raw: str


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """A held table: takes the place of the hands.

    ``leave``: what to leave untouched. ``as_laid`` beside ``as_must_be`` (None while nobody can
    say, or nothing was dealt); ``aside``: cards that take no place. ``moves`` are ticked one by
    one. ``found``: the irregularities, what happened and what to do, in order. ``laid_note``: what
    a dashed card of ``as_laid`` is.
    """

    title: str
    leave: str
    found: tuple[tuple[str, str], ...]
    as_laid: tuple[HandView, HandView] | None
    as_must_be: tuple[HandView, HandView] | None
    laid_title: str
    laid_note: str
    must_title: str
    unknown_title: str
    unknown_box: tuple[PlaceView, ...]
    aside: tuple[PlaceView, ...]
    aside_title: str
    moves: tuple[MoveView, ...]
    proposals: tuple[ProposalView, ...]
    proposals_title: str
    evidence: tuple[ReadView, ...]
    evidence_title: str
    since: str


class RoadsView(msgspec.Struct, frozen=True, kw_only=True):
    """The roads and statistics of this shoe; None where a shoe is reshuffled after each coup.

    ``titles``: bead plate, big road, big eye boy, small road, cockroach pig, this shoe.
    """

    roads: Roads | None
    counts: Counts | None
    results: tuple[StandingResult, ...]
    titles: tuple[str, str, str, str, str, str]
    count_names: tuple[str, str, str]
    coup: str
    is_veiled: bool = False


class ShoeDepth(msgspec.Struct, frozen=True, kw_only=True):
    """How far the shoe is dealt. ``part`` and ``cut_part`` are 0 to 1 of its cards.

    Burned cards are a count, never values.
    """

    part: float
    cut_part: float | None
    drawn: str
    burned: str
    cut: str
    is_cut_seen: bool


class Choice(msgspec.Struct, frozen=True):
    """One line to choose in a panel; ``act`` is given to ``pressed`` when it is touched."""

    act: str
    text: str
    detail: str
    is_chosen: bool
    is_enabled: bool = True


class Entry(msgspec.Struct, frozen=True):
    """One field to type. ``is_secret``: dots only. ``is_current``: it has the text cursor."""

    label: str
    text: str
    is_secret: bool
    is_current: bool


class PanelView(msgspec.Struct, frozen=True, kw_only=True):
    """A panel over the roads: a title, lines to read, fields to type, choices to make.

    ``page``: "1/3" when there are more choices than fit. ``evidence``: the cards of a held coup as
    they came. ``has_card_pad``: ranks and suits as
    touch keys, for a card is being typed. ``has_number_pad``: digits.
    """

    kind: str
    title: str
    lines: tuple[str, ...] = ()
    fields: tuple[Entry, ...] = ()
    choices: tuple[Choice, ...] = ()
    page: str = ""
    evidence: tuple[ReadView, ...] = ()
    has_card_pad: bool = False
    has_number_pad: bool = False
    fault: str = ""


class KeyView(msgspec.Struct, frozen=True, kw_only=True):
    """A key that does something now, and its touch target.

    ``act`` is what ``pressed`` takes: a command's tag or an act of the console. ``keys`` are the
    names of all keys that do it (``Space``, ``Keypad+0``), the first is drawn, in the words of the
    language as ``key_text``. ``is_main``: the band's own. ``undo``: what takes it back.
    ``is_on_screen``: it is a target to touch; the others are keys only, and in the panel "more".
    ``is_standing``: it is there in every state, always in the same place.
    """

    act: str
    keys: tuple[str, ...]
    key_text: str
    label: str
    is_enabled: bool
    is_main: bool
    undo: str
    is_on_screen: bool = True
    is_standing: bool = False


class Foot(msgspec.Struct, frozen=True):
    """The line at the bottom.

    A refusal in words (loud), else the undo of the main key (quiet); the software; what is on its
    way.
    """

    refusal: str
    undo: str
    software: str
    sending: str


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A whole console."""

    header: Header
    band: Band
    hands: Hands
    held: Held | None
    roads: RoadsView
    shoe: ShoeDepth
    panel: PanelView | None
    keys: tuple[KeyView, ...]
    foot: Foot
    is_locked: bool
    is_light: bool
