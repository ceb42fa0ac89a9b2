# SPDX-License-Identifier: Apache-2.0
"""Pictures of the console in every state, language, theme and size, with an index page.

``make shots`` writes them to ``shots/``. ``ONLY=held`` takes the states whose name has that word.
"""

import argparse
import html
from pathlib import Path

import tests.ui.offscreen  # noqa: F401 - before the application is made
from studio.wording import languages
from tests.ui.looking import faults_of
from tests.ui.scenes import scenes
from tests.ui.view_texts import speech

SIZES = ((1920, 1080), (1280, 800), (3840, 2160), (1080, 1920))
_STYLE = (
    "body{font:15px sans-serif;background:#222;color:#eee}img{width:420px;margin:4px}"
    "h2{margin:24px 4px 4px}figure{display:inline-block;margin:0}"
)


def main() -> None:
    """Write the pictures and their index."""
    from msgspec.structs import replace
    from PyQt6.QtWidgets import QApplication

    from ui.console.surface import Surface
    from ui.view.whole import view_of

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
    surface: Surface | None = None
    page, faults = [], 0
    for name, make in scenes():
        if said.only not in name:
            continue
        page.append(f"<h2>{html.escape(name)}</h2>")
        seen = make()
        for size in sizes:
            for code in codes:
                for is_light in themes:
                    view = view_of(replace(seen, is_light=is_light), speech(code))
                    if surface is None:
                        surface = Surface(view)
                        surface.show()
                    surface.resize(*size)
                    surface.show_view(view)
                    application.processEvents()
                    theme = "light" if is_light else "dark"
                    file = f"{name}-{code}-{theme}-{size[0]}x{size[1]}.png"
                    surface.grab().save(str(said.folder / file))
                    page.append(f'<figure><a href="{file}"><img loading="lazy" src="{file}">'
                                "</a></figure>")  # fmt: skip
                    for fault in faults_of(surface):
                        faults += 1
                        page.append(f"<p>{html.escape(fault)}</p>")
    text = f"<!doctype html><meta charset='utf-8'><style>{_STYLE}</style>" + "\n".join(page)
    (said.folder / "index.html").write_text(text, encoding="utf-8")
    print(f"{said.folder}/index.html: {faults} faults")


if __name__ == "__main__":
    main()
