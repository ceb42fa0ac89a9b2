# SPDX-License-Identifier: Apache-2.0
"""One table, worked from the command line as a person would: each command its own process."""

import json
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from drivers.sim.client import ShoeControl
from studio.cli.exits import Exit
from studio.demo import write_site
from studio.feed.wire import decode
from studio.settings import load_table
from studio.store.schema import create
from tests.cli.run import STUDIO, environment, running, studio
from tests.waiting import until


class Table(NamedTuple):
    """A table that is served, with its simulated shoe."""

    home: Path
    file: Path
    shoe: dict[str, Any]
    served: dict[str, Any]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return studio(*arguments, home=self.home)

    def command(self, *arguments: str) -> tuple[int, dict[str, Any]]:
        """Status and answer of one staff command."""
        to = ("-c", str(self.file), "--staff-requests", self.served["staff_requests"])
        done = self.run("command", *arguments, *to)
        return done.returncode, json.loads(done.stdout) if done.stdout else {"error": done.stderr}

    def deal(self, rounds: int) -> subprocess.CompletedProcess[str]:
        to = ("--staff-requests", self.served["staff_requests"], "--control", self.shoe["control"])
        how = ("--pace", "0", "--rounds", str(rounds))
        return self.run("dealer", "-c", str(self.file), *to, *how)

    def watched(self, *more: str) -> subprocess.CompletedProcess[str]:
        requests = ("--requests", self.served["public_requests"], "--environment", "test")
        return self.run("watch", *requests, *more)


@pytest.fixture
def site(tmp_path) -> Path:
    """Settings of a fast table on any free ports, and its empty record; the table's file."""
    file = write_site(tmp_path / "site", 0)
    file.write_text('heads = "kept.heads"\n' + file.read_text())
    settings = load_table(file)
    create(settings.database_url, settings.table)
    return file


@pytest.fixture
def table(tmp_path, site) -> Iterator[Table]:
    with ExitStack() as ending:
        where = ("-c", str(site), "--control", "127.0.0.1:0", "--speed", "0", "--seed", "7")
        shoe = ending.enter_context(running("sim", *where, home=tmp_path))
        served = ending.enter_context(running("serve", "-c", str(site), home=tmp_path))
        yield Table(tmp_path, site, shoe, served)


def test_a_table_is_dealt_watched_listed_and_verified(table):
    assert table.served["environment"] == "test"
    done = table.deal(2)
    assert (done.returncode, done.stderr) == (Exit.DONE, "")
    assert "confirm_result -> result" in done.stdout

    watched = table.watched("--json", "--from-start", "--until-closed")
    messages = [decode(line.encode()) for line in watched.stdout.splitlines()]
    assert [one.seq for one in messages] == list(range(1, len(messages) + 1))
    assert [one.type for one in messages].count("result") == 2
    lines = table.watched("--from-start", "--until-closed").stdout
    assert "WINS" in lines or "TIE" in lines

    listed = table.run("history", "-c", str(table.file), "--json")
    rounds = [json.loads(line) for line in listed.stdout.splitlines()]
    assert [one["status"] for one in rounds] == ["complete", "complete"]
    assert rounds[0]["round"] in table.run("history", "-c", str(table.file)).stdout

    verified = table.run("verify", "-c", str(table.file), "--json")
    assert verified.returncode == Exit.DONE
    assert json.loads(verified.stdout)["messages"] == len(messages)


def test_commands_are_answered_and_refusals_have_status_one(table):
    status, told = table.command("open_bets")
    assert (status, told["answer"], told["code"]) == (Exit.FAILED, "refused", "table_closed")
    status, told = table.command("open_table", "--dealer", "Anna")
    assert (status, told["answer"], told["events"]) == (Exit.DONE, "accepted", ["table_opened"])
    status, told = table.command('{"command": "suspend_table", "reason": "review"}')
    assert (status, told["events"]) == (Exit.DONE, ["table_suspended"])


@pytest.mark.parametrize(
    "arguments, word",
    [
        (["dance"], "no command"),
        (["open_table"], "dealer"),
        (["open_bets", "--dealer", "Anna"], "takes no --dealer"),
        (["report_irregularity", "--code", "no-signal"], "needs --detail"),
        (['{"command": '], "not a JSON object"),
        (["end_shoe", "--left", "many"], "--left"),
    ],
)
def test_a_command_that_is_none_is_bad_usage(tmp_path, site, arguments, word):
    to = ("-c", str(site), "--staff-requests", "tcp://127.0.0.1:9")
    done = studio("command", *arguments, *to, home=tmp_path)
    assert done.returncode == Exit.BAD_SETTINGS
    assert word in done.stderr


