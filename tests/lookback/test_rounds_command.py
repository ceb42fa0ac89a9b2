# SPDX-License-Identifier: Apache-2.0
"""``studio rounds``: what people ask, what programs read, and errors that teach."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from studio.cli import run
from studio.cli.exits import Exit
from studio.lookback.when import NoTime, begin_of, end_of
from tests.lookback.site import OTHER, Site

MALTA = ZoneInfo("Europe/Malta")
NOW = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return Site(tmp_path_factory.mktemp("site"))


def listed(capsys: pytest.CaptureFixture[str], site: Site, *options: str) -> list[str]:
    """The ids that are found."""
    assert run(["rounds", *site.config, "--json", *options]) == Exit.DONE
    return [json.loads(line)["round"] for line in capsys.readouterr().out.splitlines()]


def test_each_thing_that_is_known_of_a_round_finds_it(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, third = site.rounds
    assert listed(capsys, site) == [third, second, first]
    assert listed(capsys, site, "--id", second) == [second]
    assert listed(capsys, site, "--dealer", "Anna") == [second, first]
    assert listed(capsys, site, "--dealer", "s-007") == [second]
    assert listed(capsys, site, "--outcome", "void") == [third]
    assert listed(capsys, site, "--outcome", "banker", "--dealer", "Bea") == [second]
    assert listed(capsys, site, "--irregularity", "exposed-in-deal") == [second]
    assert listed(capsys, site, "--from", "2026-11-29", "--to", "20261129") == [
        third,
        second,
        first,
    ]
    assert listed(capsys, site, "--to", "2026-11-28") == []
    assert listed(capsys, site, "--from", "2026-11-30") == []


def test_a_list_goes_on_after_its_last_round(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, third = site.rounds
    assert run(["rounds", *site.config, "--limit", "2"]) == Exit.DONE
    told = capsys.readouterr().out
    assert (third in told, second in told, first in told) == (True, True, False)
    assert f"more: --after {second}" in told
    assert listed(capsys, site, "--after", second) == [first]
    assert run(["rounds", *site.config, "--after", "BAC-1-20261129-0999"]) == Exit.BAD_SETTINGS
    assert "--after: no round BAC-1-20261129-0999" in capsys.readouterr().err


def test_all_tables_of_the_site_are_searched_in_all_their_records(
    site: Site, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(listed(capsys, site, "--all")) == {OTHER, *site.rounds}
    monkeypatch.setenv("STUDIO_CONFIG", str(site.folder))
    assert run(["rounds", "-t", "BAC-2", "--json"]) == Exit.DONE
    assert json.loads(capsys.readouterr().out)["table"] == "BAC-2"
    assert run(["rounds", "-t", "BAC-1", "-t", "BAC-2", "--limit", "4", "--json"]) == Exit.DONE
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_people_read_times_of_the_studio_and_what_stands(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rounds", *site.config, "--id", site.rounds[1]]) == Exit.DONE
    told = capsys.readouterr().out
    _head, line, *_ = told.splitlines()
    assert "times in Europe/Malta" in told
    assert "2026-11-29 13:" in line
    assert "Anna s-007" in line
    assert " Bea " in told
    assert "banker 8-9" in line
    assert "exposed-in-deal" in line


def test_one_record_that_cannot_be_read_hides_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = Site(tmp_path)
    (tmp_path / "data" / "BAC-2.db").unlink()
    assert run(["rounds", *site.config, "--all"]) == Exit.FAILED
    told = capsys.readouterr()
    assert site.rounds[0] in told.out
    assert "BAC-2.db is missing" in told.err


@pytest.mark.parametrize(
    "options, status, named",
    [
        (["--id", "BAC-1-20261129-0999"], Exit.FAILED, "no round BAC-1-20261129-0999"),
        (["--irregularity", "exposed"], Exit.BAD_SETTINGS, "exposed-in-deal"),
        (["--irregularity", "zzzz"], Exit.BAD_SETTINGS, "there are: "),
        (["--from", "soon"], Exit.BAD_SETTINGS, "21:30 for today"),
        (["--to", "2026-13-01"], Exit.BAD_SETTINGS, '"2026-13-01" is no day'),
        (["--from", "2026-11-30", "--to", "2026-11-29"], Exit.BAD_SETTINGS, "not after"),
        (["--outcome", "win"], Exit.BAD_SETTINGS, "player"),
    ],
)
def test_what_cannot_be_found_is_told_with_what_can(
    site: Site,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    status: Exit,
    named: str,
) -> None:
    assert run(["rounds", *site.config, *options]) == status
    told = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert named in told


def test_who_never_dealt_is_told_who_did(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rounds", *site.config, "--dealer", "anna"]) == Exit.DONE
    told = capsys.readouterr().out
    assert "nobody called anna ever dealt there, on record: Anna, Bea, s-001, s-007" in told


@pytest.mark.parametrize(
    "text, begin, end",
    [
        ("20261129", "2026-11-28T23:00:00", "2026-11-29T23:00:00"),
        ("2026-11-29", "2026-11-28T23:00:00", "2026-11-29T23:00:00"),
        ("2026-11-29T21:30", "2026-11-29T20:30:00", "2026-11-29T20:30:00"),
        ("2026-11-29 21:30:05", "2026-11-29T20:30:05", "2026-11-29T20:30:05"),
        ("2026-11-29T21:30Z", "2026-11-29T21:30:00", "2026-11-29T21:30:00"),
        ("2026-11-29T21:30+03:00", "2026-11-29T18:30:00", "2026-11-29T18:30:00"),
        ("9:05", "2026-11-29T08:05:00", "2026-11-29T08:05:00"),
        # the day on which the clocks go back has an hour twice, and 25 of them
        ("2026-10-25", "2026-10-24T22:00:00", "2026-10-25T23:00:00"),
        ("2026-10-25T02:30", "2026-10-25T00:30:00", "2026-10-25T01:30:00"),
    ],
)
def test_days_and_times_are_those_of_the_studio(text: str, begin: str, end: str) -> None:
    assert begin_of(text, MALTA, NOW).isoformat() == f"{begin}+00:00"
    assert end_of(text, MALTA, NOW).isoformat() == f"{end}+00:00"


@pytest.mark.parametrize("text", ["", "2026", "20260230", "24:00x", "25:00", "yesterday"])
def test_what_is_no_time_is_refused(text: str) -> None:
    for read in (begin_of, end_of):
        with pytest.raises(NoTime):
            read(text, MALTA, NOW)


def test_a_time_at_the_end_of_the_calendar_is_no_crash() -> None:
    with pytest.raises(NoTime):
        end_of("9999-12-31", MALTA, NOW)
    with pytest.raises(NoTime):
        begin_of("0001-01-01", MALTA, NOW - timedelta(days=1))
