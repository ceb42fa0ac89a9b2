# SPDX-License-Identifier: Apache-2.0
"""The proof of an evidence file holds without the record, and shows every change."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from sqlalchemy.event import listen

from studio.evidence.checking import NotEvidence, checked, evidence_in
from studio.evidence.form import Audience, Evidence
from studio.evidence.operators import for_operator
from studio.heads import Head
from studio.store.history import History
from tests.evidence_files.by_hand import proof_faults
from tests.evidence_files.records import evidence_of, keep, rounds_in
from tests.game.golden_shoe import scripted
from tests.game.table_driver import Driven, amendment
from tests.store.samples import new_epoch


def encoded(evidence: Evidence) -> bytes:
    return msgspec.json.encode(evidence)


@pytest.mark.req("DSP-1", "AUD-5")
def test_every_round_of_a_whole_shoe_is_proven_by_hand_in_both_databases(url: str) -> None:
    heads = keep(url, scripted().log)
    rounds = rounds_in(url)
    assert len(rounds) >= 18
    seen: set[str] = set()
    for round_id in rounds:
        made = evidence_of(url, round_id, heads)
        seen |= {one.type for one in made.rulings} | {made.round.status}
        for one in (made, for_operator(made)):
            data = encoded(one)
            assert proof_faults(data) == []
            found = checked(evidence_in(data), heads)
            assert found.faults == ()
            assert found.led_to_heads == found.stretches
    shown = {"void", "complete", "result_amended", "round_reconstructed", "manual_mode"}
    assert shown <= seen


def leaves_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where every single value of a file is."""
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves_of(one, (*path, key))
    else:
        yield path


def changed(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return value[:-1] + ("0" if value[-1:] != "0" else "1")
        case _:
            return "x"


def with_change(file: dict[str, Any], path: tuple[Any, ...]) -> bytes:
    other = copy.deepcopy(file)
    place = other
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = changed(place[path[-1]])
    return json.dumps(other, ensure_ascii=False).encode()


def is_found(data: bytes, heads: list[Head]) -> bool:
    try:
        return bool(checked(evidence_in(data), heads).faults)
    except NotEvidence:
        return True


# What was so when the round began: these are not in the proof, and the form says so.
UNPROVEN = ("environment", "house", "dealer")


@pytest.mark.req("DSP-1", "AUD-5", "AUD-6")
@pytest.mark.parametrize("made_for", Audience)
def test_a_change_of_any_single_value_is_found(file_record: str, made_for: Audience) -> None:
    heads = keep(file_record, scripted().log)
    (round_id,) = (one for one in rounds_in(file_record) if one.endswith("29-0005"))
    made = evidence_of(file_record, round_id, heads)
    file = json.loads(encoded(made if made_for is Audience.STUDIO else for_operator(made)))
    whole = json.dumps(file, ensure_ascii=False).encode()
    assert not is_found(whole, heads)
    paths = [one for one in leaves_of(file) if one[0] in PROVEN[made_for]]
    paths = [one for one in paths if one[1] not in UNPROVEN]
    assert len(paths) > 100
    assert [one for one in paths if not is_found(with_change(file, one), heads)] == []


PROVEN = {
    Audience.STUDIO: {
        *("round", "video", "revisions", "cards", "events", "rulings", "messages", "proof"),
        "staff",
    },
    Audience.OPERATOR: {"revisions", "cards", "messages", "proof"},
}


def test_a_row_that_is_left_out_doubled_or_swapped_is_found(file_record: str) -> None:
    heads = keep(file_record, scripted().log)
    made = evidence_of(file_record, rounds_in(file_record)[2], heads)
    file = json.loads(encoded(made))
    rows = file["proof"][0]["rows"]
    for other in (
        *(rows[:at] + rows[at + 1 :] for at in range(len(rows))),
        *(rows[: at + 1] + rows[at:] for at in range(len(rows))),
        *([*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]] for at in range(len(rows) - 1)),
    ):
        file["proof"][0]["rows"] = other
        data = json.dumps(file, ensure_ascii=False).encode()
        assert proof_faults(data) or other[0]["seq"] != rows[0]["seq"]
        assert is_found(data, heads)