def test_the_prompt_is_told_and_a_void_needs_a_round(table):
    for arguments in (["open_table", "--dealer", "Anna"], ["load_shoe"]):
        assert table.command(*arguments)[0] == Exit.DONE
    done = table.run(
        "command", "-c", str(table.file), "--staff-requests", table.served["staff_requests"]
    )
    assert done.stdout.startswith("Draw the first card face up")
    status, told = table.command("void_round", "--reason", "nothing to void")
    assert status == Exit.FAILED
    assert "no round is under way" in told["error"]


def test_a_hold_is_reported_told_and_ruled_on_as_it_stands(table):
    for arguments in (["open_table", "--dealer", "Anna"], ["load_shoe"]):
        assert table.command(*arguments)[0] == Exit.DONE
    report = ("report_irregularity", "--code", "burn-count-wrong", "--detail", "two at once")
    status, told = table.command(*report)
    assert (status, told["events"]) == (Exit.DONE, ["irregularity_raised", "table_suspended"])
    done = table.run(
        "command", "-c", str(table.file), "--staff-requests", table.served["staff_requests"]
    )
    assert "--remedy release: Go on as it is" in done.stdout
    ruling = ("rule_hold", "--reason", "counted again", "--remedy")
    assert table.command(*ruling, "burn")[1]["code"] == "remedy_not_allowed"
    assert table.command(*ruling, "release", "--bound-to", "0")[1]["code"] == "stale"
    status, told = table.command(*ruling, "release")
    assert (status, told["events"]) == (Exit.DONE, ["irregularity_resolved", "table_resumed"])


def test_a_stream_that_may_have_lost_a_card_is_told_with_what_to_do(table):
    for arguments in (["open_table", "--dealer", "Anna"], ["load_shoe"]):
        assert table.command(*arguments)[0] == Exit.DONE
    to = ("-c", str(table.file), "--staff-requests", table.served["staff_requests"])
    with ShoeControl(table.shoe["control"]) as shoe:
        shoe.unplug()
        until(lambda: "line to the shoe is down" in table.run("command", *to).stdout, 20)
        shoe.plug()
        until(lambda: "stream is suspect" in table.run("command", *to).stdout, 20)
    assert table.command("trust_stream", "--reason", "compared")[0] == Exit.DONE
    assert "suspect" not in table.run("command", *to).stdout


def test_the_table_is_served_by_one_service_only(table):
    done = table.run("serve", "-c", str(table.file))
    assert done.returncode == Exit.FAILED
    assert "in use" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_address_that_is_taken_is_named_without_a_trace(tmp_path, site):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        text = site.read_text().replace(
            'staff_events = "tcp://127.0.0.1:*"', f'staff_events = "{address}"'
        )
        site.write_text(text)
        done = studio("serve", "-c", str(site), home=tmp_path)
    assert done.returncode == Exit.FAILED
    assert address in done.stderr
    assert "Traceback" not in done.stderr


def test_a_dealer_without_a_shoe_or_a_table_says_what_to_start(tmp_path, site):
    nowhere = ("--staff-requests", "tcp://127.0.0.1:9", "--control", "127.0.0.1:9")
    done = studio("dealer", "-c", str(site), *nowhere, home=tmp_path)
    assert done.returncode == Exit.UNREACHABLE
    assert "studio sim" in done.stderr


def test_nobody_there_is_its_own_status(tmp_path):
    done = studio("watch", "--requests", "tcp://127.0.0.1:9", home=tmp_path)
    assert done.returncode == Exit.UNREACHABLE
    assert "tcp://127.0.0.1:9" in done.stderr


def test_a_table_of_another_environment_is_refused(table):
    done = table.run("watch", "--requests", table.served["public_requests"])
    assert done.returncode == Exit.FAILED
    assert "--environment" in done.stderr


