# SPDX-License-Identifier: Apache-2.0
"""Every word of the console in every language: there, filled in, and within its box."""

import re
import string
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from studio.game.irregularities import IRREGULARITIES
from studio.game.prompts import NOTES
from studio.game.reasons import REASONS
from studio.settings import shipped
from studio.staff.attempts import TEXTS
from studio.wording import languages, load_wording
from ui.view.acts import WINNERS, label_of, undo_of
from ui.view.band import ROLES, STATES
from ui.view.boxes import BUDGETS
from ui.view.forms import COMMANDS, LAYS, Step
from ui.view.keymap import OWN_ACTS

# What the braces of a text can hold at most.
LONGEST = {
    "hand": "PUNTO", "left": "11", "number": "6", "name": "ALESSANDRA", "seconds": "300",
    "key": "Pad. F12", "position": "P3", "player": "9", "banker": "9", "third": "9", "total": "9",
    "result": "VINCE IL PUNTO 9-8", "cards": "416", "drawn": "416", "burned": "110", "count": "2",
    "reason": "un guasto dell'apparecchio", "outcome": "vince il banco", "code": "",
    "version": "0.10.12", "digest": "0" * 12, "page": "4", "pages": "4", "table": "BAC-12",
    "card": "10♥", "rank": "Donna", "suit": "corazones", "act": "Dire où était la carte",
    "file": "x" * 28,
    "undo": "", "fate": "", "from": "la case de banco", "to": "la case de banco",
}  # fmt: skip


def filled(text: str) -> str:
    """A text with the longest words that its braces can hold."""
    return text.format_map(LONGEST)


def leaves(words: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    for key, value in words.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{key}.")
        else:
            yield path + key, value


def read(language: str) -> dict[str, str]:
    """The file of a language, as it is, without the English words below it."""
    text = shipped(f"wording/{language}.toml").read_text(encoding="utf-8")
    return dict(leaves(tomllib.loads(text)))


def braces(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", [one for one in languages() if one != "en"])
def test_every_word_is_translated(language):
    english, own = read("en"), read(language)
    missing = {key for key in english if not key.startswith("console.key_names.")} - own.keys()
    assert not missing
    assert not own.keys() - english.keys()


@pytest.mark.parametrize("language", [one for one in languages() if one != "en"])
def test_a_translation_names_what_the_english_words_name(language):
    english, own = read("en"), read(language)
    say = re.compile(r"\.say(_at)?(\.|$)")
    differ = {
        key: (braces(english[key]), braces(text))
        for key, text in own.items()
        if not say.search(key) and braces(english[key]) != braces(text)
    }
    assert not differ


@pytest.mark.parametrize("language", [one for one in languages() if one != "en"])
def test_sentences_are_not_left_in_english(language):
    english, own = read("en"), read(language)
    sentence = re.compile(r"[a-z]+[ ,:]+[a-z]+[ ,:]+[a-z]+", re.IGNORECASE)
    assert not {key for key, text in own.items() if text == english[key] and sentence.search(text)}


def boxes_of(language: str) -> Iterator[tuple[str, str]]:
    """Every fixed text with its box, filled with the longest words."""
    words = load_wording(language)
    console = words.console
    yield from (("band.do", text) for text in console.heads.values())
    yield from (("band.why", text) for text in console.whys.values())
    yield from (("band.why", text) for text in console.rows.values())
    yield from (("band.note", text) for text in words.notes.values())
    yield from (("held.what", one.what) for one in words.irregularities.values())
    yield from (("held.do", one.do) for one in words.irregularities.values())
    yield from (("held.proposal", text) for text in words.remedies.values())
    yield from (("key.label", one.button) for one in words.commands.values())
    yield from (("key.label", text) for text in console.acts.values())
    yield from (("foot.refusal", text) for text in console.refusals.values())
    yield from (("panel.choice", text) for text in console.grounds.values())
    yield from (("foot.undo", console.facts["undo"] + undo_of(one, words)) for one in console.undo)
    yield from (("hand.result", console.facts[f"result-{one}"]) for one in ENDS)
    for code, prompt in words.prompts.items():
        if code != "held":
            yield "band.why", prompt.do
        yield from (("band.say", text) for text in (prompt.say, *prompt.say_at.values()))
    for name, text in console.panels.items():
        is_line = name.endswith("-line") or name.startswith("bad-")
        is_choice = name.startswith(("lay-", "missing"))
        yield "panel.line" if is_line else "panel.choice" if is_choice else "panel.title", text


ENDS = ("player", "banker", "tie", "void")


@pytest.mark.parametrize("language", languages())
def test_no_text_is_longer_than_its_box(language):
    over = [
        (box, len(filled(text)), filled(text))
        for box, text in boxes_of(language)
        if len(filled(text)) > BUDGETS[box]
    ]
    assert not over


@pytest.mark.parametrize("language", languages())
def test_every_code_has_its_words(language):
    words = load_wording(language)
    console = words.console
    states = {*STATES.values(), "shoe-silent", "held-for", "unattended"}
    assert console.heads.keys() == words.prompts.keys() | states
    assert ROLES.keys() <= words.prompts.keys()
    assert console.rows.keys() == set(REASONS)
    assert words.notes.keys() == set(NOTES)
    assert console.undo.keys() >= COMMANDS.keys() - {"amend_round"}
    assert {f"lay-{one}" for one in LAYS} <= console.panels.keys()
    typed_or_picked = {step.value for step in Step} - {"moves"}
    assert typed_or_picked <= console.panels.keys()
    for act in (*(one for one in OWN_ACTS if one != "main"), *WINNERS, *COMMANDS, "send", "move"):
        assert label_of(act, words)
    assert words.irregularities.keys() == IRREGULARITIES.keys()


# What the office says, or what a dealer's console never asks.
OF_THE_OFFICE = {
    "secret_unfit", "secret_same", "no_code", "own_account", "roles_conflict", "unfit",
    "no_account", "badge_taken", "name_taken", "has_manager", "not_needed", "no_case",
    "case_closed", "reference_taken",
}  # fmt: skip


@pytest.mark.parametrize("language", languages())
def test_every_refusal_at_a_table_has_the_dealers_words(language):
    assert TEXTS.keys() - OF_THE_OFFICE <= load_wording(language).console.refusals.keys()


@pytest.mark.parametrize("language", languages())
def test_two_rulings_or_grounds_never_read_alike(language):
    console = load_wording(language).console
    for group in (console.grounds, load_wording(language).remedies, console.heads):
        assert len(set(group.values())) == len(group)
