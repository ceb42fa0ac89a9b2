# SPDX-License-Identifier: Apache-2.0
"""Pictures of both windows in every state, language, theme and size, with an index page.

``make shots`` writes them to ``shots/``. ``ONLY=held`` takes the states whose name has that word.
"""

import argparse
import html
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

import tests.ui.offscreen  # noqa: F401 - before the application is made
from studio.wording import languages
from tests.ui.looking import faults_of
from tests.ui.pit_scenes import pit_scenes
from tests.ui.pit_scenes import speech as pit_speech
from tests.ui.scenes import scenes
from tests.ui.view_texts import speech

SIZES = ((1920, 1080), (1280, 800), (3840, 2160), (1080, 1920))
_STYLE = (
    "body{font:15px sans-serif;background:#222;color:#eee}img{width:420px;margin:4px}"
    "h2{margin:24px 4px 4px}figure{display:inline-block;margin:0}"
)


def console_shots() -> Iterator[tuple[str, Callable[[str, bool], object]]]:
    """The states of the dealer's console: name, and the view in a language and theme."""
    from ui.view.whole import view_of

    for name, make in scenes():
        yield name, lambda code, light, make=make: view_of(
            replace(make(), is_light=light), speech(code))  # fmt: skip


def pit_shots() -> Iterator[tuple[str, Callable[[str, bool], object]]]:
    """The same of the pit's window."""
    from ui.pit_view.whole import pit_of

    for name, make in pit_scenes():
        yield f"pit-{name}", lambda code, light, make=make: pit_of(
            replace(make(), is_light=light), pit_speech(code))  # fmt: skip


def main() -> None:
    """Write the pictures and their index."""
    from PyQt6.QtWidgets import QApplication

    from ui.console.surface import Surface
    from ui.pit.surface import PitSurface

    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path, nargs="?", default=Path("shots"))
    options.add_argument("--only", default="", help="states whose name has this word")
    options.add_argument("--brief", action="store_true", help="one language and size, dark")
    said = options.parse_args()
    said.folder.mkdir(parents=True, exist_ok=True)
    application = QApplication([])
    codes = ["en"] if said.brief else languages()
    sizes = SIZES[:1] if said.brief else SIZES
    themes = (False,) if said.brief else (False, True)
    wanted = list(itertools.product(sizes, codes, themes))
    page, faults = [], 0
    shots = [(Surface, one) for one in console_shots()]
    shots += [(PitSurface, one) for one in pit_shots()]
    surface = None
    for kind, (name, view_in) in shots:
        if said.only not in name:
            continue
        page.append(f"<h2>{html.escape(name)}</h2>")
        for size, code, is_light in wanted:
            view = view_in(code, is_light)
            # a window of the pit has the tiles that it began with
            if type(surface) is not kind or kind is PitSurface:
                surface = kind(view)
                surface.resize(*size)
                surface.show()
            surface.resize(*size)
            surface.show_view(view)
            application.processEvents()
            theme = "light" if is_light else "dark"
            file = f"{name}-{code}-{theme}-{size[0]}x{size[1]}.png"
            surface.grab().save(str(said.folder / file))
            page.append(f'<figure><a href="{file}"><img loading="lazy" src="{file}"></a></figure>')
            for fault in faults_of(surface):
                faults += 1
                page.append(f"<p>{html.escape(fault)}</p>")
                print(f"{file}: {fault}")
    text = f"<!doctype html><meta charset='utf-8'><style>{_STYLE}</style>" + "\n".join(page)
    (said.folder / "index.html").write_text(text, encoding="utf-8")
    print(f"{said.folder}/index.html: {faults} faults")


if __name__ == "__main__":
    main()
