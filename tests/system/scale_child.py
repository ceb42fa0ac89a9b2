# SPDX-License-Identifier: Apache-2.0
"""Shows every state of the console on a screen and tells what is wrong with its texts.

One JSON object: how many pixels of the screen a pixel of the window is, the size of the window, how
many states were shown, and the faults, a line each.
"""

import json

from PyQt6.QtWidgets import QApplication

from studio.wording import languages
from tests.ui.looking import faults_of
from tests.ui.scenes import scenes
from tests.ui.view_texts import speech
from ui.console.surface import Surface
from ui.view.whole import view_of


def main() -> None:
    """Show them, each in one language after another."""
    application = QApplication([])
    known = languages()
    surface: Surface | None = None
    faults, count = [], 0
    for count, (name, make) in enumerate(scenes(), 1):
        view = view_of(make(), speech(known[count % len(known)]))
        if surface is None:
            surface = Surface(view)
            screen = application.primaryScreen()
            assert screen is not None
            surface.setGeometry(screen.geometry())
            surface.show()
            application.processEvents()
        surface.show_view(view)
        application.processEvents()
        faults += [f"{name}: {fault}" for fault in faults_of(surface)]
    assert surface is not None
    size = [surface.width(), surface.height()]
    told = {"ratio": surface.devicePixelRatio(), "size": size, "states": count, "faults": faults}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
