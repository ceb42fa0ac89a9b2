# SPDX-License-Identifier: Apache-2.0
"""``studio watch --diagnose``: every fault made for real, and told apart from all the others."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from studio.cli import run
from studio.cli.exits import Exit
from studio.feed.keys import StudioKeys, trust
from studio.feed.signing import Signer
from tests.feed.examples import TABLE
from tests.feed.fake_studio import FakeStudio
from tests.feed.keyed import Studio

_BEAT_SECONDS = 0.05


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No site of this machine's is read; the tests' own says whom to call."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "studio.toml").write_text(
        f'data_folder = "{tmp_path}/data"\n[contacts]\nengineer = "Enzo, 100"\npit = "the pit, 7"\n'
    )
    monkeypatch.setenv("STUDIO_CONFIG", str(site))
    return tmp_path


@pytest.fixture
def keyed(tmp_path: Path) -> Studio:
    return Studio(tmp_path)


@contextmanager
def served(
    keyed: Studio | None = None,
    *,
    suspended: str | None = None,
    shift: timedelta = timedelta(),
    beats: bool = True,
    signer: Signer | None = None,
) -> Iterator[FakeStudio]:
    """A table that beats, on the clock of this machine unless that is shifted."""
    with ExitStack() as ending:
        guard = None
        if keyed is not None:
            guard = keyed.guard()
            guard.start()
            ending.callback(guard.close)
        table = ending.enter_context(FakeStudio(guard=guard))
        if keyed is not None:
            table.happening.sign = (signer or keyed.keys.signer).sign
        over = threading.Event()

        def beat() -> None:
            while not over.wait(_BEAT_SECONDS):
                table.happening.at = datetime.now(UTC) + shift
                table.publisher.hear()
                table.beat(suspended)

        if beats:
            beating = threading.Thread(target=beat)
            beating.start()
            ending.callback(beating.join)
            ending.callback(over.set)
        yield table


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, dict[str, Any]]]:
    """Diagnose as a program does: the exit status and the diagnosis."""

    def diagnosed(requests: str, *more: str) -> tuple[int, dict[str, Any]]:
        how = ("--diagnose", "--json", "--environment", "test", "--clock-limit", "20")
        status = run(["watch", "--requests", requests, *how, *more])
        return status, json.loads(capsys.readouterr().out)

    return diagnosed


def keys_of(keyed: Studio, name: str) -> tuple[str, str]:
    return "--keys", str(keyed.machine(name))


def marks(diagnosis: dict[str, Any]) -> dict[str, str]:
    return {one["what"]: one["mark"] for one in diagnosis["findings"]}


def test_a_sound_table_is_said_to_be_sound_with_its_times(told, keyed):
    keyed.client("acme")
    with served(keyed) as table:
        status, found = told(table.requests, *keys_of(keyed, "acme"))
    assert (status, found["code"], found["call"]) == (Exit.DONE, "sound", None)
    assert set(marks(found).values()) == {"ok"}
    assert marks(found).keys() >= {"requests", "events", "signature", "clock", "play"}
    assert found["round_trip_seconds"] > 0
    assert abs(found["clock_apart_seconds"]) < 20


def test_without_keys_the_signature_is_not_judged(told):
    with served() as table:
        status, found = told(table.requests)
    assert (status, found["code"]) == (Exit.DONE, "sound")
    assert marks(found)["signature"] == "note"


def test_where_nobody_listens_the_engineer_is_called(told):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    status, found = told(f"tcp://127.0.0.1:{port}")
    assert (status, found["code"]) == (Exit.UNREACHABLE, "nobody_listens")
    assert found["call"]["who"] == "engineer"
    assert found["call"]["contact"] == "Enzo, 100"


def test_where_packets_vanish_the_network_is_called(told):
    # a queue of one that nobody empties: the system lets further connections wait for ever
    with ExitStack() as ending:
        full = ending.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(8):
            waiting = ending.enter_context(socket.socket())
            waiting.settimeout(0)
            waiting.connect_ex(full.getsockname())
        status, found = told(f"tcp://127.0.0.1:{full.getsockname()[1]}")
    assert (status, found["code"]) == (Exit.UNREACHABLE, "packets_vanish")
    assert found["call"]["who"] == "network"


def test_a_name_that_leads_nowhere_is_the_networks_or_a_slip(told, keyed):
    keyed.client("acme")
    status, found = told("tcp://no-such-table.invalid:5551", *keys_of(keyed, "acme"))
    assert (status, found["code"]) == (Exit.UNREACHABLE, "no_route")
    assert found["call"]["contact"] == "whoever looks after this machine's network"


@pytest.mark.parametrize("greeting", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"", b"\xff\x00"])
def test_what_is_no_feed_is_told_from_one_that_hangs(told, greeting):
    with socket.create_server(("127.0.0.1", 0)) as other:

        def answer() -> None:
            near, _ = other.accept()
            with near:
                near.recv(100)
                near.sendall(greeting)

        answering = threading.Thread(target=answer)
        answering.start()
        status, found = told(f"tcp://127.0.0.1:{other.getsockname()[1]}")
        answering.join()
    assert (status, found["code"]) == (Exit.UNREACHABLE, "not_the_feed")
    assert found["call"]["who"] == "here"


_SERVES = """
import signal
from tests.feed.fake_studio import FakeStudio
with FakeStudio() as table:
    print(table.requests, flush=True)
    signal.pause()
