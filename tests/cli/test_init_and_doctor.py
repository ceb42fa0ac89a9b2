# SPDX-License-Identifier: Apache-2.0
import json
import os
import pty
import socket
import sqlite3
from pathlib import Path

import pytest

from drivers.endpoint import parse_endpoint
from drivers.transport import line_to
from studio.cli import run
from studio.cli.exits import Exit
from studio.feed.allowed import Kind, read_allowed
from studio.settings import load_table
from studio.staff.accounts import Role
from studio.staff.office import NewAccount
from studio.store.journal import Journal
from studio.store.schema import schema_of
from studio.store.staff_schema import create_staff
from tests.cli.site import INIT, changed, made
from tests.feed.fake_studio import FakeStudio
from tests.staff.people import HERE, PIN, Staff


def findings(capsys, *arguments: str) -> tuple[int, dict[str, tuple[str, str]]]:
    capsys.readouterr()
    status = run(["doctor", "--json", *arguments])
    told = json.loads(capsys.readouterr().out)
    return status, {one["what"]: (one["mark"], one["text"]) for one in told["findings"]}


def test_init_writes_settings_that_load_and_a_record_outside_the_checkout(home, capsys):
    file = made(home)
    settings = load_table(file)
    assert settings.environment.value == "test"
    assert settings.house.name == "studio"
    assert Path(settings.database_url.removeprefix("sqlite:///")).is_relative_to(home)
    assert schema_of(settings.database_url) is not None
    text = capsys.readouterr().out
    assert "studio sim -t BAC-1" in text
    assert "studio serve -t BAC-1" in text


def test_init_of_a_real_table_says_how_its_people_come_to_be(home, capsys):
    # status 1: there is no such port, and nobody who could log in
    real = ["init", "--yes", "--no-manifest", "--first-port", "0", "--port", "serial:/dev/none"]
    assert run(real) == Exit.FAILED
    text = " ".join(capsys.readouterr().out.split())
    assert "Staff log in at this table" in text
    assert "studio staff init" in text
    file = home / ".config" / "sabot" / "tables" / "BAC-1.toml"
    assert load_table(file).log_in.value == "required"


def test_doctor_counts_the_people_where_staff_log_in(home, capsys):
    file = made(home)
    changed(file, '# log_in = "required"', 'log_in = "required"')
    status, found = findings(capsys, "-c", str(file))
    assert (status, found["staff"][0]) == (Exit.FAILED, "fault")
    assert "studio staff init" in found["staff"][1]
    url = load_table(file).studio.staff_database_url
    create_staff(url)
    staff = Staff(url)
    mara = NewAccount(name="Mara", screen_name="Mara", roles=frozenset(), badge="900")
    staff.office.begin(mara, PIN, HERE)
    _, found = findings(capsys, "-c", str(file))
    assert found["staff"][1].startswith("nobody is dealer, supervisor")
    staff.hire("supervisor", Role.SUPERVISOR)
    staff.hire("dealer", Role.DEALER)
    status, found = findings(capsys, "-c", str(file))
    assert (status, found["staff"]) == (Exit.DONE, ("ok", "3 people can log in"))


def test_init_never_writes_over_what_is_there(home, capsys):
    file = made(home)
    file.write_text(file.read_text() + "# mine\n")
    assert run(["init", "--simulated", "--yes"]) == Exit.BAD_SETTINGS
    assert f"{file} exists" in capsys.readouterr().err
    assert file.read_text().endswith("# mine\n")


def test_a_second_table_has_ports_of_its_own(home, capsys):
    made(home)
    assert run([*INIT, "--table", "BAC-2"]) == Exit.DONE
    text = (home / ".config" / "sabot" / "tables" / "BAC-2.toml").read_text()
    assert 'public_events = "tcp://127.0.0.1:5560"' in text


