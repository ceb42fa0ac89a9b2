# SPDX-License-Identifier: Apache-2.0
"""What differs between settings is told setting by setting, and nothing secret with it."""

from pathlib import Path

import pytest

from studio.game.inputs import SettingChange
from studio.settings import TableSettings, load_table, shipped
from studio.settings_change import (
    Laid,
    change_of,
    digest_of,
    files_in,
    named_as_in_a_site,
)
from studio.toml import SettingsFault
from tests.system.rig import TABLE, write_site

pytestmark = pytest.mark.req("ACC-11")


@pytest.fixture
def settings(tmp_path: Path) -> TableSettings:
    write_site(tmp_path / "site", "serial:/dev/null")
    (tmp_path / "site" / "tables" / "BAC-2.toml").write_text("table = 'BAC-2'\n")
    return load_table(tmp_path / "site" / "tables" / f"{TABLE}.toml")


def text_of(settings: TableSettings, name: str) -> str:
    return (settings.file.parents[1] / name).read_text()


def changed(settings: TableSettings, name: str, old: str, new: str) -> list[SettingChange]:
    text = text_of(settings, name)
    assert old in text
    return list(change_of(settings, {name: text.replace(old, new).encode()}).changes)


def test_each_setting_that_is_another_is_told_with_both_values(settings: TableSettings) -> None:
    told = changed(settings, "houses/studio.toml", "betting_seconds = 0", "betting_seconds = 20")
    name = "houses/studio.toml"
    assert told == [SettingChange(name, "betting_seconds", "0", "20", restart=False)]
    name = f"tables/{TABLE}.toml"
    told = changed(settings, name, "[feed]", 'stream = "cam-1"\n[feed]')
    assert told == [SettingChange(name, "stream", None, '"cam-1"', restart=True)]


def test_the_house_of_a_table_is_taken_at_once_and_its_sockets_at_the_next_start(
    settings: TableSettings,
) -> None:
    name = f"tables/{TABLE}.toml"
    (house,) = changed(settings, name, 'house = "studio"', 'house = "macau"')
    assert (house.after, house.restart) == ('"macau"', False)
    both = text_of(settings, name).replace('house = "studio"', 'house = "macau"').encode()
    assert change_of(settings, {name: both}).settings.house.name == "macau"


def test_a_file_that_takes_the_place_of_a_shipped_one_is_compared_with_it(
    settings: TableSettings,
) -> None:
    text = shipped("houses/macau.toml").read_bytes()
    change = change_of(settings, {"houses/macau.toml": text})
    assert [one.key for one in change.changes] == ["(comments)"]
    assert change.before != change.after


def test_the_same_settings_change_nothing(settings: TableSettings) -> None:
    name = "houses/studio.toml"
    change = change_of(settings, {name: text_of(settings, name).encode()})
    assert (change.changes, change.before) == ((), change.after)


def test_no_password_is_told(settings: TableSettings) -> None:
    text = text_of(settings, "studio.toml")
    url = '[operators]\ndatabase = "postgresql://sabot:hunter2@db/x"\n'
    new = text.replace("[operators]\n", url).encode()
    (told,) = change_of(settings, {"studio.toml": new}).changes
    assert told.after == '"postgresql://sabot:***@db/x"'


def test_all_faults_are_told_by_the_names_of_the_site(settings: TableSettings) -> None:
    text = text_of(settings, "houses/studio.toml")
    bad = text.replace("betting_seconds = 0", 'betting_seconds = "long"\nnothing = 1').encode()
    with pytest.raises(SettingsFault) as refused:
        change_of(settings, {"houses/studio.toml": bad})
    site = settings.file.parents[1]
    assert {one.file for one in refused.value.faults} == {f"{site}/houses/studio.toml"}
    assert {one.key for one in refused.value.faults} == {"betting_seconds", "nothing"}


@pytest.mark.parametrize(
    "name", ["tables/BAC-2.toml", "houses/../x.toml", "/etc/x.toml", "x/y.toml", "keys/a.toml"]
)
def test_what_is_no_file_of_this_table_is_refused(settings: TableSettings, name: str) -> None:
    with pytest.raises(SettingsFault):
        change_of(settings, {name: b"a = 1\n"})


def test_other_tables_files_do_not_count(settings: TableSettings) -> None:
    name = "houses/studio.toml"
    files = {name: text_of(settings, name).encode()}
    before = change_of(settings, files).before
    (settings.file.parent / "BAC-2.toml").write_text("table = 'other'\n")
    assert change_of(settings, files).before == before


@pytest.mark.parametrize(
    "text, folder, name",
    [
        ('table = "BAC-1"', "x", "tables/what.toml"),
        ('data_folder = "d"', "x", "studio.toml"),
        ("decks = 8", "x", "houses/what.toml"),
        ("anything = 1", "wording", "wording/what.toml"),
    ],
)
def test_a_file_is_known_by_its_folder_or_by_what_is_in_it(
    tmp_path: Path, text: str, folder: str, name: str
) -> None:
    file = tmp_path / folder / "what.toml"
    file.parent.mkdir()
    file.write_text(text)
    assert named_as_in_a_site(file) == name


def test_files_are_laid_ready_by_the_digest_of_all(settings: TableSettings) -> None:
    laid, after = Laid(settings), digest_of({"a": b"1"})
    files = {"houses/studio.toml": b"x = 1\n", "studio.toml": b"y = 2\n"}
    laid.lay(after, files)
    assert laid.read(after) == files
    assert laid.read("../../site") == {}
    laid.remove(after)
    assert laid.read(after) == {}
    assert "studio.toml" in files_in(settings.file.parents[1])
