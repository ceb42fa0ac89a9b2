# SPDX-License-Identifier: Apache-2.0
"""What an operator gets: nothing of staff, no card that players did not see, whatever happens."""

import shutil
from collections.abc import Iterator
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from studio.evidence.checking import checked
from studio.evidence.operators import TOLD, UNTOLD, for_operator
from studio.game import events as ev
from studio.game.cards import Card
from studio.game.events import Event, Recorded, StaffEvent
from studio.store.schema import create
from tests.evidence_files.records import TABLE, evidence_of, keep, rounds_in
from tests.game import undo_stories
from tests.game.golden_shoe import mended, scripted
from tests.game.table_driver import BY, SECOND, WHY, Driven

# The ids by which a record hangs together, and what an operator is told of the program.
_KEPT = frozenset({"round", "day", "shoe", "facts", "house", "revision", "video_stream", "type"})


def tag_of(event: type[Event] | Event) -> str:
    return str(event.__struct_config__.tag)


def stories() -> Iterator[tuple[str, list[Recorded]]]:
    """Tables where everything goes wrong and is put right, each from its first event."""
    yield "scripted", scripted().log
    yield "mended", mended().log
    for name, story in vars(undo_stories).items():
        hints = getattr(story, "__annotations__", {})
        if callable(story) and hints == {"return": Driven}:
            yield name, story().log


def other(value: Any) -> Any:
    """Another value of the same kind."""
    match value:
        case None | bool() | datetime():
            return value
        case Card():
            return Card("2C") if value is not Card("2C") else Card("3D")
        case Enum():
            return value
        case str():
            return f"x{value}"
        case int() | float():
            return value + 1
        case tuple():
            return tuple(map(other, value))
        case msgspec.Struct():
            names = value.__struct_fields__
            return msgspec.structs.replace(
                value, **{name: other(getattr(value, name)) for name in names}
            )
        case _:
            return value


def with_other_secrets(one: Recorded) -> Recorded:
    """The same event with another value in every member that an operator is not to know."""
    event = one.event
    told = TOLD.get(tag_of(event), ()) if event.PUBLIC is None else event.PUBLIC
    changes = {
        name: other(getattr(event, name))
        for name in event.__struct_fields__
        if name not in told and name not in _KEPT
    }
    if isinstance(event, ev.SupervisorCalled) and event.code:
        # the id of a round that is on record
        changes["about"] = event.about
    return msgspec.structs.replace(one, event=msgspec.structs.replace(event, **changes))


def file_of(url: str, round_id: str) -> bytes:
    return msgspec.json.encode(for_operator(evidence_of(url, round_id)))


@pytest.mark.req("DSP-1", "REC-2")
def test_whatever_the_secrets_are_an_operator_gets_the_same_bytes(tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    create(f"sqlite:///{empty}", TABLE)
    compared = different = 0
    for name, log in stories():
        urls = [f"sqlite:///{tmp_path}/{name}-{number}.db" for number in (1, 2)]
        for url in urls:
            shutil.copy(empty, url.removeprefix("sqlite:///"))
        keep(urls[0], log)
        keep(urls[1], log, with_other_secrets)
        for round_id in rounds_in(urls[0]):
            one, two = (file_of(url, round_id) for url in urls)
            assert one == two, f"{name}: {round_id}"
            compared += 1
            different += evidence_of(urls[0], round_id) != evidence_of(urls[1], round_id)
    assert compared == different > 40


@pytest.mark.req("DSP-1", "REC-2")
def test_an_operator_hears_nothing_of_a_card_of_a_void_round_that_is_corrected(
    file_record: str,
) -> None:
    table = Driven().dealing()
    table.card("6D")
    table.void()
    round_id = table.state.round or ""
    table.ask("close_round")
    table.ask("correct_card", card=Card("6H"), round=round_id)
    keep(file_record, table.log)
    whole = evidence_of(file_record, round_id)
    assert [one.type for one in whole.cards] == ["card_dealt", "voided_card_corrected"]
    assert whole.rulings[-1].type == "voided_card_corrected"
    told = for_operator(whole)
    for file in (whole, told):
        assert checked(file).faults == ()
    assert (len(whole.proof), len(told.proof)) == (2, 1)
    assert b"6H" not in msgspec.json.encode(told)
    assert b"corrected" not in msgspec.json.encode(told)


@pytest.mark.req("DSP-1", "REC-2")
def test_no_staff_id_no_words_of_staff_and_no_burned_card_is_in_the_file(file_record: str) -> None:
    log = scripted().log
    keep(file_record, log)
    burned, in_whole = 0, b""
    for round_id in rounds_in(file_record):
        whole, data = evidence_of(file_record, round_id), file_of(file_record, round_id)
        for secret in (BY, SECOND, WHY):
            assert secret.encode() not in data
        in_whole += msgspec.json.encode(whole)
        sent = "".join(one.payload for one in whole.messages)
        for card in whole.cards:
            if card.card is not None and f'"{card.card}"' not in sent:
                burned += 1
                assert f'"{card.card}"'.encode() not in data
    assert burned > 5
    assert all(secret.encode() in in_whole for secret in (BY, SECOND, WHY))


def test_an_operator_is_told_or_not_told_of_each_event_there_is() -> None:
    tags = {tag_of(one) for one in get_args(StaffEvent)}
    assert TOLD.keys() | UNTOLD == tags
    assert not TOLD.keys() & UNTOLD


def test_a_dealers_screen_name_stands_only_in_the_message_that_players_were_sent(
    file_record: str,
) -> None:
    table = Driven().dealing()
    table.ask("change_dealer", dealer="Zoë")
    table.cards("9H KS TC 7D")
    table.ask("confirm_result")
    table.ask("close_round")
    keep(file_record, table.log)
    made = for_operator(evidence_of(file_record, table.log[-1].round or ""))
    named = [one for one in made.messages if "Zoë" in one.payload]
    assert [msgspec.json.decode(one.payload)["type"] for one in named] == ["dealer_changed"]
    without = msgspec.structs.replace(made, messages=(), proof=())
    assert "Zoë".encode() not in msgspec.json.encode(without)


def test_an_operator_is_told_members_that_there_are() -> None:
    for one in get_args(StaffEvent):
        assert set(TOLD.get(tag_of(one), ())) <= set(one.__struct_fields__)


def test_a_dispute_is_answered_by_what_the_operator_gets(file_record: str) -> None:
    table = Driven().dealing()
    table.cards("9H KS TC")
    table.ask("report_irregularity")
    table.rule("void")
    table.ask("close_round")
    keep(file_record, table.log)
    made = for_operator(evidence_of(file_record, table.log[-1].round or ""))
    assert [one["type"] for one in made.revisions] == ["round_voided"]
    assert [(one.position, one.card) for one in made.cards] == [
        ("P1", "9H"),
        ("B1", "KS"),
        ("P2", "TC"),
    ]
    ruled = {one.type: one.data for one in made.rulings}
    assert ruled["irregularity_raised"] == {"code": "exposed-in-deal"}
    assert ruled["round_voided"]["text"] == "round-voided"
    assert (made.round.dealer, made.staff, made.cases, made.rules) == (None,) * 4
    assert isinstance(table.log[-1].event, ev.RoundClosed)
