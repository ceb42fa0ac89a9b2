# SPDX-License-Identifier: Apache-2.0
"""``studio keys``: what is printed, what is refused, and that no secret is ever printed."""

import json
from pathlib import Path

import pytest

from studio.cli import run
from studio.cli.exits import Exit
from studio.feed.access import Access, AccessLog, What
from studio.feed.allowed import Kind, read_allowed
from studio.feed.keys import ClientKeys, hex_of
from tests.feed.keyed import AT


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any settings of its own."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "STUDIO_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


class Machine:
    """Calls ``studio keys`` as on one machine; ``printed`` is all that was said there."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys
        self.printed = ""

    def __call__(self, *arguments: str, status: Exit = Exit.DONE) -> str:
        self._capsys.readouterr()
        assert run(["keys", *arguments, "--folder", str(self.folder)]) == status
        said = "".join(self._capsys.readouterr())
        self.printed += said
        return said

    def line(self, said: str, words: str) -> list[str]:
        """The command after ``studio keys`` in what was said."""
        return next(one.split()[2:] for one in said.splitlines() if words in one)


@pytest.mark.req("FEED-18")
def test_an_operator_is_let_in_by_doing_what_is_printed(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    studio, operator = Machine(home / "s", capsys), Machine(home / "o", capsys)
    studio("init")
    wanted = operator.line(operator("new", "acme"), "keys add")
    trusted = studio.line(studio(*wanted), "keys trust")
    operator(*trusted)
    keys = ClientKeys.load(operator.folder)
    assert keys.name == "acme"
    assert read_allowed(studio.folder)[-1].public == hex_of(keys.pair.public)
    listed = studio("list")
    assert "acme" in listed
    assert "may connect" in listed
    next_one = operator.line(operator("new", "acme", "--next"), "keys add")
    assert "--next" in next_one
    studio(*next_one)
    assert "next" in studio("list")
    operator("use-next")
    assert "the next one in force" in studio("revoke", "acme", "--old")
    assert (
        json.loads(operator("show", "--json"))["own"][1] == read_allowed(studio.folder)[-1].public
    )
    assert studio("revoke", "acme") == "acme is out\n"
    assert studio("list").count("revoked") == 2
    for secret in (home / "o" / "own.key", home / "s" / "own.key"):
        assert json.loads(secret.read_bytes())["curve"] not in studio.printed + operator.printed
    server = json.loads((home / "s" / "server.key").read_bytes())
    assert not any(one in studio.printed + operator.printed for one in server.values())


def test_a_console_s_machine_is_set_up_alone_or_at_the_studio_itself(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    studio, desk = Machine(home / "s", capsys), Machine(home / "d", capsys)
    studio("init")
    said = desk("console", "desk-2")
    assert "which `studio keys trust ...` to run here" in said
    studio(*desk.line(said, "keys add"))
    trusted = studio.line(studio("show"), "keys trust")
    desk(*trusted)
    assert read_allowed(studio.folder)[-1].kind is Kind.CONSOLE
    with_studio = Machine(home / "e", capsys)
    with_studio("console", "desk-3", *trusted[1:])
    assert ClientKeys.load(with_studio.folder).studio == ClientKeys.load(desk.folder).studio
    (studio.folder / "own.key").unlink()
    assert studio("console", "desk-1") == "desk-1 may connect as console\n"


@pytest.mark.parametrize("arguments", [("list",), ("revoke", "acme"), ("log",), ("show",)])
def test_a_file_of_settings_that_is_not_there_is_not_taken_for_another_site(
    home: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    assert run(["keys", *arguments, "-c", str(home / "tables" / "typo.toml")]) == Exit.BAD_SETTINGS
    assert "typo.toml: no such file" in capsys.readouterr().err


def test_where_nobody_is_known_it_says_so(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "`studio keys add" in Machine(home / "s", capsys)("list")
    assert run(["keys", "log", "acme"]) == Exit.DONE
    assert "of acme" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("add", "--name", "acme", "--public", "zz"), "is no public key"),
        (("add", "--name", "a b", "--public", "ab" * 32), "is no name"),
        (("new", "a b"), "is no name"),
        (("revoke", "acme"), "no key that could be revoked"),
        (("trust", "--server", "ab" * 32, "--signing", "ab" * 32), "the studio's own keys"),
        (("use-next",), "keys new NAME --next"),
        (("use-next", "--studio"), "no such key"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(
    home: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    studio = Machine(home / "s", capsys)
    studio("init")
    assert words in studio(*arguments, status=Exit.BAD_SETTINGS)


def test_the_studio_s_own_key_is_nobody_else_s(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    studio = Machine(home / "s", capsys)
    server = studio.line(studio("init"), "keys trust")[2]
    added = ("add", "--name", "acme", "--public", server)
    assert "the studio's own key" in studio(*added, status=Exit.BAD_SETTINGS)
    (operator := Machine(home / "o", capsys))("new", "acme")
    said = operator("trust", "--server", server, status=Exit.BAD_SETTINGS)
    assert "both --server KEY and --signing KEY" in said
    assert "no keys in" in Machine(home / "nobody", capsys)("show")


def test_the_log_is_a_table_for_people_and_lines_for_programs(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = AccessLog(home / ".local" / "state" / "sabot" / "access", "BAC-1")
    for who in ("acme", "acme", None):
        told = {"key": "ab" * 8, "address": "10.0.0.9", "why": "" if who else "unknown key"}
        what = What.ASKED if who else What.REFUSED
        log.note(Access(at=AT, table="BAC-1", side="public", what=what, who=who, **told))
    log.tidy()
    assert run(["keys", "log"]) == Exit.DONE
    drawn = capsys.readouterr().out
    assert [
        word for word in ("acme", "10.0.0.9", "unknown key", "asked") if word not in drawn
    ] == []
    assert run(["keys", "log", "acme", "--json"]) == Exit.DONE
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["who"], one["what"], one["count"]) for one in lines] == [("acme", "asked", 1)] * 2


def test_a_log_that_cannot_be_written_says_so_once_and_stops_nothing(home: Path) -> None:
    (home / "access").write_text("in the way")
    faults: list[OSError] = []
    log = AccessLog(home / "access", "BAC-1", failed=faults.append)
    for number in range(3):
        log.note(
            Access(at=AT, table="BAC-1", side="public", what=What.CONNECTED, who=f"n-{number}",
                   key="ab" * 8, address="10.0.0.9")
        )  # fmt: skip
    assert len(faults) == 1
