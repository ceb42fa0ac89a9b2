# SPDX-License-Identifier: GPL-3.0-or-later
"""A held table: what to leave untouched, the boxes as laid and as they must be, what may be ruled.

Made from the table's own proposals and evidence; nothing is judged here.
"""

from studio.game.cards import Card, total_of
from studio.game.coup import Position, Side
from studio.game.holds import Move, Proposal, Read
from studio.game.irregularities import Remedy
from studio.game.snapshot import StaffState
from studio.game.tableau import next_position
from ui.view.forms import key_of, moves_left, takes_two_for
from ui.view.model import (
    Face,
    HandView,
    Held,
    Mark,
    MoveView,
    PlaceView,
    ProposalView,
    ReadView,
)
from ui.view.picture import PLACES, are_values_shown, place_view
from ui.view.seen import PanelKind, Seen
from ui.view.speech import Speech, clock_text, fit, short, span

_FACTS = ("early", "face_up", "stuck", "unseen", "is_manual", "is_carried")
# The face of a card that is burned is nobody's business.
_BURNS = (Remedy.BURN, Remedy.NEXT_BURN)
_ASIDE = {
    Remedy.BURN: "burns-aside",
    Remedy.NEXT_BURN: "next-burn-aside",
    Remedy.FREE_COUP: "free-coup-aside",
}
_FATES = ("burn", "next_burn", "free_coup", "carry")


def held_of(seen: Seen, speech: Speech) -> Held | None:
    """The hold, or None when the table is not held or nobody knows."""
    state = seen.state
    if state is None or state.hold is None:
        return None
    hold, words = state.hold, speech.words
    is_shown = are_values_shown(state)
    first = state.proposals[0] if state.proposals else None
    is_coup = bool(state.evidence)
    as_must_be = None
    if first is not None and is_shown and (first.player or first.banker):
        as_must_be = _must_be(first, speech)
    found = tuple(
        (words.irregularities[one.code].what, words.irregularities[one.code].do)
        for one in hold.raised
    )
    must_result = "" if first is None or first.outcome is None else _ending(first, speech)
    has_result = bool(must_result) and as_must_be is not None
    return Held(
        title=speech.fact("held-title" if is_coup else "held-between"),
        leave=words.console.whys["held"],
        found=found,
        as_laid=_as_laid(state, first, speech, is_shown=is_shown) if is_coup else None,
        as_must_be=as_must_be,
        laid_title=speech.fact("as-laid"),
        laid_note=_laid_note(state, speech) if is_coup else "",
        must_title=speech.fact("must-result", result=must_result)
        if has_result
        else speech.fact("as-must-be"),
        unknown_title=speech.fact("unknown-box"),
        unknown_box=_unknown(state, first, speech, is_shown=is_shown),
        aside=_aside(state, first, speech, is_shown=is_shown),
        aside_title=_aside_title(state, speech),
        moves=_moves(seen, first, speech) if first is not None and is_shown else (),
        proposals=_proposals(seen, state, speech, is_shown=is_shown),
        proposals_title=speech.fact("faces-asked" if are_faces_asked(state) else "proposals"),
        evidence=evidence_of(seen, speech),
        evidence_title=speech.fact("evidence"),
        since=span(seen.now - hold.since),
    )


def _as_laid(
    state: StaffState, first: Proposal | None, speech: Speech, *, is_shown: bool
) -> tuple[HandView, HandView]:
    """Each box with the cards that were seen laid in it, in the order drawn.

    A card of which nobody said where it lies is in the box where the screen asked for it, if it
    asked for one, and is marked so.
    """
    moving = {one.number for one in first.moves} if first is not None else set()
    surplus = {one.number for one in first.surplus} if first is not None else set()
    boxes: dict[Side, list[PlaceView]] = {Side.PLAYER: [], Side.BANKER: []}
    for read, side in _laid(state.evidence):
        if side is None:
            continue
        mark = Mark.NONE if read.fact.at is not None else Mark.ASKED
        mark = Mark.MOVES if read.number in moving else mark
        mark = Mark.SURPLUS if read.number in surplus else mark
        boxes[side].append(_laid_place(read, mark, speech, is_shown=is_shown))
    return (
        _box(Side.PLAYER, tuple(boxes[Side.PLAYER]), "", speech),
        _box(Side.BANKER, tuple(boxes[Side.BANKER]), "", speech),
    )


