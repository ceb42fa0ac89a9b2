# SPDX-License-Identifier: Apache-2.0
"""Every state of the console in every language: no text is clipped, none lies on another."""

import pytest

from studio.wording import languages
from tests.ui.looking import faults_of
from tests.ui.scenes import scenes
from tests.ui.view_texts import speech
from ui.console.surface import Surface
from ui.view.whole import view_of

SCENES = dict(scenes())
# The smallest of each shape: what fits there fits on the others, which are these, scaled.
SMALLEST = ((1280, 800), (1366, 768), (800, 1280))


@pytest.mark.parametrize("size", SMALLEST, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("language", languages())
def test_every_state_fits_in_every_language(qtbot, language, size):
    surface = None
    faults = []
    for name, make in SCENES.items():
        view = view_of(make(), speech(language))
        if surface is None:
            surface = Surface(view)
            qtbot.addWidget(surface)
            surface.resize(*size)
            surface.show()
        surface.show_view(view)
        faults += [f"{name}: {fault}" for fault in faults_of(surface)]
    assert faults == []
