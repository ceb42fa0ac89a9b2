# SPDX-License-Identifier: Apache-2.0
"""What the README says is so: commands, paths, the picture, dependencies, and its example."""

import re
import select
import subprocess
import sys
import time
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
import typer

from studio.cli import COMMANDS, MODULES
from studio.cli.exits import EPILOG
from studio.game.house import REMEDIES
from studio.game.state import BACK, TRANSITIONS, Phase
from tests import flow, undo
from tests.bench.__main__ import FIGURES
from tests.system.rig import Hands, studio

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROSE = FENCED.sub("", README)
SPANS = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", PROSE)]
LINES = re.findall(r"^ {4,}(\S.*)$", PROSE, re.MULTILINE)
ROOMS = ("studio/", "drivers/", "ui/", "config/", "tests/", ".ci/")


def named(program: str) -> list[list[str]]:
    """The words after a program's name, wherever the README has it called."""
    found = [text.split() for text in [*LINES, *SPANS]]
    return [words[1:] for words in found if words[:1] == [program] and words[1:]]


def section(title: str) -> str:
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def rows(text: str) -> list[list[str]]:
    """The cells of a Markdown table, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def test_two_commands_stand_at_the_top():
    assert LINES[:2] == ["make demo", "make test"]
    assert "\n## " not in README[: README.index("    make test")]


def test_every_target_of_make_that_is_named_is_there():
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    words = {one[0] for one in named("make")}
    assert words >= {"demo", "test", "lint", "bench", "evidence"}
    assert words <= targets


@pytest.mark.parametrize("words", named("studio"), ids=" ".join)
def test_every_command_that_is_named_is_there_with_its_options(words):
    name, *rest = words
    assert name in COMMANDS
    module = import_module(f"studio.cli.{MODULES.get(name, name)}")
    command = typer.main.get_command(module.app)
    groups = getattr(command, "commands", {})
    if groups and rest:
        command = groups[rest.pop(0)]
    known = {text for one in command.params for text in (*one.opts, *one.secondary_opts)}
    assert {word for word in rest if word.startswith("-")} <= known | {"--help", "--"}


def test_every_command_of_the_program_is_named():
    assert {words[0] for words in named("studio")} >= set(COMMANDS) - {"demo", "odds", "roads"}


def test_every_path_that_is_named_is_there():
    paths = {span for span in SPANS if span.startswith(ROOMS) and " " not in span}
    assert len(paths) > 20
    assert sorted(path for path in paths if not (ROOT / path).exists()) == []


def test_the_tree_names_what_is_there_and_every_room_of_the_program():
    folders, found = [ROOT], set()
    for line in re.findall(r"^ {4}.*$", section("Where to find what"), re.MULTILINE):
        depth = (len(line) - len(line.lstrip())) // 2 - 2
        del folders[depth + 1 :]
        for name in re.split(r"[,;] ?", re.split(r" {2,}", line.strip())[0]):
            path = folders[-1] / name
            assert path.exists() or path.with_suffix(".py").exists(), f"{name} in {folders[-1]}"
            found.add(path)
            if name.endswith("/"):
                folders.append(path)
    rooms = {
        file.parent
        for top in ("studio", "drivers", "ui")
        for file in ROOT.glob(f"{top}/*/__init__.py")
    }
    assert rooms - found == set()


def test_the_exit_statuses_are_those_of_the_commands():
    assert EPILOG.removeprefix("Exit status: ") in " ".join(README.split())


def test_every_house_that_is_shipped_is_named():
    said = section("First real table").partition("Houses shipped in")[2].partition(". Each")[0]
    shipped = {file.stem for file in (ROOT / "config" / "houses").glob("*.toml")}
    assert set(re.findall(r"`([\w-]+)`", said)) == shipped


def test_every_ruling_that_a_house_can_choose_is_told():
    told = {row[0].strip("`"): row[-1] for row in rows(README) if row[0].strip("`") in REMEDIES}
    named_there = {key: [*dict.fromkeys(re.findall(r"`(\w+)`", one))] for key, one in told.items()}
    assert named_there == {key: [*values] for key, values in REMEDIES.items()}


def test_every_dependency_has_its_reason():
    asked = {("all", line) for line in PROJECT["dependencies"]}
    for extra, lines in PROJECT["optional-dependencies"].items():
        asked |= {(extra, line) for line in lines if not line.startswith(PROJECT["name"])}
    told = {
        (extra.strip("`"), package.lower())
        for packages, extra, why in rows(section("Why each dependency is there"))
        for package in packages.split(", ")
        if why
    }
    assert told == {(extra, re.split(r"[\[><=]", line)[0].lower()) for extra, line in asked}


def test_every_figure_is_shown_beside_what_it_must_reach():
    assert len(rows(section("Figures"))) >= len(FIGURES)
    assert all(re.search(r"\d", cell) for row in rows(section("Figures")) for cell in row[1:])


def test_the_picture_is_made_from_the_tables_as_they_are():
    assert flow.written(README) == README, f"run: {flow.COMMAND}"


def test_the_readme_table_of_undos_is_made_from_the_tables_as_they_are():
    assert undo.written(README) == README, f"run: {undo.COMMAND}"
    with pytest.raises(ValueError, match="marks"):
        undo.written("no table here")


def test_the_picture_read_back_is_the_table_of_transitions():
    diagram = next(body for kind, body in FENCED.findall(README) if kind == "mermaid")
    stand_for = {phase.value: [phase] for phase in Phase}
    for text, name in re.findall(r'state "(.*)" as (\w+)', diagram):
        words = text.removeprefix("any phase but ").split(", ")
        if text.startswith("any phase but "):
            stand_for[name] = [phase for phase in Phase if phase.value not in words]
        elif name != "back":
            stand_for[name] = [Phase(word) for word in words]
    drawn = set()
    for name, label in re.findall(r"^ +(\w+): (.*)$", diagram, re.MULTILINE):
        if label not in stand_for:
            drawn.add((label, Phase(name), Phase(name)))
    for one, two, labels in re.findall(r"^ +(\w+) --> (\w+): (.*)$", diagram, re.MULTILINE):
        after = BACK if two == "back" else Phase(two)
        drawn |= {(label, phase, after) for label in labels.split(", ") for phase in stand_for[one]}
    assert drawn == {
        (("" if event.PUBLIC is None else "● ") + event.__name__, phase, after)
        for event, moves in TRANSITIONS.items()
        for phase, after in moves.items()
    }


def test_marks_that_are_missing_are_told():
    with pytest.raises(ValueError, match="marks"):
        flow.written("no picture here")


def lines_until(pipe, last: str, seconds: float = 20) -> list[str]:
    """The lines that come on a pipe, up to the first that holds ``last``."""
    got, until = b"", time.monotonic() + seconds
    while last.encode() not in got or not got.endswith(b"\n"):
        ready, _, _ = select.select([pipe], [], [], max(until - time.monotonic(), 0))
        assert ready, f"{last!r} did not come; got: {got.decode()}"
        piece = pipe.read1()
        assert piece, f"the example ended; got: {got.decode()}"
        got += piece
    return got.decode().splitlines()


def test_the_example_of_a_front_end_follows_a_table(tmp_path):
    example = next(body for kind, body in FENCED.findall(README) if kind == "python")
    with studio(tmp_path) as running:
        running.start()
        for said, role in (("5550", "public_events"), ("5551", "public_requests")):
            assert f"tcp://127.0.0.1:{said}" in example
            example = example.replace(f"tcp://127.0.0.1:{said}", running.endpoints[role])
        arguments = [sys.executable, "-u", "-c", example]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, cwd=ROOT) as front_end:
            try:
                lines_until(front_end.stdout, "feed live bets: False")
                Hands(running).deal(1)
                heard = lines_until(front_end.stdout, "pay by")
            finally:
                front_end.kill()
    cards = [line for line in heard if re.search(r" [PB][123] [2-9TJQKA][CDHS]$", line)]
    assert 4 <= len(cards) <= 6
    assert sum("place your bets until" in line for line in heard) == 1
    assert re.search(r"-0001 1 (player|banker|tie) pay by -?[0-9.]+$", heard[-1])
