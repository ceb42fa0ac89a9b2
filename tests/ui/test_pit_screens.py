# SPDX-License-Identifier: Apache-2.0
"""Every state of the pit in every language: no text is clipped, none lies on another."""

import pytest

from studio.wording import languages
from tests.ui.looking import faults_of
from tests.ui.pit_scenes import pit_scenes, speech
from ui.pit.surface import PitSurface
from ui.pit_view.whole import pit_of

SCENES = dict(pit_scenes())
# The smallest of each shape: what fits there fits on the others, which are these, scaled.
SMALLEST = ((1280, 800), (1366, 768), (800, 1280))


@pytest.mark.parametrize("size", SMALLEST, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("language", languages())
def test_every_state_fits_in_every_language(qtbot, language, size):
    faults = []
    for name, make in SCENES.items():
        if name.startswith("story-") and size == SMALLEST[1]:
            continue
        surface = PitSurface(pit_of(make(), speech(language)))
        qtbot.addWidget(surface)
        surface.resize(*size)
        surface.show()
        faults += [f"{name}: {fault}" for fault in faults_of(surface)]
        held = surface.view.table.held
        drawn = {placed.text for placed in surface.beside.placed}
        for read in () if held is None else held.evidence:
            if read.raw not in drawn:
                faults.append(f"{name}: read {read.number} is not on screen")
        surface.hide()
    assert faults == []
