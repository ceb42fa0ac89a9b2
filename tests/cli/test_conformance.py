# SPDX-License-Identifier: Apache-2.0
import json
import re
import sys
from importlib import resources
from pathlib import Path

import pytest

from studio.cli import run
from studio.cli.exits import Exit
from studio.conformance.cases import CASES
from studio.conformance.judge import Booked, View, view_of
from studio.conformance.lent_keys import LentKeys
from tests.cli.test_usage import said

FOLDER = resources.files("studio.conformance")
PAGE = resources.files("studio.contract").joinpath("integrators.md").read_text("utf-8")
SECTION = PAGE.partition(". Proving your front-end\n\n")[2].partition("\n## ")[0]


def test_every_case_is_listed_with_what_is_done_and_by_which_rule(capsys):
    assert run(["conformance", "--list", "--json"]) == Exit.DONE
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["case"] for row in rows] == [case.name for case in CASES]
    assert all(row["done"] and row["expected"] and row["rule"] for row in rows)
    assert run(["conformance", "stale", "--list"]) == Exit.DONE
    text = said(capsys)
    assert "stale" in text
    assert "dropped" not in text


def test_the_example_is_the_front_end_that_the_tests_put_through_it(capsys):
    assert run(["conformance", "--example"]) == Exit.DONE
    assert capsys.readouterr().out == FOLDER.joinpath("front_end.py").read_text("utf-8")


def test_help_and_page_name_every_variable_and_every_member_of_a_line(tmp_path: Path, capsys):
    assert run(["conformance", "--help"]) == Exit.DONE
    text = said(capsys)
    stage = FOLDER.joinpath("stage.py").read_text("utf-8")
    variables = {*LentKeys(tmp_path).variables(), *re.findall(r'"(SABOT_\w+)"', stage)}
    members = {*View.__struct_fields__, *Booked.__struct_fields__}
    assert len(variables) == 9
    for page in (text, SECTION):
        assert [one for one in sorted(variables | members) if one not in page] == []


def test_the_line_on_the_page_is_one_that_can_be_read():
    line = re.search(r"```jsonl\n(.*)\n```", SECTION)
    assert line is not None
    assert isinstance(view_of(line[1].encode()), View)


@pytest.mark.parametrize(
    "arguments, word",
    [
        (["stael", "--", "true"], "no case stael"),
        (["node", "frontend.js"], "comes after --"),
        ([], "which front-end"),
        (["stale", "--"], "which front-end"),
        (["--patience", "1", "--", "true"], "patience"),
    ],
)
def test_a_wrong_call_says_what_is_right(arguments, word, capsys):
    assert run(["conformance", *arguments]) == Exit.BAD_SETTINGS
    assert word in said(capsys)


def test_a_front_end_that_is_not_there_cannot_be_started(capsys):
    assert run(["conformance", "round", "--", "/nowhere/frontend"]) == Exit.FAILED
    assert "cannot be started: /nowhere/frontend: No such file" in said(capsys)


def _sheet(capsys, program: str, *arguments: str) -> dict[str, str]:
    """The row of a front-end that does no more than this."""
    front_end = ("--", sys.executable, "-c", program)
    assert run(["conformance", *arguments, "--json", *front_end]) == Exit.FAILED
    row: dict[str, str] = json.loads(capsys.readouterr().out)
    return row


def test_what_a_front_end_says_that_is_no_view_is_told(capsys):
    row = _sheet(capsys, "print('hello')", "round")
    assert (row["case"], row["mark"]) == ("round", "failed")
    assert "hello" in row["said"]


def test_the_last_words_of_a_front_end_that_ends_are_told(capsys):
    row = _sheet(capsys, "import sys; sys.exit('no such feed')", "round", "--no-keys")
    assert row["said"] == "ended with status 1\nno such feed"


def test_the_pass_sheet_is_drawn_and_tells_what_was_not_run(capsys):
    front_end = ("--", sys.executable, "-c", "print('hello')")
    cases = ("round", "forged-heartbeat")
    assert run(["conformance", *cases, "--no-signing", *front_end]) == Exit.FAILED
    text = said(capsys)
    assert "hello" in text
    assert "0 of 2 passed, 1 not run; failed: round" in text
