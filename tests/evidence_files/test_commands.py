# SPDX-License-Identifier: Apache-2.0
"""``studio evidence`` and ``studio case`` as people and scripts use them."""

import functools
import io
import json
import shutil
import stat
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import msgspec
import pypdf
import pytest

from studio.cli import run
from studio.cli.exits import Exit
from studio.settings import shipped
from studio.staff.door import Door
from studio.store.schema import create
from tests.evidence_files.by_hand import proof_faults
from tests.evidence_files.records import keep
from tests.game.table_driver import BY, Driven
from tests.staff.people import PIN, QUICK

OPERATED = ("--operator", "acme", "--reference", "D-77")


@pytest.fixture
def table() -> Driven:
    """Two rounds that are over, and one under way."""
    played = Driven().played().played("2H 7S KC QD 3S")
    played.ask("close_round")
    played.dealing().cards("9H KS")
    return played


@pytest.fixture
def rounds(table: Driven) -> list[str]:
    found = [one.round for one in table.log if one.round is not None]
    return list(dict.fromkeys(found))


@pytest.fixture
def site(tmp_path: Path, filled_file: Path, table: Driven, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site with a record, heads kept outside of it, and a small studio's people."""
    (tmp_path / "studio.toml").write_text(f'data_folder = "{tmp_path}"\n')
    (tmp_path / "tables").mkdir()
    settings = shipped("tables/BAC-1.toml").read_text()
    heads = tmp_path / "BAC-1.heads"
    (tmp_path / "tables" / "BAC-1.toml").write_text(f'heads = "{heads}"\n{settings}')
    shutil.copy(filled_file, tmp_path / "staff.db")
    url = f"sqlite:///{tmp_path / 'BAC-1.db'}"
    create(url, "BAC-1")
    kept = keep(url, table.log)
    heads.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in kept))
    monkeypatch.setenv("STUDIO_CONFIG", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    # the same door, with hashes that take no time
    monkeypatch.setattr("studio.cli.staff_entry.Door", functools.partial(Door, hashing=QUICK))
    return tmp_path


@pytest.fixture
def now(site: Path, table: Driven, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets what the wall clock of ``studio case`` says: so many hours after the record's end."""

    def set_(hours: float) -> None:
        at = table.now + timedelta(hours=hours)
        monkeypatch.setattr("studio.cli.case.utc_now", lambda: at)
        door = functools.partial(Door, hashing=QUICK, now=lambda: at)
        monkeypatch.setattr("studio.cli.staff_entry.Door", door)

    set_(100)
    return set_


class Told:
    """Runs ``studio`` with PINs on standard input; keeps what it says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys
        self.out = self.err = ""

    def __call__(self, *arguments: str) -> int:
        self._monkeypatch.setattr("sys.stdin", io.StringIO(f"{PIN}\n"))
        self._capsys.readouterr()
        status = run(arguments)
        self.out, self.err = self._capsys.readouterr()
        return status


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], site: Path) -> Told:
    return Told(monkeypatch, capsys)


@pytest.mark.req("DSP-1", "DSP-2")
def test_one_command_writes_the_file_and_its_report(
    told: Told, site: Path, rounds: list[str]
) -> None:
    assert told("evidence", rounds[0]) == Exit.DONE
    file, report = site / f"{rounds[0]}.json", site / f"{rounds[0]}.pdf"
    data = json.loads(file.read_bytes())
    assert proof_faults(file.read_bytes()) == []
    assert [one["exported"] is not None for one in data["proof"]] == [True]
    assert {"begins", "ends"} <= data["video"].keys()
    assert data["software"] == [{"version": "0.1.0", "digest": "0" * 64}]
    assert [one["staff"] for one in data["staff"]] == [BY]
    pages = [page.extract_text() for page in pypdf.PdfReader(report).pages]
    assert all(rounds[0] in text for text in pages)
    assert {stat.S_IMODE(one.stat().st_mode) for one in (file, report)} == {0o600}
    assert told("evidence", "--check", str(file), "--heads", "BAC-1.heads") == Exit.DONE
    assert "SOUND; 1 of 1" in told.out


def test_nothing_is_written_over_unless_it_is_said(
    told: Told, site: Path, rounds: list[str]
) -> None:
    assert told("evidence", rounds[0]) == Exit.DONE
    first = {one.name: one.read_bytes() for one in site.glob(f"{rounds[0]}*")}
    assert told("evidence", rounds[0]) == Exit.FAILED
    assert "say --over" in told.err
    assert told("evidence", rounds[0], "--over") == Exit.DONE
    assert {one.name: one.read_bytes() for one in site.glob(f"{rounds[0]}*")} == first
    assert told("evidence", rounds[0], "--out", "nowhere") == Exit.FAILED
    assert "nowhere" in told.err
    assert not list(site.glob(".*part"))


def test_an_operators_files_are_others_and_are_checked_too(
    told: Told, site: Path, rounds: list[str]
) -> None:
    assert told("evidence", rounds[0], "--for", "operator", "--language", "it") == Exit.DONE
    file = site / f"{rounds[0]}-operator.json"
    assert BY.encode() not in file.read_bytes()
    assert proof_faults(file.read_bytes()) == []
    assert told("evidence", "--check", str(file)) == Exit.DONE
    whole = pypdf.PdfReader(site / f"{rounds[0]}-operator.pdf").pages[0].extract_text()
    assert "per un operatore" in whole


def test_a_changed_file_and_one_that_is_none_are_not_sound(
    told: Told, site: Path, rounds: list[str]
) -> None:
    told("evidence", rounds[0])
    file = site / f"{rounds[0]}.json"
    file.write_text(file.read_text().replace('"9H"', '"8H"'))
    assert told("evidence", "--check", str(file)) == Exit.FAILED
    assert "NOT SOUND" in told.out
    assert told("evidence", "--check", str(file), "--json") == Exit.FAILED
    assert json.loads(told.out)["faults"]
    file.write_text("{}")
    assert told("evidence", "--check", str(file)) == Exit.FAILED
    assert "is no evidence" in told.err
    assert told("evidence", "--check", "missing.json") == Exit.FAILED
    assert "missing.json" in told.err


def test_heads_that_are_gone_are_told_and_hold_nothing_up(
    told: Told, site: Path, rounds: list[str]
) -> None:
    (site / "BAC-1.heads").unlink()
    assert told("evidence", rounds[0], "--json") == Exit.DONE
    assert "the proof leads to none of them" in told.err
    assert [one["exported"] for one in json.loads(told.out)["proof"]] == [None]
    assert told("evidence", rounds[0], "--heads", "BAC-1.heads") == Exit.FAILED
    assert told("evidence", "--check", "BAC-1.db") == Exit.FAILED


def test_a_round_that_never_was_has_no_evidence_and_no_case(told: Told, site: Path) -> None:
    for arguments in (("evidence", "BAC-1-20261129-0999"), ("case", "open", "nope", *OPERATED)):
        assert told(*arguments) == Exit.FAILED
        assert "has no round" in told.err
    assert told("evidence") == Exit.BAD_SETTINGS


def test_without_the_pages_extra_the_file_is_to_be_had_all_the_same(
    told: Told, site: Path, rounds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "studio.evidence.pdf", None)
    assert told("evidence", rounds[0]) == Exit.BAD_SETTINGS
    assert "extra `evidence`" in told.err
    assert not list(site.glob(f"{rounds[0]}*"))
    assert told("evidence", rounds[0], "--json") == Exit.DONE


def test_names_are_told_to_whom_may_look_at_the_accounts(
    told: Told, site: Path, rounds: list[str]
) -> None:
    assert told("evidence", rounds[0], "--as", "500", "--pin-stdin", "--json") == Exit.DONE
    assert told("evidence", rounds[0], "--as", "100", "--pin-stdin", "--json") == Exit.FAILED
    assert "may not" in told.err


@pytest.mark.req("DSP-1", "DSP-3")
def test_a_case_attaches_to_its_round_and_is_a_part_of_the_studios_evidence(
    told: Told, site: Path, rounds: list[str], now: Callable[[float], None]
) -> None:
    by = ("--as", "900", "--pin-stdin")
    assert told("case", "open", rounds[0], *OPERATED, "--claim", "a tie", *by) == Exit.DONE
    assert told.out == f"c-0001 is opened on round {rounds[0]}, due on 2026-12-06\n"
    assert told("case", "list") == Exit.DONE
    now(100 + 5 * 24)
    assert told("case", "list", "--open") == Exit.FAILED
    assert "OVERDUE" in told.out
    assert told("case", "note", "c-0001", "video seen", "--due", "2026-12-20", *by) == Exit.DONE
    assert told("case", "list", "--open") == Exit.DONE
    assert told("case", "close", "c-0001", "--finding", "as recorded", *by) == Exit.DONE
    assert told("case", "list", rounds[0], "--json") == Exit.DONE
    case = json.loads(told.out)
    assert (case["stands"], case["operator"], case["reference"]) == ("closed", "acme", "D-77")
    assert told("evidence", rounds[0], "--json") == Exit.DONE
    entries = json.loads(told.out)["cases"]
    assert [(one["act"], one["text"]) for one in entries] == [
        ("opened", "a tie"), ("noted", "video seen"), ("closed", "as recorded"),
    ]  # fmt: skip
    assert told("evidence", rounds[1], "--json") == Exit.DONE
    assert json.loads(told.out)["cases"] == []
    assert told("evidence", rounds[0], "--for", "operator", "--json") == Exit.DONE
    assert "c-0001" not in told.out


def test_what_can_still_be_amended_is_amended_first(
    told: Told, site: Path, rounds: list[str], now: Callable[[float], None]
) -> None:
    now(0)
    by = ("--as", "900", "--pin-stdin")
    assert told("case", "open", rounds[0], *OPERATED, *by) == Exit.FAILED
    assert "can be amended or voided until" in told.err
    assert told("case", "open", rounds[2], *OPERATED, *by) == Exit.FAILED
    assert "is not over" in told.err
    assert told("case", "open", rounds[0], *OPERATED, "--while-amendable", *by) == Exit.DONE


def test_a_dealer_opens_no_case_and_a_day_that_is_none_is_bad_usage(
    told: Told, site: Path, rounds: list[str], now: Callable[[float], None]
) -> None:
    opened = ("case", "open", rounds[0], *OPERATED, "--pin-stdin")
    assert told(*opened, "--as", "100") == Exit.FAILED
    assert "Your role may not" in told.err
    assert told(*opened, "--as", "900", "--due", "tomorrow") == Exit.BAD_SETTINGS
    assert told("case", "list") == Exit.DONE
    assert "no case" in told.out
