# SPDX-License-Identifier: Apache-2.0
"""Every state that a console can show: prompts, misdeals, panels, lines that are down."""

from collections.abc import Callable, Iterator
from datetime import timedelta

from msgspec.structs import replace

from tests.game.misdeal_stories import STORIES
from tests.game.table_driver import Driven, plain_house
from tests.ui.test_view_prompts import PROMPTS
from tests.ui.view_texts import DEALER, SUPERVISOR, seen_of, speech
from ui.view.press import pressed, typed
from ui.view.seen import LinkState, Refused, Seen

_LINES = (LinkState.JOINING, LinkState.STALE, LinkState.GONE)


def _dealing() -> Driven:
    return Driven(plain_house()).played().dealing()


def _pressed(seen: Seen, *acts: str) -> Seen:
    """After these acts, or texts typed (``"=100"``), of which none sends anything."""
    for act in acts:
        step = typed(seen, act[1:]) if act[0] == "=" else pressed(seen, act, speech())
        own = getattr(step, "own", seen.own)
        seen = replace(seen, own=own)
    return seen


def scenes() -> Iterator[tuple[str, Callable[[], Seen]]]:
    """Name and state, each."""
    for code, make in PROMPTS.items():
        yield f"prompt-{code}", lambda make=make: seen_of(make())
    for code, pair in STORIES.items():
        yield f"misdeal-{code}", lambda pair=pair: _misdeal(pair[0])
    for link in _LINES:
        yield f"line-{link.value}", lambda link=link: seen_of(_dealing(), link=link)
    yield "logged-out", lambda: seen_of(_dealing(), person=None)
    yield "locked", lambda: seen_of(_dealing(), is_locked=True)
    yield "refused", lambda: seen_of(_dealing(), refused=Refused("guard", "", "open_bets"))
    yield "sending", lambda: seen_of(_dealing(), sending="void_round")
    yield "shoe-silent", _silent
    yield (
        "unattended",
        lambda: seen_of(Driven(plain_house(pause_without_supervisor=True)).ready(), supervisors=()),
    )
    yield "called", _called
    for name, acts in _PANELS.items():
        yield f"panel-{name}", lambda acts=acts: _panel(acts)
    yield "panel-correct-void", _correct_void


_PANELS = {
    "why": ("why",), "problem": ("problem",), "more": ("more",), "about": ("about",),
    "rest": ("rest",), "take-over": ("take_over",), "void": ("more", "pick:void_round"),
    "count": ("end_shoe",),
}  # fmt: skip


def _panel(acts: tuple[str, ...]) -> Seen:
    table = PROMPTS["open-bets"]() if acts == ("end_shoe",) else _dealing()
    if acts != ("end_shoe",):
        table.cards("3H KC 2S 5S 6D")
    person = None if acts == ("take_over",) else DEALER
    return _pressed(seen_of(table, person=person), *acts)


def _correct_void() -> Seen:
    table = _dealing()
    table.cards("3H KC")
    table.void()
    (round_,) = table.state.void_cards
    seen = seen_of(table, person=SUPERVISOR)
    return _pressed(seen, "more", "pick:correct_void", f"pick:{round_}")


def _called() -> Seen:
    table = _dealing()
    table.cards("3H KC")
    table.ask("call_supervisor")
    seen = seen_of(table)
    return replace(seen, now=seen.now + timedelta(minutes=12))


def _silent() -> Seen:
    seen = seen_of(_dealing())
    return replace(seen, asked_since=seen.now - timedelta(seconds=40))


def _misdeal(story: Callable[..., Driven]) -> Seen:
    made = story(plain_house())
    return seen_of(made, person=SUPERVISOR)
