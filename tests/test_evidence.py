# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from tests.evidence import Requirement, Standing, requirements_in, row_of, table_of

pytest_plugins = ["pytester"]

REQUIREMENTS = """
[reasons]
staff = "no accounts yet"
[requirements]
A-1 = { title = "shown by a test" }
A-2 = { title = "partly", gap = "staff" }
A-3 = { title = "a gap of its own words", gap = "nobody asked" }
A-4 = { title = "its test fails" }
A-5 = { title = "forgotten" }
"""
MARKED = """
import pytest
@pytest.mark.req("A-1", "A-2")
def test_good(): pass
@pytest.mark.req("A-4")
def test_bad(): assert False
"""


@pytest.fixture
def run(pytester):
    """Run tests in a folder of their own with this plugin and the requirements above."""
    plugin = (Path(__file__).parent / "evidence.py").read_text()
    pytester.makeini("[pytest]\nmarkers = req(*ids): requirements\n")
    pytester.makepyfile(evidence=plugin)
    (pytester.path / "requirements.toml").write_text(REQUIREMENTS)

    def run_it(tests: str, *options: str):
        pytester.makepyfile(test_it=tests)
        return pytester.runpytest_subprocess("-p", "evidence", *options)

    return run_it


@pytest.mark.parametrize(
    "gap, tests, standing",
    [
        (None, {"a": "passed"}, Standing.SHOWN),
        ("why", {"a": "passed"}, Standing.PARTLY),
        (None, {"a": "passed", "b": "failed"}, Standing.FAILED),
        (None, {"a": "skipped"}, Standing.NOT_RUN),
        (None, {}, Standing.MISSING),
        ("why", {}, Standing.GAP),
    ],
)
def test_a_requirement_stands_as_its_tests_and_its_gap_say(gap, tests, standing):
    assert row_of(Requirement("A-1", "title", gap), tests).standing is standing


@pytest.mark.req("SW-9")
def test_a_run_lists_requirement_test_and_result_and_gaps_with_their_reason(run, pytester):
    result = run(MARKED, "--evidence=out")
    result.stdout.fnmatch_lines(
        [
            "A-1 * shown * shown by a test",
            "*passed: test_it.py::test_good",
            "A-2 * partly shown *",
            "*not yet: no accounts yet",
            "A-3 * gap *",
            "*not yet: nobody asked",
            "A-4 * FAILED *",
            "A-5 * MISSING *",
            "5 requirements: 1 shown, 1 partly shown, 1 gap, 1 FAILED, 1 MISSING",
            "mark a test for these, or give a reason: A-5",
        ]
    )
    assert result.ret == 1
    text = (pytester.path / "out" / "evidence.md").read_text()
    assert "| A-1: shown by a test | shown | `test_it.py::test_good`: passed |" in text


@pytest.mark.req("SW-9")
def test_a_requirement_without_test_or_reason_fails_the_evidence(run):
    tests = MARKED.replace("assert False", "pass")
    assert run(tests).ret == 0
    assert run(tests, "--evidence=out").ret == 1


def test_an_unknown_id_is_an_error_of_any_run(run):
    result = run(MARKED.replace("A-4", "A-44"))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "no requirement 'A-44'" in result.stderr.str()


def test_every_gap_names_a_reason_or_says_its_own():
    known = requirements_in((Path(__file__).parent / "requirements.toml").read_text())
    assert len(known) == 174
    assert all(one.title and (one.gap is None or " " in one.gap) for one in known.values())
    rows = [row_of(one, {}) for one in known.values()]
    assert table_of(rows).count("\n") == len(known) + 2
