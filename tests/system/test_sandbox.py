# SPDX-License-Identifier: Apache-2.0
"""The sandbox, whole: what an engineer triggers, and what their front-end hears behind a key."""

import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import zmq

from studio.cli.exits import Exit
from studio.feed.asks import AskSnapshot
from studio.feed.client import Client, NoAnswer
from studio.feed.keys import ClientKeys
from studio.feed.updates import Joined, RoundChecked, Status, StatusChanged
from studio.store.history import History
from studio.verify import verify
from tests.cli.run import STUDIO, environment, processes_in, studio
from tests.system.witness import Watching
from tests.waiting import until

TABLE, OTHER = "BAC-1", "BAC-2"
READY = "Type `help`"
# Rounds of some seconds: long enough for a command to meet one.
SPEED = ("--speed", "8")


class Sandbox:
    """A sandbox that runs, as a person at its terminal has it."""

    def __init__(self, home: Path, *options: str, until_said: str = READY) -> None:
        self.home = home
        # where only one runs, no folder need be named
        self._place = ["--folder", "kept"] if "--folder" in options else []
        self._said = home / "said"
        with self._said.open("wb") as out:
            self.process = subprocess.Popen(
                [*STUDIO, "sandbox", *options],
                env=environment(home),
                cwd=home,
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.PIPE,
            )
        until(lambda: self.says(until_said), 90, 0.05)

    @property
    def said(self) -> str:
        return self._said.read_text()

    def says(self, text: str) -> bool:
        """Whether it said this; fails if it has ended without."""
        if text in self.said:
            return True
        assert self.process.poll() is None, self.process.communicate()
        return False

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def trigger(self, *words: str) -> dict[str, Any]:
        """Have it done from another terminal."""
        done = studio("sandbox", "trigger", "--json", *self._place, *words, home=self.home)
        assert done.stderr == ""
        answer: dict[str, Any] = json.loads(done.stdout)
        assert (answer["ok"], done.returncode) == (True, Exit.DONE), (answer, self.said)
        return answer

    def end(self, number: int = signal.SIGINT) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=60)
        assert errors == b""
        return self.process.returncode


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    home = tmp_path_factory.mktemp("box")
    running = Sandbox(home, *SPEED, "--folder", "kept", "--operator", "acme", "--operator", "best")
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.end()


def copied(box: Sandbox, operator: str, table: str) -> list[str]:
    """The words of the line that is to be copied."""
    part = box.said.partition(f"{operator} connects")[2]
    lines = re.findall(r"^  (studio watch .*)$", part, re.MULTILINE)
    return shlex.split(lines[(TABLE, OTHER).index(table)])[1:]


def endpoints(box: Sandbox, table: str) -> dict[str, str]:
    settings = (box.home / "kept" / "site" / "tables" / f"{table}.toml").read_text()
    return dict(re.findall(r'^(public_\w+) = "(.*)"$', settings, re.MULTILINE))


class Heard(Watching):
    """A front-end with the key of an operator, and what it heard in the meantime."""

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(payload) for payload in self.payloads]

    def first(self, kind: str, **members: Any) -> dict[str, Any]:
        """The first message of that type, with these members of its envelope or data."""

        def found() -> dict[str, Any] | None:
            for one in self.messages:
                if one["type"] == kind and members.items() <= (one | one["data"]).items():
                    return one
            return None

        message = until(found, 60)
        assert message is not None
        return message

    def wait_for(self, status: Status) -> None:
        until(lambda: StatusChanged(TABLE, status) in self.others, 60)


@contextmanager
def front_end(box: Sandbox) -> Iterator[Heard]:
    keys = ClientKeys.load(box.home / "kept" / "operators" / "acme")
    heard = Heard(endpoints(box, TABLE), keys)
    try:
        yield heard
    finally:
        heard.close()


def database(box: Sandbox, table: str = TABLE) -> str:
    return f"sqlite:///{box.home}/kept/site/data/{table}.db"


def stored(box: Sandbox) -> list[bytes]:
    with History.open(database(box), TABLE) as record:
        return [load for _, load in record.payloads(record.epochs()[-1], 0, 5000)]


