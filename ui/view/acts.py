# SPDX-License-Identifier: GPL-3.0-or-later
"""Which acts can be done now, which of them the band's own key does, and what each is called.

A command that the person's role may never give is not offered at all; one that waits for a log-in,
for the link or for an answer is offered and off.
"""

from collections.abc import Iterable
from datetime import timedelta

import msgspec

from studio.game.irregularities import CUT_CARD_MISSED
from studio.game.snapshot import StaffState
from studio.words import Wording
from ui.view.forms import (
    CARDS,
    CORRECT_VOID,
    TYPED,
    VOID_PAST,
    Step,
    asides_of,
    command_tag,
    is_mine,
    may_give,
    reads_of,
    steps_of,
)
from ui.view.keymap import SUIT_KEYS, KeyMap, key_text
from ui.view.model import KeyView
from ui.view.seen import LinkState, LogInRule, Panel, PanelKind, Seen

# Nobody has read a prompt so soon: a press within this time was meant for the one before.
PRESS_GAP = timedelta(milliseconds=250)
# What may be pressed again at once: it moves a mark, goes back, or draws a card by hand.
QUICK = frozenset({"up", "down", "erase", "back", "pull"})

# What the band's own key does, by prompt; for the others it does nothing.
MAIN_ACTS: dict[str, str] = {
    "open-table": "open_table",
    "load-shoe": "load_shoe",
    "open-bets": "open_bets",
    "open-bets-last-coup": "open_bets",
    "open-bets-again": "open_bets",
    "burn-first-card-by-hand": "record_card",
    "burn-card-by-hand": "record_card",
    "deal-card-by-hand": "deal_card",
    "open-free-coup": "open_free_coup",
    "end-free-coup": "confirm_result",
    "enter-card": "enter_card",
    "enter-burn-card": "correct_burn",
    "confirm-result": "confirm_result",
    "end-shoe": "end_shoe",
    "suspended": "resume_table",
    "software-changed": "check_software",
    "held": "rule_hold",
    "report-withdrawn": "rule_hold",
}
WINNERS = ("winner_player", "winner_tie", "winner_banker")

# What takes these back is what takes back the command that they come to.
_TAKEN_BACK_AS = dict.fromkeys(WINNERS, "confirm_result") | {"take_over": "change_dealer"}
_BETWEEN = frozenset({"idle", "burning", "settling"})
_JUDGED = frozenset({"dealing", "result"})
_HIDDEN = ("take_over", "rest", "language", "theme", "sound", "about")


class Offered(msgspec.Struct, frozen=True):
    """An act that can be done now; ``command`` is the command it begins, if any."""

    act: str
    is_enabled: bool
    is_main: bool = False
    is_on_screen: bool = True
    is_standing: bool = False
    keys: tuple[str, ...] = ()


def main_act(state: StaffState) -> str:
    """What the band's own key does; "" if nothing."""
    if state.prompt.code == "settle":
        return state.prompt.commands[0]
    return MAIN_ACTS.get(state.prompt.code, "")


def is_current(seen: Seen) -> bool:
    """Whether the picture can be acted on."""
    return seen.link is LinkState.LIVE and seen.state is not None


def needs_log_in(seen: Seen) -> bool:
    """Whether commands wait for a log-in."""
    is_out = seen.person is None or seen.is_locked
    return seen.log_in is LogInRule.REQUIRED and is_out


def can_command(seen: Seen) -> bool:
    """Whether a command could be sent at this moment."""
    is_soon = seen.asked_since is not None and seen.now - seen.asked_since < PRESS_GAP
    return is_current(seen) and not needs_log_in(seen) and seen.sending is None and not is_soon


def more_commands(state: StaffState) -> tuple[str, ...]:
    """Commands beside the prompt's that the table can take now."""
    public, phase = state.public, state.phase
    is_open = public.phase != "closed"
    deals_on = state.shoe_stopped is None and state.prompt.code != "end-shoe"
    is_idle = phase in ("no_shoe", *_BETWEEN) and not state.is_free_coup
    can: tuple[tuple[str, bool], ...] = (
        ("resume_table", public.suspended is not None and phase != "held"),
        ("close_round", phase == "settling"),
        ("burn_cards", phase in _BETWEEN and state.shoe_stopped is None),
        ("correct_burn", state.burn_reads > 0 and _can_mend(state)),
        (CORRECT_VOID, bool(state.void_cards) and _can_mend(state)),
        ("open_free_coup", phase in ("idle", "settling") and deals_on),
        ("trust_stream", state.trust.value == "suspect"),
        ("change_reader", phase != "no_shoe"),
        ("change_shoe", phase in _BETWEEN),
        ("end_shoe", phase in _BETWEEN),
        ("set_manual_mode", state.trust.value != "trusted" or public.manual_mode),
        ("void_round", public.round is not None),
        ("suspend_table", is_open and public.suspended is None),
        ("close_table", is_open and is_idle),
    )
    return tuple(tag for tag, is_possible in can if is_possible)


