# SPDX-License-Identifier: Apache-2.0
"""The README's picture of the event flow, made from the code's own tables.

``python -m tests.flow`` writes it into README.md, between its two marks. Phases and moves are those
of ``studio.game.state.TRANSITIONS``; what players hear is what an event's ``PUBLIC`` says.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import get_args

from studio.game.events import Event
from studio.game.state import BACK, TRANSITIONS, Phase

README = Path(__file__).parent.parent / "README.md"
COMMAND = ".venv/bin/python -m tests.flow"
BEGIN, END = f"<!-- made by `{COMMAND}` -->", "<!-- made until here -->"
# From more phases than this, an event has one arrow that names them all.
_OWN_ARROWS = 2
_PLAYERS = "● "


def picture() -> str:
    """The state diagram as a Mermaid block, and what it leaves out as two lines of text."""
    lines = ["stateDiagram-v2", f"    [*] --> {Phase.NO_SHOE.value}"]
    stays: dict[Phase, list[str]] = {phase: [] for phase in Phase}
    moves: dict[tuple[str, str], list[str]] = {}
    boxes: dict[str, str] = {}
    for event, arrows in TRANSITIONS.items():
        for after in dict.fromkeys(arrows.values()):
            sources = [phase for phase, found in arrows.items() if found is after]
            if len(sources) <= _OWN_ARROWS or after is BACK:
                for phase in sources:
                    if after is phase:
                        stays[phase].append(_name(event))
                    else:
                        moves.setdefault((phase.value, _target(after, boxes)), []).append(
                            _name(event)
                        )
            else:
                moves.setdefault((_box(sources, boxes), after.value), []).append(_name(event))
    lines += [f'    state "{text}" as {name}' for name, text in boxes.items()]
    lines += [f"    {phase.value}: {phase.value}" for phase in Phase]
    lines += [f"    {phase.value}: {name}" for phase in Phase for name in stays[phase]]
    lines += [f"    {one} --> {two}: {', '.join(names)}" for (one, two), names in moves.items()]
    return "\n".join(["```mermaid", *lines, "```", "", *_beside()])


def _name(event: type[Event]) -> str:
    return event.__name__ if event.PUBLIC is None else _PLAYERS + event.__name__


def _box(sources: list[Phase], boxes: dict[str, str]) -> str:
    """A box that stands for many phases: by its own names, or by those that it leaves out."""
    others = [phase.value for phase in Phase if phase not in sources]
    named = [phase.value for phase in sources]
    is_short = len(others) < len(named)
    name = f"any_but_{'_'.join(others)}" if is_short else "_or_".join(named)
    boxes[name] = f"any phase but {', '.join(others)}" if is_short else ", ".join(named)
    return name


def _target(after: Phase | None, boxes: dict[str, str]) -> str:
    if after is not BACK:
        return after.value
    boxes["back"] = "the phase it was held in"
    return "back"


def _beside() -> list[str]:
    """The events that leave every phase as it is, for players and for staff."""
    free = [event for event in get_args(Event) if event not in TRANSITIONS]
    public = [event for event in free if event.PUBLIC is not None]
    staff = [event for event in free if event.PUBLIC is None]
    return [
        f"Leave every phase as it is, heard by players: {_listed(public)}.",
        f"The same, for staff only: {_listed(staff)}.",
    ]


def _listed(events: Iterable[type[Event]]) -> str:
    return ", ".join(event.__name__ for event in events)


def written(readme: str) -> str:
    """The README with the picture as it is now. Raises ValueError if a mark is missing."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"README.md: the marks {BEGIN} and {END} must be there, in this order")
    return f"{before}{BEGIN}\n{picture()}\n{END}{after}"


def main() -> int:
    """Write the picture into the README; says whether that changed it."""
    old = README.read_text(encoding="utf-8")
    new = written(old)
    README.write_text(new, encoding="utf-8")
    sys.stdout.write("README.md: unchanged\n" if new == old else "README.md: picture made anew\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