def test_the_lines_to_copy_connect_an_operator_to_each_table(box: Sandbox) -> None:
    for table, operator in ((TABLE, "acme"), (OTHER, "best")):
        words = [*STUDIO, *copied(box, operator, table), "--json", "--from-start"]
        with subprocess.Popen(
            words, cwd=box.home, env=environment(box.home), stdout=subprocess.PIPE
        ) as watch:
            assert watch.stdout is not None
            first = json.loads(watch.stdout.readline())
            watch.terminate()
            watch.stdout.read()
        assert (first["table"], first["type"], first["seq"]) == (table, "table_opened", 1)
        assert first["data"]["environment"] == "test"


def test_the_example_in_python_runs_as_it_is_printed(box: Sandbox) -> None:
    example = box.said.partition("In Python:\n")[2].partition("\nThe studio's key")[0]
    program = "\n".join(line.removeprefix("  ") for line in example.splitlines())
    with subprocess.Popen(
        [sys.executable, "-u", "-c", program], cwd=box.home, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        lines = iter(running.stdout.readline, "")
        assert any(line.startswith("Accepted(") for line in lines)
        running.terminate()
        running.stdout.read()


@pytest.mark.req("FEED-1", "FEED-2")
def test_without_a_key_there_is_nothing_to_be_had(box: Sandbox) -> None:
    where = endpoints(box, TABLE)
    with zmq.Context() as context, context.socket(zmq.SUB) as alone:
        alone.subscribe(b"")
        alone.connect(where["public_events"])
        with front_end(box) as heard:
            until(lambda: len(heard.payloads) > 3, 60)
        assert alone.poll(0) == 0
        alone.linger = 0
    with Client(where["public_requests"]) as client, pytest.raises(NoAnswer):
        client.ask(AskSnapshot(id="s", table=TABLE), 1.0)


@pytest.mark.req("VOID-4")
def test_a_void_returns_the_stakes_of_the_round_under_way(box: Sandbox) -> None:
    with front_end(box) as heard:
        answer = box.trigger("void")
        voided = heard.first("round_voided", round=answer["round"])
        assert (voided["data"]["revision"], voided["data"]["supersedes"]) == (1, None)
        heard.first("round_closed", round=answer["round"])


@pytest.mark.req("VOID-6")
def test_a_result_is_amended_and_voided_by_two_people_of_the_sandbox(box: Sandbox) -> None:
    with front_end(box) as heard:
        heard.first("result")
        amended = box.trigger(TABLE, "amend")
        new = heard.first("result_amended", round=amended["round"])
        old = heard.first("result", round=amended["round"])
        assert new["data"]["revision"] == 2
        assert new["data"]["supersedes"] == old["seq"]
        assert new["data"]["outcome"] != old["data"]["outcome"]
        voided = box.trigger("void-result", TABLE)
        last = heard.first("round_voided", round=voided["round"])
        assert last["data"]["revision"] >= 2
        assert last["data"]["supersedes"] is not None
    assert verify(database(box), TABLE).is_sound


def test_a_hold_that_is_typed_is_heard_and_ends(box: Sandbox) -> None:
    with front_end(box) as heard:
        box.type("hold")
        held = heard.first("round_held")
        ends = ("round_released", "round_reconstructed", "round_voided")
        until(
            lambda: any(
                one["type"] in ends and one["round"] == held["round"] for one in heard.messages
            ),
            60,
        )
        assert f"{held['round']} is held" in box.said


@pytest.mark.req("FEED-10")
def test_silence_makes_the_table_stale_and_afterwards_nothing_is_missing(box: Sandbox) -> None:
    with front_end(box) as heard:
        answer = box.trigger("silence", "4")
        assert "silent for 4 s" in answer["text"]
        heard.wait_for(Status.STALE)
        stale = heard.others.index(StatusChanged(TABLE, Status.STALE))
        until(lambda: StatusChanged(TABLE, Status.LIVE) in heard.others[stale:], 60)
        heard.first("result")
        until(lambda: stored(box)[-len(heard.payloads) :] == heard.payloads, 60)


@pytest.mark.req("FEED-6")
def test_a_restart_keeps_the_epoch_and_history_brings_what_was_missed(box: Sandbox) -> None:
    with front_end(box) as heard:
        until(lambda: heard.payloads, 60)
        before = len(heard.payloads)
        box.trigger("restart")
        until(lambda: "result" in [one["type"] for one in heard.messages[before:]], 90)
        until(lambda: stored(box)[-len(heard.payloads) :] == heard.payloads, 60)
        assert len({one["epoch"] for one in heard.messages}) == 1
        assert len(joined(heard)) == 1
    assert verify(database(box), TABLE).is_sound


@pytest.mark.req("FEED-12")
def test_a_new_epoch_is_noticed_and_every_open_round_is_asked_for(box: Sandbox) -> None:
    with front_end(box) as heard:
        settled = heard.first("result")["round"]
        before = heard.messages[-1]["epoch"]
        box.trigger("new-epoch")
        until(lambda: len(joined(heard)) == 2, 60)
        assert joined(heard)[0].epoch == before != joined(heard)[1].epoch
        checked = {
            one.round: one.message.type
            for one in heard.others
            if isinstance(one, RoundChecked) and one.message is not None
        }
        assert checked[settled] == "result"
        # the dealer rules on the round that was under way, and takes another shoe
        new = joined(heard)[1].epoch
        until(
            lambda: (new, "result") in [(one["epoch"], one["type"]) for one in heard.messages], 90
        )
        again = [one for one in heard.payloads if json.loads(one)["epoch"] == new]
        until(lambda: stored(box)[joined(heard)[1].seq :][: len(again)] == again, 60)
    assert verify(database(box), TABLE).is_sound


@pytest.mark.req("FEED-12")
def test_after_a_restore_the_round_that_is_lost_is_unknown(box: Sandbox) -> None:
    with front_end(box) as heard:
        lost = box.trigger("restore", TABLE)["round"]
        heard.first("result", round=lost)
        until(lambda: RoundChecked(TABLE, lost, None) in heard.others, 60)
        until(lambda: len(joined(heard)) == 2, 60)
        # the shoe that nobody can count goes out, and numbers go on beyond what may be lost
        new = joined(heard)[1].epoch
        opened = heard.first("bets_opened", epoch=new)["round"]
        assert opened > lost
    assert verify(database(box), TABLE).is_sound


def joined(heard: Heard) -> list[Joined]:
    return [one for one in heard.others if isinstance(one, Joined)]


def test_the_other_table_went_on_and_has_triggers_of_its_own(box: Sandbox) -> None:
    assert box.trigger(OTHER, "void")["round"].startswith(f"{OTHER}-")
    box.type("void nonsense")
    until(lambda: box.says('"nonsense" is neither'))
    refused = studio("sandbox", "trigger", "--folder", "kept", "explode", home=box.home)
    assert (refused.returncode, '"explode" is neither' in refused.stderr) == (Exit.FAILED, True)
    assert verify(database(box, OTHER), OTHER).is_sound


def test_ctrl_c_ends_all_of_it_and_says_what_is_left(box: Sandbox) -> None:
    assert box.end() == Exit.DONE
    assert box.said.endswith(f"ended: nothing is left running, {box.home}/kept is kept\n")
    assert processes_in(box.home) == []
    gone = studio("sandbox", "trigger", "--folder", "kept", "void", home=box.home)
    assert gone.returncode == Exit.UNREACHABLE
    again = studio("sandbox", "--folder", "kept", home=box.home)
    assert (again.returncode, "is not empty" in again.stderr) == (Exit.BAD_SETTINGS, True)


def test_for_a_script_it_says_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    box = Sandbox(tmp_path, "--tables", "1", "--json", *SPEED, until_said="}\n")
    facts = json.loads(box.said)
    assert facts["environment"] == "test"
    (table,) = facts["tables"]
    keys = ClientKeys.load(Path(facts["operators"]["integrator"]))
    assert (list(keys.studio.server), list(keys.studio.signing)) == (
        facts["server"], facts["signing"],
    )  # fmt: skip
    heard = Heard(table, keys)
    heard.close()
    assert box.trigger("silence", "0.1")["table"] == TABLE
    assert box.end(signal.SIGTERM) == Exit.DONE
    assert json.loads(box.said) == facts
    assert processes_in(tmp_path) == []
    assert [path.name for path in tmp_path.iterdir()] == ["said"]
