# SPDX-License-Identifier: Apache-2.0
"""The words of a drill: its cards, its steps in order, and its oracle.

A drill is data. It says what a hand does to the shoe, what the people at the table do about it,
and what must come of it; who runs it, and against which table, it does not know. What is done to
the shoe is named in the words of the simulated shoe's control line.
"""

from itertools import chain

import msgspec

from studio.game.cards import Card
from studio.game.coup import Side
from studio.game.inputs import (
    BurnCards,
    CallResult,
    CloseBets,
    Command,
    CorrectBurn,
    CorrectCard,
    EnterCard,
    NoteCard,
    OpenBets,
    OpenFreeCoup,
    ReportIrregularity,
    StrikeCard,
)

DEALER, SUPERVISOR, SECOND = "drill-dealer", "drill-supervisor", "drill-second"
REASON = "drill"
# What players hear: of a hold that changes nothing, of a pause between rounds, of a round's end.
HELD = "round_held round_released "
PAUSED = "table_suspended table_resumed "
END = "result round_closed"
# The plain coup of four cards that most drills are dealt with, and its result.
PLAIN = tuple(Card(code) for code in ("9C", "KD", "JS", "3H"))
NATURAL = "player: 9C JS / KD 3H"


class Pull(msgspec.Struct, frozen=True):
    """``n`` cards leave the shoe. ``heard``: how many of them the table hears of; None for all."""

    n: int = 1
    heard: int | None = None


class AtShoe(msgspec.Struct, frozen=True):
    """Something happens to the shoe or its line: ``do`` is the control line's command."""

    what: str
    do: str
    values: dict[str, str | int | float | bool] = {}


class Tell(msgspec.Struct, frozen=True):
    """A person at the table sends a command; ``refused`` is the code of the no that is due."""

    command: Command
    refused: str | None = None


class Rule(msgspec.Struct, frozen=True):
    """A supervisor rules on the hold: by the house's first proposal, which must be ``remedy``.

    ``faces_seen``: the answer given, where the ruling asks; the first of the two for None.
    """

    remedy: str
    faces_seen: bool | None = None


class VoidRound(msgspec.Struct, frozen=True):
    """A supervisor cancels the round under way."""


class AmendRound(msgspec.Struct, frozen=True):
    """Two people say which cards a round of this drill had: the ``back``-th before the newest."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    back: int = 0


class RecordCard(msgspec.Struct, frozen=True):
    """Two people tell of a card that left the shoe unheard; None: nobody knows its value."""

    card: Card | None = None


class Shows(msgspec.Struct, frozen=True):
    """The staff's picture comes to show this: phase, trust, prompt, public_phase, ..."""

    members: dict[str, str | int | bool | None]


class PlayOn(msgspec.Struct, frozen=True):
    """The dealer follows the prompts until the round, or coup without bets, is over."""


class SwapShoe(msgspec.Struct, frozen=True):
    """The shoe is ended and another one is loaded and burned; ``cards`` come first from it."""

    cards: tuple[Card, ...]


Step = Pull | AtShoe | Tell | RecordCard | Rule | VoidRound | AmendRound | Shows | PlayOn | SwapShoe


class Oracle(msgspec.Struct, frozen=True, kw_only=True):
    """What must come of a drill.

    ``public``: the types of the public messages, in order. ``raised``: the codes that hold the
    table, in order. ``results``: as ``result_text`` says them, that of one plain coup unless others
    are named. ``fates``: what became of each card that took no position. ``never``: cards that no
    public message may name; ``after``: cards that none may name before one of this type.
    ``counts``: cards seen, burned and left make the decks. ``told``: what the shoe must be on
    record to have reported beside its cards, each at least so many times; without it a drill of
    which players hear nothing is passed when nothing happens.
    """

    public: tuple[str, ...]
    raised: tuple[str, ...] = ()
    results: tuple[str, ...] = (NATURAL,)
    fates: tuple[str, ...] = ()
    never: tuple[Card, ...] = ()
    after: dict[str, str] = {}
    counts: bool = True
    told: dict[str, int] = {}


class Drill(msgspec.Struct, frozen=True, kw_only=True):
    """One drill, and the ``rows`` that it trains.

    ``cards`` come first from the shoe, after the burn; the plain coup's unless others are named.
    ``eyes``: of what only eyes can see, how much of it is done here and what is only said.
    ``has_own_burn``: the cards of the burn are the first of them. ``foreign``: which of them,
    counted from 1, have another back. ``has_cut_card``: one was put into the shoe.
    """

    name: str
    trains: str
    rows: tuple[str, ...]
    cards: tuple[Card, ...] = PLAIN
    has_own_burn: bool = False
    foreign: tuple[int, ...] = ()
    has_cut_card: bool = True
    steps: tuple[Step, ...]
    oracle: Oracle
    eyes: str = ""


# --- how drills are written ----------------------------------------------------------------------


def cards(text: str) -> tuple[Card, ...]:
    """The cards of ``9C KD JS``."""
    return tuple(Card(code) for code in text.split())


