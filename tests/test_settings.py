# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from studio import settings
from studio.settings import (
    Environment,
    LogIn,
    SettingsFault,
    load_house,
    load_studio,
    load_table,
    names_of,
    shipped,
    site_of,
)

TABLE = shipped("tables/BAC-1.toml").read_text()
STUDIO = shipped("studio.toml").read_text()


@pytest.fixture
def site(tmp_path):
    for folder in ("tables", "houses"):
        (tmp_path / folder).mkdir()
    data = tmp_path / "data"
    (tmp_path / "studio.toml").write_text(f'data_folder = "{data}"\n')
    return tmp_path


def write_table(site: Path, text: str, name: str = "BAC-7") -> Path:
    file = site / "tables" / f"{name}.toml"
    file.write_text(text)
    return file


def faults_of(call, *args) -> list[tuple[str, str, str]]:
    with pytest.raises(SettingsFault) as raised:
        call(*args)
    return [(fault.key, fault.wrong, fault.right) for fault in raised.value.faults]


@pytest.mark.parametrize("name", names_of("houses"))
def test_every_shipped_house_loads(name):
    assert load_house(name).name == name


@pytest.mark.parametrize("name", names_of("tables"))
def test_every_shipped_table_loads(name):
    assert load_table(name).table == name


def test_a_shipped_table_needs_nothing_set_and_is_a_test():
    table = load_table("BAC-1")
    assert table.environment is Environment.TEST
    assert table.house.name == "studio"
    folder = Path("~/.local/state/sabot").expanduser()
    assert table.database_url == f"sqlite:///{folder}/BAC-1.db"
    assert table.raw_log_folder == folder / "raw"


def test_a_site_adds_a_table_and_finds_shipped_houses(site):
    file = write_table(site, TABLE.replace("BAC-1", "BAC-7"))
    by_path, by_name = load_table(file), load_table("BAC-7", site)
    assert by_path == by_name
    assert by_path.table == "BAC-7"
    assert by_path.house == load_house("studio")
    assert by_path.database_url == f"sqlite:///{site}/data/BAC-7.db"
    assert names_of("tables", site) == ["BAC-1", "BAC-7"]


def test_a_site_file_takes_the_place_of_the_shipped_one(site):
    text = shipped("houses/studio.toml").read_text()
    (site / "houses" / "studio.toml").write_text(
        text.replace("betting_seconds = 15", "betting_seconds = 21")
    )
    assert load_house("studio").betting_seconds == 15
    assert load_house("studio", site).betting_seconds == 21
    assert load_table("BAC-1", site).house.betting_seconds == 21


def test_the_site_is_the_folder_of_the_file_named_or_that_of_the_environment(tmp_path):
    assert site_of(tmp_path / "tables" / "BAC-7.toml", {}) == tmp_path
    assert site_of(tmp_path / "studio.toml", {}) == tmp_path
    assert site_of(None, {"STUDIO_CONFIG": str(tmp_path)}) == tmp_path
    assert site_of(tmp_path / "a.toml", {"STUDIO_CONFIG": "/elsewhere"}) == tmp_path
    assert site_of(None, {"STUDIO_CONFIG": ""}) is None
    assert site_of(None, {}) is None


@pytest.mark.req("SW-7")
def test_a_simulated_shoe_cannot_be_live(site):
    file = write_table(site, 'environment = "live"\n' + TABLE)
    assert faults_of(load_table, file) == [
        (
            "environment",
            '"live" with a simulated shoe',
            'a simulated shoe is always "test": remove this key',
        )
    ]


@pytest.mark.parametrize(
    "lines, video",
    [
        ("", None),
        ('stream = "bac-7"', "bac-7"),
        ('stream = "bac-7"\nvideo_stream = "recorder-2/bac-7"', "recorder-2/bac-7"),
    ],
)
def test_a_round_is_seen_in_the_recording_that_is_named_or_in_what_viewers_see(site, lines, video):
    assert load_table(write_table(site, f"{lines}\n{TABLE}")).video_stream == video


@pytest.mark.parametrize(
    "line, environment",
    [("", Environment.LIVE), ('environment = "test"\n', Environment.TEST)],
)
def test_a_real_shoe_is_live_unless_the_file_says_test(site, line, environment):
    file = write_table(site, line + TABLE.replace("simulated = true", "simulated = false"))
    assert load_table(file).environment is environment


@pytest.mark.req("ACC-1")
@pytest.mark.parametrize(
    "lines, is_simulated, log_in",
    [
        ("", True, LogIn.OPEN),
        ('log_in = "required"\n', True, LogIn.REQUIRED),
        ("", False, LogIn.REQUIRED),
        ('environment = "test"\n', False, LogIn.REQUIRED),
        ('environment = "test"\nlog_in = "open"\n', False, LogIn.OPEN),
    ],
)
def test_staff_log_in_unless_it_is_a_test_that_is_left_open(site, lines, is_simulated, log_in):
    text = TABLE if is_simulated else TABLE.replace("simulated = true", "simulated = false")
    assert load_table(write_table(site, lines + text)).log_in is log_in


@pytest.mark.req("ACC-1")
def test_a_live_table_cannot_be_left_open(site):
    text = TABLE.replace("simulated = true", "simulated = false")
    file = write_table(site, 'log_in = "open"\n' + text)
    assert faults_of(load_table, file) == [
        (
            "log_in",
            '"open" at a live table',
            'only a table of environment "test" can be: remove this key',
        )
    ]


def test_what_a_house_wants_two_people_for_must_be_a_command_or_a_remedy(site):
    text = shipped("houses/studio.toml").read_text()
    asked = 'second_person = ["void", "rule_hold", "close_bets", "juggle"]\n'
    (site / "houses" / "studio.toml").write_text(asked + text)
    faults = faults_of(load_house, "studio", site)
    assert [(key, wrong) for key, wrong, _ in faults] == [
        ("second_person", '"close_bets" must never wait'),
        ("second_person", '"juggle" is no command or remedy'),
    ]


