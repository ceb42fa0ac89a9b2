# SPDX-License-Identifier: GPL-3.0-or-later
"""What a press or a text does in the pit. Pure: what is seen and an act in, a step out.

What belongs to a table is done as its console does it; a form that is begun there waits there,
with all that was chosen and typed, while another table is looked at.
"""

from msgspec.structs import replace

from studio.game.inputs import ChangeDealer
from ui.pit_view.acts import acts_of
from ui.pit_view.queue import SELECT, next_in_queue
from ui.pit_view.seen import Pit, Sheet, SheetKind
from ui.pit_view.staff import staff_choices
from ui.pit_view.steps import (
    At,
    Enter,
    Leave,
    Local,
    LookUpStaff,
    Nothing,
    PitStep,
    Show,
    StandDown,
    SuspendAll,
)
from ui.view import press as table_press
from ui.view.acts import can_command
from ui.view.forms import FORMS
from ui.view.panels import PICK
from ui.view.press import MOVE, RULE
from ui.view.seen import Own, Panel, PanelKind
from ui.view.speech import Speech
from ui.view.steps import Nothing as NothingThere
from ui.view.steps import Send, Turn

_LOCAL = ("language", "theme", "sound")
_SHEETS = {
    "log_in": SheetKind.LOG_IN,
    "suspend_all": SheetKind.SUSPEND_ALL,
    "owed": SheetKind.OWED,
    "about": SheetKind.ABOUT,
}
_LONGEST_TYPED = 128


def pressed(pit: Pit, act: str, speech: Speech, columns: int = 1) -> PitStep:
    """What an act does now. ``columns``: how many tables stand beside one another on the wall."""
    if act.startswith(SELECT):
        return _selected(pit, act.removeprefix(SELECT))
    if act.startswith(PICK) and pit.sheet is not None:
        return _picked(pit, pit.sheet, act.removeprefix(PICK), speech)
    if act.startswith((MOVE, RULE, PICK)):
        return _at(pit, act, speech) if pit.sheet is None else Nothing()
    if not any(one.act == act and one.is_enabled for one in acts_of(pit, speech)):
        return Nothing()
    if act in _LOCAL:
        return Local(act)
    if pit.sheet is not None:
        return _in_sheet(pit, pit.sheet, act, speech)
    return _begun(pit, act, speech, columns)


def _begun(pit: Pit, act: str, speech: Speech, columns: int) -> PitStep:
    has_panel = pit.table.own.panel is not None
    if has_panel and act not in (
        "left",
        "right",
        "next_trouble",
        "last_trouble",
        *_SHEETS,
        "staff",
        "lock",
    ):
        return _at(pit, act, speech)
    steps = {"left": -1, "right": 1, "up": -columns, "down": columns}
    match act:
        case "left" | "right" | "up" | "down":
            return _moved(pit, pit.selected + steps[act])
        case "next_trouble" | "last_trouble":
            return _moved(pit, next_in_queue(pit, 1 if act == "next_trouble" else -1))
        case "lock":
            return Leave(replace(pit, sheet=None))
        case "acts":
            panel = Panel(PanelKind.MORE)
            return At(pit.selected, Turn(replace(pit.table.own, panel=panel)))
        case "staff":
            sheet = Sheet(SheetKind.STAFF)
            return LookUpStaff(replace(pit, sheet=sheet, people=None, refused=None))
        case _ if act in _SHEETS:
            return Show(replace(pit, sheet=Sheet(_SHEETS[act]), refused=None))
        case _ if act in FORMS:
            step = table_press.begun(pit.table, act, speech)
            return Nothing() if isinstance(step, NothingThere) else At(pit.selected, step)
        case _:
            return Nothing()


def _at(pit: Pit, act: str, speech: Speech) -> PitStep:
    """What the table's own console would do."""
    step = table_press.pressed(pit.table, act, speech)
    return Nothing() if isinstance(step, NothingThere) else At(pit.selected, step)