def public(text: str) -> tuple[str, ...]:
    """The message types of ``bets_opened bets_closed card_dealt*4``."""
    found = (word.partition("*") for word in text.split())
    return tuple(chain.from_iterable([word] * int(times or 1) for word, _, times in found))


def dealt(count: int) -> str:
    """What players hear of a round whose first cards go well."""
    return f"bets_opened bets_closed card_dealt*{count} " if count else "bets_opened bets_closed "


def held(count: int, drawn: int = 4, after: str = "") -> tuple[str, ...]:
    """A hold after so many cards of those drawn, released; the rest, the end, and what follows."""
    rest = f"card_dealt*{drawn - count} " if drawn > count else ""
    return public(f"{dealt(count)}{HELD}{rest}{END} {after}")


def voided(count: int, after: str = "") -> tuple[str, ...]:
    """A round that is held after so many cards, and void; and what follows."""
    return public(f"{dealt(count)}round_held round_voided round_closed {after}")


# What players hear of a shoe that is closed, and of a plain coup from the next one.
NEXT_SHOE = "shoe_ended shoe_loaded " + dealt(4) + END


def is_closed(refused: str = "shoe_stopped") -> tuple[Step, ...]:
    """The shoe deals no other coup, with bets or without; another one does."""
    no_coup = (OpenBets(by=DEALER), OpenFreeCoup(by=DEALER))
    no_more = tuple(Tell(one, refused=refused) for one in no_coup)
    return (*no_more, shows(prompt="end-shoe"), SwapShoe(PLAIN), *coup(4), PlayOn())


def opened() -> tuple[Step, ...]:
    """Bets are open."""
    return (Tell(OpenBets(by=DEALER)),)


def coup(count: int) -> tuple[Step, ...]:
    """Bets are opened and closed, and so many cards drawn."""
    start = (*opened(), Tell(CloseBets(by=DEALER)))
    return (*start, Pull(count)) if count else start


def note(
    number: int,
    at: Side | None = None,
    *,
    face_up: bool | None = None,
    stuck: bool | None = None,
    unseen: bool | None = None,
) -> Tell:
    """The supervisor says how a card lay."""
    return Tell(
        NoteCard(by=SUPERVISOR, number=number, at=at, face_up=face_up, stuck=stuck, unseen=unseen)
    )


def enter(number: int, code: str, *, missing: bool = False) -> Tell:
    """Two people say what a card was that the shoe did not tell."""
    return Tell(
        EnterCard(by=SUPERVISOR, second=SECOND, number=number, card=Card(code), missing=missing)
    )


def correct(number: int, code: str) -> Tell:
    """Two people say what a card is that the shoe read wrongly."""
    return Tell(CorrectCard(by=SUPERVISOR, second=SECOND, number=number, card=Card(code)))


def strike(number: int) -> Tell:
    """Two people say that a read was no card of its own."""
    return Tell(StrikeCard(by=SUPERVISOR, second=SECOND, number=number, reason=REASON))


def correct_burn(number: int, code: str) -> Tell:
    """Two people say what a burned card is."""
    return Tell(CorrectBurn(by=SUPERVISOR, second=SECOND, number=number, card=Card(code)))


def call(outcome: str) -> Tell:
    """The dealer calls a result."""
    return Tell(msgspec.convert({"command": "call_result", "by": DEALER, "outcome": outcome},
                                CallResult))  # fmt: skip


def report(code: str) -> Tell:
    """The dealer names what only eyes can see."""
    return Tell(ReportIrregularity(by=DEALER, code=code, detail=REASON))


def burn(count: int) -> tuple[Step, ...]:
    """Cards are burned in the middle of the shoe, which counts them as a coup: that is ended."""
    order = BurnCards(by=SUPERVISOR, count=count, reason=REASON)
    return (Tell(order), Pull(count), END_ON_SHOE)


def fault(kind: str, what: str, **values: str | float | bool) -> AtShoe:
    """The shoe, or its line, is made to go wrong."""
    return AtShoe(what, "fault", {"kind": kind, **values})


END_ON_SHOE = AtShoe("The coup is ended on the shoe by its button.", "forced_end")
# The card that players saw begins a coup without bets, and three more end it.
FREE_COUP: tuple[Step, ...] = (Tell(OpenFreeCoup(by=DEALER)), END_ON_SHOE, Pull(3), PlayOn())


def shows(**members: str | int | bool | None) -> Shows:
    """The staff's picture comes to show this."""
    return Shows(members)


def result_text(outcome: str, player: tuple[Card, ...], banker: tuple[Card, ...]) -> str:
    """A result in one line: ``player: 9C JS / KD 3H``."""
    hands = (" ".join(card.value for card in hand) for hand in (player, banker))
    return f"{outcome}: {' / '.join(hands)}"


_LYING = (
    "How a card lies no shoe can tell, and a simulated one can do nothing about it: the cards "
    "come as ever, and a person says how they lay."
)


def by_eyes(drill: Drill) -> str:
    """What of a drill is not done but only said, as its pass sheet owns; empty when all is done."""
    is_noted = any(isinstance(one, Tell) and isinstance(one.command, NoteCard)
                   for one in drill.steps)  # fmt: skip
    return drill.eyes or (_LYING if is_noted else "")