def test_init_takes_a_folder_and_says_how_to_name_the_file(home, capsys):
    where = ["--folder", str(home / "site"), "--data", str(home / "data")]
    assert run([*INIT, "--first-port", "0", "--house", "macau", *where]) == Exit.DONE
    file = home / "site" / "tables" / "BAC-1.toml"
    assert load_table(file).house.name == "macau"
    told = capsys.readouterr().out
    assert f"studio serve -c {file}" in told
    assert "--staff-requests" in told
    assert (home / "data" / "BAC-1.db").exists()


def test_init_writes_to_the_folder_that_the_variable_names(home, capsys, monkeypatch):
    monkeypatch.setenv("STUDIO_CONFIG", str(home / "site"))
    assert run([*INIT, "--first-port", "0"]) == Exit.DONE
    assert run(["doctor", "--table", "BAC-1"]) == Exit.DONE
    assert (home / "site" / "tables" / "BAC-1.toml").exists()
    assert not (home / ".config").exists()


@pytest.mark.parametrize(
    "arguments, word",
    [
        (["--yes"], "--simulated"),
        (["--yes", "--real"], "address of the shoe"),
        (["--simulated", "--yes", "--house", "nowhere"], "no house nowhere"),
        (["--simulated", "--yes", "--table", "no good"], "letters, digits"),
        (["--yes", "--port", "ttyUSB0"], "begins with serial:"),
        (["--simulated", "--yes", "--first-port", "80"], "1024"),
        (["--simulated", "--yes", "--database", "mysql://x/y"], "--database"),
        (["--simulated", "--yes", "--driver", "crystal_ball"], "angel_eye_iiex"),
    ],
)
def test_init_refuses_what_it_cannot_use_and_writes_nothing(home, capsys, arguments, word):
    assert run(["init", *arguments]) == Exit.BAD_SETTINGS
    assert word in capsys.readouterr().err
    assert list(home.rglob("*.toml")) == []


def test_doctor_finds_nothing_wrong_with_a_new_table(home, capsys):
    file = made(home)
    status, found = findings(capsys, "-c", str(file))
    assert status == Exit.DONE
    assert [what for what, (mark, _) in found.items() if mark == "fault"] == []
    looked_at = "settings shoe record rights sockets keys staff clock disk software"
    assert found.keys() == set(looked_at.split())
    assert "studio sim" in found["shoe"][1]


def test_init_makes_the_studio_s_keys_once_and_lets_this_machine_in(home, capsys):
    made(home)
    folder = home / ".local" / "state" / "sabot" / "keys"
    assert f"made the studio's keys in {folder}" in capsys.readouterr().out
    before = (folder / "server.key").read_bytes()
    made(home, "--table", "BAC-2")
    assert "keys" not in capsys.readouterr().out.partition("ok ")[0]
    assert (folder / "server.key").read_bytes() == before
    assert [(one.kind, one.revoked) for one in read_allowed(folder)] == [(Kind.CONSOLE, None)]


def test_doctor_says_what_is_wrong_with_keys(home, capsys):
    file = made(home)
    folder = home / ".local" / "state" / "sabot" / "keys"
    changed(file, "# keys = true", "keys = true")
    _, found = findings(capsys)
    assert found["keys"] == ("note", "no operator may connect: `studio keys add` lets one in")
    assert run(["keys", "add", "--name", "acme", "--public", "ab" * 32]) == Exit.DONE
    _, found = findings(capsys)
    assert found["keys"] == ("ok", "acme may connect")
    folder.chmod(0o755)
    status, found = findings(capsys)
    assert (status, found["keys"][0]) == (Exit.FAILED, "fault")
    assert f"chmod 700 {folder}" in found["keys"][1]
    folder.chmod(0o700)
    for one in folder.iterdir():
        one.unlink()
    changed(file, 'public_events = "tcp://127.0.0.1:*"', 'public_events = "tcp://0.0.0.0:*"')
    status, found = findings(capsys)
    assert (status, found["keys"][0]) == (Exit.FAILED, "fault")
    assert "feed.public_events can be reached from beyond this machine" in found["keys"][1]


