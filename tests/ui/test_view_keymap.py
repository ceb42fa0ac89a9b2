# SPDX-License-Identifier: Apache-2.0
"""The key map: the shipped one is sound, and a site's faults are told all at once."""

from pathlib import Path

import pytest

from studio.toml import SettingsFault
from studio.wording import languages, load_wording
from ui.keys import load_keys
from ui.view.forms import COMMANDS
from ui.view.keymap import KEY_NAMES, OWN_ACTS, KeyMap, faults_of, key_text

NEEDED = {act: (f"F{n}",) for n, act in enumerate(("main", "accept", "back", "up", "down"), 1)}


def faults(**keys: tuple[str, ...]) -> list[str]:
    return faults_of(KeyMap(NEEDED | keys), frozenset(COMMANDS))


def test_a_cue_that_is_none_is_a_fault():
    faults = faults_of(KeyMap(NEEDED, ("held", "gong")), frozenset(COMMANDS))
    assert faults == ['sounds: "gong": there is no such cue; use turn, held, lost, refused, ring']


def test_the_shipped_map_is_sound_and_no_key_types_anything():
    keys = load_keys()
    assert faults_of(keys, frozenset(COMMANDS)) == []
    assert keys.keys.keys() >= set(OWN_ACTS)
    for act, names in keys.keys.items():
        for name in names:
            assert name in KEY_NAMES
            assert not (len(name) == 1 and name.isalnum())
            assert act == "accept" or not name.endswith("Enter")


@pytest.mark.parametrize("name", ["A", "9", "Shift+A", "Ctrl+1", "é"])
def test_a_letter_or_digit_is_no_key_of_an_act(name):
    (fault,) = faults(why=(name,))
    assert "a scanner types it" in fault


def test_enter_finishes_fields_only_and_a_keypads_digit_marks_only():
    assert "only accept" in faults(problem=("Enter",))[0]
    assert "only accept" in faults(open_bets=("Keypad+Enter",))[0]
    assert "is a digit" in faults(open_bets=("Keypad+5",))[0]
    assert faults(up=("Keypad+8",)) == []


def test_two_acts_on_one_key_and_unknown_names_are_faults():
    told = faults(why=("F1",), nonsense=("F9",), sound=("Hyper",))
    assert len(told) == 3
    assert 'keys.why: "F1" is a key of main already' in told[2]


def test_a_map_without_a_key_for_the_band_is_no_map():
    assert faults_of(KeyMap({}), frozenset(COMMANDS))[0].startswith("keys.main: missing")


def test_the_faults_of_a_sites_map_are_told_together(tmp_path: Path):
    (tmp_path / "console.toml").write_text('[keys]\nmain = ["A"]\nwhy = ["B"]\n')
    with pytest.raises(SettingsFault) as raised:
        load_keys(tmp_path)
    told = [fault.key for fault in raised.value.faults]
    assert told[:2] == ["keys.main", "keys.why"]
    (tmp_path / "console.toml").write_text('[keys]\nmain = "Space"\n')
    with pytest.raises(SettingsFault):
        load_keys(tmp_path)


@pytest.mark.parametrize("language", languages())
def test_every_key_reads_as_on_a_keyboard(language):
    names = load_wording(language).console.key_names
    texts = {name: key_text(name, names) for name in KEY_NAMES}
    assert len(set(texts.values())) == len(texts)
    assert max(map(len, texts.values())) <= 14
