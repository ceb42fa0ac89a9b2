# SPDX-License-Identifier: GPL-3.0-or-later
"""Which acts can be done in the pit now, and which of them the main key does."""

from ui.pit_view.queue import waiting_in
from ui.pit_view.seen import Pit, SheetKind, live_tables, logs_in, waits_for_log_in
from ui.view.acts import Offered, can_command, is_current, offered, pit_commands, with_words
from ui.view.model import KeyView
from ui.view.press import has_field
from ui.view.seen import Seen
from ui.view.speech import Speech

# What the pit has beside the commands of a table.
PIT_ACTS = (
    "main", "accept", "back", "up", "down", "left", "right", "erase", "next_trouble",
    "last_trouble", "acts", "staff", "owed", "suspend_all", "log_in", "lock", "language", "theme",
    "sound", "about",
)  # fmt: skip
# What the main key does at a table, the first that can be done there.
_MAIN = ("claim_hold", "rule_hold", "answer_call", "resume_table", "open_table")
_STANDING = ("next_trouble", "acts", "staff", "owed", "suspend_all")
_HIDDEN = ("up", "down", "left", "right", "last_trouble", "language", "theme", "sound", "about")


def main_act(seen: Seen) -> str:
    """What the main key does at this table; "" for nothing."""
    state = seen.state
    if state is None or not is_current(seen):
        return ""
    can = pit_commands(seen, state)
    is_taken = state.hold is not None and "claim_hold" not in can and "take_hold" in can
    if is_taken:
        return "take_hold"
    if state.software.count and state.hold is None and "check_software" in can:
        # neither opening nor resuming is taken before the files were found to be right
        return "check_software"
    return next((one for one in _MAIN if one in can), "")


def acts_of(pit: Pit, speech: Speech) -> tuple[Offered, ...]:
    """Every act with a key or a touch target now."""
    keys, seen = speech.keys, pit.table
    moves = [
        Offered(one, is_enabled=True, is_on_screen=False, keys=keys.of(one)) for one in _HIDDEN
    ]
    if pit.sheet is not None:
        return (*_of_sheet(pit, speech), *moves)
    if seen.own.panel is not None:
        # where a text is typed, Space is a part of it
        is_typed = has_field(seen)
        own = tuple(one for one in offered(seen, keys) if not (is_typed and one.act == "send"))
        taken = {one.act for one in own}
        return (*own, *(one for one in moves if one.act not in taken), *_standing(pit, speech))
    acts: list[Offered] = []
    main = ""
    if waits_for_log_in(pit):
        acts.append(Offered("log_in", is_enabled=True, is_main=True, keys=keys.of("main")))
    elif main := main_act(seen):
        both = (*keys.of("main"), *keys.of(main))
        acts.append(Offered(main, can_command(seen), is_main=True, keys=both))
    acts += _quick(seen, main, speech)
    return (*acts, *_standing(pit, speech), *moves)


def _quick(seen: Seen, main: str, speech: Speech) -> list[Offered]:
    """Commands of the table that have a key of their own."""
    state = seen.state
    if state is None or not is_current(seen):
        return []
    can = can_command(seen)
    tags = (one for one in pit_commands(seen, state) if one != main and speech.keys.of(one))
    return [Offered(one, can, is_on_screen=False, keys=speech.keys.of(one)) for one in tags]


def _standing(pit: Pit, speech: Speech) -> list[Offered]:
    is_in = not waits_for_log_in(pit)
    can = {
        "next_trouble": bool(waiting_in(pit)),
        "acts": is_in and is_current(pit.table),
        "staff": is_in and pit.person is not None,
        "owed": True,
        "suspend_all": is_in and bool(live_tables(pit)),
    }
    acts = [Offered(one, can[one], is_standing=True, keys=speech.keys.of(one)) for one in _STANDING]
    if logs_in(pit):
        door = "log_in" if waits_for_log_in(pit) else "lock"
        acts.append(Offered(door, is_enabled=True, is_standing=True, keys=speech.keys.of(door)))
    return acts


def _of_sheet(pit: Pit, speech: Speech) -> list[Offered]:
    keys, sheet = speech.keys, pit.sheet
    acts = [Offered("back", is_enabled=True, keys=keys.of("back"))]
    if sheet is not None and sheet.kind is SheetKind.LOG_IN:
        acts.insert(0, Offered("accept", is_enabled=True, is_main=True, keys=keys.of("accept")))
        erase = keys.of("erase")
        acts.append(Offered("erase", is_enabled=True, is_on_screen=False, keys=erase))
    is_staff = sheet is not None and sheet.kind is SheetKind.STAFF
    is_asked = sheet is not None and sheet.kind is SheetKind.SUSPEND_ALL and not sheet.is_done
    if is_staff or is_asked:
        acts.insert(0, Offered("send", is_enabled=True, is_main=True, keys=keys.of("main")))
    return acts


def key_views(pit: Pit, speech: Speech) -> tuple[KeyView, ...]:
    """The keys that do something now, with their words."""
    return with_words(acts_of(pit, speech), speech.words)