def test_doctor_draws_its_findings(home, capsys):
    made(home)
    capsys.readouterr()
    assert run(["doctor"]) == Exit.DONE
    assert "record" in capsys.readouterr().out


def test_doctor_reports_every_fault_of_the_machine_at_once(home, capsys):
    file = made(home)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        changed(
            file, 'staff_events = "tcp://127.0.0.1:*"', f'staff_events = "tcp://127.0.0.1:{port}"'
        )
        changed(file, "simulated = true", "simulated = false")
        changed(file, "BAC-1.db", "other.db")
        status, found = findings(capsys, "-c", str(file))
    assert status == Exit.FAILED
    faults = {what for what, (mark, _) in found.items() if mark == "fault"}
    assert {"shoe", "record", "sockets"} <= faults
    assert str(port) in found["sockets"][1]


def test_doctor_reports_every_fault_of_settings_and_machine_at_once(home, capsys):
    file = made(home)
    (home / "blocked").write_text("")
    here = "tcp://127.0.0.1"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        changed(file, "serial:", "ttyUSB0:")
        changed(file, 'driver = "angel_eye_iiex"', 'driver = "crystal_ball"')
        changed(file, 'public_events = "tcp://127.0.0.1:*"', 'public_events = "tcp://eth0:1"')
        changed(file, 'staff_events = "tcp://127.0.0.1:*"', f'staff_events = "{here}:{port}"')
        changed(file, "BAC-1.db", "missing.db")
        changed(file, 'raw_log = "raw"', f'raw_log = "{home}/blocked/raw"')
        capsys.readouterr()
        assert run(["doctor", "--json", "-c", str(file)]) == Exit.BAD_SETTINGS
    told = json.loads(capsys.readouterr().out)["findings"]
    faults = [(one["what"], one["text"]) for one in told if one["mark"] == "fault"]
    keys = [text.split(": ")[1] for what, text in faults if what == "settings"]
    assert keys == ["shoe.driver", "shoe.endpoint", "feed.public_events"]
    assert [what for what, _ in faults if what != "settings"] == ["record", "sockets", "disk"]
    assert {one["what"]: one["text"] for one in told}["shoe"] == (
        "not looked at: correct shoe.endpoint first"
    )


@pytest.mark.parametrize(
    "text, left_out",
    [
        ("table = = 1", {"shoe", "record", "sockets", "staff", "disk", "software", "rights"}),
        ("log_in = 3", {"shoe", "record", "staff", "disk", "software", "rights"}),
        (None, {"shoe", "record", "sockets", "staff", "disk", "software", "rights"}),
    ],
)
def test_doctor_says_what_it_could_not_look_at(home, capsys, text, left_out):
    file = made(home)
    file.unlink() if text is None else file.write_text(text)
    status, found = findings(capsys, "-c", str(file))
    assert status == Exit.BAD_SETTINGS
    assert {what for what, (_, told) in found.items() if "not looked at" in told} == left_out
    assert found["clock"][0] in {"ok", "note"}


def test_doctor_adds_the_faults_of_the_studio_to_those_of_the_table(home, capsys):
    file = made(home)
    changed(file, 'table = "BAC-1"', "table = 1")
    studio = file.parents[1] / "studio.toml"
    studio.write_text(studio.read_text().replace("data_folder = ", "data_folder = 3 # "))
    capsys.readouterr()
    assert run(["doctor", "--json"]) == Exit.BAD_SETTINGS
    told = json.loads(capsys.readouterr().out)["findings"]
    settings = [one["text"] for one in told if one["what"] == "settings"]
    assert len(settings) == 2
    texts = {one["what"]: one["text"] for one in told}
    assert texts["record"] == "not looked at: correct table, studio.toml data_folder first"
    assert texts["disk"] == "not looked at: correct studio.toml data_folder first"


