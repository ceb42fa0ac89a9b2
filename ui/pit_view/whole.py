# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole window of the pit, from what was seen."""

from collections.abc import Callable

from ui.pit_view.acts import key_views
from ui.pit_view.model import PitHeader, PitView, TileView
from ui.pit_view.queue import is_rung, queue_of
from ui.pit_view.seen import Pit, logs_in
from ui.pit_view.sheets import panel_of
from ui.pit_view.side import table_of
from ui.pit_view.tile import tile_of
from ui.pit_view.trouble import troubles_of
from ui.view.acts import label_of
from ui.view.model import Foot
from ui.view.picture import software_text
from ui.view.seen import Refused, Seen
from ui.view.speech import Speech, clock_text, fit

Tile = Callable[[int], TileView]


def pit_of(
    pit: Pit, speech: Speech, tile: Tile | None = None, before: PitView | None = None
) -> PitView:
    """What the pit shows at this moment. ``tile`` makes the one at a place, if others keep them.

    ``before``: a view of which all is still good but the tiles and the panel.
    """

    def made(index: int) -> TileView:
        is_selected = index == pit.selected
        return tile_of(pit.tables[index], speech, is_selected=is_selected)

    return PitView(
        header=header_of(pit, speech) if before is None else before.header,
        tiles=tuple(map(tile or made, range(len(pit.tables)))),
        queue=queue_of(pit, speech) if before is None else before.queue,
        table=table_of(pit, speech) if before is None else before.table,
        panel=panel_of(pit, speech),
        keys=key_views(pit, speech) if before is None else before.keys,
        foot=_foot(pit, speech) if before is None else before.foot,
        is_light=pit.is_light,
    )


def matter(pit: Pit) -> object:
    """What must be seen at once in the header, beside the wall and on the keys.

    All else there, such as the clock and the calm lines of the selected table, follows within a
    second.
    """
    seen, state = pit.table, pit.table.state
    at_table = None if state is None else (
        state.hold, state.call, state.public.suspended, state.public.phase == "closed",
        state.public.round,
    )  # fmt: skip
    return (
        pit.selected, pit.sheet, pit.person, pit.is_locked, pit.refused, pit.people, pit.has_sound,
        seen.link, seen.own, seen.refused, seen.sending, at_table,
        tuple(map(troubles_of, pit.tables)), tuple(map(is_rung, pit.tables)),
    )  # fmt: skip


def header_of(pit: Pit, speech: Speech) -> PitHeader:
    """The line on top."""
    facts = speech.words.pit.facts
    troubles = [one for seen in pit.tables for one in troubles_of(seen)]
    held = sum(one.code == "held" for one in troubles)
    devices = sum(one.is_device for one in troubles)
    gone = sum(one.code in ("gone", "stale") for one in troubles)
    is_open = sum(_is_open(one) for one in pit.tables)
    rung = [one.table for one in pit.tables if is_rung(one)]
    wrong = [facts["devices"].format(count=devices)] if devices else []
    wrong += [facts["gone"].format(count=gone)] if gone else []
    environments = {one.state.public.environment for one in pit.tables if one.state is not None}
    return PitHeader(
        title=facts["pit"],
        tables=facts["tables"].format(tables=len(pit.tables), open=is_open),
        held=facts["held"].format(count=held) if held else "",
        devices=" · ".join(wrong),
        person=fit(_person(pit, speech), "header.person"),
        person_role=_role(pit, speech),
        clock=clock_text(pit.now, pit.zone_minutes),
        ring=facts["ring"].format(tables=", ".join(rung)) if rung else "",
        badges=(speech.fact("badge-test"),) if "test" in environments else (),
    )


def _is_open(seen: Seen) -> bool:
    return seen.state is not None and seen.state.public.phase != "closed"


def _person(pit: Pit, speech: Speech) -> str:
    if not logs_in(pit):
        return speech.fact("open-to-all")
    if pit.is_locked:
        return speech.fact("locked")
    return speech.fact("nobody") if pit.person is None else pit.person.screen_name


def _role(pit: Pit, speech: Speech) -> str:
    if pit.person is None or pit.is_locked or not logs_in(pit):
        return ""
    roles = [one.value for one in type(next(iter(pit.person.roles))) if one in pit.person.roles]
    return speech.words.pit.facts[f"role-{roles[-1]}"]


def _foot(pit: Pit, speech: Speech) -> Foot:
    """A refusal: the pit's own, else of the table beside the wall; what is on its way; software."""
    seen = pit.table
    refused: Refused | None = pit.refused or seen.refused
    refusal = ""
    if refused is not None:
        known = speech.words.console.refusals.get(refused.code, refused.text)
        where = "" if pit.refused is not None else f"{seen.table}: "
        refusal = fit(where + known, "foot.refusal")
    sending = ""
    if seen.sending is not None:
        sending = speech.fact("sending", act=label_of(seen.sending, speech.words))
    return Foot(refusal, "", _software(pit, speech), sending)


def _software(pit: Pit, speech: Speech) -> str:
    """Of what serves the table beside the wall, or else any that was heard."""
    heard = (one for one in (pit.table, *pit.tables) if one.state is not None)
    return next((software_text(one, speech) for one in heard), "")
