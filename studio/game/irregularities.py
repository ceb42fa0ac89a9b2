# SPDX-License-Identifier: Apache-2.0
"""The catalogue: whatever can go wrong with a card at a table, one row each.

A row says how the table learns of it: the machine sees it; a person who saw it says so (where a
card was laid, that it lay face up, that it fell); or the system has no part in it, and the row
says why. ``ids`` are the names that the trade's catalogue gives to the same thing. What a hold
comes to is decided by judging the coup whole (``studio.game.holds``), not here.
"""

from enum import Enum, auto

import msgspec


class Remedy(str, Enum):
    """What a person may rule on a hold.

    ``BURN`` to ``CARRY`` are the fates of what lies aside outside any coup.
    """

    RELEASE = "release"
    RECONSTRUCT = "reconstruct"
    BURN = "burn"
    NEXT_BURN = "next_burn"
    FREE_COUP = "free_coup"
    CARRY = "carry"
    VOID = "void"


class SeenBy(Enum):
    """Who notices it.

    ``MACHINE``: from the reports of the shoe and the commands of the staff. ``NOTE``: a person
    says how a card lay, and the table judges. ``REPORT``: a person names the row. ``NOBODY``: it
    is outside the system.
    """

    MACHINE = auto()
    NOTE = auto()
    REPORT = auto()
    NOBODY = auto()


class Irregularity(msgspec.Struct, frozen=True, kw_only=True):
    """One row. ``is_beyond_mending``: the round can only be voided. ``why``: of NOBODY rows.

    ``may_hide_card``: a card may lie on the table that the shoe never told of. ``may_be_no_card``:
    the shoe may have told of one card twice. ``stops_shoe``:
    once a person has ruled, it deals no other coup; a copy too many stops it by its count.
    """

    code: str
    what: str
    seen_by: SeenBy
    ids: tuple[str, ...] = ()
    is_beyond_mending: bool = False
    may_hide_card: bool = False
    may_be_no_card: bool = False
    stops_shoe: bool = False
    why: str = ""


DUPLICATE_CARD = "duplicate-card"
CUT_CARD_MISSED = "cut-card-missed"
SHOE_EMPTY = "insufficient-cards"
CARD_LOST = "card-lost"
WRONG_PAID = "wrong-paid"
RECORD_RESTORED = "record-restored"


def _machine(
    code: str, what: str, *ids: str, ghost: bool = False, stops: bool = False
) -> Irregularity:
    return Irregularity(
        code=code,
        what=what,
        seen_by=SeenBy.MACHINE,
        ids=ids or (code,),
        may_be_no_card=ghost,
        stops_shoe=stops,
    )


def _doubt(code: str, what: str) -> Irregularity:
    return Irregularity(
        code=code, what=what, seen_by=SeenBy.MACHINE, ids=(code,), may_hide_card=True
    )


def _note(code: str, what: str, *ids: str) -> Irregularity:
    return Irregularity(code=code, what=what, seen_by=SeenBy.NOTE, ids=ids or (code,))


def _report(code: str, what: str, *, ghost: bool = False) -> Irregularity:
    return Irregularity(
        code=code,
        what=what,
        seen_by=SeenBy.REPORT,
        ids=(code,),
        may_be_no_card=ghost,
    )


def _bad_shoe(code: str, what: str) -> Irregularity:
    return Irregularity(
        code=code, what=what, seen_by=SeenBy.REPORT, ids=(code,), is_beyond_mending=True,
        stops_shoe=True,
    )  # fmt: skip


def _nobody(code: str, what: str, why: str) -> Irregularity:
    return Irregularity(code=code, what=what, seen_by=SeenBy.NOBODY, ids=(code,), why=why)