def test_an_amendment_long_after_the_round_has_a_proof_of_its_own(url: str) -> None:
    table = Driven().played()
    first = table.state.round
    for _ in range(3):
        table.played("2H 7S KC QD 3S")
    table.ask("amend_round", **amendment(first or "", "5H KC 2C", "4S QD 7C"))
    table.played()
    table.ask("close_round")
    heads = keep(url, table.log)
    made = evidence_of(url, first or "", heads)
    assert [one["revision"] for one in made.revisions] == [1, 2]
    assert [one.exported is not None for one in made.proof] == [True, True]
    assert proof_faults(encoded(made)) == proof_faults(encoded(for_operator(made))) == []
    assert checked(made, heads).faults == ()
    rows = [len(one.rows or ()) for one in made.proof]
    assert sum(rows) < len(table.log) / 2


def test_a_record_written_anew_is_found_against_heads_that_others_kept(file_record: str) -> None:
    heads = keep(file_record, scripted().log)
    made = evidence_of(file_record, rounds_in(file_record)[0], heads)
    others = [msgspec.structs.replace(one, head="0" * 64) for one in heads]
    assert checked(made, others).faults != ()
    assert checked(made, []).faults != ()


def test_without_heads_the_proof_ends_with_the_round_and_leads_to_none(file_record: str) -> None:
    keep(file_record, scripted().log)
    made = evidence_of(file_record, rounds_in(file_record)[0])
    found = checked(made)
    assert (found.faults, found.stretches, found.led_to_heads) == ((), 1, 0)
    assert (made.proof[0].rows or ())[-1].type == "round_closed"


def test_a_round_under_way_has_evidence_too(file_record: str) -> None:
    table = Driven().played()
    table.ask("close_round")
    table.dealing().cards("9H KS")
    keep(file_record, table.log)
    made = evidence_of(file_record, table.state.round or "")
    assert (made.round.status, made.round.revision, made.video.ends) == ("in_progress", 0, None)
    assert [one.card for one in made.cards] == ["9H", "KS"]
    assert checked(made).faults == ()


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b"[1]"])
def test_what_is_no_evidence_is_told_so(data: bytes) -> None:
    with pytest.raises(NotEvidence, match="it cannot be read"):
        evidence_in(data)


def test_a_round_that_goes_on_in_the_next_epoch_is_proven_in_both(file_record: str) -> None:
    table = Driven().played()
    table.ask("close_round")
    table.dealing().cards("9H KS")
    keep(file_record, table.log)
    seen = table.state.seq
    new_epoch(file_record)
    table.log.clear()
    table.restored()
    table.void()
    table.ask("close_round")
    heads = keep(file_record, table.log[1:])
    made = evidence_of(file_record, table.log[-1].round or "", heads)
    assert [len(one.rows or ()) > 1 for one in made.proof] == [True, True]
    assert (made.proof[0].rows or ())[-1].seq == seen
    assert made.proof[1].before.seq == 0
    assert [one.exported is not None for one in made.proof] == [False, True]
    assert made.round.status == "void"
    for one in (made, for_operator(made)):
        assert proof_faults(encoded(one)) == []
        assert checked(evidence_in(encoded(one))).faults == ()


def test_what_was_so_before_a_round_is_found_without_reading_the_whole_record(
    file_record: str,
) -> None:
    asked: list[tuple[str, Any]] = []
    log = Driven().played().log
    keep(file_record, log)
    with History.open(file_record, "BAC-1") as history:
        connection = history._connection
        listen(connection.engine, "before_cursor_execute", lambda *a: asked.append((a[2], a[3])))
        last = history.last_of(("table_opened", "rules_loaded"), history.epochs()[0], len(log))
        plans = [
            str(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {one}", given).all())
            for one, given in tuple(asked)
            if "type IN" in one
        ]
    assert last is not None
    assert last.type == "table_opened"
    assert ["ix_journal_before" in one for one in plans] == [True, True]
