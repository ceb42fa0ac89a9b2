# SPDX-License-Identifier: Apache-2.0
"""The schemas and the AsyncAPI document are those of the types, and tell right from wrong."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from studio.contract import asyncapi, members, schema
from studio.feed import asks, wire
from studio.feed.signing import Signer, new_secret
from tests.contract.fits import all_faults, faults, name_of, validator
from tests.contract.written import COMMAND, FILES, files
from tests.feed.examples import GOLDEN, PUBLIC_EVENTS, ROUND, TABLE
from tests.feed.fake_studio import Happening, Record
from tests.store.golden import FOLDER, kept

SPEC = Path(__file__).parents[1] / "golden" / "asyncapi-3.0.0.json"
# The keys of these are names of bets and of ways to win, and no members.
MAPS = {"bets", "paytable"}
MAY_BE_LEFT_OUT = {
    ("messages/heartbeat", "data", "signature"),
    ("answers/snapshot", "signature"),
    ("answers/round", "signature"),
    ("asks/history", "limit"),
    ("asks/acknowledge", "epoch"),
    ("answers/error", "epoch"),
    ("answers/error", "oldest"),
}
# For each kind of value, one that it can never be.
WRONG: dict[type, Any] = {
    str: 7,
    int: "7",
    float: "15.0",
    bool: "true",
    type(None): [[]],
    list: {},
    dict: [],
}


def happening() -> Happening:
    """Every public event, and signed heartbeats."""
    made = Happening(Record())
    made.sign = Signer(new_secret()).sign
    for event in PUBLIC_EVENTS:
        made.add(event)
    return made


ASKED: list[dict[str, Any]] = [
    {"v": 1, "id": "a", "ask": "tables"},
    {"v": 1, "id": "b", "ask": "snapshot", "table": TABLE},
    {"v": 1, "id": "c", "ask": "history", "table": TABLE, "epoch": "", "after": 3, "limit": 5},
    {"v": 1, "id": "d", "ask": "round", "table": TABLE, "round": ROUND},
    {
        "v": 1,
        "id": "e",
        "ask": "acknowledge",
        "table": TABLE,
        "round": ROUND,
        "revision": 2,
        "epoch": "",
    },
]


def exchanged() -> Iterator[dict[str, Any]]:
    """Requests of every kind, their answers, and errors with all that they may have."""
    studio = happening()
    studio.confirm = lambda one: one.at
    for asked in ASKED:
        named = asked | ({"epoch": studio.epoch} if "epoch" in asked else {})
        yield named
        yield json.loads(asks.encode(studio.answer(json.dumps(named).encode())))
    yield json.loads(asks.encode(studio.answer(b"{}")))
    yield json.loads(asks.encode(studio.answer(json.dumps(ASKED[2]).encode())))
    studio.record.first_kept = 9
    late = ASKED[2] | {"epoch": studio.epoch}
    yield json.loads(asks.encode(studio.answer(json.dumps(late).encode())))


def golden() -> list[dict[str, Any]]:
    return [json.loads(path.read_bytes()) for path in sorted(GOLDEN.glob("*.json"))]


def every_right_one() -> list[dict[str, Any]]:
    return [*golden(), json.loads(happening().heartbeat()), *exchanged()]


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every member, at every depth."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield (*at, name)
            if name not in MAPS:
                yield from places(inner, (*at, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from places(inner, (*at, number))


def with_change(value: dict[str, Any], at: tuple[Any, ...], new: Any = None) -> dict[str, Any]:
    """A copy in which a member is something else, or, for None, is missing."""
    changed = copy.deepcopy(value)
    inner: Any = changed
    for step in at[:-1]:
        inner = inner[step]
    if new is None:
        del inner[at[-1]]
    else:
        inner[at[-1]] = new
    return changed


def value_at(value: Any, at: tuple[Any, ...]) -> Any:
    for step in at:
        value = value[step]
    return value


def test_the_files_that_ship_are_those_of_the_types() -> None:
    found = {
        str(file.relative_to(FILES)): file.read_text(encoding="utf-8")
        for file in FILES.rglob("*.json")
    }
    wanted = files()
    differing = sorted(
        name for name in wanted.keys() | found if wanted.get(name) != found.get(name)
    )
    assert differing == [], f"the types have changed: run {COMMAND}, and look at what it changes"


def test_every_type_request_and_answer_has_a_schema() -> None:
    assert set(schema.MESSAGES) == {path.stem for path in GOLDEN.glob("*.json")}
    names = {name.removesuffix(".json") for name in files()} - {"asyncapi", "message"}
    assert {name_of(one) for one in every_right_one()} == names
    for name in names:
        assert validator(name).schema["$schema"] == schema.DIALECT


@pytest.mark.parametrize("right", every_right_one(), ids=name_of)
def test_what_is_sent_and_asked_fits(right: dict[str, Any]) -> None:
    assert faults(right) == []


def test_every_message_of_every_record_ever_kept_fits() -> None:
    rows = [row for file in FOLDER.glob("*.jsonl") for row in kept(file)[2]]
    # some records have stand-ins, which no table would send
    payloads = [row.payload for row in rows if row.payload and row.payload.startswith(b'{"v"')]
    assert len(payloads) > 400
    assert all_faults(payloads) == []


@pytest.mark.parametrize("right", every_right_one(), ids=name_of)
def test_a_missing_member_and_a_wrong_type_are_refused_at_every_place(
    right: dict[str, Any],
) -> None:
    let_through = []
    name = name_of(right)
    for at in places(right):
        # an item of a list may go, a member may not
        must_be = not isinstance(at[-1], int) and (name, *at) not in MAY_BE_LEFT_OUT
        if must_be and not faults(with_change(right, at), name):
            let_through.append(("missing", at))
        if not faults(with_change(right, at, WRONG[type(value_at(right, at))]), name):
            let_through.append(("wrong", at))
    assert let_through == []


@pytest.mark.parametrize(
    "at, wrong",
    [
        (("v",), 2),
        (("type",), "card_delt"),
        (("at",), "2026-11-29T23:59:59.123456"),
        (("data", "card"), "9h"),
        (("data", "position"), "P4"),
        (("data", "player_total"), 10),
    ],
)
def test_a_value_that_cannot_be_is_refused(at: tuple[str, ...], wrong: Any) -> None:
    (dealt,) = (one for one in golden() if one["type"] == "card_dealt")
    assert faults(with_change(dealt, at, wrong), "messages/card_dealt")


def test_odds_that_are_no_decimals_are_refused() -> None:
    (result,) = (one for one in golden() if one["type"] == "result")
    for wrong in ("1/2", "", "1e3", 0.95):
        assert faults(with_change(result, ("data", "bets", "banker"), wrong))
    (opened,) = (one for one in golden() if one["type"] == "table_opened")
    assert faults(with_change(opened, ("data", "paytable", "banker", "win"), 0.95))


def test_no_object_is_closed_to_members_of_tomorrow() -> None:
    def closed(part: Any) -> bool:
        if isinstance(part, dict):
            return part.get("additionalProperties") is False or any(map(closed, part.values()))
        return isinstance(part, list) and any(map(closed, part))

    assert not closed(schema.files())


def test_a_member_that_nobody_describes_is_told_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(members.MEMBERS, "closes_at")
    with pytest.raises(schema.NotDescribed, match=r"closes_at.*studio/contract/members\.py"):
        schema.files()


def test_no_description_is_left_of_a_member_that_is_gone() -> None:
    used = {
        key
        for name, one in schema.components().items()
        for member in one.get("properties", ())
        for key in (f"{name}.{member}", member)
    }
    assert set(members.MEMBERS) - used == set()


# --- AsyncAPI -----------------------------------------------------------------------------------


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for inner in part.values():
            yield from references(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from references(inner)


def test_the_asyncapi_document_is_one_by_its_specification() -> None:
    spec = jsonschema.Draft7Validator(json.loads(SPEC.read_bytes()))
    document = asyncapi.document()
    assert [fault.message for fault in spec.iter_errors(document)] == []
    document["operations"]["send_result"]["action"] = "push"
    assert list(spec.iter_errors(document))


def test_every_reference_of_the_asyncapi_document_leads_somewhere() -> None:
    document = asyncapi.document()
    for reference in set(references(document)):
        part: Any = document
        for step in reference.removeprefix("#/").split("/"):
            part = part[step]
        assert isinstance(part, dict), reference


def test_the_asyncapi_document_has_every_message_and_each_request_with_its_answers() -> None:
    document = asyncapi.document()
    assert set(schema.MESSAGES) <= set(document["channels"])
    for name in schema.MESSAGES:
        assert document["channels"][name]["address"] == "{table}/" + name
        topic = wire.topic_of("{table}", name).decode()
        assert document["channels"][name]["address"] == topic
    for ask in schema.ASKS:
        replies = document["operations"][f"answer_{ask}"]["reply"]["messages"]
        assert [one["$ref"].rpartition("/")[2] for one in replies] == [
            f"answer_{one}" for one in asyncapi.answers_to(ask)
        ]
    assert asyncapi.answers_to("never heard of") == list(schema.ANSWERS)
