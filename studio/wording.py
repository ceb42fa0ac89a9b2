# SPDX-License-Identifier: Apache-2.0
"""What people at a table are told, by code and language, from ``config/wording``.

Owns how the words of a language are found and filled in. A language overrides the English words
that it names; a site's file takes the place of the shipped one. It must not know where the words
are shown.
"""

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from studio.game.prompts import Prompt
from studio.settings import names_of, shipped
from studio.toml import Fault, SettingsFault, parsed

BASE = "en"


class PromptWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to do, what to say, and what to say for a card in a certain position."""

    do: str
    say: str = ""
    say_at: dict[str, str] = {}


class CommandWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command's button and its key."""

    button: str
    key: str


class IrregularityWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happened, and what is done about it."""

    what: str
    do: str


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All words of a language, by code."""

    language: str
    prompts: dict[str, PromptWords]
    notes: dict[str, str]
    commands: dict[str, CommandWords]
    irregularities: dict[str, IrregularityWords]
    remedies: dict[str, str]
    outcomes: dict[str, str]
    reasons: dict[str, str]
    texts: dict[str, str]


class Told(NamedTuple):
    """One prompt in words."""

    do: str
    say: str
    note: str = ""


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


def told(wording: Wording, prompt: Prompt) -> Told:
    """A prompt in the words of a language, filled in."""
    words = wording.prompts[prompt.code]
    filled: dict[str, str] = {"position": prompt.position or "", **prompt.words}
    for name, known in (("outcome", wording.outcomes), ("reason", wording.reasons)):
        if name in filled:
            filled[name] = known.get(filled[name], filled[name])
    if "code" in filled and filled["code"] in wording.irregularities:
        filled["code"] = wording.irregularities[filled["code"]].what
    say = words.say_at.get(prompt.position or "", words.say)
    note = "" if prompt.note is None else wording.notes[prompt.note]
    return Told(words.do.format_map(filled), say.format_map(filled), note)


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
