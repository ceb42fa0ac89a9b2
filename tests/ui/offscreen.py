# SPDX-License-Identifier: Apache-2.0
"""Qt without a screen; to be imported before the application is made."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def warm(application) -> None:
    """Let Qt open what it keeps open for the life of the process, before anything is counted.

    It starts threads of its own for large and for clipped pictures.
    """
    from tests.ui import samples
    from ui.console.surface import Surface
    from ui.view.model import BandRole

    surface = Surface(samples.view())
    surface.resize(1920, 1080)
    surface.show()
    for role in BandRole:
        surface.show_view(samples.view(band=samples.band(role, "WARM", clock="9", part=0.5)))
        surface.grab()
        application.processEvents()
    surface.close()
    surface.deleteLater()
    application.processEvents()