def test_every_fault_of_every_file_is_told_at_once(site):
    (site / "studio.toml").write_text('log_level = "chatty"\ntime_zone = "Mars/Olympus"\n')
    file = write_table(
        site,
        """
table = "BAC 7"
hose = "studio"
house = "bahamas"
database = "mysql://somebody:secret@host/db"
picture_delay_ms = "two seconds"
environment = true
[feed]
public_events = "ipc:///tmp/socket"
public_request = "tcp://127.0.0.1:5551"
[shoe]
driver = 4
simulated = "no"
""",
    )
    faults = faults_of(load_table, file)
    keys = [key for key, _, _ in faults]
    files = {"data_folder", "log_level", "time_zone", "house", "table", "database"}
    shoe = {"shoe.driver", "shoe.endpoint", "shoe.simulated"}
    feed = {"feed.public_request", "feed.public_events"}
    assert set(keys) == files | shoe | feed | {"hose", "picture_delay_ms", "environment"}
    assert len(keys) == len(set(keys))
    by_key = {key: (wrong, right) for key, wrong, right in faults}
    assert by_key["hose"] == ("no such setting", 'did you mean "house"?')
    assert by_key["feed.public_request"][1] == 'did you mean "public_requests"?'
    assert by_key["picture_delay_ms"] == (
        '"two seconds" is a text, which does not fit',
        "give a whole number from 0 to 60000",
    )
    assert by_key["environment"][1] == 'give one of "live", "test"'
    assert by_key["shoe.endpoint"] == ("missing", "give a text in quotes, not empty")
    assert by_key["shoe.simulated"][1] == "give true or false"
    assert by_key["log_level"][1] == 'give one of "debug", "info", "warning", "error"'


def test_values_of_the_right_kind_are_judged_too_and_no_password_is_repeated(site):
    text = TABLE.replace('"BAC-1"', '"BAC 1/x"').replace("5551", "5550").replace("5552", "99999")
    text = text.replace("sqlite:///BAC-1.db", "mysql://somebody:secret@host/db")
    file = write_table(site, text)
    faults = faults_of(load_table, file)
    assert [key for key, _, _ in faults] == [
        "table",
        "database",
        "feed.public_requests",
        "feed.staff_events",
    ]
    assert "secret" not in str(faults)


@pytest.mark.req("FEED-4")
@pytest.mark.parametrize(
    "endpoint", ["udp://127.0.0.1:5550", "epgm://eth0;239.0.0.1:5550", "inproc://feed", "tcp://x"]
)
def test_the_feed_is_served_over_connections_only(site, endpoint):
    file = write_table(site, TABLE.replace("tcp://127.0.0.1:5550", endpoint))
    assert faults_of(load_table, file) == [
        (
            "feed.public_events",
            f'"{endpoint}" is no endpoint',
            'give "tcp://ADDRESS:PORT", port 1 to 65535 or *',
        )
    ]


@pytest.mark.req("SHOE-6")
@pytest.mark.parametrize("decks", [6, 8])
def test_the_size_of_a_shoe_follows_from_the_decks_of_its_house(site, decks):
    text = shipped("houses/studio.toml").read_text().replace("decks = 8", f"decks = {decks}", 1)
    (site / "houses" / "studio.toml").write_text(text)
    assert load_table("BAC-1", site).house.cards == decks * 52


def test_a_house_is_refused_with_all_its_faults(site):
    text = shipped("houses/studio.toml").read_text()
    text = text.replace("decks = 8", "decks = 80").replace('time_zone = "UTC"', 'time_zone = "X"')
    (site / "houses" / "other.toml").write_text(text)
    keys = [key for key, _, _ in faults_of(load_house, "other", site)]
    assert "decks" in keys
    text = text.replace("decks = 80", "decks = 8")
    (site / "houses" / "other.toml").write_text(text)
    assert [key for key, _, _ in faults_of(load_house, "other", site)] == [
        "name",
        "gaming_day.time_zone",
    ]


@pytest.mark.parametrize(
    "content, place, wrong",
    [
        (b"table = ", "end of document", "not TOML"),
        (b"a = 1\na = 2\n", "line 2, column 6", "not TOML"),
        (b"\xff\xfe", "", "not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_fault_with_its_place(site, content, place, wrong):
    (site / "studio.toml").write_bytes(content)
    ((at, what, _),) = faults_of(load_studio, site)
    assert wrong in what
    assert at == ""
    assert place in what


def test_a_file_or_table_that_is_not_there_is_a_fault(site):
    ((_, wrong, right),) = faults_of(load_table, "BAC-99", site)
    assert (wrong, right) == ("no such file", "known: BAC-1")
    ((_, wrong, _),) = faults_of(load_table, site / "tables" / "missing.toml")
    assert wrong == "no such file or directory"


def test_a_fault_reads_as_one_line_for_a_person(site):
    file = write_table(site, TABLE.replace("simulated = true", ""))
    with pytest.raises(SettingsFault) as raised:
        load_table(file)
    assert str(raised.value) == f"{file}: shoe.simulated: missing; give true or false"


def test_the_shipped_settings_are_found_beside_the_package_and_inside_it(tmp_path, monkeypatch):
    package = tmp_path / "studio"
    (package / "config").mkdir(parents=True)
    monkeypatch.setattr(settings, "__file__", str(package / "settings.py"))
    assert shipped("studio.toml") == package / "config" / "studio.toml"
    (package / "config").rmdir()
    assert shipped("studio.toml") == tmp_path / "config" / "studio.toml"
