# SPDX-License-Identifier: GPL-3.0-or-later
"""A table at a glance: phase, dealer, round, depth of the shoe, pace, lines, last results."""

import math
from datetime import datetime, timedelta

from studio.game.snapshot import StaffState
from ui.pit_view.model import TileView
from ui.pit_view.trouble import Trouble, troubles_of
from ui.view.model import BandRole, LampView
from ui.view.picture import depth_of, feed_lamp, shoe_lamp
from ui.view.seen import LinkState, Seen
from ui.view.speech import Speech, fit, span

# The pace is that of so many of the last rounds.
_PACE_ROUNDS = 12
_HOUR = timedelta(hours=1)
_LOUD_PHASES = {"bets_open": BandRole.OPEN, "held": BandRole.STOP}


def tile_of(seen: Seen, speech: Speech, *, is_selected: bool) -> TileView:
    """The tile of a table."""
    found = troubles_of(seen)
    worst = found[0] if found else None
    state = seen.state
    phase = phase_of(seen)
    base = TileView(
        table=seen.table,
        role=None if worst is None else worst.role,
        trouble="" if worst is None else trouble_text(worst, speech),
        since="" if worst is None or worst.since is None else span(seen.now - worst.since),
        claimed=claim_text(seen, speech),
        phase=speech.words.pit.phases[phase],
        phase_role=_LOUD_PHASES.get(phase),
        lamps=lamps_of(seen, speech),
        is_selected=is_selected,
        is_veiled=seen.link is not LinkState.LIVE,
    )
    return base if state is None else _of_state(base, seen, state, speech)


def told_of(seen: Seen) -> object:
    """What a tile is made from, but for how deep the shoe is: the same of this, the same tile."""
    found, state = troubles_of(seen), seen.state
    if state is None:
        return (seen.link, found, seen.now)
    public = state.public
    return (
        seen.link, found, state.hold, seen.names if state.hold is not None else None,
        state.phase, public.phase, public.closes_at,
        # both are told in seconds
        seen.now if found or public.closes_at is not None else None,
        public.dealer, public.round, state.rounds, public.results, public.roads, state.closed_at,
        state.trust, state.shoe_fault, state.shoe_cards,
    )  # fmt: skip


def _of_state(base: TileView, seen: Seen, state: StaffState, speech: Speech) -> TileView:
    public, has_shoe = state.public, state.shoe_cards > 0
    depth, cut = depth_of(state) if has_shoe else (0.0, None)
    last = public.results[-1] if public.results else None
    score, outcome = ("", ""), ""
    if last is not None and last.outcome is not None:
        score = (f"{last.player_total}", f"{last.banker_total}")
        outcome = last.outcome.value
    elif last is not None:
        outcome = "void"
    return TileView(
        table=base.table,
        role=base.role,
        trouble=base.trouble,
        since=base.since,
        claimed=base.claimed,
        phase=base.phase,
        phase_role=base.phase_role,
        lamps=base.lamps,
        is_selected=base.is_selected,
        is_veiled=base.is_veiled,
        clock=_clock(seen, public.closes_at),
        dealer=fit(public.dealer, "tile.dealer"),
        round=short_round(public.round, seen.table),
        coup=speech.fact("coup", number=state.rounds) if state.rounds else "",
        pace=pace_of(state, speech),
        depth=depth,
        cut=cut,
        drawn=f"{state.cards_out}/{state.shoe_cards}" if has_shoe else speech.fact("no-shoe"),
        score=score,
        outcome=outcome,
        road=() if public.roads is None else public.roads.big_road,
    )


def phase_of(seen: Seen) -> str:
    """The phase as the wall tells it; ``unknown`` while there is no picture."""
    state = seen.state
    if state is None:
        return "unknown"
    return "closed" if state.public.phase == "closed" else state.phase


def trouble_text(trouble: Trouble, speech: Speech) -> str:
    """What is wrong, in a line."""
    known = speech.words.irregularities.get(trouble.about)
    if trouble.code == "held" and known is not None:
        return fit(known.what, "tile.trouble")
    about = speech.words.reasons.get(trouble.about, trouble.about)
    return fit(speech.words.pit.troubles[trouble.code].format(about=about), "tile.trouble")


def claim_text(seen: Seen, speech: Speech) -> str:
    """Who rules on what is held there; "" for a table that is not held, or seen no more."""
    hold = None if seen.state is None else seen.state.hold
    if hold is None or seen.link is not LinkState.LIVE:
        return ""
    if hold.claimed_by is None:
        return speech.words.pit.facts["unclaimed"]
    name = seen.names.get(hold.claimed_by, hold.claimed_by)
    return fit(speech.words.pit.facts["claimed"].format(name=name), "tile.claim")


def lamps_of(seen: Seen, speech: Speech) -> tuple[LampView, ...]:
    """The lines of a table: to its shoe, and to this window."""
    return (shoe_lamp(seen, speech), feed_lamp(seen, speech))


def short_round(round_: str | None, table: str) -> str:
    """A round without what is said beside it: its table and its day."""
    return "" if round_ is None else "#" + round_.removeprefix(f"{table}-").rpartition("-")[2]


def _clock(seen: Seen, closes_at: datetime | None) -> str:
    if closes_at is None or seen.link is not LinkState.LIVE:
        return ""
    return str(math.ceil(max((closes_at - seen.now).total_seconds(), 0.0)))


def pace_of(state: StaffState, speech: Speech) -> str:
    """Rounds an hour, by when the last ones were closed."""
    times = state.closed_at[-_PACE_ROUNDS:]
    if len(times) < 2:
        return ""
    each = (times[-1] - times[0]) / (len(times) - 1)
    if each <= timedelta():
        return ""
    return speech.words.pit.facts["pace"].format(rounds=round(_HOUR / each))
