# SPDX-License-Identifier: GPL-3.0-or-later
"""The calm part of the picture: header, both boxes, roads, depth of the shoe, foot.

A card's value is shown only where the dealer's eyes see it anyway and no player could still bet on
it: never while bets are open or the close guard runs, and never a burned card (RND-4).
"""

from datetime import timedelta

from studio.game.cards import Card, total_of
from studio.game.coup import Position, Side
from studio.game.events import Trust
from studio.game.snapshot import StaffState
from studio.game.tableau import is_natural
from ui.view.acts import needs_log_in
from ui.view.model import (
    Face,
    Foot,
    Hands,
    HandView,
    Header,
    Lamp,
    LampView,
    PlaceView,
    RoadsView,
    ShoeDepth,
)
from ui.view.seen import LinkState, LogInRule, Seen
from ui.view.speech import Speech, clock_text, fit, span

# A pull that was asked for and not seen for so long is asked after.
SILENT_AFTER = timedelta(seconds=20)

PLACES = {
    Side.PLAYER: (Position.P1, Position.P2, Position.P3),
    Side.BANKER: (Position.B1, Position.B2, Position.B3),
}
_COUP_PHASES = frozenset({"dealing", "result", "settling"})
_DIGEST_SHOWN = 12


def are_values_shown(state: StaffState) -> bool:
    """Whether the values of this coup's cards may be on screen."""
    return state.public.closes_at is None and state.guard_until is None


def is_silent(seen: Seen) -> bool:
    """Whether a card was asked for long ago and none was read."""
    state = seen.state
    if state is None or seen.asked_since is None or not state.prompt.pull:
        return False
    return state.trust is not Trust.LOST and seen.now - seen.asked_since >= SILENT_AFTER


def is_unattended(seen: Seen) -> bool:
    """Whether the house wants a supervisor on duty while the table is open, and none is."""
    state = seen.state
    if state is None or seen.log_in is not LogInRule.REQUIRED or state.public.phase == "closed":
        return False
    return state.house.asks_for_supervisor and not seen.supervisors


def header_of(seen: Seen, speech: Speech) -> Header:
    """The line on top."""
    state = seen.state
    public = None if state is None else state.public
    limits = "" if public is None or not public.limits else _limits(seen)
    round_ = "" if public is None or public.round is None else public.round
    names = " ".join(seen.supervisors)
    supervisor = speech.fact("supervisor", name=names) if names else ""
    if not names and seen.log_in is LogInRule.REQUIRED:
        supervisor = speech.fact("no-supervisor")
    call = None if state is None else state.call
    if call is not None:
        supervisor = speech.fact("supervisor-called", since=span(seen.now - call.since))
    dealer = "" if public is None or not public.dealer else public.dealer
    return Header(
        table=seen.table,
        house="" if state is None else fit(state.house.title, "header.house"),
        limits=fit(limits, "header.limits"),
        round=fit(round_, "header.round"),
        dealer=fit(speech.fact("dealer", name=dealer), "header.person") if dealer else "",
        supervisor=fit(supervisor, "header.person"),
        person=fit(_person(seen, speech), "header.person"),
        clock=clock_text(seen.now, seen.zone_minutes),
        lamps=(shoe_lamp(seen, speech), feed_lamp(seen, speech)),
        badges=_badges(seen, speech),
        is_called=call is not None,
    )


def _limits(seen: Seen) -> str:
    if seen.state is None:
        return ""
    public = seen.state.public
    lowest, highest = public.limits[0].min, public.limits[-1].max
    return f"{lowest}\u2013{highest} {public.currency}"


def _person(seen: Seen, speech: Speech) -> str:
    if seen.log_in is LogInRule.OPEN:
        return speech.fact("open-to-all")
    if seen.is_locked:
        return speech.fact("locked")
    if seen.person is None:
        return speech.fact("nobody")
    return speech.fact("logged-in", name=seen.person.screen_name)


