# SPDX-License-Identifier: Apache-2.0
"""``studio operators`` at a table that does not run: record, keys and acknowledgements alone."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from studio.cli import run
from studio.cli.exits import Exit
from studio.feed.access import Access, AccessLog, What
from studio.feed.allowed import Allowed, Kind, changing
from studio.store.history import History
from studio.store.journal import Journal
from studio.store.operator_book import Acknowledgement, OperatorBook
from studio.store.schema import create
from tests.store.samples import NOON, TABLE, Story, amended, voided

FIRST, SECOND = "BAC-1-20261129-0001", "BAC-1-20261129-0002"
BEFORE, AFTER = NOON - timedelta(hours=1), NOON + timedelta(hours=1)


class Site:
    """A studio with one table of two rounds: the first amended, the second void."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.keys = folder / "data" / "keys"
        (folder / "tables").mkdir()
        self.write(keys="true")
        url = f"sqlite:///{folder}/data/BAC-1.db"
        self.operators = f"sqlite:///{folder}/data/operators.db"
        create(url, TABLE)
        with Journal.open(url, TABLE) as journal:
            story = Story()
            journal.append(story.shoe() + story.whole_round(FIRST) + story.opened(SECOND))
            journal.append(story.tell(amended(FIRST, 2, 9), round_id=FIRST))
            journal.append(story.tell(voided(SECOND), round_id=SECOND))
            journal.append(story.closed(SECOND))
        with History.open(url, TABLE) as history:
            (self.epoch,) = history.epochs()

    def write(self, *, keys: str, seconds: int = 60) -> None:
        (self.folder / "studio.toml").write_text(
            f'data_folder = "{self.folder}/data"\n[operators]\nacknowledge_seconds = {seconds}\n'
        )
        (self.folder / "tables" / "BAC-1.toml").write_text(
            f'table = "{TABLE}"\nhouse = "studio"\ndatabase = "sqlite:///BAC-1.db"\nkeys = {keys}\n'
            '[shoe]\ndriver = "angel_eye_iiex"\nendpoint = "tcp:127.0.0.1:1"\nsimulated = true\n'
            '[feed]\nstaff_requests = "tcp://127.0.0.1:*"\n'
        )

    def allow(self, name: str, revoked: datetime | None = None) -> None:
        with changing(self.keys) as rows:
            public = f"{len(rows):064x}"
            row = Allowed(
                name=name, kind=Kind.OPERATOR, public=public, added=BEFORE, revoked=revoked
            )
            rows.append(row)

    def confirm(self, operator: str, round_id: str, revision: int) -> None:
        given = Acknowledgement(operator, self.epoch, round_id, revision)
        OperatorBook.open(self.operators, TABLE).add(given, datetime.now(UTC))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setenv("STUDIO_CONFIG", str(tmp_path))
    return Site(tmp_path)


def test_what_waits_is_shown_oldest_first_and_is_late(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.allow("acme")
    site.allow("best")
    site.confirm("acme", FIRST, 2)
    assert run(["operators", "--json"]) == Exit.FAILED
    acme, best = map(json.loads, capsys.readouterr().out.splitlines())
    assert [one["round"] for one in acme["waiting"]] == [SECOND]
    assert [(one["round"], one["type"]) for one in best["waiting"]] == [
        (FIRST, "result_amended"),
        (SECOND, "round_voided"),
    ]
    assert (best["table"], best["operator"], best["key"]) == (TABLE, "best", "in_force")
    assert (best["late"], best["connected"], best["seen"]) == (True, None, None)
    assert run(["operators", "--table", "BAC-1"]) == Exit.FAILED
    said = " ".join(capsys.readouterr().out.split())
    assert f"best in force never seen {FIRST} rev 2 amended 11-29 12:00:14 late" in said
    assert "late" in said


def test_status_0_once_everything_is_acknowledged_and_a_refusal_is_no_visit(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.allow("acme")
    for round_id, revision in ((FIRST, 2), (SECOND, 1)):
        site.confirm("acme", round_id, revision)
    access = Access(
        at=AFTER, table=TABLE, side="public", what=What.CONNECTED, who="acme", key="0" * 16,
        address="10.0.0.7",
    )  # fmt: skip
    log = AccessLog(site.folder / "data" / "access", TABLE)
    log.note(access)
    knocked = replace(access, at=AFTER + timedelta(hours=1), what=What.REFUSED)
    log.note(knocked)
    assert run(["operators"]) == Exit.DONE
    said = " ".join(capsys.readouterr().out.split())
    assert "acme in force seen 2026-11-29 13:00 nothing" in said


def test_an_operator_whose_key_was_revoked_shows_as_such_and_makes_nothing_late(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.allow("acme", revoked=AFTER)
    assert run(["operators"]) == Exit.DONE
    said = " ".join(capsys.readouterr().out.split())
    assert "acme revoked 2026-11-29 13:00 never seen" in said
    assert FIRST in said


def test_a_table_without_keys_has_no_operators(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.write(keys="false")
    assert run(["operators"]) == Exit.DONE
    assert "no keys are asked for" in capsys.readouterr().out
    assert run(["operators", "--json"]) == Exit.DONE
    assert capsys.readouterr().out == ""


def test_a_record_that_is_missing_is_told_with_its_table(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    (site.folder / "data" / "BAC-1.db").unlink()
    assert run(["operators"]) == Exit.FAILED
    assert "table BAC-1: " in capsys.readouterr().err


@pytest.mark.parametrize(
    "line, key", [("database = 'x'", "database"), ("acknowledge_seconds = 0", "")]
)
def test_settings_that_make_no_sense_are_told(
    site: Site, capsys: pytest.CaptureFixture[str], line: str, key: str
) -> None:
    file = site.folder / "studio.toml"
    file.write_text(f'data_folder = "{site.folder}/data"\n[operators]\n{line}\n')
    assert run(["operators"]) == Exit.BAD_SETTINGS
    assert f"{file}: operators.{key}" in capsys.readouterr().err
