# SPDX-License-Identifier: GPL-3.0-or-later
"""The key map of a window, ``console.toml`` or ``pit.toml``: the site's own, else as shipped."""

from pathlib import Path

import msgspec

from studio.settings import shipped
from studio.toml import Fault, SettingsFault, parsed
from ui.view.forms import FORMS
from ui.view.keymap import OWN_ACTS, KeyMap, faults_of

NAME, PIT = "console.toml", "pit.toml"


def load_keys(
    site: Path | None = None, name: str = NAME, own_acts: tuple[str, ...] = OWN_ACTS
) -> KeyMap:
    """The key map. Raises SettingsFault with every fault of the file."""
    own = None if site is None else site / name
    file = own if own is not None and own.exists() else shipped(name)
    right = f"compare with the shipped {name}"
    try:
        data = parsed(file.read_text(encoding="utf-8"), str(file))
        key_map = msgspec.convert(data, KeyMap)
    except (OSError, UnicodeDecodeError) as fault:
        raise SettingsFault([Fault(str(file), "", str(fault), right)]) from None
    except msgspec.ValidationError as fault:
        raise SettingsFault([Fault(str(file), "", str(fault), right)]) from None
    faults = faults_of(key_map, frozenset(FORMS), own_acts)
    if faults:
        split = (one.split(": ", 1) for one in faults)
        made = [Fault(str(file), key, *_wrong_and_right(rest)) for key, rest in split]
        raise SettingsFault(made)
    return key_map


def _wrong_and_right(text: str) -> tuple[str, str]:
    wrong, _, right = text.rpartition("; ")
    return wrong, right
