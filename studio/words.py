# SPDX-License-Identifier: Apache-2.0
"""The words of a language, by code, and a prompt told in them. Pure.

It must not know where the words come from or where they are shown.
"""

from typing import NamedTuple

import msgspec

from studio.game.prompts import Prompt


class PromptWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to do, what to say, and what to say for a card in a certain position."""

    do: str
    say: str = ""
    say_at: dict[str, str] = {}


class CommandWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command's button. Its keys are the console's affair (``config/console.toml``)."""

    button: str


class IrregularityWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happened, and what is done about it."""

    what: str
    do: str


class ConsoleWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The words of the dealer's console.

    ``heads``: the large words, by prompt or state of the line; ``whys``: what a state of the line
    means. ``rows``: the tableau's rows by reason. ``calls``: what is called beside a prompt's own
    call-out. ``acts``: labels of what is no command; ``undo``: what takes an act back.
    ``refusals`` by code. ``panels``: titles and lines. ``facts``: the small words.
    ``key_names``: what stands on a key. ``grounds``: the reasons a person can give.
    """

    heads: dict[str, str]
    whys: dict[str, str]
    rows: dict[str, str]
    calls: dict[str, str]
    acts: dict[str, str]
    undo: dict[str, str]
    refusals: dict[str, str]
    panels: dict[str, str]
    facts: dict[str, str]
    key_names: dict[str, str]
    grounds: dict[str, str]


class PitWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The words of the pit's window, beside those of the console.

    ``phases``: a table's phase in a word or two. ``troubles``: what is wrong at a table.
    ``acts``, ``panels`` and ``facts`` as for the console.
    """

    phases: dict[str, str]
    troubles: dict[str, str]
    acts: dict[str, str]
    panels: dict[str, str]
    facts: dict[str, str]


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All words of a language, by code. ``report``: those of the evidence of a round, on paper."""

    language: str
    prompts: dict[str, PromptWords]
    notes: dict[str, str]
    commands: dict[str, CommandWords]
    irregularities: dict[str, IrregularityWords]
    remedies: dict[str, str]
    outcomes: dict[str, str]
    reasons: dict[str, str]
    texts: dict[str, str]
    report: dict[str, str]
    console: ConsoleWords
    pit: PitWords


class Told(NamedTuple):
    """One prompt in words."""

    do: str
    say: str
    note: str = ""


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
    note = "" if prompt.note is None else wording.notes[prompt.note].format_map(filled)
    return Told(words.do.format_map(filled), say.format_map(filled), note)