def _laid_note(state: StaffState, speech: Speech) -> str:
    laid = _laid(state.evidence)
    is_guessed = any(read.fact.at is None and side is not None for read, side in laid)
    return speech.fact("laid-asked") if is_guessed else ""


def _laid(evidence: tuple[Read, ...]) -> list[tuple[Read, Side | None]]:
    """Every card with the box it lies in: as somebody said, else where the screen asked for it.

    None once no card was asked for, or after a card that is not known.
    """
    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()
    due: Position | None = Position.P1
    boxes: list[tuple[Read, Side | None]] = []
    for read in evidence:
        asked = None if due is None else due.side
        boxes.append((read, asked if read.fact.at is None else read.fact.at))
        card = read.fact.card
        if card is None or due is None:
            due = None
            continue
        player, banker = (
            ((*player, card), banker) if asked is Side.PLAYER else (player, (*banker, card))
        )
        due = next_position(player, banker)
    return boxes


def _laid_place(read: Read, mark: Mark, speech: Speech, *, is_shown: bool) -> PlaceView:
    card, number = read.fact.card, read.number
    if card is None:
        unread = speech.fact("unread")
        return PlaceView("", Face.UNREAD, None, unread, mark, unread, number)
    if not is_shown:
        covered = speech.fact("covered")
        return PlaceView("", Face.DOWN, None, covered, mark, covered, number)
    return PlaceView("", Face.UP, card, "", mark, speech.spoken(card), number)


def _box(side: Side, places: tuple[PlaceView, ...], total: str, speech: Speech) -> HandView:
    return HandView(side.value, speech.hand(side), total, "", is_winner=False, places=places)


def _must_be(first: Proposal, speech: Speech) -> tuple[HandView, HandView]:
    arriving = {one.position: one.number for one in first.moves}
    hands = {Side.PLAYER: first.player, Side.BANKER: first.banker}
    views = []
    for side, cards in hands.items():
        places = [
            _must_place(position, cards, n, arriving, first, speech)
            for n, position in enumerate(PLACES[side])
        ]
        total = str(total_of(cards)) if cards else ""
        views.append(_box(side, tuple(places), total, speech))
    return views[0], views[1]


def _must_place(
    position: Position,
    cards: tuple[Card, ...],
    place: int,
    arriving: dict[Position, int],
    first: Proposal,
    speech: Speech,
) -> PlaceView:
    card = cards[place] if place < len(cards) else None
    next_ = None if first.next is None else first.next.value
    view = place_view(position.value, card, speech, next_, is_shown=True)
    if position not in arriving or card is None:
        return view
    return PlaceView(
        view.position, view.face, card, "", Mark.ARRIVES, view.spoken, arriving[position]
    )


def _unknown(
    state: StaffState, first: Proposal | None, speech: Speech, *, is_shown: bool
) -> tuple[PlaceView, ...]:
    surplus = {one.number for one in first.surplus} if first is not None else set()
    return tuple(
        _laid_place(read, Mark.NONE, speech, is_shown=is_shown)
        for read, side in _laid(state.evidence)
        if side is None and read.number not in surplus
    )


def _aside(
    state: StaffState, first: Proposal | None, speech: Speech, *, is_shown: bool
) -> tuple[PlaceView, ...]:
    """The cards that take no place; face down outside a coup, where bets on them may follow.

    Of those that are burned: a count only.
    """
    if first is None:
        return ()
    facts = {read.number: read for read in state.evidence}
    covered = speech.fact("covered")
    loose = [
        PlaceView("", Face.DOWN, None, covered, Mark.SURPLUS, covered)
        for one in first.surplus
        if not one.number and one.card is not None and first.remedy not in _BURNS
    ]
    of_the_coup = [
        _laid_place(facts[one.number], Mark.SURPLUS, speech, is_shown=is_shown)
        for one in first.surplus
        if one.number in facts
    ]
    return (*of_the_coup, *loose)


def _aside_title(state: StaffState, speech: Speech) -> str:
    is_burned = bool(state.proposals) and state.proposals[0].remedy in _BURNS
    if state.hold is not None and is_burned:
        return speech.fact("aside-count", count=len(state.hold.aside))
    return speech.fact("aside")


def _moves(seen: Seen, first: Proposal, speech: Speech) -> tuple[MoveView, ...]:
    left = moves_left(seen, seen.own, key_of(first))
    return tuple(
        MoveView(
            number=one.number,
            text=_move_text(one, speech),
            card=one.card,
            to=one.position.value,
            is_done=one.number not in left,
            is_next=bool(left) and one.number == left[0],
        )
        for one in first.moves
    )