_ROWS = (
    # A. tableau and order
    _machine("excess-after-natural", "A card was drawn after a natural."),
    _machine("excess-after-complete", "A card was drawn after the coup was complete."),
    _note(
        "p3-when-stand-b-draws", "Player stands, and Banker's third card was laid in Player's box."
    ),
    _note("p3-when-stand-b-stands", "Both stand, and a card was laid in Player's box."),
    _note("b3-when-stand", "Banker stands, and a card was laid in Banker's box."),
    _machine("b3-missed", "The result was called while Banker's third card was due."),
    _machine("p3-missed", "The result was called while Player's third card was due."),
    _note("p3-skipped-b-drawn", "Player's third card was laid in Banker's box."),
    _note(
        "third-to-wrong-hand",
        "Banker's third card was laid in Player's box.",
        "third-to-wrong-hand",
        "wrong-box-scanned-ok",
    ),
    _note(
        "initial-order",
        "One of the first four cards was laid in the wrong box.",
        "initial-order-PPBB",
        "initial-order-BPBP",
    ),
    _machine("initial-short", "The result was called before four cards were dealt."),
    _note("double-pull", "Two cards left the shoe together."),
    _report("card-returned", "A drawn card was pushed back: it stays out, as drawn.", ghost=True),
    _nobody(
        "player-call-wrong",
        "The holder of a hand asked or declined against the rule.",
        "Nobody holds the cards here: the tableau is fixed and the dealer draws.",
    ),
    # B. timing
    _machine("card-before-close", "A card was drawn while bets were open."),
    _nobody(
        "late-bet",
        "A stake came after the close.",
        "Stakes are taken by front-ends; the feed tells them when bets were closed.",
    ),
    _machine("next-card-early", "A card was drawn between two rounds.", ghost=True),
    # C. exposure and physical
    _note("face-up-in-shoe", "A card lay face up in the shoe."),
    _report("exposed-in-deal", "A card flashed while it was dealt: no decision hangs on it."),
    _report("card-on-floor", "A card fell: it counts if it is the card that was read."),
    _report(CARD_LOST, "A drawn card is missing: it counts as read, or the round is void."),
    _report("card-damaged", "A card is torn, bent or marked: the coup is finished first."),
    _bad_shoe("foreign-card", "A card of another deck, or a joker."),
    _machine(
        DUPLICATE_CARD,
        "More copies of a card than the shoe has decks.",
        "duplicate",
        ghost=True,
    ),
    _bad_shoe("unshuffled-shoe", "The cards come in their factory order."),
    # D. shoe supply
    _machine(SHOE_EMPTY, "The shoe is empty and the coup is not complete.", stops=True),
    _machine("cut-card-mid-round", "The cut card came within a coup: the house's rule, no hold."),
    _machine("cut-card-first", "The cut card came before a coup: the house's rule, no hold."),
    _report(CUT_CARD_MISSED, "The cut card did not show where it was due."),
    _report("burn-count-wrong", "Too few or too many cards were burned."),
    _machine("burn-on-relief", "A card is burned when the dealer changes: a command, no hold."),
    # E. reader and system
    _machine("misscan-none", "A card left the shoe and was not read."),
    _machine("misread", "A card was read as another: corrected by two people."),
    _machine("double-read", "A card was reported twice: told by the shoe's own sequence."),
    _report("ghost-read", "A card was slid back and out again: it is one card.", ghost=True),
    _doubt("frame-lost", "A report of the shoe was lost: a card may be missing."),
    _doubt("shoe-failure", "The shoe reports a fault in mid-round."),
    _report("table-cleared-early", "Cards were swept early: they are laid back as read."),
    _machine("result-not-confirmed", "The key was forgotten: the table waits, nothing is lost."),
    _machine("start-not-pressed", "The key was forgotten: a card then holds the table."),
    _nobody(
        "link-lost",
        "A bettor's connection is gone.",
        "The game goes on; a front-end that comes back catches up by history.",
    ),
    # F. result
    _report("mis-scored", "A total was miscounted: the table counts by itself."),
    _machine("wrong-result-announced", "The winner called is not the winner by the cards."),
    _report(WRONG_PAID, "A wrong result was paid: front-ends pay by the feed's revision."),
    _machine("found-after-next", "Found when the next round had begun: amended or void."),
    _nobody(
        "demo-with-bets",
        "Stakes were taken on a coup without bets.",
        "A coup without bets never opens them on the feed.",
    ),
    # of this system's own
    _doubt("repeat-mismatch", "The shoe repeated a card that is not the last it reported."),
    _machine("card-out-of-game", "A card was drawn while the shoe was not in a game."),
    _machine("shoe-mismatch", "The shoe places a card, or sees a result, otherwise."),
    _machine("said-otherwise", "A person said of a card what changes the hands that lay right."),
    Irregularity(
        code=RECORD_RESTORED,
        what="The record was restored, and what was dealt since is not on it.",
        seen_by=SeenBy.MACHINE,
        ids=(RECORD_RESTORED,),
        is_beyond_mending=True,
        stops_shoe=True,
    ),
)

IRREGULARITIES: dict[str, Irregularity] = {row.code: row for row in _ROWS}

REPORTABLE: tuple[str, ...] = tuple(row.code for row in _ROWS if row.seen_by is SeenBy.REPORT)

BEYOND_MENDING = frozenset(row.code for row in _ROWS if row.is_beyond_mending)
