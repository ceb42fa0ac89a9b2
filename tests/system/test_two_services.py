# SPDX-License-Identifier: Apache-2.0
"""Two services for one table: the second is refused, and the first is not disturbed."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from studio.store.chain import recorded_of
from studio.store.history import History
from tests.postgres import Server
from tests.system.rig import ROOT, TABLE, Hands, Studio, studio, write_site
from tests.system.witness import (
    Watching,
    account,
    cards_on_record,
    coups_dealt,
    coups_shown,
    is_sound,
    log_of,
    stored,
)
from tests.waiting import until

HOUSE = {"rule": '"none"'}
SERVE = "import sys; from studio.cli import main; sys.exit(main())"


def _serve(site: Path) -> subprocess.CompletedProcess[str]:
    """What `studio serve` does with those settings, if it ends."""
    command = [sys.executable, "-c", SERVE, "serve", "-c", str(site / "tables" / f"{TABLE}.toml")]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=False
    )


def _is_refused(running: Studio, site: Path) -> None:
    """A second service with those settings ends at once and says why; the first deals on."""
    hands = Hands(running)
    hands.play_to("dealing", cards=2)
    watching = Watching(running.endpoints)
    try:
        until(watching.state, 20)
        before = hands.snapshot()
        second = _serve(site)
        assert second.returncode == 1, second.stderr
        assert second.stdout == ""
        assert "a table has one service; end that one first" in " ".join(second.stderr.split())
        assert "Traceback" not in second.stderr
        after = hands.snapshot()
        assert (after.seq, after.state) == (before.seq, before.state)
        hands.play_to("settling")
        assert coups_shown(hands) == coups_dealt(running.shoe.state().drawn)
        assert cards_on_record(running) == account(running)
        record = stored(running)
        until(lambda: watching.payloads[-1:] == record[-1:], 20)
        assert watching.payloads == record[-len(watching.payloads) :]
        with History.open(running.database, TABLE) as history:
            (epoch,) = history.epochs()
            events = [recorded_of(row).event for row in history.rows(epoch)]
        starts = [one for one in events if type(one).__name__ == "ServiceRestarted"]
        assert len(starts) == 1
        assert is_sound(running)
        log_of(running)
    finally:
        watching.close()


def _same(running: Studio, _elsewhere: Path) -> str:
    return running.database


def _by_another_name(running: Studio, elsewhere: Path) -> str:
    elsewhere.mkdir()
    link = elsewhere / "linked.db"
    link.symlink_to(Path(running.database.removeprefix("sqlite:///")))
    return f"sqlite:///{link}"


@pytest.mark.req("DUR-9")
def test_a_second_service_with_the_same_settings_is_refused(tmp_path: Path) -> None:
    with studio(tmp_path, house=HOUSE) as running:
        running.start()
        _is_refused(running, tmp_path)


@pytest.mark.req("DUR-9")
@pytest.mark.parametrize("database", [_same, _by_another_name])
def test_a_second_service_with_other_settings_and_the_same_record_is_refused(
    database: Callable[[Studio, Path], str], tmp_path: Path
) -> None:
    with studio(tmp_path, house=HOUSE) as running:
        running.start()
        elsewhere = tmp_path / "elsewhere"
        url = database(running, elsewhere)
        write_site(elsewhere, f"serial:{tmp_path}/none", house=HOUSE, database=url)
        _is_refused(running, elsewhere)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.mark.req("DUR-9")
def test_a_second_service_on_the_same_server_is_refused(server: Server, tmp_path: Path) -> None:
    database = server.new_place()
    with studio(tmp_path, house=HOUSE, database=database) as running:
        running.start()
        elsewhere = tmp_path / "elsewhere"
        write_site(elsewhere, f"serial:{tmp_path}/none", house=HOUSE, database=database)
        _is_refused(running, elsewhere)


@pytest.mark.req("DUR-9")
def test_the_table_is_free_for_the_next_service_when_the_first_was_killed(tmp_path: Path) -> None:
    with studio(tmp_path, house=HOUSE) as running:
        running.start()
        Hands(running).play_to("dealing", cards=1)
        assert running.service is not None
        running.service.end(9)
        running.start()
        assert Hands(running).snapshot().state["phase"] == "dealing"
