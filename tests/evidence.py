# SPDX-License-Identifier: Apache-2.0
"""The evidence list: requirement, tests that show it, result; and every gap with its reason.

``@pytest.mark.req("REC-6")`` ties a test to requirements of ``tests/requirements.toml``. An id
that is not there is an error in any run. With ``--evidence=FOLDER`` a run writes the list there,
prints a summary, and fails when a requirement has neither a test nor a reason.
"""

import json
import tomllib
from enum import Enum
from pathlib import Path

import msgspec
import pytest


class Standing(str, Enum):
    """How a requirement stands after a run."""

    SHOWN = "shown"
    PARTLY = "partly shown"
    GAP = "gap"
    FAILED = "FAILED"
    NOT_RUN = "not run"
    MISSING = "MISSING"


class Requirement(msgspec.Struct, frozen=True):
    """One requirement: what it asks, and why it is not met, if so."""

    id: str
    title: str
    gap: str | None


class Row(msgspec.Struct, frozen=True):
    """A requirement, its standing, and its tests with their results."""

    requirement: Requirement
    standing: Standing
    tests: dict[str, str]


def requirements_in(text: str) -> dict[str, Requirement]:
    """The requirements by id; a gap that names a reason gets the reason's text."""
    data = tomllib.loads(text)
    reasons = data["reasons"]
    return {
        name: Requirement(name, entry["title"], reasons.get(entry.get("gap"), entry.get("gap")))
        for name, entry in data["requirements"].items()
    }


def row_of(requirement: Requirement, tests: dict[str, str]) -> Row:
    """How a requirement stands, given the outcome of each of its tests."""
    outcomes = set(tests.values())
    if "failed" in outcomes:
        standing = Standing.FAILED
    elif "passed" in outcomes:
        standing = Standing.SHOWN if requirement.gap is None else Standing.PARTLY
    elif outcomes:
        standing = Standing.NOT_RUN
    else:
        standing = Standing.MISSING if requirement.gap is None else Standing.GAP
    return Row(requirement, standing, tests)


def table_of(rows: list[Row]) -> str:
    """The list as Markdown."""
    lines = ["| requirement | standing | tests, or why not |", "|---|---|---|"]
    for row in rows:
        shown = [f"`{test}`: {outcome}" for test, outcome in sorted(row.tests.items())]
        if row.requirement.gap is not None:
            shown.append(f"not yet: {row.requirement.gap}")
        title = f"{row.requirement.id}: {row.requirement.title}"
        lines.append(f"| {title} | {row.standing.value} | {'<br>'.join(shown) or '-'} |")
    return "\n".join(lines) + "\n"


class Evidence:
    """Follows one run: which test stands for which requirement, and how each ended."""

    def __init__(self, requirements: dict[str, Requirement], folder: Path | None) -> None:
        self.requirements = requirements
        self.folder = folder
        self.tests: dict[str, dict[str, str]] = {name: {} for name in requirements}
        self.marks: dict[str, list[str]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Note the marks; an id that nobody knows is an error of the run."""
        unknown = set()
        for item in items:
            for mark in item.iter_markers("req"):
                for name in mark.args:
                    if name in self.requirements:
                        self.marks.setdefault(item.nodeid, []).append(name)
                        self.tests[name][item.nodeid] = "not run"
                    else:
                        unknown.add(f"{item.nodeid}: no requirement {name!r}")
        if unknown:
            raise pytest.UsageError("\n".join(sorted(unknown)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep how each marked test ended; a failure in any phase counts."""
        if report.when == "call" or not report.passed:
            for name in self.marks.get(report.nodeid, ()):
                if self.tests[name][report.nodeid] != "failed":
                    self.tests[name][report.nodeid] = report.outcome

    def rows(self) -> list[Row]:
        """Every requirement, in the order of its file."""
        return [row_of(one, self.tests[name]) for name, one in self.requirements.items()]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the list, and fail for a requirement without test and reason."""
        if self.folder is None:
            return
        rows = self.rows()
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "evidence.md").write_text(table_of(rows))
        (self.folder / "evidence.json").write_text(
            json.dumps([msgspec.to_builtins(row) for row in rows], indent=1) + "\n"
        )
        if session.exitstatus == 0 and any(row.standing is Standing.MISSING for row in rows):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the list: one line a requirement, its tests or the reason below."""
        if self.folder is None:
            return
        rows = self.rows()
        terminalreporter.section("requirements")
        for row in rows:
            line = f"{row.requirement.id:8} {row.standing.value:12} {row.requirement.title}"
            terminalreporter.write_line(line)
            for test, outcome in sorted(row.tests.items()):
                terminalreporter.write_line(f"{'':21} {outcome}: {test}")
            if row.requirement.gap is not None:
                terminalreporter.write_line(f"{'':21} not yet: {row.requirement.gap}")
        counts = {standing: sum(row.standing is standing for row in rows) for standing in Standing}
        summary = ", ".join(f"{count} {one.value}" for one, count in counts.items() if count)
        terminalreporter.write_line(f"{len(rows)} requirements: {summary}")
        missing = [row.requirement.id for row in rows if row.standing is Standing.MISSING]
        if missing:
            ids = ", ".join(missing)
            terminalreporter.write_line(f"mark a test for these, or give a reason: {ids}")
        terminalreporter.write_line(f"written to {self.folder}/evidence.md and evidence.json")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--evidence``."""
    parser.addoption("--evidence", metavar="FOLDER", help="write the evidence list to FOLDER")


def pytest_configure(config: pytest.Config) -> None:
    """Follow the run."""
    folder = config.getoption("--evidence")
    known = requirements_in((Path(__file__).parent / "requirements.toml").read_text())
    config.pluginmanager.register(Evidence(known, Path(folder) if folder else None))
