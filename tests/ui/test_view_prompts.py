# SPDX-License-Identifier: Apache-2.0
"""One prompt at a time: what the band says and which key it has, in every state of a table."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from msgspec.structs import replace

from studio.game.house import Burn, BurnRule, LastCoup, ResultEntry
from studio.game.inputs import (
    CutCardDrawn,
    FaultKind,
    FaultReported,
    LineLost,
    LineUp,
    SequenceGap,
)
from studio.game.prompts import prompt_for
from studio.wording import languages, load_wording
from tests.game.table_driver import Driven, house, plain_house
from tests.ui.view_texts import SUPERVISOR, open_to_all, seen_of, speech, texts_of
from ui.view.acts import MAIN_ACTS
from ui.view.band import band_of
from ui.view.boxes import BUDGETS
from ui.view.model import BandRole, Face
from ui.view.seen import LinkState, Seen
from ui.view.whole import view_of


def free() -> Driven:
    """A house that deals a coup without bets after an excess card, with such a card."""
    table = Driven(plain_house(excess_card="free_coup")).dealing()
    table.cards("9H KS TC 7D 2C")
    table.rule("reconstruct")
    table.ask("confirm_result")
    table.ask("close_round")
    return table


def free_coup() -> Driven:
    table = free()
    table.ask("open_free_coup")
    return table


def free_end() -> Driven:
    table = free_coup()
    while prompt_for(table.state).pull:
        table.card("9S" if prompt_for(table.state).position in ("P2", "B2") else "KD")
    return table


def burning() -> Driven:
    return Driven(plain_house(burn=Burn(BurnRule.FIRST_CARD))).ready()


def burnt(card: str = "2H") -> Driven:
    table = burning()
    table.card(card)
    return table


def by_hand_from(table: Driven) -> Driven:
    table.ask("set_manual_mode")
    return table


def opened() -> Driven:
    table = Driven()
    table.report(LineUp("pty", 1))
    table.ask("open_table")
    return table


def last() -> Driven:
    table = Driven(plain_house(last_coup=LastCoup.CURRENT)).ready()
    table.report(CutCardDrawn())
    return table


def over() -> Driven:
    table = Driven(plain_house(last_coup=LastCoup.CURRENT)).played()
    table.report(CutCardDrawn())
    table.ask("close_round")
    return table


def again() -> Driven:
    table = Driven().betting()
    table.ask("suspend_table")
    table.ask("resume_table")
    return table


def suspended() -> Driven:
    table = Driven().ready()
    table.ask("suspend_table")
    return table


def changed_software() -> Driven:
    table = Driven().ready().approved()
    table.check("/opt/a-folder/with-a-name-that-is-as-long-as-names-are/service_of_the_table.py")
    return table


def checking_software() -> Driven:
    table = Driven().ready().approved()
    table.restart()
    table.report(LineUp("pty", 1))
    return table


def lost() -> Driven:
    table = Driven().dealing()
    table.report(LineLost("pty", "closed", "end of file"))
    return table


def by_hand() -> Driven:
    return by_hand_from(lost())


def after(cards: str, **changes: object) -> Driven:
    table = Driven(plain_house(**changes)).dealing()
    table.cards(cards)
    return table


def unread() -> Driven:
    table = after("9H")
    table.unread()
    return table


def taken_back() -> Driven:
    table = after("9H KS")
    table.ask("report_irregularity", code="foreign-card")
    table.ask("withdraw_report")
    return table


def unread_burn() -> Driven:
    table = burning()
    table.unread()
    return table


PROMPTS: dict[str, Callable[[], Driven]] = {
    "open-table": Driven,
    "load-shoe": opened,
    "burn-first-card": burning,
    "enter-burn-card": unread_burn,
    "burn-cards": burnt,
    "burn-first-card-by-hand": lambda: by_hand_from(burning()),
    "burn-card-by-hand": lambda: by_hand_from(burnt()),
    "open-bets": lambda: Driven().ready(),
    "open-bets-last-coup": last,
    "open-bets-again": again,
    "bets-open": lambda: Driven().betting(),
    "wait-for-guard": lambda: Driven(house(burn=Burn(BurnRule.NONE))).dealing(),
    "deal-card": lambda: after("2H 2S 3D 3C 6S"),
    "deal-card-by-hand": by_hand,
    "open-free-coup": free,
    "deal-free-card": free_coup,
    "end-free-coup": free_end,
    "enter-card": unread,
    "confirm-result": lambda: after("9H KS TC 7D"),
    "call-winner": lambda: after("9H KS TC 7D", result_entry=ResultEntry.WINNER),
    "settle": lambda: Driven().played(),
    "end-shoe": over,
    "suspended": suspended,
    "software-changed": changed_software,
    "software-check": checking_software,
    "shoe-line-down": lost,
    "held": lambda: after("9H KS TC 7D 2C"),
    "report-withdrawn": taken_back,
}


def test_every_prompt_has_a_table_that_shows_it():
    assert PROMPTS.keys() == load_wording().prompts.keys()
    for code, made in PROMPTS.items():
        assert prompt_for(made().state).code == code


def check(seen: Seen, language: str) -> None:
    """All that holds for every picture."""
    view = view_of(seen, speech(language))
    over = [(box, text) for box, text in texts_of(view) if len(text) > BUDGETS[box]]
    assert not over
    assert not [text for _, text in texts_of(view) if "{" in text or "}" in text]
    assert view.band.do
    assert view.band.why
    keys = [key for one in view.keys for key in one.keys]
    assert len(set(keys)) == len(keys)
    for one in view.keys:
        assert one.label
        assert not (one.keys and not one.key_text)
    mains = [one for one in view.keys if one.is_main]
    assert len(mains) <= 1
    if view.panel is None and mains:
        assert (view.band.act, view.band.key_label) == (mains[0].act, mains[0].label)
        assert mains[0].keys


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("code", PROMPTS)
def test_every_prompt_fits_and_has_its_keys_in_every_language(code, language):
    table = PROMPTS[code]()
    for seen in (
        seen_of(table),
        seen_of(table, person=SUPERVISOR),
        seen_of(table, person=None, supervisors=()),
        seen_of(table, is_locked=True, supervisors=("Anna", "Bernardo")),
        open_to_all(table, has_demo_shoe=True),
        open_to_all(table, asked_since=table.now - timedelta(minutes=5)),
        *(seen_of(table, link=link) for link in LinkState),
        seen_of(table, link=LinkState.JOINING, state=None),
    ):
        check(seen, language)


@pytest.mark.parametrize("code", PROMPTS)
def test_every_command_of_a_prompt_has_a_key_of_its_own(code):
    table = PROMPTS[code]()
    shown = view_of(open_to_all(table), speech()).keys
    prompt = prompt_for(table.state)
    if code == "call-winner":
        expected = {"winner_player", "winner_tie", "winner_banker"}
    else:
        expected = set(prompt.commands)
    keys = {one.act: one.keys for one in shown if one.act in expected}
    assert keys.keys() == expected
    assert all(keys.values())


def test_a_main_act_is_the_first_command_of_its_prompt():
    for code, act in MAIN_ACTS.items():
        assert act in prompt_for(PROMPTS[code]().state).commands


def test_the_next_position_is_named_before_each_pull():
    table = Driven().dealing()
    said = []
    for code in ["2H", "2S", "3D", "3C", "6S", "9C"]:
        view = view_of(open_to_all(table), speech())
        lit = [
            place.position
            for hand in (view.hands.player, view.hands.banker)
            for place in hand.places
            if place.face is Face.NEXT
        ]
        said.append((view.band.do, *lit))
        table.card(code)
    assert said == [
        ("CARD TO PUNTO", "P1"),
        ("CARD TO BANCO", "B1"),
        ("CARD TO PUNTO", "P2"),
        ("CARD TO BANCO", "B2"),
        ("CARD TO PUNTO", "P3"),
        ("CARD TO BANCO", "B3"),
    ]


def test_the_row_of_the_tableau_is_the_why_of_a_third_card():
    band = band_of(open_to_all(after("2H 2S 3D 3C 6S")), speech("en", "it"))
    assert band.why == "Banco 5, Punto's third card 6: Banco draws."
    assert band.say == "Punto 1. Carta per il banco"
    assert band.key_label == "pull the card"


def test_both_hands_are_called_before_a_third_card():
    def say(cards: str) -> str:
        return band_of(open_to_all(after(cards)), speech("en", "it")).say

    assert say("2H 2S 3D 3C") == "Punto 5, banco 5. Carta per il punto"
    assert say("6H 2S KD 3C") == "Punto 6, no carta, banco 5. Carta per il banco"
    assert say("9H KS TC 7D") == "Battuta. Banco 7, punto 9, vince il punto"
    assert say("6H 6S KD QC") == "Banco 6, punto 6, égalité"


def test_the_prompt_speaks_the_dealers_language_and_the_call_out_the_tables():
    seen = open_to_all(PROMPTS["open-bets"]())
    band = band_of(seen, speech("es", "fr"))
    assert (band.do, band.say) == ("ABRA LAS APUESTAS", "Faites vos jeux")


def test_the_result_is_the_headline():
    band = band_of(open_to_all(after("9H KS TC 7D")), speech())
    assert band.do == "PUNTO WINS 9–7"  # noqa: RUF001 a dash as printed
    assert (band.act, band.key) == ("confirm_result", "Space")


def test_last_bets_are_called_in_the_last_seconds():
    table = Driven().betting()
    closes = table.state.closes_at
    assert closes is not None
    for left, say in ((6, ""), (5, "Last bets"), (0, "Last bets")):
        seen = open_to_all(table, now=closes - timedelta(seconds=left))
        band = band_of(seen, speech())
        assert (band.clock, band.say) == (str(left), say)
        assert band.role is BandRole.OPEN
    assert band_of(open_to_all(table, now=closes + timedelta(seconds=3)), speech()).clock == "0"


@pytest.mark.parametrize("link", [LinkState.JOINING, LinkState.STALE, LinkState.GONE])
def test_nothing_pretends_to_be_current_without_the_table(link):
    view = view_of(open_to_all(after("9H KS"), link=link), speech())
    assert view.band.role is BandRole.OFF
    assert view.hands.is_veiled
    assert view.roads.is_veiled
    assert view.held is None
    assert not [one for one in view.keys if one.is_main]


def test_states_of_the_line_differ_in_their_words():
    table = after("9H KS")
    late = table.now - timedelta(seconds=25)
    bands = [band_of(open_to_all(table, link=link), speech()) for link in LinkState]
    bands.append(band_of(open_to_all(table, asked_since=late), speech()))
    bands.append(band_of(open_to_all(lost()), speech()))
    assert len({band.do for band in bands}) == len(bands)
    assert bands[-2].code == "shoe-silent"
    assert "F2" in bands[-2].why


@pytest.mark.req("DUAL-2")
@pytest.mark.parametrize("code", ["open-bets", "open-bets-last-coup", "open-bets-again"])
def test_where_no_supervisor_is_on_duty_the_prompt_to_open_bets_says_so(code):
    table = PROMPTS[code]()
    pausing = seen_of(table, supervisors=())
    rules = replace(pausing.state.house, pauses_alone=True)
    alone = band_of(replace(pausing, state=replace(pausing.state, house=rules)), speech())
    assert (alone.code, alone.do) == ("unattended", "NO SUPERVISOR ON DUTY")
    assert (alone.role, alone.act) == (BandRole.STOP, "open_bets"), "by two it can be done"
    assert band_of(seen_of(table), speech()).code == code
    assert band_of(open_to_all(table, supervisors=()), speech()).code == code
    played = after("9H KS")
    assert band_of(seen_of(played, supervisors=()), speech()).code == "deal-card", "it goes on"


@pytest.mark.parametrize("asks, pauses", [(False, True), (True, False)])
def test_where_the_house_does_not_pause_for_a_supervisor_bets_are_opened_as_ever(asks, pauses):
    house = plain_house(supervisor_on_duty=asks, pause_without_supervisor=pauses)
    table = Driven(house).ready()
    assert band_of(seen_of(table, supervisors=()), speech()).code == "open-bets"


def test_a_doubtful_stream_is_noted_and_can_be_trusted_at_the_console():
    table = Driven().betting()
    table.report(SequenceGap("3", "5"))
    view = view_of(seen_of(table), speech())
    assert view.band.note.startswith("A card may be missing")
    assert [one.keys for one in view.keys if one.act == "trust_stream"] == [("Shift+F2",)]
    table.ask("trust_stream")
    assert band_of(open_to_all(table), speech()).note == ""


def test_a_shoe_that_stopped_is_noted_beside_the_prompt():
    table = Driven().ready()
    table.report(FaultReported(FaultKind.OVERDRAW, 3, latched=True))
    band = band_of(open_to_all(table), speech())
    assert band.note.startswith("The shoe reports a fault")


@pytest.mark.req("ACC-2")
def test_a_locked_console_shows_prompt_boxes_and_next_position():
    table = after("9H KS")
    bare, locked = seen_of(table), seen_of(table, is_locked=True)
    first, second = (view_of(one, speech()) for one in (bare, locked))
    assert first.hands == second.hands
    assert first.band.do == second.band.do
    commands = {"void_round", "confirm_result", "open_bets", "call_supervisor", "problem"}
    assert not [one.act for one in second.keys if one.act in commands and one.is_enabled]


@pytest.mark.req("SW-5")
def test_version_and_digest_are_on_screen():
    foot = view_of(open_to_all(Driven()), speech()).foot
    assert foot.software == f"sabot 0.1.0 · {'0' * 12}"


def test_every_act_names_its_undo():
    for made in PROMPTS.values():
        view = view_of(open_to_all(made()), speech())
        bare = {"why", "problem", "more", "language", "theme", "sound", "about"}
        for one in view.keys:
            if one.act not in bare:
                assert one.undo, one.act
