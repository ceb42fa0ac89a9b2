# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is on duty, and where; somebody is brought on as dealer of a table, or taken off duty."""

from studio.feed.staff import Person
from studio.staff.accounts import Role
from ui.pit_view.seen import Pit, Sheet
from ui.view.model import Choice, PanelView
from ui.view.panels import ON_A_PAGE, PICK
from ui.view.speech import Speech, clock_text, fit

_Choice = tuple[str, str]


def staff_choices(pit: Pit, sheet: Sheet, speech: Speech) -> tuple[_Choice, ...]:
    """What can be picked: somebody; then, what is done about them."""
    panels = speech.words.pit.panels
    if not sheet.picked:
        return tuple((one.staff, _line(one, pit, speech)) for one in _in_order(pit))
    person = next((one for one in pit.people or () if one.staff == sheet.picked), None)
    if person is None:
        return ()
    names = {"name": person.screen_name, "table": pit.table.table}
    choices = []
    state = pit.table.state
    is_open = state is not None and state.public.phase != "closed"
    deals = state is not None and state.public.dealer == person.screen_name
    if Role.DEALER.value in person.roles and is_open and not deals and not person.is_disabled:
        choices.append(("deals", fit(panels["deals"].format_map(names), "panel.choice")))
    if person.places:
        choices.append(("stand_down", fit(panels["stand-down"].format_map(names), "panel.choice")))
    return tuple(choices)


def _in_order(pit: Pit) -> tuple[Person, ...]:
    """Those on duty first."""
    return tuple(sorted(pit.people or (), key=lambda one: (not one.places, one.screen_name)))


def _line(one: Person, pit: Pit, speech: Speech) -> str:
    words = speech.words.pit
    places = [
        words.panels["staff-at"].format(
            table=at.table or words.panels["staff-all"],
            since=clock_text(at.since, pit.zone_minutes)[:5],
        )
        for at in one.places
    ]
    roles = ", ".join(words.facts[f"role-{role}"] for role in one.roles)
    told = words.panels["staff-line"].format(
        name=one.screen_name, role=roles, places=", ".join(places) or words.panels["staff-off"]
    )
    return fit(told, "panel.choice")


def staff_panel(pit: Pit, sheet: Sheet, speech: Speech) -> PanelView:
    """The panel: a page of people, or what can be done about one."""
    panels = speech.words.pit.panels
    every = staff_choices(pit, sheet, speech)
    first = sheet.chosen // ON_A_PAGE * ON_A_PAGE
    pages = max(-(-len(every) // ON_A_PAGE), 1)
    choices = tuple(
        Choice(PICK + value, text, "", is_chosen=n == sheet.chosen)
        for n, (value, text) in enumerate(every)
        if first <= n < first + ON_A_PAGE
    )
    name = next((one.screen_name for one in pit.people or () if one.staff == sheet.picked), "")
    return PanelView(
        kind="staff",
        title=panels["staff-of"].format(name=name) if sheet.picked else panels["staff"],
        lines=() if pit.people is not None else (panels["staff-none"],),
        choices=choices,
        page=speech.fact("page", page=first // ON_A_PAGE + 1, pages=pages) if pages > 1 else "",
    )