def pit_commands(seen: Seen, state: StaffState) -> tuple[str, ...]:
    """Commands that somebody of the pit may give at this table now; the likeliest first."""
    hold = state.hold
    now = (*state.prompt.commands, *more_commands(state), *problem_commands(state))
    can: tuple[tuple[str, bool], ...] = (
        ("claim_hold", hold is not None and hold.claimed_by is None),
        ("take_hold", hold is not None and hold.claimed_by is not None and not is_mine(seen)),
        ("rule_hold", hold is not None),
        ("release_hold", is_mine(seen)),
        ("answer_call", state.call is not None),
        ("open_table", state.public.phase == "closed"),
        *((tag, tag in now) for tag in _PIT_COMMANDS),
        ("check_software", state.software.approved is not None),
        ("amend_round", True),
        (VOID_PAST, True),
    )
    return tuple(
        tag for tag, is_possible in can if is_possible and may_give(command_tag(tag), seen)
    )


_PIT_COMMANDS = (
    "resume_table", "suspend_table", "close_table", "void_round", "withdraw_report", "note_card",
    "enter_card", "correct_card", "strike_card", "correct_burn", CORRECT_VOID, "trust_stream",
    "change_reader", "set_manual_mode",
)  # fmt: skip


def _can_mend(state: StaffState) -> bool:
    """What left the shoe before: between two coups, or in a hold of a coup or of the burn."""
    if state.hold is None:
        return state.phase in _BETWEEN
    return state.hold.back.value in (*_JUDGED, "burning")


def problem_commands(state: StaffState) -> tuple[str, ...]:
    """What can be told of the cards, or of the cut card, beside naming an irregularity."""
    by_hand = ("record_card",) if state.may_record_card else ()
    phase = state.phase if state.hold is None else state.hold.back.value
    also: tuple[str, ...] = ("note_cut_card",) if _waits_for_cut_card(state) else ()
    also += ("withdraw_report",) if state.withdrawable else ()
    strike = ("strike_card",) if reads_of(state) else ()
    if phase not in _JUDGED:
        of_aside = tuple(act for act in ("correct_card", "enter_card") if asides_of(state, act))
        return (*by_hand, *of_aside, *strike, *also)
    of_cards = ("note_card", "correct_card", "enter_card", *strike) if state.evidence else ()
    return (*by_hand, *of_cards, "call_result", "note_shoe_empty", *also)


def _waits_for_cut_card(state: StaffState) -> bool:
    """Whether it can come out now, and nobody has told of it."""
    is_held = state.hold is not None and any(
        one.code == CUT_CARD_MISSED for one in state.hold.raised
    )
    is_told = state.public.last_coup is not None or state.shoe_stopped is not None or is_held
    has_one = state.phase != "no_shoe" and state.house.cut_card_from_end is not None
    return has_one and not is_told


def offered(seen: Seen, keys: KeyMap) -> tuple[Offered, ...]:
    """Every act that has a key or a touch target now; the band's own first."""
    if seen.own.panel is not None:
        return _panel_acts(seen, seen.own.panel, keys)
    return (*_prompt_acts(seen, keys), *_standing_acts(seen, keys))


def _prompt_acts(seen: Seen, keys: KeyMap) -> list[Offered]:
    state = seen.state
    if state is None or not is_current(seen):
        return []
    can = can_command(seen)
    main = main_act(state)
    acts = []
    if needs_log_in(seen) and (main or state.prompt.commands):
        acts.append(Offered("log_in", is_enabled=True, is_main=True, keys=keys.of("main")))
    elif main and may_give(main, seen):
        both = (*keys.of("main"), *keys.of(main))
        acts.append(Offered(main, can, is_main=True, keys=both))
    if state.prompt.code == "call-winner" and may_give("confirm_result", seen):
        acts += [Offered(one, can, keys=keys.of(one)) for one in WINNERS]
    else:
        others = [tag for tag in state.prompt.commands if tag != main and may_give(tag, seen)]
        acts += [Offered(tag, can, keys=keys.of(tag)) for tag in others]
    if seen.has_demo_shoe:
        is_due = state.prompt.pull and seen.sending is None
        acts.append(Offered("pull", is_due, keys=keys.of("pull")))
    return acts


