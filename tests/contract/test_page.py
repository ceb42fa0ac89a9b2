# SPDX-License-Identifier: Apache-2.0
"""The integrators' page says what is so: examples, vectors, names and limits."""

import hashlib
import json
import re
from typing import Any

import pytest
import typer
from nacl.signing import SigningKey, VerifyKey
from zmq.utils import z85

from studio.cli import COMMANDS, MODULES
from studio.cli.contract import PAGE
from studio.contract import schema
from studio.feed import asks, publisher, requests, signing, wire
from studio.feed.follow import ASK_AGAIN_SECONDS, STALE_SECONDS
from studio.feed.messages import Signature
from studio.feed.proof import fault_of
from studio.feed.rounds import VOID_AMENDABLE
from studio.game.house import SIDE_BETS
from tests.contract.fits import faults
from tests.contract.written import ROOT

PATH = ROOT / "studio" / "contract" / PAGE
TEXT = PATH.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
ROWS = re.findall(r"^\| `(\w+)` \| `(\{.*?\})` \| ", TEXT, re.MULTILINE)
# RFC 8032, 7.1, test 1.
SECRET = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")


def block(kind: str, name: str) -> str:
    (found,) = (text for one, other, text in BLOCKS if (one, other) == (kind, name))
    return str(found)


def examples() -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for kind, _, text in BLOCKS
        if kind == "json"
        for line in text.split("\n")
        if line
    ]


def section(title: str) -> str:
    return TEXT.partition(f". {title}\n\n")[2].partition("\n## ")[0]


def test_every_example_fits_its_schema() -> None:
    assert [fault for one in examples() for fault in faults(one)] == []
    kinds = {name for one in examples() for name in (one.get("ask"), one.get("answer"))}
    assert kinds >= set(schema.ASKS) | {"error"}


def test_the_messages_within_an_example_of_history_fit_too() -> None:
    payloads = [text for one in examples() for text in one.get("payloads", ())]
    assert payloads
    assert [fault for text in payloads for fault in faults(json.loads(text))] == []


def test_every_type_has_a_row_whose_example_fits_its_schema() -> None:
    assert [name for name, _ in ROWS] == list(schema.MESSAGES)
    envelope = next(one for one in examples() if one.get("type") == "card_dealt")
    for name, data in ROWS:
        assert faults(envelope | {"type": name, "data": json.loads(data)}) == []


def test_every_member_and_every_error_is_named() -> None:
    words = set(re.findall(r"\w+", TEXT))
    members = {
        member for one in schema.components().values() for member in one.get("properties", ())
    }
    assert members - words == set()
    assert set(re.findall(r"\w+_\w+", asks.Error.__doc__ or "")) - words == set()
    bets = {"player", "banker", "tie", *SIDE_BETS}
    assert {bet for bet in bets if not bet.startswith("tie_")} - words == set()


def test_the_chain_of_the_page_is_right() -> None:
    payloads = block("json", "chain").split("\n")[:2]
    head, heads = bytes(32), []
    for payload in payloads:
        head = hashlib.sha256(head + payload.encode()).digest()
        heads.append(head.hex())
    assert block("text", "heads").split() == heads
    assert f"The first payload has {len(payloads[0].encode())} bytes" in TEXT
    assert wire.head_after(bytes(32), payloads[0].encode()).hex() == heads[0]


def test_the_signature_of_the_page_is_right_byte_for_byte() -> None:
    payload = block("json", "signed").strip().encode()
    lines = block("text", "lines").removesuffix("\n").encode()
    read = json.loads(payload)
    signature = read["data"]["signature"]
    assert signing.heartbeat_text(payload) == lines
    assert f"These are {len(lines)} bytes" in TEXT
    assert SigningKey(SECRET).verify_key.encode().hex() == signature["key"]
    assert SigningKey(SECRET).sign(lines).signature.hex() == signature["value"]
    VerifyKey(bytes.fromhex(signature["key"])).verify(lines, bytes.fromhex(signature["value"]))
    assert read["data"]["head"] == block("text", "heads").split()[-1]


