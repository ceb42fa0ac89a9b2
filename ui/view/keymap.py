# SPDX-License-Identifier: GPL-3.0-or-later
"""Which key does what: one table, from ``config/console.toml``, and what can be wrong with it.

A scanner types letters and digits and ends with Enter, and must never do anything: no such key is
an act by itself, but for Enter finishing a field and a keypad's digits marking a choice.
"""

import msgspec

# What is no command of the table, but has keys.
OWN_ACTS = (
    "main", "accept", "back", "up", "down", "erase", "why", "problem", "more", "log_in",
    "lock", "take_over", "rest", "language", "theme", "sound", "about", "pull", "unmove",
    "winner_player", "winner_tie", "winner_banker",
)  # fmt: skip
# What can be heard, once sound is on: your move, a hold, a line that is lost, a refused key.
# In the pit also that the manager is rung.
SOUNDS = ("turn", "held", "lost", "refused", "ring")
NEEDED = ("main", "accept", "back", "up", "down")
_FUNCTION = tuple(f"F{number}" for number in range(1, 13))
_NAMED = (
    "Space", "Enter", "Escape", "Up", "Down", "Left", "Right", "Home", "End", "PageUp",
    "PageDown", "Insert", "Delete", "Backspace",
)  # fmt: skip
_KEYPAD = (
    *("Plus", "Minus", "Asterisk", "Slash", "Period", "Enter"),
    *("Up", "Down", "Left", "Right", *"0123456789"),
)
KEY_NAMES: frozenset[str] = frozenset(
    prefix + name for name in (*_NAMED, *_FUNCTION) for prefix in ("", "Shift+", "Ctrl+")
) | frozenset(f"Keypad+{name}" for name in _KEYPAD)

# In a card's field these keys of a keypad type its suit: spades, hearts, diamonds, clubs.
SUIT_KEYS = {"Keypad+Slash": "S", "Keypad+Asterisk": "H", "Keypad+Minus": "D", "Keypad+Period": "C"}


class KeyMap(msgspec.Struct, frozen=True):
    """The keys of each act, the first is the one that is drawn; ``sounds``: cues to be heard."""

    keys: dict[str, tuple[str, ...]]
    sounds: tuple[str, ...] = SOUNDS

    def of(self, act: str) -> tuple[str, ...]:
        """The keys of an act; none for one that is reached by touch or through a panel only."""
        return self.keys.get(act, ())


def faults_of(
    key_map: KeyMap, commands: frozenset[str], own_acts: tuple[str, ...] = OWN_ACTS
) -> list[str]:
    """What is wrong with a key map, each "act: what is wrong; what would be right".

    ``commands`` are the tags of the table's commands, ``own_acts`` what else the window has.
    """
    faults = []
    for act, keys in key_map.keys.items():
        if act not in own_acts and act not in commands:
            known = ", ".join((*own_acts, *sorted(commands)))
            faults.append(f"keys.{act}: there is no such act; use one of {known}")
        faults += [fault for key in keys if (fault := _key_fault(act, key))]
    faults += [f"keys.{act}: missing; give it a key" for act in NEEDED if not key_map.of(act)]
    faults += [
        f'sounds: "{one}": there is no such cue; use {", ".join(SOUNDS)}'
        for one in key_map.sounds
        if one not in SOUNDS
    ]
    return faults + _shared(key_map)


def _key_fault(act: str, key: str) -> str:
    bare = key.rpartition("+")[2]
    if key not in KEY_NAMES:
        is_typed = len(bare) == 1 and bare.isalnum()
        why = "a scanner types it" if is_typed else "no key has this name"
        return f'keys.{act}: "{key}": {why}; use such as F2, Space, Keypad+Plus'
    if bare == "Enter" and act != "accept":
        return f'keys.{act}: "{key}" ends what a scanner types; only accept can have it'
    if bare.isdigit() and act not in ("up", "down"):
        return f'keys.{act}: "{key}" is a digit; only up and down can have one'
    return ""


def _shared(key_map: KeyMap) -> list[str]:
    """Keys that two acts have. Arrows call a winner only where no choice is to be marked."""
    owners: dict[str, str] = {}
    faults = []
    for act, keys in key_map.keys.items():
        for key in keys:
            other = owners.setdefault(key, act)
            is_winner = act.startswith("winner_") or other.startswith("winner_")
            if other != act and not (is_winner and {act, other} & {"up", "down"}):
                faults.append(f'keys.{act}: "{key}" is a key of {other} already; use another')
    return faults


def key_text(key: str, names: dict[str, str]) -> str:
    """A key as it is written on the keyboard: ``Shift+End`` by the words of a language."""
    return " ".join(names.get(part, part) for part in key.split("+"))