def _standing_acts(seen: Seen, keys: KeyMap) -> list[Offered]:
    can = can_command(seen)
    state = seen.state
    call = "call_supervisor" if state is None or state.call is None else "answer_call"
    has_shoe = state is not None and state.phase != "no_shoe"
    enabled = {
        "why": is_current(seen),
        "problem": can and has_shoe,
        call: can and state is not None and may_give(call, seen),
        "more": True,
        "take_over": is_current(seen) and seen.log_in is LogInRule.REQUIRED,
        "rest": not needs_log_in(seen) and seen.log_in is LogInRule.REQUIRED,
    }
    shown = {"why": "why", "problem": "problem", call: "call_supervisor", "more": "more"}
    acts = [
        Offered(one, enabled[one], is_standing=True, keys=keys.of(name))
        for one, name in shown.items()
    ]
    if seen.log_in is LogInRule.REQUIRED:
        door = "log_in" if needs_log_in(seen) else "lock"
        can_turn = is_current(seen) or door == "lock"
        acts.append(Offered(door, can_turn, is_standing=True, keys=keys.of(door)))
    acts += [
        Offered(one, enabled.get(one, True), is_on_screen=False, keys=keys.of(one))
        for one in _HIDDEN
    ]
    return acts


def _panel_acts(seen: Seen, panel: Panel, keys: KeyMap) -> tuple[Offered, ...]:
    """What the keys do while a panel is open: its own, and nothing of the table's."""
    back = Offered("back", is_enabled=True, keys=keys.of("back"))
    move = [
        Offered(one, is_enabled=True, is_on_screen=False, keys=keys.of(one))
        for one in ("up", "down")
    ]
    erase = Offered("erase", is_enabled=True, is_on_screen=False, keys=keys.of("erase"))
    accept = Offered("accept", is_enabled=True, keys=keys.of("accept"))
    can = can_command(seen)
    match panel.kind:
        case PanelKind.WHY | PanelKind.ABOUT | PanelKind.REST:
            return (back,)
        case PanelKind.LOG_IN | PanelKind.TAKE_OVER | PanelKind.SECOND:
            return (accept, back, erase)
        case PanelKind.MORE | PanelKind.PROBLEM:
            send = Offered("send", is_enabled=True, is_main=True, keys=keys.of("main"))
            return (send, back, *move)
        case PanelKind.FORM:
            return _form_acts(seen, panel, keys, back, accept, erase, move, can=can)


def _form_acts(
    seen: Seen,
    panel: Panel,
    keys: KeyMap,
    back: Offered,
    accept: Offered,
    erase: Offered,
    move: list[Offered],
    *,
    can: bool,
) -> tuple[Offered, ...]:
    step = step_of(panel, seen)
    if step is Step.MOVES:
        tick = Offered("move", can, is_main=True, keys=keys.of("main"))
        return (tick, Offered("unmove", can, keys=keys.of("unmove")), back)
    send = Offered("send", can, is_main=True, keys=keys.of("main"))
    if step in CARDS:
        return tuple(
            msgspec.structs.replace(one, keys=tuple(k for k in one.keys if k not in SUIT_KEYS))
            for one in (send, accept, back, erase)
        )
    return (send, accept, back, erase) if step in TYPED else (send, back, *move)


def step_of(panel: Panel, seen: Seen) -> Step | None:
    """The step that a form stands at; None when nothing is left to give."""
    steps = steps_of(panel.act, seen, panel.values)
    return steps[len(panel.values)] if len(panel.values) < len(steps) else None


def label_of(act: str, words: Wording) -> str:
    """What a key is called."""
    command = words.commands.get(act)
    if command is not None:
        return command.button
    return words.pit.acts[act] if act in words.pit.acts else words.console.acts[act]


def undo_of(act: str, words: Wording) -> str:
    """What takes an act back, with the buttons by their names; "" where nothing is to be."""
    text = words.console.undo.get(_TAKEN_BACK_AS.get(act, act), "")
    if "{" not in text:
        return text
    return text.format_map({tag: one.button for tag, one in words.commands.items()})


def key_views(seen: Seen, words: Wording, keys: KeyMap) -> tuple[KeyView, ...]:
    """The keys that do something now, with their words."""
    return with_words(offered(seen, keys), words)


def with_words(acts: Iterable[Offered], words: Wording) -> tuple[KeyView, ...]:
    """What is offered, with the words that stand on its keys."""
    names = words.console.key_names
    return tuple(
        KeyView(
            act=one.act,
            keys=one.keys,
            key_text=key_text(one.keys[0], names) if one.keys else "",
            label=label_of(one.act, words),
            is_enabled=one.is_enabled,
            is_main=one.is_main,
            undo=undo_of(one.act, words),
            is_on_screen=one.is_on_screen,
            is_standing=one.is_standing,
        )
        for one in acts
    )