def test_doctor_may_be_run_while_a_table_on_any_ports_is_served(home, capsys):
    file = made(home)
    settings = load_table(file)
    serving = Journal.open(settings.database_url, settings.table)
    try:
        status, found = findings(capsys, "-c", str(file))
    finally:
        serving.close()
    assert (status, found["record"][0]) == (Exit.DONE, "ok")
    assert "running" in found["service"][1]


def test_doctor_takes_the_service_of_another_record_for_what_is_in_the_way(home, capsys):
    file = made(home)
    with FakeStudio() as other:
        old = "tcp://127.0.0.1:*"
        changed(file, f'public_requests = "{old}"', f'public_requests = "{other.requests}"')
        status, found = findings(capsys, "-c", str(file))
    assert (status, "service" in found) == (Exit.FAILED, False)
    assert found["sockets"][0] == "fault"
    assert other.requests in found["sockets"][1]


def test_doctor_opens_a_real_line_that_is_there(home, capsys):
    file = made(home)
    ours, theirs = pty.openpty()
    try:
        path = os.ttyname(theirs)
        text = file.read_text().splitlines()
        text = [f'endpoint = "serial:{path}"' if "endpoint =" in one else one for one in text]
        file.write_text("\n".join(text))
        _, found = findings(capsys, "-c", str(file))
    finally:
        os.close(ours)
        os.close(theirs)
    assert found["shoe"][0] == "ok"


def test_doctor_names_who_holds_the_line_to_a_simulated_shoe(home, capsys):
    file = made(home)
    ours, theirs = pty.openpty()
    path = os.ttyname(theirs)
    text = file.read_text().splitlines()
    text = [f'endpoint = "serial:{path}"' if "endpoint =" in one else one for one in text]
    file.write_text("\n".join(text))
    holder = line_to(parse_endpoint(f"serial:{path}"))
    holder.open()
    try:
        status, found = findings(capsys, "-c", str(file))
    finally:
        holder.close()
        os.close(ours)
        os.close(theirs)
    assert (status, found["shoe"][0]) == (Exit.FAILED, "fault")
    assert "held by" in found["shoe"][1]


def test_doctor_sees_a_record_of_a_newer_program(home, capsys):
    file = made(home)
    with sqlite3.connect(home / ".local/state/sabot/BAC-1.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    status, found = findings(capsys, "-c", str(file))
    assert status == Exit.FAILED
    assert found["record"][0] == "fault"


def test_doctor_sees_a_folder_that_cannot_be_written(home, capsys):
    file = made(home)
    # a file where the folder of the raw log should be: not even root can write below it
    (home / "blocked").write_text("")
    changed(file, 'raw_log = "raw"', f'raw_log = "{home}/blocked/raw"')
    status, found = findings(capsys, "-c", str(file))
    assert status == Exit.FAILED
    assert found["disk"][0] == "fault"


def test_doctor_sees_that_two_tables_of_a_site_want_the_same_port(home, capsys):
    first = made(home, "--first-port", "5550")
    text = first.read_text().replace('table = "BAC-1"', 'table = "BAC-2"')
    (first.parent / "BAC-2.toml").write_text(text.replace("BAC-1.", "BAC-2."))
    status, found = findings(capsys, "-t", "BAC-2")
    assert (status, "also table BAC-1's" in found["sockets"][1]) == (Exit.FAILED, True)


def test_init_gives_no_table_the_ports_of_another(home, capsys):
    made(home, "--first-port", "5555")
    again = [*INIT, "--table", "BAC-2"]
    assert run([*again, "--first-port", "5552"]) == Exit.BAD_SETTINGS
    assert "port 5555 is table BAC-1's; 5560 is free" in capsys.readouterr().err
    assert run(again) == Exit.DONE
    assert "tcp://127.0.0.1:5560" in (home / ".config/sabot/tables/BAC-2.toml").read_text()
