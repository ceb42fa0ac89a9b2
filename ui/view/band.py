# SPDX-License-Identifier: GPL-3.0-or-later
"""The band: one thing to do, what to say, why, and the one key. Made from the table's prompt.

States of the line have bands of their own, which take the place of the prompt: what cannot be
current is not asked for.
"""

import math

from msgspec.structs import replace

from studio.game.cards import total_of
from studio.game.coup import Position
from studio.game.snapshot import StaffState
from studio.game.tableau import is_natural
from studio.words import told
from ui.view.acts import MAIN_ACTS, label_of, needs_log_in, offered
from ui.view.boxes import BUDGETS
from ui.view.keymap import key_text
from ui.view.model import Band, BandRole
from ui.view.picture import are_values_shown, is_silent, is_unattended, result_text
from ui.view.seen import LinkState, Seen
from ui.view.speech import Speech, span

# What a band is for, by prompt; every other prompt is a move of the dealer's.
ROLES: dict[str, BandRole] = {
    "bets-open": BandRole.OPEN,
    "wait-for-guard": BandRole.WAIT,
    "suspended": BandRole.WAIT,
    "software-check": BandRole.WAIT,
    "software-changed": BandRole.STOP,
    "enter-card": BandRole.STOP,
    "enter-burn-card": BandRole.STOP,
    "shoe-line-down": BandRole.STOP,
    "held": BandRole.STOP,
    "report-withdrawn": BandRole.STOP,
}
STATES: dict[LinkState, str] = {
    LinkState.JOINING: "joining",
    LinkState.STALE: "feed-stale",
    LinkState.GONE: "service-gone",
}
# Within the last seconds the bets are called last.
LAST_BETS_SECONDS = 5
_DEALS = ("deal-card", "deal-card-by-hand", "deal-free-card")


def band_of(seen: Seen, speech: Speech) -> Band:
    """The band of this moment."""
    state = seen.state
    if state is None or seen.link is not LinkState.LIVE:
        return _off(seen, speech)
    if is_silent(seen):
        return _silent(seen, state, speech)
    prompt = state.prompt
    words = told(speech.words, prompt)
    clock, part = _clock(seen, state)
    key, label, act = _key(seen, state, speech)
    band = Band(
        code=prompt.code,
        role=ROLES.get(prompt.code, BandRole.MOVE),
        do=_head(seen, state, speech),
        say=_say(state, clock, speech),
        why=_why(seen, state, words.do, speech),
        note=words.note,
        act=act,
        key=key,
        key_label=label,
        help=_help(speech),
        clock=clock,
        part=part,
        since="" if state.hold is None else span(seen.now - state.hold.since),
    )
    return _alone(seen, state, band, speech)


def _alone(seen: Seen, state: StaffState, band: Band, speech: Speech) -> Band:
    """No bets before a supervisor is on duty, or has agreed to this round, where the house says."""
    is_next = MAIN_ACTS.get(band.code) == "open_bets"
    if not (is_next and state.house.pauses_alone and is_unattended(seen)) or needs_log_in(seen):
        return band
    code, console = "unattended", speech.words.console
    return replace(
        band, code=code, role=BandRole.STOP, do=console.heads[code], why=console.whys[code]
    )


def _off(seen: Seen, speech: Speech) -> Band:
    code = STATES.get(seen.link, "joining")
    quiet = 0 if seen.heard_at is None else int((seen.now - seen.heard_at).total_seconds())
    console = speech.words.console
    return Band(
        code=code,
        role=BandRole.OFF,
        do=console.heads[code],
        why=console.whys[code].format_map({"seconds": max(quiet, 0)}),
        since="" if seen.heard_at is None else span(seen.now - seen.heard_at),
    )


def _silent(seen: Seen, state: StaffState, speech: Speech) -> Band:
    console = speech.words.console
    passed = seen.now - (seen.asked_since or seen.now)
    problem = speech.keys.of("problem")
    shown = key_text(problem[0], console.key_names) if problem else console.acts["problem"]
    key, label, act = _key(seen, state, speech)
    return Band(
        code="shoe-silent",
        role=BandRole.WAIT,
        do=console.heads["shoe-silent"],
        say="",
        why=console.whys["shoe-silent"].format_map(
            {"seconds": int(passed.total_seconds()), "key": shown}
        ),
        note=told(speech.words, state.prompt).note,
        act=act,
        key=key,
        key_label=label,
        help=_help(speech),
        since=span(passed),
    )