def test_the_signed_answers_of_the_page_are_right() -> None:
    frame = block("json", "answer").strip().encode()
    answer = asks.read_answer(frame)
    assert isinstance(answer, asks.Round)
    public = SigningKey(SECRET).verify_key.encode()
    assert fault_of(answer, frame, [public]) is None
    lines = block("text", "round").removesuffix("\n").encode()
    assert isinstance(answer.signature, Signature)
    assert SigningKey(SECRET).sign(lines).signature.hex() == answer.signature.value
    snapshot = next(line for line in TEXT.split("\n") if line.startswith('{"answer":"snapshot"'))
    state = snapshot.partition(',"state":')[2].removesuffix("}").encode()
    assert f"`{hashlib.sha256(state).hexdigest()}`" in TEXT


def test_a_heartbeat_without_a_suspension_is_signed_with_an_empty_last_line() -> None:
    text = signing.signed_text("BAC-1", "e", 0, "00", "t", None)
    assert text.endswith(b"\nt\n")
    assert text.count(b"\n") == 6


def test_the_letters_of_z85_are_right() -> None:
    alphabet, hexed, coded = block("text", "z85").split("\n")[:3]
    key = bytes.fromhex(hexed.split()[1])
    assert z85.encode(key).decode() == coded.split()[1]
    number, digits = int.from_bytes(key[:4], "big"), ""
    for _ in range(5):
        number, digit = divmod(number, 85)
        digits = alphabet[digit] + digits
    assert coded.split()[1].startswith(digits)
    assert len(alphabet) == 85


@pytest.mark.parametrize(
    "title, said",
    [
        ("Requests", f"`limit` is {asks.HISTORY_LIMIT} if absent"),
        ("Requests", f"and {asks.HISTORY_LIMIT_MOST} at most"),
        ("Requests", f"at most {requests.LARGEST_REQUEST_BYTES // 1024} KiB"),
        ("Requests", f"within {ASK_AGAIN_SECONDS:g} seconds"),
        ("Limits", f"1 to {asks.HISTORY_LIMIT_MOST}"),
        ("Limits", f"| {requests.LARGEST_REQUEST_BYTES // 1024} KiB, one frame"),
        ("Limits", f"beyond {requests.LARGEST_FRAME_BYTES // 1024**2} MiB"),
        ("Limits", f"| {requests.REQUESTS_WAITING}; ask one at a time"),
        ("Limits", f"| {requests.ANSWERS_WAITING}, then they are lost"),
        ("Limits", f"| {publisher.MOST_SUBSCRIPTIONS}, each up to"),
        ("Limits", f"up to {publisher.LONGEST_SUBSCRIPTION_BYTES} bytes"),
        ("Limits", f"| {publisher.QUEUED_MESSAGES:,} at the studio"),
        ("Following a table", {3.0: "Three seconds"}[STALE_SECONDS]),
        ("The heartbeat's signature", f"within {signing.MOST_APART.seconds} seconds"),
        ("Money", {1: "keep it for a day"}[VOID_AMENDABLE.days]),
        ("Messages", f"| `v` | {wire.VERSION}. "),
    ],
)
def test_a_limit_is_the_one_in_force(title: str, said: str) -> None:
    assert said in " ".join(section(title).split())


def test_every_heading_is_in_the_list_of_contents_and_leads_there() -> None:
    headings = re.findall(r"^## (\d+\. .*)$", TEXT, re.MULTILINE)
    listed = re.findall(r"^(\d+)\. \[(.*)\]\(#(.*)\)$", TEXT, re.MULTILINE)
    assert [f"{number}. {title}" for number, title, _ in listed] == headings
    for number, title, anchor in listed:
        plain = re.sub(r"[^\w\- ]", "", f"{number}. {title}".lower()).replace(" ", "-")
        assert anchor == plain


def test_every_command_that_is_named_is_there() -> None:
    rest = TEXT.replace(section("Proving your front-end"), "")
    named = {
        (one, other) for one, other in re.findall(r"`studio (\w+) (\S+)", " ".join(rest.split()))
    }
    assert {one for one, _ in named} == {"contract", "keys"}
    for name, word in named:
        module = __import__(f"studio.cli.{MODULES.get(name, name)}", fromlist=["app"])
        command = typer.main.get_command(module.app)
        known = {*getattr(command, "commands", {}), *(o for p in command.params for o in p.opts)}
        assert name in COMMANDS
        assert word in known
