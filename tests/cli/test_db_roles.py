# SPDX-License-Identifier: Apache-2.0
"""What the program says of a database whose record its own role could change."""

import json
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import make_url
from structlog.testing import capture_logs

from studio.cli import run
from studio.cli.exits import Exit
from studio.rights import refuse_or_warn
from studio.settings import load_table
from studio.store.database import StoreFailed
from tests.postgres import Server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings of a table on a machine that has no other."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "STUDIO_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    assert run(["init", "--simulated", "--yes", "--first-port", "0"]) == Exit.DONE
    return tmp_path / ".config" / "sabot" / "tables" / "BAC-1.toml"


def changed(file: Path, *keys: str) -> None:
    """Each line ``key = ...`` of a settings file is another now, or is there."""
    lines = file.read_text().splitlines()
    for key in keys:
        name = key.partition(" = ")[0]
        lines = [key, *(one for one in lines if not one.startswith(f"{name} = "))]
    file.write_text("\n".join(lines) + "\n")


def rights(capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """What the doctor says of rights."""
    capsys.readouterr()
    run(["doctor", "--json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    (one,) = [one for one in found if one["what"] == "rights"]
    return one["mark"], one["text"]


@pytest.mark.req("AUD-1")
def test_a_file_without_its_triggers_is_told_and_served_only_if_that_is_allowed(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rights(capsys) == ("ok", "what was recorded is only added to")
    refuse_or_warn(load_table(file))
    database = load_table(file).database_url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(database)) as opened, opened:
        opened.execute("DROP TRIGGER journal_no_update")
    with capture_logs() as logs:
        refuse_or_warn(load_table(file))
    assert [(one["log_level"], "journal are gone" in one["why"]) for one in logs] == [
        ("warning", True)
    ]
    assert rights(capsys)[0] == "note"
    changed(file.parents[1] / "studio.toml", "append_only = true")
    with pytest.raises(StoreFailed, match="append_only"):
        refuse_or_warn(load_table(file))
    assert rights(capsys)[0] == "fault"
    assert run(["serve", "-t", "BAC-1"]) == Exit.FAILED
    assert "append_only" in capsys.readouterr().err


def test_a_file_has_no_roles(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["db", "roles"]) == Exit.FAILED
    assert "SQLite" in capsys.readouterr().err
    assert run(["db", "upgrade", "--as", "root"]) == Exit.FAILED
    assert "no role root" in capsys.readouterr().err


@pytest.mark.req("AUD-1")
def test_the_roles_are_printed_or_made_and_the_service_then_has_the_one_that_adds(
    file: Path, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    place = make_url(server.new_place())
    owner, served = f"owner_{uuid4().hex}", f"served_{uuid4().hex}"

    def as_role(role: str) -> None:
        url = place.set(username=role, drivername="postgresql")
        changed(file, f'database = "{url.render_as_string(hide_password=False)}"')

    as_role("studio")
    assert run(["db", "roles"]) == Exit.FAILED
    assert "studio db create" in capsys.readouterr().err
    assert run(["db", "create"]) == Exit.DONE
    assert "superuser" in rights(capsys)[1]
    capsys.readouterr()
    named = ["--owner", owner, "--application", served]
    assert run(["db", "roles", *named]) == Exit.DONE
    printed = capsys.readouterr().out
    assert f'CREATE ROLE "{served}" LOGIN;' in printed.splitlines()
    with_psql = ["psql", "--set=ON_ERROR_STOP=1", "--quiet", server.where]
    subprocess.run(with_psql, input=printed, text=True, check=True, capture_output=True)
    as_role(served)
    assert rights(capsys) == ("ok", "what was recorded is only added to")
    changed(file.parents[1] / "studio.toml", "append_only = true")
    refuse_or_warn(load_table(file))
    assert run(["db", "upgrade", "--as", owner]) == Exit.DONE
    # a table more of this program would need it again: it can be run as often as one likes
    assert run(["db", "roles", *named, "--as", "studio"]) == Exit.DONE
    assert run(["verify"]) == Exit.DONE