def shoe_lamp(seen: Seen, speech: Speech) -> LampView:
    """How the line to the shoe is."""
    name, state = speech.fact("lamp-shoe"), seen.state
    if state is None or seen.link is not LinkState.LIVE:
        return LampView(name, Lamp.DOUBT, speech.fact("lamp-suspect"))
    if state.trust is Trust.LOST:
        return LampView(name, Lamp.BAD, speech.fact("lamp-lost"))
    if state.shoe_fault is not None:
        return LampView(name, Lamp.BAD, speech.fact("lamp-fault"))
    if state.trust is Trust.SUSPECT:
        return LampView(name, Lamp.DOUBT, speech.fact("lamp-suspect"))
    if is_silent(seen):
        return LampView(name, Lamp.DOUBT, speech.fact("lamp-silent"))
    return LampView(name, Lamp.GOOD, speech.fact("lamp-good"))


def feed_lamp(seen: Seen, speech: Speech) -> LampView:
    """How far the picture can be relied on."""
    lamps = {
        LinkState.LIVE: (Lamp.GOOD, "lamp-good"),
        LinkState.JOINING: (Lamp.DOUBT, "lamp-joining"),
        LinkState.STALE: (Lamp.BAD, "lamp-stale"),
        LinkState.GONE: (Lamp.BAD, "lamp-gone"),
    }
    lamp, word = lamps[seen.link]
    return LampView(speech.fact("lamp-feed"), lamp, speech.fact(word))


def _badges(seen: Seen, speech: Speech) -> tuple[str, ...]:
    state = seen.state
    if state is None:
        return ()
    public = state.public
    facts = (
        ("badge-locked", needs_log_in(seen)),
        ("badge-manual", public.manual_mode),
        ("badge-suspended", public.suspended is not None),
        ("badge-free", state.is_free_coup),
        ("badge-last", public.last_coup == "this"),
        ("badge-next-last", public.last_coup == "next"),
        ("badge-test", public.environment == "test"),
    )
    return tuple(speech.fact(name) for name, is_so in facts if is_so)


def hands_of(seen: Seen, speech: Speech) -> Hands:
    """Both boxes as the table has them, veiled while nobody knows whether that is current."""
    state = seen.state
    is_veiled = seen.link is not LinkState.LIVE
    if state is None:
        none = [_hand(side, (), speech, next_=None, is_shown=True) for side in Side]
        return Hands(none[0], none[1], is_veiled=True)
    is_out = state.phase in _COUP_PHASES
    player = state.player if is_out else ()
    banker = state.banker if is_out else ()
    is_shown = are_values_shown(state)
    made = []
    for side, cards in ((Side.PLAYER, player), (Side.BANKER, banker)):
        told = _told(side, player, banker, state, speech) if is_shown else ""
        is_winner = is_shown and state.outcome is not None and state.outcome.value == side.value
        made.append(
            _hand(
                side,
                cards,
                speech,
                next_=state.next_position,
                is_shown=is_shown,
                told=told,
                is_winner=is_winner and is_out,
            )
        )
    outcome = _outcome(state) if is_shown and is_out else ""
    result = result_text(outcome, state, speech) if outcome else ""
    return Hands(made[0], made[1], is_veiled=is_veiled, result=result, outcome=outcome)


def _outcome(state: StaffState) -> str:
    if state.outcome is not None:
        return state.outcome.value
    return "void" if state.phase == "settling" else ""


def result_text(outcome: str, state: StaffState, speech: Speech) -> str:
    """The outcome with its totals: BANCO WINS 9 to 6."""
    totals = {"player": total_of(state.player), "banker": total_of(state.banker)}
    return speech.fact(f"result-{outcome}", **totals)


def _hand(
    side: Side,
    cards: tuple[Card, ...],
    speech: Speech,
    *,
    next_: str | None,
    is_shown: bool,
    told: str = "",
    is_winner: bool = False,
) -> HandView:
    places = tuple(
        place_view(position.value, cards[n] if n < len(cards) else None, speech, next_, is_shown)
        for n, position in enumerate(PLACES[side])
    )
    total = str(total_of(cards)) if cards and is_shown else ""
    return HandView(side.value, speech.hand(side), total, told, is_winner, places)


