# SPDX-License-Identifier: Apache-2.0
"""What people at a table are told, by code and language, from ``config/wording``.

Owns how the words of a language are found; ``studio.words`` says what they are. A language
overrides the English words that it names; a site's file takes the place of the shipped one. It
must not know where the words are shown.
"""

from pathlib import Path
from typing import Any

import msgspec

from studio.settings import names_of, shipped
from studio.toml import Fault, SettingsFault, parsed
from studio.words import Told, Wording, told

__all__ = ["BASE", "Told", "Wording", "languages", "load_wording", "told"]

BASE = "en"


def languages(site: Path | None = None) -> list[str]:
    """The languages to be had."""
    return names_of("wording", site)


def load_wording(language: str = BASE, site: Path | None = None) -> Wording:
    """The words of a language over the English ones. Raises SettingsFault."""
    words = _read(BASE, site)
    if language != BASE:
        words = _over(words, _read(language, site))
    try:
        return msgspec.convert(words, Wording)
    except msgspec.ValidationError as fault:
        right = f"compare with the shipped wording/{BASE}.toml"
        raise SettingsFault([Fault(f"wording/{language}.toml", "", str(fault), right)]) from None


def _read(language: str, site: Path | None) -> dict[str, Any]:
    name = f"wording/{language}.toml"
    file = site / name if site is not None and (site / name).exists() else shipped(name)
    try:
        return parsed(file.read_text(encoding="utf-8"), str(file))
    except (OSError, UnicodeDecodeError):
        right = f"known: {', '.join(languages(site))}"
        raise SettingsFault([Fault(str(file), "", "no such wording", right)]) from None


def _over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """The tables of ``below`` with the values that ``above`` names."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[key] = _over(old, value) if both and old is not None else value
    return merged