def _selected(pit: Pit, table: str) -> PitStep:
    at = next((n for n, one in enumerate(pit.tables) if one.table == table), pit.selected)
    return Show(replace(pit, selected=at, sheet=None))


def _moved(pit: Pit, to: int) -> PitStep:
    if not 0 <= to < len(pit.tables):
        return Nothing()
    return Show(replace(pit, selected=to, sheet=None))


def _in_sheet(pit: Pit, sheet: Sheet, act: str, speech: Speech) -> PitStep:
    match act:
        case "back" if sheet.badge is not None:
            return Show(replace(pit, sheet=replace(sheet, badge=None, text="")))
        case "back" if sheet.picked:
            return Show(replace(pit, sheet=replace(sheet, picked="", chosen=0)))
        case "back":
            return Show(replace(pit, sheet=None))
        case "up" | "down" if sheet.kind is SheetKind.STAFF:
            count = max(len(staff_choices(pit, sheet, speech)), 1)
            step = 1 if act == "down" else -1
            return Show(replace(pit, sheet=replace(sheet, chosen=(sheet.chosen + step) % count)))
        case "send" if sheet.kind is SheetKind.STAFF:
            choices = staff_choices(pit, sheet, speech)
            return _picked(pit, sheet, choices[sheet.chosen][0], speech) if choices else Nothing()
        case "erase":
            return Show(replace(pit, sheet=replace(sheet, text=sheet.text[:-1])))
        case "accept" if sheet.text and sheet.badge is None:
            return Show(replace(pit, sheet=replace(sheet, badge=sheet.text.strip(), text="")))
        case "accept" if sheet.text and sheet.badge is not None:
            return Enter(sheet.badge, sheet.text, replace(pit, sheet=None))
        case "send":
            return SuspendAll(replace(pit, sheet=replace(sheet, is_done=True)))
        case _:
            return Nothing()


def _picked(pit: Pit, sheet: Sheet, value: str, speech: Speech) -> PitStep:
    """Somebody of the staff, or what is done about them."""
    if value not in {one[0] for one in staff_choices(pit, sheet, speech)}:
        return Nothing()
    back = replace(pit, sheet=replace(sheet, picked="", chosen=0))
    match value:
        case "stand_down":
            return StandDown(sheet.picked, back)
        case "deals":
            return _dealt_by(pit, sheet, back)
        case _:
            return Show(replace(pit, sheet=replace(sheet, picked=value, chosen=0)))


def _dealt_by(pit: Pit, sheet: Sheet, back: Pit) -> PitStep:
    """Somebody takes over as dealer of the table beside the wall."""
    name = next((one.screen_name for one in pit.people or () if one.staff == sheet.picked), "")
    if not name or pit.person is None or not can_command(pit.table):
        return Nothing()
    change = ChangeDealer(by=pit.person.staff, dealer=name)
    return At(pit.selected, Send(change, pit.table.own), back)


def typed(pit: Pit, text: str) -> PitStep:
    """The whole text of the field that is open."""
    sheet = pit.sheet
    if sheet is None:
        step = table_press.typed(pit.table, text)
        return Nothing() if isinstance(step, NothingThere) else At(pit.selected, step)
    if sheet.kind is not SheetKind.LOG_IN:
        return Nothing()
    kept = "".join(one for one in text if one.isprintable())[:_LONGEST_TYPED]
    return Show(replace(pit, sheet=replace(sheet, text=kept)))


def text_in(pit: Pit) -> str | None:
    """What is in the open field so far; None where nothing can be typed."""
    if pit.sheet is not None:
        return pit.sheet.text if pit.sheet.kind is SheetKind.LOG_IN else None
    panel = pit.table.own.panel
    return panel.text if panel is not None and table_press.has_field(pit.table) else None


def without_secrets(own: Own) -> Own:
    """A draft as it is kept: what a second person typed is not."""
    panel = own.panel
    if panel is None or panel.kind is not PanelKind.SECOND:
        return own
    return replace(own, panel=replace(panel, text="", badge=None))
