# SPDX-License-Identifier: GPL-3.0-or-later
"""What a press or a text does. Pure: what is seen and an act in, a step out.

A command is sent by an act that is offered and enabled at this moment, and by nothing else: not by
a key of the prompt before, not by a scanner, not while an answer is awaited.
"""

from msgspec.structs import replace

from studio.game import inputs as inp
from studio.game.inputs import Command
from studio.game.irregularities import IRREGULARITIES
from studio.staff.accounts import Role
from ui.view.acts import WINNERS, can_command, is_current, offered, step_of
from ui.view.forms import (
    ACCEPT_COUNT,
    CARDS,
    FORMS,
    HANDS,
    MISMATCH,
    TYPED,
    TYPED_WORDS,
    command_of,
    key_of,
    moves_left,
    outcome_command,
    proposal_of,
    steps_of,
    takes_two,
)
from ui.view.forms import Step as Need
from ui.view.panels import PICK, card_of, digits_of, hand_typed, pickables
from ui.view.seen import Own, Panel, PanelKind, Seen
from ui.view.speech import Speech
from ui.view.steps import Local, LogIn, LogOut, Nothing, Send, Step, Turn

MOVE, RULE = "move:", "rule:"
_LOCAL = ("language", "theme", "sound", "pull")
_PANELS = {
    "why": PanelKind.WHY,
    "about": PanelKind.ABOUT,
    "more": PanelKind.MORE,
    "problem": PanelKind.PROBLEM,
    "log_in": PanelKind.LOG_IN,
}
_LONGEST_TYPED = 128
_DOORS = (PanelKind.LOG_IN, PanelKind.TAKE_OVER, PanelKind.SECOND)


def pressed(seen: Seen, act: str, speech: Speech) -> Step:
    """What an act does now: one of ``key_views``, a ``Choice``, a move or a ruling of the hold."""
    panel = seen.own.panel
    if act.startswith(MOVE):
        return _tick(seen, act.removeprefix(MOVE), speech)
    if act.startswith(RULE):
        return _rule(seen, act.removeprefix(RULE), speech)
    if act.startswith(PICK):
        return _picked(seen, act.removeprefix(PICK), speech) if panel else Nothing()
    if not any(one.act == act and one.is_enabled for one in offered(seen, speech.keys)):
        return Nothing()
    return _begun(seen, act, speech) if panel is None else _in_panel(seen, panel, act, speech)


def typed(seen: Seen, text: str) -> Step:
    """The whole text of the field that is open: typed, scanned, or read from a badge."""
    panel = seen.own.panel
    if panel is None or not _has_field(panel, seen):
        return Nothing()
    kept = "".join(one for one in text if one.isprintable())[:_LONGEST_TYPED]
    return _turn(seen, replace(panel, text=kept, fault=""))


def begun(seen: Seen, act: str, speech: Speech) -> Step:
    """A command that another window offers: sent, or the first step of its form."""
    return _form(seen, act, speech)


def second_for(seen: Seen, command: Command) -> Step:
    """The panel of the second person, for a command that the table would not take without."""
    return _turn(seen, Panel(PanelKind.SECOND, command=command))


def has_field(seen: Seen) -> bool:
    """Whether text can be typed now."""
    return seen.own.panel is not None and _has_field(seen.own.panel, seen)


def _has_field(panel: Panel, seen: Seen) -> bool:
    if panel.kind in _DOORS:
        return True
    return panel.kind is PanelKind.FORM and step_of(panel, seen) in TYPED


def _turn(seen: Seen, panel: Panel | None) -> Turn:
    return Turn(replace(seen.own, panel=panel))


def _closed(seen: Seen) -> Own:
    return replace(seen.own, panel=None)


def _begun(seen: Seen, act: str, speech: Speech) -> Step:
    """An act without a panel: a command at once, or the panel of what it still needs."""
    if act in WINNERS:
        return _give(seen, outcome_command(seen, act.removeprefix("winner_")))
    if act in _PANELS:
        return _turn(seen, Panel(_PANELS[act]))
    if act in _LOCAL:
        return Local(act, _closed(seen))
    match act:
        case "lock":
            return LogOut(_closed(seen))
        case "rest":
            return LogOut(replace(seen.own, panel=Panel(PanelKind.REST)))
        case "take_over":
            return _take_over(seen)
        case "end_shoe" if seen.refused is not None and seen.refused.code == MISMATCH:
            return _form(seen, ACCEPT_COUNT, speech)
        case _:
            return _form(seen, act, speech)


def _take_over(seen: Seen) -> Step:
    """By whoever is logged in, if the table has another dealer; else by who logs in now."""
    person, state = seen.person, seen.state
    if person is not None and state is not None and can_command(seen):
        is_other = Role.DEALER in person.roles and state.public.dealer != person.screen_name
        if is_other and state.public.phase != "closed":
            change = inp.ChangeDealer(by=person.staff, dealer=person.screen_name)
            return _give(seen, change)
    return _turn(seen, Panel(PanelKind.TAKE_OVER))


def _form(seen: Seen, act: str, speech: Speech, values: tuple[str, ...] = ()) -> Step:
    """The next step of a form; the command, once nothing is left to give."""
    if act not in FORMS or not can_command(seen):
        return Nothing()
    steps = steps_of(act, seen, values)
    if len(values) < len(steps) and steps[len(values)] is Need.MOVES:
        if moves_left(seen, seen.own, values[0]):
            return _turn(seen, Panel(PanelKind.FORM, act, values=values))
        steps = steps[:-1]
    if len(values) < len(steps):
        return _turn(seen, Panel(PanelKind.FORM, act, values=values))
    return _give(seen, command_of(act, seen, values, speech.words.console.grounds))


