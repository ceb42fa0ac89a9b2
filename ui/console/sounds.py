# SPDX-License-Identifier: GPL-3.0-or-later
"""Short cues that call the dealer's eyes to the screen: made here, played if this machine can.

A cue is two or three soft tones, told apart by how they go: up for your move, down twice for a
hold, one long low one for a line that is lost, a short low one for a key that was refused. Where
Qt has no sound here, or no loudspeaker is there, the system's beep does.
"""

import io
import math
import wave
from array import array
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from PyQt6.QtCore import QTemporaryDir, QUrl
from PyQt6.QtWidgets import QApplication

from ui.view.keymap import SOUNDS
from ui.view.model import Band, BandRole

_RATE = 22050
_LOUD = 0.35
_FADE_SECONDS = 0.012
# Hertz and seconds of each tone, one after the other.
TONES: dict[str, tuple[tuple[float, float], ...]] = {
    "turn": ((660.0, 0.07), (880.0, 0.11)),
    "held": ((740.0, 0.14), (494.0, 0.2), (740.0, 0.14), (494.0, 0.2)),
    "lost": ((294.0, 0.5),),
    "refused": ((330.0, 0.12),),
    "ring": ((988.0, 0.12), (784.0, 0.12)) * 3,
}


def cue_between(before: Band | None, now: Band) -> str:
    """The cue of a band that takes the place of another one; "" for none."""
    if before is None or before.role is now.role:
        return ""
    cues = {BandRole.MOVE: "turn", BandRole.STOP: "held", BandRole.OFF: "lost"}
    return cues.get(now.role, "")


def wave_of(cue: str) -> bytes:
    """A cue as a WAV file, 16 bits, one channel; each tone swells and dies away without a click."""
    samples = array("h")
    for hertz, seconds in TONES[cue]:
        count = int(_RATE * seconds)
        for number in range(count):
            edge = min(number, count - number) / (_RATE * _FADE_SECONDS)
            height = _LOUD * min(edge, 1.0) * math.sin(2 * math.pi * hertz * number / _RATE)
            samples.append(round(32767 * height))
    kept = io.BytesIO()
    with wave.open(kept, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE)
        file.writeframes(samples.tobytes())
    return kept.getvalue()


class Sounds:
    """Plays cues. ``wanted`` are those that this site wants to hear; nothing is loaded before."""

    def __init__(self, wanted: tuple[str, ...] = SOUNDS) -> None:
        self._wanted = wanted
        self._players: dict[str, Callable[[], None]] | None = None

    def play(self, cue: str) -> None:
        """Let a cue be heard, if it is wanted."""
        if cue not in self._wanted:
            return
        if self._players is None:
            # the folder is there as long as what plays its files
            self._folder = QTemporaryDir()
            self._players = _players(self._folder)
        self._players.get(cue, QApplication.beep)()


def _players(folder: QTemporaryDir) -> dict[str, Callable[[], None]]:
    """How each cue is played; empty where Qt's sound or a loudspeaker is missing."""
    try:
        # not there on every machine: it takes the system's sound libraries
        sound: Any = import_module("PyQt6.QtMultimedia")
    except ImportError:
        return {}
    if sound.QMediaDevices.defaultAudioOutput().isNull():
        return {}
    application = QApplication.instance()
    players: dict[str, Callable[[], None]] = {}
    for cue in TONES:
        file = Path(folder.path()) / f"{cue}.wav"
        file.write_bytes(wave_of(cue))
        effect = sound.QSoundEffect(application)
        effect.setSource(QUrl.fromLocalFile(str(file)))
        players[cue] = effect.play
    return players
