# SPDX-License-Identifier: Apache-2.0
"""Cues are short, told apart, and heard only where they are wanted."""

import io
import sys
import wave

import pytest
from PyQt6.QtWidgets import QApplication

from tests.ui import samples
from ui.console.sounds import TONES, Sounds, cue_between, wave_of
from ui.view.keymap import SOUNDS
from ui.view.model import BandRole


def band(role: BandRole):
    return samples.band(role, "x")


@pytest.mark.parametrize(
    "before, now, cue",
    [
        (BandRole.OPEN, BandRole.MOVE, "turn"),
        (BandRole.WAIT, BandRole.MOVE, "turn"),
        (BandRole.MOVE, BandRole.STOP, "held"),
        (BandRole.MOVE, BandRole.OFF, "lost"),
        (BandRole.MOVE, BandRole.MOVE, ""),
        (BandRole.MOVE, BandRole.OPEN, ""),
        (BandRole.STOP, BandRole.STOP, ""),
    ],
)
def test_a_change_of_the_band_has_its_cue(before, now, cue):
    assert cue_between(band(before), band(now)) == cue


def test_the_first_picture_is_silent():
    assert cue_between(None, band(BandRole.STOP)) == ""


def test_every_cue_is_a_short_sound_of_its_own_that_begins_and_ends_in_silence():
    assert TONES.keys() == set(SOUNDS)
    heard = set()
    for cue in SOUNDS:
        with wave.open(io.BytesIO(wave_of(cue))) as file:
            frames = file.readframes(file.getnframes())
            assert file.getnframes() / file.getframerate() < 0.8
        samples_ = memoryview(frames).cast("h")
        assert abs(samples_[0]) < 500
        assert abs(samples_[-1]) < 500
        assert 8000 < max(samples_) < 16000
        heard.add(frames)
    assert len(heard) == len(SOUNDS)


def test_where_qt_has_no_sound_the_system_beeps_and_an_unwanted_cue_is_silent(qtbot, monkeypatch):
    beeps: list[str] = []
    monkeypatch.setattr(QApplication, "beep", lambda: beeps.append("beep"))
    # what a machine without the system's sound libraries comes to
    monkeypatch.setitem(sys.modules, "PyQt6.QtMultimedia", None)
    sounds = Sounds(("held",))
    sounds.play("turn")
    assert beeps == []
    sounds.play("held")
    assert beeps == ["beep"]