def _move_text(move: Move, speech: Speech) -> str:
    return speech.fact(
        "move",
        card=short(move.card),
        **{
            "from": speech.fact(f"laid-{move.laid.value}"),
            "to": speech.fact(f"laid-{move.position.side.value}"),
        },
    )


def _proposals(
    seen: Seen, state: StaffState, speech: Speech, *, is_shown: bool
) -> tuple[ProposalView, ...]:
    panel = seen.own.panel
    is_form = panel is not None and panel.kind is PanelKind.FORM and panel.act == "rule_hold"
    picked = panel.values[0] if panel is not None and is_form and panel.values else ""
    chosen = panel.chosen if panel is not None and is_form and not panel.values else -1
    return tuple(
        ProposalView(
            key=key_of(one),
            name=speech.words.remedies[one.remedy.value],
            consequence=consequence_of(one, state, speech, is_shown=is_shown),
            details=_details(one, speech) if is_shown else (),
            needs_second=takes_two_for(one, seen),
            is_first=n == 0,
            is_chosen=key_of(one) == picked or n == chosen,
        )
        for n, one in enumerate(state.proposals)
    )


def are_faces_asked(state: StaffState | None) -> bool:
    """Whether the ruling asks if players saw the faces of the surplus cards."""
    return state is not None and any(one.faces_seen is not None for one in state.proposals)


def consequence_of(one: Proposal, state: StaffState, speech: Speech, *, is_shown: bool) -> str:
    """What a ruling leads to, as its headline."""
    if one.remedy is Remedy.VOID:
        return speech.fact("stakes-back")
    if one.faces_seen is not None:
        return speech.fact("faces-seen" if one.faces_seen else "faces-unseen")
    if one.remedy in _ASIDE:
        return speech.fact(_ASIDE[one.remedy])
    if not state.evidence or not is_shown:
        return speech.fact("as-it-is")
    if one.outcome is not None:
        return _ending(one, speech)
    if one.next is not None:
        return speech.fact("goes-on", hand=speech.hand(one.next.side))
    return speech.fact("as-it-is")


def _ending(one: Proposal, speech: Speech) -> str:
    if one.outcome is None:
        return ""
    return speech.fact(
        f"result-{one.outcome.value}", player=one.player_total, banker=one.banker_total
    )


def _details(one: Proposal, speech: Speech) -> tuple[str, ...]:
    lines = [_move_text(move, speech) for move in one.moves]
    for surplus in one.surplus if one.remedy not in _BURNS else ():
        fate = surplus.remedy if surplus.remedy in _FATES else "other"
        card = "?" if surplus.card is None else short(surplus.card)
        card = card if surplus.number else speech.fact("covered")
        lines.append(speech.fact("surplus", card=card, fate=speech.fact(f"fate-{fate}")))
    return tuple(lines)


def evidence_of(seen: Seen, speech: Speech) -> tuple[ReadView, ...]:
    """The cards of a held coup as they came; none while the table is not held."""
    state = seen.state
    if state is None or state.hold is None:
        return ()
    is_shown = are_values_shown(state)
    return tuple(
        _read(one, side, seen, speech, is_shown=is_shown) for one, side in _laid(state.evidence)
    )


def _bytes(raw: str) -> str:
    """Hex digits two by two, as a byte is read."""
    return " ".join(raw[at : at + 2] for at in range(0, len(raw), 2))


def _read(read: Read, side: Side | None, seen: Seen, speech: Speech, *, is_shown: bool) -> ReadView:
    fact, origin = read.fact, read.origin
    card = speech.fact("unread") if fact.card is None else short(fact.card)
    laid = speech.fact(f"laid-{'unknown' if side is None else side.value}")
    if side is not None and fact.at is None:
        laid = speech.fact("laid-unsaid", box=laid)
    facts = ", ".join(speech.fact(f"fact-{one}") for one in _FACTS if getattr(fact, one))
    return ReadView(
        number=read.number,
        card=card if is_shown or fact.card is None else speech.fact("covered"),
        laid=laid,
        facts=fit(facts, "held.facts"),
        at="" if origin is None else clock_text(origin.heard_at, seen.zone_minutes),
        # the bytes say what the card is
        raw=fit(_bytes(origin.raw), "held.raw") if origin is not None and is_shown else "",
    )
