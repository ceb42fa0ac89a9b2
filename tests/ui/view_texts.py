# SPDX-License-Identifier: Apache-2.0
"""Every text of a view with the box that it is drawn in, and the words it was made with."""

from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from typing import Any

from studio.game.snapshot import staff_state
from studio.staff.accounts import Role
from studio.wording import load_wording
from tests.game.table_driver import Driven
from ui.keys import load_keys
from ui.view.model import HandView, View
from ui.view.seen import LinkState, LogInRule, Person, Seen
from ui.view.speech import Speech

DEALER = Person("s-001", "Marco", frozenset({Role.DEALER}))
SUPERVISOR = Person("s-002", "Anna", frozenset({Role.SUPERVISOR}))


@cache
def speech(language: str = "en", calls: str | None = None) -> Speech:
    """The words of a language, called out in the same one or another."""
    return Speech(load_wording(language), load_wording(calls or language), load_keys())


def seen_of(table: Driven, /, **changes: Any) -> Seen:
    """What a console has seen of a table, a while after its last change."""
    given = {
        "table": "BAC-1",
        "now": table.now + timedelta(seconds=1),
        "link": LinkState.LIVE,
        "state": staff_state(table.state),
        "person": DEALER,
        "supervisors": ("Anna",),
    }
    return Seen(**{**given, **changes})


def open_to_all(table: Driven, /, **changes: Any) -> Seen:
    """The same at a table where nobody logs in."""
    return seen_of(table, log_in=LogInRule.OPEN, person=None, **changes)


def texts_of(view: View) -> Iterator[tuple[str, str]]:
    """Box and text, for each text that is not empty."""
    return ((box, text) for box, text in _all(view) if text)


def _all(view: View) -> Iterator[tuple[str, str]]:
    band, header, foot = view.band, view.header, view.foot
    for name in ("do", "say", "why", "note", "key_label", "help"):
        yield f"band.{name}", getattr(band, name)
    yield "key.text", band.key
    for name in ("house", "limits", "round"):
        yield f"header.{name}", getattr(header, name)
    for person in (header.dealer, header.supervisor, header.person):
        yield "header.person", person
    for lamp in header.lamps:
        yield from (("header.lamp", lamp.name), ("header.lamp_word", lamp.word))
    yield from (("header.badge", badge) for badge in header.badges)
    yield from _hand(view.hands.player)
    yield from _hand(view.hands.banker)
    yield "hand.result", view.hands.result
    yield from _held(view)
    yield from (("roads.title", title) for title in view.roads.titles)
    yield from (("roads.count_name", name) for name in view.roads.count_names)
    for text in (view.shoe.drawn, view.shoe.burned, view.shoe.cut, view.roads.coup):
        yield "shoe.text", text
    yield from _panel(view)
    for key in view.keys:
        yield from (("key.text", key.key_text), ("key.label", key.label))
    yield from (("foot.refusal", foot.refusal), ("foot.undo", foot.undo))
    yield from (("foot.software", foot.software), ("foot.sending", foot.sending))


def _hand(hand: HandView) -> Iterator[tuple[str, str]]:
    yield from (("hand.name", hand.name), ("hand.told", hand.told))
    yield from (("place.label", place.label) for place in hand.places)


def _held(view: View) -> Iterator[tuple[str, str]]:
    held = view.held
    if held is None:
        return
    yield from (("held.title", held.title), ("held.leave", held.leave))
    for what, do in held.found:
        yield from (("held.what", what), ("held.do", do))
    for pair in (held.as_laid, held.as_must_be):
        for hand in pair or ():
            yield from _hand(hand)
    yield "held.laid", held.laid_title
    for title in (held.must_title, held.unknown_title, held.aside_title,
                  held.proposals_title, held.evidence_title, held.laid_note):  # fmt: skip
        yield "held.section", title
    yield from (("held.move", move.text) for move in held.moves)
    for one in held.proposals:
        yield from (("held.proposal", one.name), ("held.consequence", one.consequence))
        yield from (("held.detail", line) for line in one.details)
    for read in held.evidence:
        yield from (("held.laid_in", read.laid), ("held.facts", read.facts))
        yield "held.raw", read.raw


def _panel(view: View) -> Iterator[tuple[str, str]]:
    panel = view.panel
    if panel is None:
        return
    yield from (("panel.title", panel.title), ("panel.line", panel.fault))
    yield from (("panel.line", line) for line in panel.lines)
    for field in panel.fields:
        yield from (("panel.field", field.label), ("panel.field", field.text))
    for choice in panel.choices:
        yield from (("panel.choice", choice.text), ("panel.detail", choice.detail))
