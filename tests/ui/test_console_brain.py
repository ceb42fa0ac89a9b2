# SPDX-License-Identifier: Apache-2.0
"""Whose language the console speaks."""

from studio.staff.accounts import Role
from studio.wording import languages, load_wording
from ui.console.brain import Brain
from ui.keys import load_keys
from ui.view.seen import Person

DEALER = frozenset({Role.DEALER})
LEA = Person("s-0002", "Léa", DEALER, "fr")
EVA = Person("s-0003", "Eva", DEALER)


def test_the_prompts_speak_the_language_of_whoever_logged_in_last():
    brain = Brain(load_wording, languages(), "en", "it", load_keys())
    brain.greet(None)
    assert brain.language == "en"
    brain.greet(LEA)
    assert brain.language == "fr"
    brain.greet(EVA)
    assert brain.language == "fr"


def test_a_person_who_chose_another_language_keeps_it_until_somebody_else_logs_in():
    brain = Brain(load_wording, languages(), "en", "it", load_keys())
    brain.greet(LEA)
    brain.next_language()
    chosen = brain.language
    brain.greet(LEA)
    assert brain.language == chosen != "fr"
    brain.greet(EVA)
    brain.greet(LEA)
    assert brain.language == "fr"


def test_a_language_without_words_here_changes_nothing():
    brain = Brain(load_wording, languages(), "en", "it", load_keys())
    brain.greet(Person("s-0004", "Bo", DEALER, "sv"))
    assert brain.language == "en"