def _give(seen: Seen, command: Command) -> Step:
    """Send a command, or ask for the second person first."""
    if takes_two(command, seen):
        return second_for(seen, command)
    return Send(command, _closed(seen))


def _in_panel(seen: Seen, panel: Panel, act: str, speech: Speech) -> Step:
    match act:
        case "back":
            return _back(seen, panel)
        case "erase":
            return _turn(seen, replace(panel, text=panel.text[:-1], fault=""))
        case "up" | "down":
            count = len(pickables(panel, seen, speech))
            step = 1 if act == "down" else -1
            return _turn(seen, replace(panel, chosen=(panel.chosen + step) % max(count, 1)))
        case "accept":
            return _accepted(seen, panel, speech)
        case "move":
            left = moves_left(seen, seen.own, panel.values[0])
            return (
                _tick(seen, str(left[0]), speech)
                if left
                else _form(seen, panel.act, speech, panel.values)
            )
        case "unmove":
            return Turn(replace(seen.own, moves_done=frozenset()))
        case "send":
            if _has_field(panel, seen):
                return _accepted(seen, panel, speech)
            choices = pickables(panel, seen, speech)
            if panel.chosen >= len(choices):
                return Nothing()
            return _picked(seen, choices[panel.chosen][0], speech)
        case _:
            return Nothing()


def _back(seen: Seen, panel: Panel) -> Step:
    """One step back: the badge again, the choice before; from the first, out of the panel."""
    if panel.badge is not None:
        return _turn(seen, replace(panel, badge=None, text="", fault=""))
    if panel.kind is PanelKind.FORM and panel.values:
        before = replace(panel, values=panel.values[:-1], text="", chosen=0, fault="")
        return _turn(seen, before)
    return _turn(seen, None)


def _accepted(seen: Seen, panel: Panel, speech: Speech) -> Step:
    """The field is finished."""
    if panel.kind in _DOORS:
        return _door(seen, panel)
    if not can_command(seen):
        return Nothing()
    need, text = step_of(panel, seen), panel.text.strip()
    if need is Need.WORDS:
        said = (*panel.values, TYPED_WORDS + text)
        return _form(seen, panel.act, speech, said) if text else Nothing()
    if need is Need.ROUND_ID:
        named = (*panel.values, text.upper())
        return _form(seen, panel.act, speech, named) if text else Nothing()
    if need in HANDS:
        hand = hand_typed(text)
        if hand is None:
            return _turn(seen, replace(panel, text="", fault="bad-hand"))
        return _form(seen, panel.act, speech, (*panel.values, hand))
    if not text and need in (Need.CARD_TOLD, Need.COUNT_LEFT):
        value: str | None = ""
    elif need in CARDS:
        card = card_of(text) if text else None
        value = None if card is None else card.value
    else:
        value = digits_of(text)
    if value is None:
        fault = "bad-card" if need in CARDS else "bad-number"
        return _turn(seen, replace(panel, text="", fault=fault))
    return _form(seen, panel.act, speech, (*panel.values, value))


def _door(seen: Seen, panel: Panel) -> Step:
    if not panel.text:
        return Nothing()
    if panel.badge is None:
        return _turn(seen, replace(panel, badge=panel.text.strip(), text="", fault=""))
    own = _closed(seen)
    if panel.command is None:
        is_over = panel.kind is PanelKind.TAKE_OVER
        return LogIn(panel.badge, panel.text, own, takes_over=is_over)
    if not can_command(seen):
        return Nothing()
    return Send(panel.command, own, panel.badge, panel.text)


def _picked(seen: Seen, value: str, speech: Speech) -> Step:
    """A line of the panel was chosen."""
    panel = seen.own.panel
    if panel is None or value not in {one[0] for one in pickables(panel, seen, speech)}:
        return Nothing()
    if panel.kind is PanelKind.FORM:
        return _form(seen, panel.act, speech, (*panel.values, value))
    bare = replace(seen, own=_closed(seen))
    if value.startswith("report:"):
        code = value.removeprefix("report:")
        detail = IRREGULARITIES[code].what
        return _form(bare, "report_irregularity", speech, (code, detail))
    return _begun(bare, value, speech)


def _tick(seen: Seen, number: str, speech: Speech) -> Step:
    """A card was moved: the next one in order, and only while the table is held and seen."""
    state = seen.state
    if state is None or not is_current(seen) or not state.proposals:
        return Nothing()
    first = state.proposals[0]
    left = moves_left(seen, seen.own, key_of(first))
    if not left or str(left[0]) != number:
        return Nothing()
    is_same = seen.own.moves_for == first.bound_to
    done = (seen.own.moves_done if is_same else frozenset()) | {left[0]}
    own = replace(seen.own, moves_done=done, moves_for=first.bound_to)
    panel = own.panel
    is_last = len(left) == 1 and panel is not None and step_of(panel, seen) is Need.MOVES
    if is_last and panel is not None:
        return _form(replace(seen, own=own), panel.act, speech, panel.values)
    return Turn(own)


def _rule(seen: Seen, key: str, speech: Speech) -> Step:
    """A ruling was touched: its reason next."""
    is_offered = any(one.act == "rule_hold" for one in offered(_bare(seen), speech.keys))
    if proposal_of(seen.state, key) is None or not is_offered:
        return Nothing()
    return _form(seen, "rule_hold", speech, (key,))


def _bare(seen: Seen) -> Seen:
    return replace(seen, own=_closed(seen))
