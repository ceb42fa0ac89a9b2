# SPDX-License-Identifier: Apache-2.0
"""``studio adjudicate`` as a process: JSON Lines in, JSON Lines out, against rulings by hand."""

import json
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.adjudication.bad import GOOD_CARDS, all_lines, line_of
from tests.adjudication.compare import differences
from tests.adjudication.generator import volume
from tests.adjudication.vectors import vectors
from tests.cli.run import SECONDS, STUDIO, environment

VECTORS = vectors()
COUPS = [line_of(vector.coup) for vector in VECTORS]
GOOD = line_of({"id": "good", "events": GOOD_CARDS})
ALL_RULED, SOME_NOT_UNDERSTOOD = 0, 2


class Said(NamedTuple):
    """What a run of the command gave."""

    status: int
    out: bytes
    err: str

    @property
    def answers(self) -> list[dict]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def adjudicate(tmp_path: Path):
    def run(text: bytes, *arguments: str) -> Said:
        done = subprocess.run(
            [*STUDIO, "adjudicate", *arguments],
            env=environment(tmp_path),
            cwd=tmp_path,
            input=text,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr.decode())

    return run


def text_of(*lines: bytes) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def test_the_coups_ruled_by_hand_are_ruled_so_in_order(adjudicate):
    said = adjudicate(text_of(*COUPS))
    assert said.status == ALL_RULED
    assert said.err == ""
    assert [one["id"] for one in said.answers] == [one.coup.get("id") for one in VECTORS]
    assert differences(lambda _: said.out, COUPS, at_once=len(COUPS)) == []
    for vector, answer in zip(VECTORS, said.answers, strict=True):
        assert {name: answer[name] for name in vector.ruling} == vector.ruling


def test_a_ruling_does_not_depend_on_the_records_around_it(adjudicate):
    forward, backward = adjudicate(text_of(*COUPS)), adjudicate(text_of(*reversed(COUPS)))
    assert forward.out.splitlines() == backward.out.splitlines()[::-1]


def test_bad_lines_get_errors_and_the_others_their_rulings(adjudicate):
    bad = [line for _, line in all_lines().values()]
    lines = [line for one in bad for line in (one, GOOD)]
    said = adjudicate(text_of(*lines))
    assert said.status == SOME_NOT_UNDERSTOOD
    assert "Traceback" not in said.err
    assert differences(lambda _: said.out, lines, at_once=len(lines)) == []


def test_an_error_names_the_record_and_says_where(adjudicate):
    record = {"id": "dispute-17", "events": [*GOOD_CARDS, {"card": "1X"}]}
    said = adjudicate(text_of(line_of(record)))
    assert said.status == SOME_NOT_UNDERSTOOD
    (answer,) = said.answers
    assert answer["id"] == "dispute-17"
    assert "1X" in answer["error"] or "4" in answer["error"] or "5" in answer["error"]


def test_random_records_are_ruled_as_by_the_reference(adjudicate):
    lines = list(volume(20071, 3000))
    statuses = []

    def ours(text: bytes) -> bytes:
        said = adjudicate(text)
        statuses.append(said.status)
        return said.out

    found = differences(ours, lines, at_once=len(lines))
    assert not found, "".join(map(str, found[:5]))
    assert statuses == [SOME_NOT_UNDERSTOOD]


def test_random_good_records_end_in_status_0(adjudicate):
    lines = list(volume(20072, 500, bad_percent=0))
    assert adjudicate(text_of(*lines)).status == ALL_RULED


def test_a_house_that_is_none_is_told_whatever_is_to_be_ruled(adjudicate):
    for arguments in (["--house", "nope"], ["--house", "nope", "9C KD"]):
        said = adjudicate(b"", *arguments)
        assert (said.status, said.out) == (SOME_NOT_UNDERSTOOD, b"")
        assert "house 'nope' is not known; known are: atlantic-city" in " ".join(said.err.split())


def test_the_house_that_is_said_is_that_of_records_that_name_none(adjudicate):
    early = [{"bets": "open"}, *GOOD_CARDS[:1], {"bets": "closed"}]
    own = {"id": "own", "house": "studio", "events": early}
    said = adjudicate(text_of(line_of({"events": early}), line_of(own)), "--house", "macau")
    assert [len(one["surplus"]) for one in said.answers] == [0, 1]


def test_an_empty_coup_is_no_coup(adjudicate):
    said = adjudicate(b"", "")
    assert (said.status, said.out) == (SOME_NOT_UNDERSTOOD, b"")
    assert "the coup is empty" in said.err


def test_no_input_gives_no_output(adjudicate):
    assert adjudicate(b"") == Said(ALL_RULED, b"", "")


def test_blank_lines_and_line_ends_of_any_kind(adjudicate):
    said = adjudicate(b"\n  \t\n" + GOOD + b"\r\n\r\n\n" + GOOD)
    assert said.status == ALL_RULED
    assert [answer["verdict"] for answer in said.answers] == ["valid", "valid"]


def test_every_answer_is_one_line(adjudicate):
    strange = [
        line_of({"id": name, "events": GOOD_CARDS}) for name in ("a\nb", "\u2028", "\x85", "é")
    ]
    said = adjudicate(text_of(*strange))
    answers = said.out.split(b"\n")
    assert answers.pop() == b""
    assert [json.loads(answer)["id"] for answer in answers] == ["a\nb", "\u2028", "\x85", "é"]


def test_a_megabyte_of_a_line_is_ruled_like_any_other(adjudicate):
    cuts = {"id": "cuts", "events": [*70_000 * [{"cut_card": True}], *GOOD_CARDS]}
    note = {"id": "note", "events": GOOD_CARDS, "note": "x" * 1_200_000}
    noise = b"x" * 1_200_000
    lines = [line_of(cuts), line_of(note), noise, GOOD]
    said = adjudicate(text_of(*lines))
    assert said.status == SOME_NOT_UNDERSTOOD
    assert differences(lambda _: said.out, lines) == []
    assert all(len(line) < 10_000 for line in said.out.splitlines())


@pytest.mark.parametrize(
    "what",
    [{"shoe_empty": True}, {"result": "tie"}, {"card": "9C"}],
    ids=lambda one: next(iter(one)),
)
def test_what_no_coup_could_hold_is_an_error_and_not_a_long_wait(adjudicate, what):
    said = adjudicate(text_of(line_of({"id": "long", "events": 50_000 * [what]}), GOOD))
    assert said.status == SOME_NOT_UNDERSTOOD
    assert said.answers[0]["id"] == "long"
    assert "events: a coup " in said.answers[0]["error"]
    assert said.answers[1]["verdict"] == "valid"


@pytest.mark.parametrize(
    "record",
    [
        {"events": [{"card": "9" * 1_000_000}]},
        {"events": [], "house": "x" * 1_000_000},
        {"events": [], "x" * 1_000_000: 1},
        {"events": [{"bets": "x" * 1_000_000}]},
    ],
    ids=["card", "house", "member", "bets"],
)
def test_what_is_wrong_is_told_shortly_however_long_it_is(adjudicate, record):
    said = adjudicate(text_of(line_of(record)))
    assert said.status == SOME_NOT_UNDERSTOOD
    assert len(said.out) < 1_000


def test_bytes_that_are_no_text_spoil_their_line_alone(adjudicate):
    said = adjudicate(text_of(GOOD, b"\xff\xfe\x00", GOOD))
    assert said.status == SOME_NOT_UNDERSTOOD
    assert ["verdict" in answer for answer in said.answers] == [True, False, True]
