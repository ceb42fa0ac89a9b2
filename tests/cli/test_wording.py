# SPDX-License-Identifier: Apache-2.0
import ast
import re
from pathlib import Path
from typing import get_args

import pytest

from studio.game import prompts, remedies
from studio.game.inputs import Command
from studio.game.irregularities import IRREGULARITIES, Remedy
from studio.game.prompts import prompt_for
from studio.toml import SettingsFault
from studio.wording import languages, load_wording, told
from tests.game.table_driver import Driven, plain_house

KEBAB = re.compile(r"[a-z]+(-[a-z]+)+")


def strings_of(module) -> set[str]:
    """Every text in the code of a module that looks like a code, docstrings aside."""
    tree = ast.parse(Path(module.__file__).read_text())
    texts = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return {text for text in texts if KEBAB.fullmatch(text)}


def prompt_codes() -> set[str]:
    """Every code that the module can give a prompt."""
    tree = ast.parse(Path(prompts.__file__).read_text())
    first = {
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "Prompt"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }
    return (first | strings_of(prompts)) - set(prompts.NOTES)


@pytest.mark.parametrize("language", languages())
def test_no_code_is_without_words_in_any_language(language):
    wording = load_wording(language)
    assert wording.language == language
    assert wording.prompts.keys() == prompt_codes()
    assert wording.notes.keys() == set(prompts.NOTES)
    assert wording.irregularities.keys() == IRREGULARITIES.keys()
    tags = {str(one.__struct_config__.tag) for one in get_args(Command)}
    assert wording.commands.keys() == tags
    assert wording.remedies.keys() == {remedy.value for remedy in Remedy}
    assert wording.texts.keys() == strings_of(remedies)


def test_the_languages_are_those_of_the_studios():
    assert languages() == ["en", "es", "fr", "it"]


@pytest.mark.parametrize("language", languages())
def test_every_button_has_a_name_of_its_own(language):
    commands = load_wording(language).commands
    assert len({words.button for words in commands.values()}) == len(commands)


@pytest.mark.parametrize("language", languages())
def test_a_round_is_told_from_its_first_bet_to_its_settling(language):
    wording = load_wording(language)
    table = Driven(plain_house(close_guard_ms=1500)).ready()
    said = [told(wording, prompt_for(table.state))]
    for step in ("open_bets", None, None):
        table.ask(step) if step else table.expire()
        said.append(told(wording, prompt_for(table.state)))
    for code in ["2H", "3S", "2D", "3C", "9H"]:
        table.card(code)
        said.append(told(wording, prompt_for(table.state)))
    assert all(one.do and "{" not in one.do + one.say for one in said)
    assert "P1" in said[3].do


def test_the_call_outs_are_those_of_the_country():
    table = Driven(plain_house(close_guard_ms=1500)).betting()
    assert told(load_wording("fr"), prompt_for(table.state)).say == "Les jeux sont faits ?"
    table.expire()
    calls = {one: told(load_wording(one), prompt_for(table.state)).say for one in languages()}
    assert calls == {
        "en": "No more bets",
        "es": "No va más",
        "fr": "Rien ne va plus",
        "it": "Rien ne va plus",
    }


def test_the_winner_is_announced_with_both_totals():
    table = Driven().dealing()
    table.cards("9H KS TC 7D")
    assert told(load_wording(), prompt_for(table.state)).say == "Player 9, Banker 7, Player wins"
    assert told(load_wording("fr"), prompt_for(table.state)).say == "Banco 7, punto 9, punto gagne"


def test_a_third_card_is_called_for_its_hand():
    table = Driven().dealing()
    table.cards("2H 3S 2D 3C")
    assert told(load_wording("it"), prompt_for(table.state)).say == "Carta per il punto"


def test_a_hold_says_what_happened():
    table = Driven().dealing()
    table.cards("9H KS TC 7D 2C")
    do = told(load_wording(), prompt_for(table.state)).do
    assert "A card was drawn after a natural." in do


def test_a_site_has_words_of_its_own(tmp_path):
    (tmp_path / "wording").mkdir()
    (tmp_path / "wording" / "de.toml").write_text(
        'language = "de"\n[prompts.open-bets]\nsay = "Ihre Einsätze, bitte"\n'
    )
    wording = load_wording("de", tmp_path)
    assert wording.prompts["open-bets"].say == "Ihre Einsätze, bitte"
    assert wording.prompts["open-bets"].do == "Open the bets."


def test_words_that_do_not_fit_are_a_fault_of_the_settings(tmp_path):
    with pytest.raises(SettingsFault, match="no such wording"):
        load_wording("xx")
    (tmp_path / "wording").mkdir()
    (tmp_path / "wording" / "xx.toml").write_text("[prompts.open-bets]\nshout = 1\n")
    with pytest.raises(SettingsFault, match="shout"):
        load_wording("xx", tmp_path)
