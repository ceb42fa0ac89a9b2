# SPDX-License-Identifier: Apache-2.0
"""Settings are put in force at a running table by two people, and hold from the next round on."""

from pathlib import Path

import pytest

from studio.cli.exits import Exit
from studio.game import events as ev
from studio.game.events import Event, RulesLoaded
from studio.settings import load_table
from studio.settings_change import InForce
from studio.verify import verify
from tests.staff.people import BADGES, PIN, Staff
from tests.system.rig import BY, TABLE, Hands, Studio, studio
from tests.system.test_log_in import hired, record_of, told
from tests.waiting import until

APPLY = ("config", "apply")
WHY = ("--reason", "longer bets", "--yes")


def of_type(running: Studio, kind: type[Event]) -> list[Event]:
    return [one.event for one in record_of(running) if isinstance(one.event, kind)]


def other_house(running: Studio, folder: Path, seconds: str = "0.25") -> Path:
    """The house of the site with another betting time."""
    file = folder / "houses" / "studio.toml"
    file.parent.mkdir(parents=True)
    text = (running.folder / "houses" / "studio.toml").read_text()
    file.write_text(text.replace("betting_seconds = 0", f"betting_seconds = {seconds}"))
    return file


@pytest.mark.req("ACC-11")
def test_new_rules_hold_from_the_next_round_and_the_record_says_all_of_it(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    with studio(tmp_path / "site") as running:
        running.start()
        hands = Hands(running)
        hands.play_to("dealing", 2)
        new = other_house(running, tmp_path / "new")
        status, said = told(running, *APPLY, str(new), "--dry-run")
        assert (status, "betting_seconds: 0 -> 0.25" in said) == (Exit.DONE, True)
        people = ("--by", BY, "--second", BY)
        status, said = told(running, *APPLY, str(new), *people, *WHY)
        assert (status, "same_person" in said) == (Exit.FAILED, True)
        assert (running.folder / "houses" / "studio.toml").read_text() != new.read_text()
        people = ("--by", BY, "--second", "s-002")
        status, said = told(running, *APPLY, str(new), *people, *WHY)
        round_id = hands.snapshot().state["public"]["round"]
        assert (status, f"for rounds after {round_id}" in said) == (Exit.DONE, True)
        assert (running.folder / "houses" / "studio.toml").read_text() == new.read_text()
        assert list(running.folder.rglob("*.new")) == []
        hands.play_to("settling")
        hands.step()
        until(lambda: len(of_type(running, ev.BetsOpened)) == 2)
        status, said = told(running, *APPLY, str(new), *people, *WHY)
        assert (status, "in force already" in said) == (Exit.FAILED, True)
        events = [one.event for one in record_of(running)]
    opened = [one.seconds for one in events if isinstance(one, ev.BetsOpened)]
    assert opened == [0, 0.25]
    applied = next(one for one in events if isinstance(one, ev.SettingsApplied))
    assert (applied.by, applied.second, applied.reason) == (BY, "s-002", "longer bets")
    assert applied.after_round == round_id
    assert [(one.file, one.key, one.before, one.after) for one in applied.changes] == [
        ("houses/studio.toml", "betting_seconds", "0", "0.25")
    ]
    assert verify(running.database, TABLE).is_sound


@pytest.mark.req("ACC-11")
def test_a_file_that_another_table_of_the_site_put_in_place_is_applied_here_as_well(
    tmp_path: Path,
) -> None:
    (tmp_path / "site").mkdir()
    with studio(tmp_path / "site") as running:
        own = (running.folder / "tables" / f"{TABLE}.toml").read_text()
        (running.folder / "tables" / "BAC-2.toml").write_text(own.replace(TABLE, "BAC-2"))
        behind = load_table(running.folder / "tables" / "BAC-2.toml")
        InForce(behind).start()
        running.start()
        new = other_house(running, tmp_path / "new")
        # what the service of BAC-2 does once two people applied it there
        (running.folder / "houses" / "studio.toml").write_text(new.read_text())
        people = ("--by", BY, "--second", "s-002")
        status, said = told(running, *APPLY, str(new), *people, *WHY)
        assert (status, "shared with BAC-2. Apply it there" in said) == (Exit.DONE, True), said
        status, said = told(running, *APPLY, str(new), *people, *WHY)
        assert (status, "in force already" in said) == (Exit.FAILED, True)
        (applied,) = of_type(running, ev.SettingsApplied)
        assert isinstance(applied, ev.SettingsApplied)
        assert [(one.key, one.before, one.after) for one in applied.changes] == [
            ("betting_seconds", "0", "0.25")
        ]
        rules = [
            one.house for one in of_type(running, ev.RulesLoaded) if isinstance(one, RulesLoaded)
        ]
        assert [one.betting_seconds for one in rules] == [0, 0.25]


@pytest.mark.req("ACC-11", "AUD-8")
def test_who_may_apply_settings_logs_in_and_a_password_stays_unseen(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    with studio(tmp_path / "site", log_in="required") as running:
        hired(running.folder)
        running.start()
        text = (running.folder / "studio.toml").read_text()
        new = tmp_path / "studio.toml"
        secret = "postgresql://sabot:hunter2@db/staff"
        new.write_text(text.replace("[operators]", f'[operators]\ndatabase = "{secret}"'))
        call = (*APPLY, str(new), *WHY, "--pin-stdin", "--badge")
        status, said = told(running, *call, BADGES["dealer"])
        assert (status, "not_permitted" in said) == (Exit.FAILED, True)
        status, said = told(running, *call, BADGES["supervisor"])
        assert (status, "needs_second" in said) == (Exit.FAILED, True)
        both = (*call, BADGES["supervisor"], "--second-badge", BADGES["manager"])
        status, said = told(running, *both, pins=(PIN, PIN))
        assert (status, "at the next start" in said) == (Exit.DONE, True)
        assert "hunter2" not in said
        events = of_type(running, ev.SettingsApplied)
    (applied,) = events
    assert isinstance(applied, ev.SettingsApplied)
    assert (applied.by, applied.second) == (Staff.supervisor, Staff.manager)
    (change,) = applied.changes
    assert change.restart
    assert change.after == '"postgresql://sabot:***@db/staff"'


def test_faults_are_told_and_nothing_is_changed(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    with studio(tmp_path / "site") as running:
        new = other_house(running, tmp_path / "new", '"long"')
        before = (running.folder / "houses" / "studio.toml").read_text()
        status, said = told(running, *APPLY, str(new.parents[1]), *WHY)
        assert status == Exit.BAD_SETTINGS
        assert f"{running.folder}/houses/studio.toml: betting_seconds" in said
        unknown = tmp_path / "what.toml"
        unknown.write_text("colour = 3\n")
        status, said = told(running, *APPLY, str(unknown), *WHY)
        assert (status, "not clear" in said) == (Exit.BAD_SETTINGS, True)
        assert (running.folder / "houses" / "studio.toml").read_text() == before
