# SPDX-License-Identifier: GPL-3.0-or-later
"""The table beside the wall: what is held there with all evidence, or how it goes."""

from ui.pit_view.model import TableView
from ui.pit_view.seen import Pit
from ui.pit_view.tile import claim_text, pace_of, phase_of, trouble_text
from ui.pit_view.trouble import troubles_of
from ui.view.forms import is_mine
from ui.view.holding import held_of
from ui.view.picture import shoe_of
from ui.view.seen import LinkState, Seen
from ui.view.speech import Speech, fit, span


def table_of(pit: Pit, speech: Speech) -> TableView:
    """The selected table."""
    seen, facts = pit.table, speech.words.pit.facts
    found = troubles_of(seen)
    is_live = seen.link is LinkState.LIVE
    held = held_of(seen, speech) if is_live else None
    round_ = "" if seen.state is None else seen.state.public.round or ""
    title = " · ".join(
        one for one in (facts["ruling"] if held else "", round_ or seen.table) if one
    )
    return TableView(
        title=title,
        claim=claim_text(seen, speech),
        is_mine=is_mine(seen),
        lines=_lines(seen, speech),
        held=held,
        role=found[0].role if found else None,
    )


def _lines(seen: Seen, speech: Speech) -> tuple[tuple[str, str], ...]:
    """What is worth knowing of a table, each with its name; all that is wrong first."""
    words, state = speech.words.pit, seen.state
    lines = [
        (
            "" if one.since is None else span(seen.now - one.since),
            trouble_text(one, speech),
        )
        for one in troubles_of(seen)
    ]
    lines.append((words.facts["phase"], words.phases[phase_of(seen)]))
    if state is None:
        return tuple(lines)
    public, depth = state.public, shoe_of(seen, speech)
    shoe = ", ".join(one for one in (public.shoe or "", depth.drawn, depth.burned) if one)
    results = "  ".join(_result(one.outcome, one.player_total, one.banker_total, speech)
                        for one in public.results[-6:])  # fmt: skip
    lines += [
        (words.facts["dealer"], public.dealer),
        (words.facts["round"], public.round or ""),
        (words.facts["shoe"], shoe),
        (words.facts["pace-name"], pace_of(state, speech)),
        (words.facts["results"], results),
        (words.facts["house"], state.house.title),
        (words.facts["on-duty"], ", ".join(one.screen_name for one in seen.on_duty)),
        (words.facts["shoe-heard"], _ago(seen)),
    ]
    return tuple((name, fit(text, "pit.line")) for name, text in lines if text)


def _ago(seen: Seen) -> str:
    return "" if seen.shoe_heard_at is None else span(seen.now - seen.shoe_heard_at)


def _result(outcome: object, player: int | None, banker: int | None, speech: Speech) -> str:
    if outcome is None:
        return speech.words.pit.facts["void-short"]
    return speech.words.pit.facts["score"].format(player=player, banker=banker)
