# SPDX-License-Identifier: Apache-2.0
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from studio.cli import COMMANDS, run
from studio.cli.exits import EPILOG, Exit
from tests.cli.run import STUDIO, studio


def said(capsys) -> str:
    return re.sub(r"[\s│╭╮╰╯─]+", " ", "".join(capsys.readouterr()))


def test_the_top_help_lists_every_command_and_the_exit_statuses(capsys):
    assert run(["--help"]) == Exit.DONE
    text = said(capsys)
    assert [name for name in COMMANDS if f" {name} " not in text] == []
    assert EPILOG in text


def test_no_command_at_all_shows_the_help(capsys):
    assert run([]) == Exit.BAD_SETTINGS
    assert "studio demo" in said(capsys)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_teaches_with_an_example(name, capsys):
    assert run([name, "--help"]) == Exit.DONE
    text = said(capsys)
    assert text.count(f"studio {name}") >= 2, "its usage and an example"
    assert "Exit status" in text


@pytest.mark.parametrize(
    "arguments",
    [
        *(("db", "create"), ("db", "upgrade")),
        *(("shoe", "listen"), ("shoe", "check")),
        ("sandbox", "trigger"),
    ],
)
def test_every_command_of_a_group_teaches_with_an_example(arguments, capsys):
    assert run([*arguments, "--help"]) == Exit.DONE
    assert said(capsys).count("studio " + " ".join(arguments)) >= 2


def test_a_command_that_is_not_known_is_answered_with_those_like_it(capsys):
    assert run(["wacth"]) == Exit.BAD_SETTINGS
    assert "watch" in said(capsys)


@pytest.mark.parametrize("arguments", [("odds",), ("adjudicate", "9C KD"), ("--version",)])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_told_without_a_trace(arguments, unbuffered):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*STUDIO, *arguments],
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.stderr == "studio: could not write: No space left on device\n"
    assert done.returncode == Exit.FAILED


@pytest.mark.parametrize("stream", [0, 1])
def test_a_stream_that_is_closed_is_an_empty_one(stream):
    closed = f'exec {stream}{"<" if stream == 0 else ">"}&- && exec "$@"'
    done = subprocess.run(
        ["sh", "-c", closed, "sh", *STUDIO, "adjudicate"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (Exit.DONE, "", "")


def test_an_option_that_is_not_known_is_bad_usage(capsys):
    assert run(["odds", "--deck", "8"]) == Exit.BAD_SETTINGS
    assert "--decks" in said(capsys)


def test_the_version_is_told(capsys):
    assert run(["--version"]) == Exit.DONE
    assert re.match(r"sabot \S+", said(capsys).strip())


@pytest.mark.parametrize(
    "arguments, not_needed",
    [
        (["--help"], {"zmq", "sqlalchemy", "serial", "structlog", "drivers", "studio.game"}),
        (["odds", "--help"], {"zmq", "sqlalchemy", "serial", "structlog", "drivers"}),
        (["watch", "--help"], {"sqlalchemy", "serial", "structlog", "drivers"}),
        (["conformance", "--list"], {"sqlalchemy", "serial", "structlog", "drivers"}),
    ],
)
def test_a_command_loads_only_what_it_needs(arguments, not_needed):
    program = (
        "import sys; from studio.cli import run; run(sys.argv[1:]); "
        "print('\\0' + ' '.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.partition("\0")[2].split()) & not_needed == set()


@pytest.mark.parametrize("name", ["serve", "doctor", "init", "verify", "history", "demo"])
def test_without_the_extra_a_command_names_it(name):
    program = (
        "import sys; sys.modules['sqlalchemy'] = sys.modules['structlog'] = None; "
        "from studio.cli import main; main(sys.argv[1:])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, name], capture_output=True, text=True, check=False
    )
    assert done.returncode == Exit.BAD_SETTINGS
    assert "extra `table`" in done.stderr
    assert "Traceback" not in done.stderr


def test_bad_settings_are_all_listed_with_file_and_key(tmp_path):
    file = tmp_path / "tables" / "X.toml"
    file.parent.mkdir()
    file.write_text('table = "X Y"\nhouse = "nowhere"\ndatabase = "mysql://x"\n')
    done = studio("serve", "-c", str(file), home=tmp_path)
    assert done.returncode == Exit.BAD_SETTINGS
    lines = done.stderr.strip().splitlines()
    assert all(line.startswith(f"{file}: ") for line in lines)
    keys = {line.split(": ")[1] for line in lines}
    assert {"table", "house", "database", "shoe"} <= keys


@pytest.mark.parametrize(
    "arguments",
    [
        ["watch", "--requests", "foo"],
        ["watch", "--requests", "tcp://127.0.0.1:99999"],
        ["watch", "--events", "tcp://127.0.0.1"],
        ["command", "open_bets", "--staff-requests", "foo"],
        ["history", "--day", "abc"],
        ["history", "--day", "2026"],
        ["history", "--day", "20261340"],
        ["demo", "--speed", "inf"],
        ["demo", "--speed", "nan"],
    ],
)
def test_an_option_that_makes_no_sense_is_bad_usage(arguments, capsys):
    assert run(arguments) == Exit.BAD_SETTINGS
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["roads", "PB" * 40], ["--help"], ["serve", "--help"]])
def test_who_stops_reading_ends_a_command_without_a_word(arguments, tmp_path):
    process = subprocess.Popen(
        [*STUDIO, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    process.stdout.close()
    _, errors = process.communicate(timeout=30)
    assert process.returncode == Exit.NOBODY_READS
    assert errors == b""