def test_a_watcher_is_stopped_in_order(table):
    process = subprocess.Popen(
        [*STUDIO, "watch", "--requests", table.served["public_requests"], "--environment", "test"],
        env=environment(table.home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert b"joining" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (Exit.DONE, b"")


@pytest.mark.req("AUD-11")
def test_heads_are_kept_after_every_round_and_verify_compares_them(table):
    assert table.deal(3).returncode == Exit.DONE
    file = load_table(table.file).heads
    lines = until(lambda: (now := file.read_bytes().splitlines())[2:] and now)
    told = json.loads(lines[0])
    assert told["table"] == "BAC-1"
    done = table.run("verify", "-c", str(table.file), "--heads", str(file))
    assert done.returncode == Exit.DONE
    assert "0 differ" in done.stdout
    assert "as far as the record" in table.run("doctor", "-c", str(table.file)).stdout
    file.write_bytes(b"\n".join(lines).replace(told["hash"].encode(), b"0" * 64))
    done = table.run("verify", "-c", str(table.file), "--heads", str(file))
    assert done.returncode == Exit.FAILED
    assert "from line 1 of the heads on" in done.stdout
    file.write_bytes(lines[0])
    assert "are not in it" in table.run("doctor", "-c", str(table.file)).stdout
    file.write_bytes(lines[0].replace(told["hash"].encode(), b"0" * 64))
    assert "not the one that was kept" in table.run("doctor", "-c", str(table.file)).stdout
    done = table.run("verify", "-c", str(table.file), "--heads", "none")
    assert done.returncode == Exit.FAILED
    assert "no such file" in done.stderr


@pytest.mark.req("AUD-11", "DSP-1")
def test_a_round_that_was_void_after_the_last_one_is_under_a_head_at_once(table):
    assert table.deal(1).returncode == Exit.DONE
    found = table.run("rounds", "-c", str(table.file), "--json").stdout
    round_ = json.loads(found)["round"]
    people = ("--second", "s-0003", "--reason", "misread")
    assert table.command("void_round", "--round", round_, *people)[0] == Exit.DONE
    assert table.run("evidence", "-c", str(table.file), round_).returncode == Exit.DONE
    heads = str(load_table(table.file).heads)
    checked = ("evidence", "--check", str(table.home / f"{round_}.json"), "--heads", heads)
    assert "SOUND" in until(lambda: (now := table.run(*checked)).returncode == 0 and now.stdout)


@pytest.mark.req("AUD-11")
def test_heads_are_sent_to_another_machine_after_every_round(tmp_path, site):
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        elsewhere.settimeout(30)
        port = elsewhere.getsockname()[1]
        site.write_text(f'heads_to = "tcp://127.0.0.1:{port}"\n' + site.read_text())
        where = ("-c", str(site), "--control", "127.0.0.1:0", "--speed", "0", "--seed", "7")
        with (
            running("sim", *where, home=tmp_path) as shoe,
            running("serve", "-c", str(site), home=tmp_path) as served,
        ):
            table = Table(tmp_path, site, shoe, served)
            assert table.deal(2).returncode == Exit.DONE
            connection, _ = elsewhere.accept()
            with connection, connection.makefile("rb") as lines:
                sent = [lines.readline(), lines.readline()]
                assert "somebody takes them" in table.run("doctor", "-c", str(site)).stdout
    assert sent == load_table(site).heads.read_bytes().splitlines(keepends=True)[:2]


@pytest.mark.req("AUD-5")
def test_verify_names_a_result_that_was_changed_in_the_database(table):
    assert table.deal(1).returncode == Exit.DONE
    file = load_table(table.file).database_url.removeprefix("sqlite:///")
    with sqlite3.connect(file) as database:
        # the record refuses changes; whoever has the file can take that away, and is found out
        triggers = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            database.execute(f"DROP TRIGGER {name}")
        database.execute(
            "UPDATE journal SET payload = CAST(payload || ' ' AS BLOB) WHERE type = 'result'"
        )
    database.close()
    done = table.run("verify", "-c", str(table.file))
    assert done.returncode == Exit.FAILED
    assert "NOT SOUND" in done.stdout


def test_a_shoe_is_listened_to_and_checked(tmp_path):
    link = tmp_path / "shoe"
    cards = "9H TC 4S 7D"
    (tmp_path / "deck.txt").write_text(f"# as they lie\n{cards}\n")
    options = ("--pty", str(link), "--auto", "--speed", "100", "--script", cards.replace(" ", ","))
    with running("sim", *options, home=tmp_path) as shoe:
        heard = studio("shoe", "listen", f"serial:{shoe['pty']}", "--seconds", "3", home=tmp_path)
    assert heard.returncode == Exit.DONE
    assert "The shoe is heard" in heard.stdout
    assert "card drawn" in heard.stdout
    done = studio("shoe", "listen", f"serial:{link}", "--seconds", "1", home=tmp_path)
    assert done.returncode == Exit.FAILED
    assert "No line" in done.stdout
    for arguments in ([], ["--decks", "1", "--cards", "deck.txt"], ["--cards", "none.txt"]):
        done = studio("shoe", "check", f"serial:{link}", *arguments, home=tmp_path)
        assert done.returncode == Exit.BAD_SETTINGS