def place_view(
    position: str, card: Card | None, speech: Speech, next_: str | None, is_shown: bool
) -> PlaceView:
    """One place of a box: the card in it, or whether the next one goes there."""
    if card is None:
        is_next = position == next_
        label = speech.fact("next") if is_next else ""
        return PlaceView(position, Face.NEXT if is_next else Face.EMPTY, label=label, spoken=label)
    if not is_shown:
        covered = speech.fact("covered")
        return PlaceView(position, Face.DOWN, label=covered, spoken=covered)
    return PlaceView(position, Face.UP, card, spoken=speech.spoken(card))


def _told(
    side: Side,
    player: tuple[Card, ...],
    banker: tuple[Card, ...],
    state: StaffState,
    speech: Speech,
) -> str:
    """What a hand did: drew, stands, natural; nothing while that is open."""
    hand = player if side is Side.PLAYER else banker
    if len(player) < 2 or len(banker) < 2:
        return ""
    first = total_of(hand[:2])
    if len(hand) == 3:
        return speech.fact("drew", total=first)
    if is_natural(player, banker):
        return speech.fact("natural", total=first) if first >= 8 else ""
    code = "" if state.reason is None else state.reason.code
    is_decided = code != "player-draws" if side is Side.PLAYER else code in _BANKER_STANDS
    return speech.fact("stands", total=first) if is_decided else ""


_BANKER_STANDS = ("both-stand", "banker-stands")


def roads_of(seen: Seen, speech: Speech) -> RoadsView:
    """Roads and statistics of this shoe."""
    titles = ("bead", "big-road", "big-eye", "small-road", "cockroach", "this-shoe")
    names = tuple(speech.fact(one) for one in titles)
    public = None if seen.state is None else seen.state.public
    rounds = 0 if seen.state is None else seen.state.rounds
    return RoadsView(
        roads=None if public is None else public.roads,
        counts=None if public is None else public.counts,
        results=() if public is None else public.results,
        titles=(names[0], names[1], names[2], names[3], names[4], names[5]),
        count_names=(speech.fact("player"), speech.fact("banker"), speech.fact("tie")),
        coup=speech.fact("coup", number=rounds) if rounds else "",
        is_veiled=seen.link is not LinkState.LIVE,
    )


def shoe_of(seen: Seen, speech: Speech) -> ShoeDepth:
    """How far the shoe is dealt."""
    state = seen.state
    if state is None or state.shoe_cards == 0:
        text = speech.fact("no-shoe")
        return ShoeDepth(part=0.0, cut_part=None, drawn=text, burned="", cut="", is_cut_seen=False)
    cards, out = state.shoe_cards, min(state.cards_out, state.shoe_cards)
    behind = state.house.cut_card_from_end
    is_cut_seen = state.public.last_coup is not None
    cut = "" if behind is None else speech.fact("cut-seen" if is_cut_seen else "cut-ahead")
    return ShoeDepth(
        part=out / cards,
        cut_part=None if behind is None else 1 - min(behind, cards) / cards,
        drawn=speech.fact("drawn", drawn=out, cards=cards),
        burned=speech.fact("burned", burned=state.burned) if state.burned else "",
        cut=cut,
        is_cut_seen=is_cut_seen,
    )


def foot_of(seen: Seen, speech: Speech, undo: str, sending: str) -> Foot:
    """The line at the bottom; ``undo`` is that of the band's own key."""
    refusal = ""
    if seen.refused is not None:
        known = speech.words.console.refusals.get(seen.refused.code, seen.refused.text)
        refusal = fit(known, "foot.refusal")
    told = speech.fact("undo", undo=undo) if undo else ""
    return Foot(refusal, told, software_text(seen, speech), sending)


def software_text(seen: Seen, speech: Speech) -> str:
    """Version and digest of what serves the table."""
    if seen.state is None:
        return ""
    software = seen.state.public.software
    digest = software.digest[:_DIGEST_SHOWN]
    return fit(speech.fact("software", version=software.version, digest=digest), "foot.software")