"""


def test_a_service_that_is_stopped_hangs(told):
    child = subprocess.Popen([sys.executable, "-c", _SERVES], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        requests = child.stdout.readline().strip()
        child.send_signal(signal.SIGSTOP)
        _, state = os.waitpid(child.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(state)
        status, found = told(requests)
    finally:
        child.kill()
        child.communicate()
    assert (status, found["code"]) == (Exit.UNREACHABLE, "hangs")
    assert found["call"]["who"] == "engineer"


@pytest.mark.req("FEED-2")
@pytest.mark.parametrize("who", ["stranger", "former"])
def test_a_refused_key_is_told_apart_and_from_outside_unknown_and_revoked_are_the_same(
    told, keyed, who
):
    if who == "former":
        keyed.client(who)
        keyed.revoke(who)
    else:
        keyed.stranger(who)
    with served(keyed) as table:
        status, found = told(table.requests, *keys_of(keyed, who))
    assert (status, found["code"]) == (Exit.UNREACHABLE, "key_refused")
    assert who in found["call"]["tell"]
    assert found["call"]["contact"] == "Enzo, 100"


@pytest.mark.req("FEED-1")
def test_a_server_with_another_key_is_no_studio_of_ours(told, keyed, tmp_path):
    keyed.client("acme")
    (tmp_path / "other").mkdir()
    impostor = Studio(tmp_path / "other")
    with served(impostor) as table:
        status, found = told(table.requests, *keys_of(keyed, "acme"))
    assert (status, found["code"]) == (Exit.UNREACHABLE, "wrong_server")
    assert "no bets" in found["call"]["tell"]


def test_while_the_studio_changes_its_key_either_one_is_right(told, keyed):
    keys = keyed.client("acme")
    another = "ab" * 32
    trust(keyed.machine("acme"), StudioKeys((another, *keys.studio.server), keys.studio.signing))
    with served(keyed) as table:
        status, found = told(table.requests, *keys_of(keyed, "acme"))
    assert (status, found["code"]) == (Exit.DONE, "sound")


def test_a_key_where_none_is_known_and_none_where_one_is_wanted(told, keyed):
    keyed.client("acme")
    with served(keyed) as table:
        assert told(table.requests)[1]["code"] == "no_key"
    with served() as table:
        status, found = told(table.requests, *keys_of(keyed, "acme"))
    assert (status, found["code"]) == (Exit.UNREACHABLE, "no_curve")


def test_the_socket_of_messages_given_for_that_of_requests_is_a_slip(told, keyed):
    keyed.client("acme")
    with served(keyed) as table:
        status, found = told(table.pub, *keys_of(keyed, "acme"))
    assert (status, found["code"]) == (Exit.UNREACHABLE, "not_the_feed")
    with served() as table:
        assert told(table.pub)[1]["code"] == "no_answer"


def test_another_table_s_name_is_answered_with_what_is_served(told):
    with served() as table:
        status, found = told(table.requests, "BAC-99")
    assert (status, found["code"], found["table"]) == (Exit.FAILED, "unknown_table", "BAC-99")
    assert TABLE in found["findings"][-1]["text"]


def test_another_environment_is_told(told):
    with served() as table:
        status, found = told(table.requests, "--environment", "live")
    assert (status, found["code"]) == (Exit.FAILED, "environment")


@pytest.mark.req("FEED-14")
def test_a_table_that_answers_and_does_not_beat_is_stale(told):
    with served(beats=False) as table:
        status, found = told(table.requests)
    assert (status, found["code"]) == (Exit.FAILED, "stale")
    assert marks(found)["requests"] == marks(found)["events"] == "ok"


@pytest.mark.req("FEED-17")
def test_heartbeats_of_another_hand_are_told(told, keyed):
    keyed.client("acme")
    with served(keyed, signer=Signer(b"i" * 32)) as table:
        status, found = told(table.requests, *keys_of(keyed, "acme"))
    assert (status, found["code"]) == (Exit.FAILED, "bad_signature")
    assert found["call"]["who"] == "engineer"


@pytest.mark.parametrize(
    "shift, words", [(timedelta(minutes=-2), "ahead of"), (timedelta(minutes=2), "behind")]
)
def test_a_skewed_clock_is_told_with_its_direction_and_is_no_bad_signature(
    told, keyed, shift, words
):
    keyed.client("acme")
    with served(keyed, shift=shift) as table:
        status, found = told(table.requests, *keys_of(keyed, "acme"))
    assert (status, found["code"]) == (Exit.FAILED, "clock")
    assert found["clock_apart_seconds"] == pytest.approx(-shift.total_seconds(), abs=20)
    assert any(words in one["text"] for one in found["findings"])
    assert marks(found)["signature"] == "ok"


def test_how_far_clocks_may_be_apart_is_said_by_an_option(told):
    with served(shift=timedelta(minutes=-2)) as table:
        assert told(table.requests, "--clock-limit", "300")[1]["code"] == "sound"


def test_a_suspended_table_is_the_pits_in_words(told):
    with served(suspended="misdeal") as table:
        status, found = told(table.requests)
    assert (status, found["code"], found["suspended"]) == (Exit.FAILED, "suspended", "misdeal")
    assert found["call"]["contact"] == "the pit, 7"
    assert "mistake in the deal" in found["findings"][-1]["text"]


def test_several_are_looked_at_and_those_in_trouble_come_first(capsys):
    with served() as sound, served(suspended="device") as stopped:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            dead = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        asked = [
            one for at in (sound.requests, stopped.requests, dead) for one in ("--requests", at)
        ]
        how = ("--diagnose", "--environment", "test", "--clock-limit", "20")
        assert run(["watch", *asked, *how]) == Exit.UNREACHABLE
    lines = capsys.readouterr().out.splitlines()
    heads = [line for line in lines if line.startswith((f"{TABLE} at ", "table at "))]
    assert [line.rpartition(": ")[2] for line in heads] == [
        "NOBODY LISTENS", "SUSPENDED", "nothing is wrong",
    ]  # fmt: skip
    assert any(line.startswith("Call the pit, 7: ") for line in lines)