def _head(seen: Seen, state: StaffState, speech: Speech) -> str:
    prompt = state.prompt
    heads = speech.words.console.heads
    if prompt.code == "held" and len(seen.supervisors) == 1:
        head = heads["held-for"].format_map({"name": seen.supervisors[0].upper()})
        if len(head) <= BUDGETS["band.do"]:
            return head
    filled: dict[str, str] = dict(prompt.words)
    if prompt.position is not None:
        filled["hand"] = speech.hand(Position(prompt.position).side)
    if prompt.code == "confirm-result":
        filled["result"] = result_text(prompt.words["outcome"], state, speech)
    return heads[prompt.code].format_map(filled)


def _say(state: StaffState, clock: str, speech: Speech) -> str:
    """The call-out, in the table's language, with the totals that are called before it."""
    prompt = state.prompt
    say = told(speech.calls, prompt).say
    if prompt.code == "bets-open":
        return say if clock and int(clock) <= LAST_BETS_SECONDS else ""
    if not are_values_shown(state):
        return say
    calls = speech.calls.console.calls
    if prompt.code in _DEALS and prompt.position in ("P3", "B3"):
        third = _totals_call(state, calls)
        return f"{third}. {say}" if say else f"{third}."
    is_result = prompt.code in ("confirm-result", "call-winner")
    if is_result and is_natural(state.player, state.banker):
        return f"{calls['natural']}. {say}"
    return say


def _totals_call(state: StaffState, calls: dict[str, str]) -> str:
    """What is called of the cards that lie, before a third card is asked for."""
    totals = {"player": total_of(state.player), "banker": total_of(state.banker)}
    if state.prompt.position == "P3":
        code = "totals"
    else:
        code = "player-total" if len(state.player) == 3 else "player-stands"
    return calls[code].format_map(totals)


def _why(seen: Seen, state: StaffState, do: str, speech: Speech) -> str:
    """The tableau's row for a card, else what exactly is to be done."""
    console = speech.words.console
    if state.prompt.code in ("held", "enter-card"):
        return console.whys["held"] if state.prompt.code == "held" else do
    if needs_log_in(seen) and state.prompt.commands:
        return console.whys["locked" if seen.is_locked else "log-in"]
    if state.prompt.code in _DEALS and state.reason is not None:
        return row_text(state, speech)
    return do


def row_text(state: StaffState, speech: Speech) -> str:
    """The row of the tableau that decides now; what is lacking, where none does."""
    if state.reason is None or not are_values_shown(state):
        return speech.fact("no-row")
    return speech.words.console.rows[state.reason.code].format_map(state.reason.words)


def _clock(seen: Seen, state: StaffState) -> tuple[str, float | None]:
    """Whole seconds left of what runs, and how much of it is left."""
    public = state.public
    if public.closes_at is not None:
        left, whole = public.closes_at - seen.now, state.house.betting_seconds
    elif state.guard_until is not None:
        left, whole = state.guard_until - seen.now, state.house.close_guard_ms / 1000
    else:
        return "", None
    seconds = max(left.total_seconds(), 0.0)
    return str(math.ceil(seconds)), min(seconds / whole, 1.0) if whole else 0.0


def _key(seen: Seen, state: StaffState, speech: Speech) -> tuple[str, str, str]:
    """The band's own key, its words and its act; without a key, what is done by hand."""
    console = speech.words.console
    bare = _without_panel(seen)
    main = next((one for one in offered(bare, speech.keys) if one.is_main), None)
    if main is not None:
        key = key_text(main.keys[0], console.key_names) if main.keys else ""
        return key, label_of(main.act, speech.words), main.act
    if state.prompt.pull:
        is_burn = state.prompt.code.startswith("burn-")
        return "", console.acts["burn_key" if is_burn else "no_key"], ""
    if state.prompt.code == "call-winner":
        return "", "", ""
    is_waiting = ROLES.get(state.prompt.code) in (BandRole.WAIT, BandRole.OPEN)
    return "", console.acts["wait_key"] if is_waiting else "", ""


def _without_panel(seen: Seen) -> Seen:
    return replace(seen, own=replace(seen.own, panel=None))


def _help(speech: Speech) -> str:
    """The quiet keys: problem and why."""
    console = speech.words.console
    parts = [
        speech.fact("help", key=key_text(keys[0], console.key_names), act=console.acts[act])
        for act in ("problem", "why")
        if (keys := speech.keys.of(act))
    ]
    return " · ".join(parts)
