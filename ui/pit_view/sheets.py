# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels of the pit: its own, else that of the table beside the wall."""

from datetime import timedelta

from ui.pit_view.seen import Pit, Sheet, SheetKind, live_tables
from ui.pit_view.staff import staff_panel
from ui.view.model import PanelView
from ui.view.panels import panel_of as table_panel
from ui.view.picture import software_text
from ui.view.seen import Own, Panel, PanelKind, Seen
from ui.view.speech import Speech, fit, span

# So many lines of what is owed are told; the others are counted.
_MOST_LINES = 14


def panel_of(pit: Pit, speech: Speech) -> PanelView | None:
    """The open panel, if one is."""
    sheet = pit.sheet
    if sheet is None:
        return table_panel(pit.table, speech)
    panels = speech.words.pit.panels
    match sheet.kind:
        case SheetKind.LOG_IN:
            return _door(pit, sheet, speech)
        case SheetKind.SUSPEND_ALL:
            lines = _suspended(pit, speech) if sheet.is_done else (panels["suspend-all-line"],)
            title = panels["suspended" if sheet.is_done else "suspend-all"]
            return PanelView(kind="suspend_all", title=title, lines=lines)
        case SheetKind.OWED:
            return PanelView(kind="owed", title=panels["owed"], lines=owed_lines(pit, speech))
        case SheetKind.STAFF:
            return staff_panel(pit, sheet, speech)
        case SheetKind.ABOUT:
            title = speech.words.console.panels["about"]
            return PanelView(kind="about", title=title, lines=_about(pit, speech))


def _door(pit: Pit, sheet: Sheet, speech: Speech) -> PanelView | None:
    """The same fields as at a table's console."""
    panel = Panel(PanelKind.LOG_IN, text=sheet.text, badge=sheet.badge)
    return table_panel(Seen(table="", now=pit.now, own=Own(panel)), speech)


def _suspended(pit: Pit, speech: Speech) -> tuple[str, ...]:
    """What came of it: how many are suspended, and which are not."""
    panels = speech.words.pit.panels
    is_on = [one for one in pit.tables if one.state is None or _can_be_suspended(one)]
    count = len(pit.tables) - len(is_on)
    lines = [panels["suspended-line"].format(count=count, tables=len(pit.tables))]
    if is_on:
        names = ", ".join(one.table for one in is_on)
        lines.append(fit(panels["not-suspended-line"].format(tables=names), "panel.line"))
    return tuple(lines)


def _can_be_suspended(seen: Seen) -> bool:
    state = seen.state
    is_open = state is not None and state.public.phase != "closed"
    return is_open and state is not None and state.public.suspended is None


def to_suspend(pit: Pit) -> tuple[int, ...]:
    """The places of the tables that a suspension of all is sent to."""
    live = live_tables(pit)
    return tuple(n for n, one in enumerate(pit.tables) if one in live and _can_be_suspended(one))


def owed_lines(pit: Pit, speech: Speech) -> tuple[str, ...]:
    """Which operator has yet to acknowledge what, at every table, the oldest first."""
    panels = speech.words.pit.panels
    found: list[tuple[timedelta, str]] = []
    for seen in pit.tables:
        owed = seen.acknowledgements
        for operator in () if owed is None else owed.operators:
            if not operator.outstanding:
                continue
            first = operator.waiting[0]
            waits = seen.now - first.since
            line = panels["owed-line"].format(
                operator=operator.name,
                table=seen.table,
                round=first.round,
                since=span(waits),
                count=operator.outstanding,
            )
            found.append((waits, fit(line, "panel.line")))
    found.sort(key=lambda one: one[0], reverse=True)
    lines = [line for _, line in found[:_MOST_LINES]]
    if len(found) > _MOST_LINES:
        lines.append(panels["owed-more"].format(count=len(found) - _MOST_LINES))
    return tuple(lines) or (panels["owed-none"],)


def _about(pit: Pit, speech: Speech) -> tuple[str, ...]:
    """Version and digest of every service; where all are the same, once."""
    known = {one.table: software_text(one, speech) for one in pit.tables if one.state is not None}
    if len(set(known.values())) <= 1:
        state = pit.table.state
        whole = "" if state is None else state.public.software.digest
        # in parts, so that it can go over two lines
        digest = " ".join(whole[at : at + 16] for at in range(0, len(whole), 16))
        told = [*set(known.values()), speech.fact("digest", digest=digest) if digest else ""]
        return tuple(line for line in told if line)
    return tuple(f"{table}: {text}" for table, text in known.items())
