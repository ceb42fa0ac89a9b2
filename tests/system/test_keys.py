# SPDX-License-Identifier: Apache-2.0
"""Keys at a table that runs as a process: what a studio and its operators do, and what they see."""

import contextlib
import io
import json
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from studio.cli import run
from studio.cli.exits import Exit
from studio.feed import staff as wire
from studio.feed.access import What, read_access
from studio.feed.allowed import changing
from studio.feed.asks import encode
from studio.feed.client import Client
from studio.feed.keys import ClientKeys, hex_of
from studio.feed.updates import Status, StatusChanged
from studio.game import events as ev
from studio.game.requests import OpenTable
from studio.store.history import History
from studio.verify import verify
from tests.cli.run import studio as studio_command
from tests.staff.people import BADGES, PIN
from tests.system.rig import TABLE, Hands, Studio, studio
from tests.system.screen import Shown, display
from tests.system.test_log_in import hired, record_of
from tests.system.witness import Watching
from tests.waiting import until
from ui.view.model import BandRole


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Studio]:
    with studio(tmp_path, keys=True) as made:
        made.start()
        yield made


def told(*arguments: str) -> str:
    """Run ``studio`` to its end, which must be good; what it printed."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        assert run(arguments) == Exit.DONE
    return printed.getvalue()


def settings_of(running: Studio) -> tuple[str, str]:
    return "-c", str(running.folder / "tables" / f"{TABLE}.toml")


def machine(running: Studio, name: str, *kind: str) -> ClientKeys:
    """Somebody's machine, set up by the commands that they and the studio are told to use."""
    folder = running.folder / "machines" / name
    own = ("--folder", str(folder))
    public = json.loads(told("keys", "new", name, "--json", *own))["public"]
    added = told("keys", "add", "--name", name, "--public", public, *kind,
                 *settings_of(running))  # fmt: skip
    trust = next(line.split() for line in added.splitlines() if "keys trust" in line)
    told(*trust[1:], *own)
    return ClientKeys.load(folder)


def sent(running: Studio) -> list[bytes]:
    """The public messages on record."""
    with History.open(running.database, TABLE) as record:
        return [load for _, load in record.payloads(record.epochs()[-1], 0, 5000)]


@pytest.mark.req("FEED-1", "FEED-2", "FEED-18")
def test_an_operator_revoked_in_mid_round_is_cut_off_and_the_others_hear_every_card(
    running: Studio,
) -> None:
    hands = Hands(running)
    with ExitStack() as ending:
        acme, best = (
            ending.enter_context(_Closing(running, machine(running, name)))
            for name in ("acme", "best")
        )
        hands.play_to("dealing", cards=2)
        until(lambda: acme.payloads == best.payloads == sent(running)[-len(best.payloads) :])
        before = len(best.others)
        done = studio_command("keys", "revoke", "acme", *settings_of(running), home=running.folder)
        assert done.stdout == "acme is out\n"
        access = running.folder / "data" / "access"
        until(lambda: sum(one.what is What.CUT for one in read_access(access, "acme")) == 2)
        at_cut = len(acme.payloads)
        hands.deal(2)
        until(lambda: sent(running)[-len(best.payloads) :] == best.payloads)
        # every message came, in order, and none by asking for what was missed
        assert len(best.payloads) > at_cut
        assert best.others[before:] == []
        assert len(acme.payloads) == at_cut
        until(lambda: StatusChanged(TABLE, Status.STALE) in acme.others)
        log = told("keys", "log", "acme", *settings_of(running))
    assert {word for word in ("connected", "asked", "cut", "revoked") if word in log} == {
        "connected", "asked", "cut", "revoked",
    }  # fmt: skip
    assert "cut" in running.service.errors()  # type: ignore[union-attr]
    assert not any(one.what is What.CUT for one in read_access(access, "best"))


class _Closing(Watching):
    """A front-end with these keys."""

    def __init__(self, running: Studio, keys: ClientKeys) -> None:
        super().__init__(running.endpoints, keys)

    def __enter__(self) -> "_Closing":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


@pytest.mark.req("ACC-9", "FEED-2")
def test_a_token_used_with_another_console_s_key_is_refused_and_recorded(tmp_path: Path) -> None:
    with studio(tmp_path, keys=True, log_in="required") as running:
        hired(tmp_path)
        running.start()
        one, other = (machine(running, name, "--console") for name in ("desk-1", "desk-2"))
        operator = machine(running, "acme")
        address = running.endpoints["staff_requests"]

        def asked(keys: ClientKeys, ask: wire.StaffAsk) -> wire.StaffAnswer:
            with Client(address, keys) as client:
                return wire.read_answer(client.ask(encode(ask)))

        badge = BADGES["supervisor"]
        opened = asked(one, wire.AskLogIn(id="l", table=TABLE, badge=badge, pin=PIN))
        assert isinstance(opened, wire.Opened), opened
        # what it says of where it comes from counts for nothing
        stolen = wire.AskCommand(
            id="c", table=TABLE, from_="desk-1", token=opened.token,
            command=OpenTable(by="", dealer="Zoë"),
        )  # fmt: skip
        refused = asked(other, stolen)
        assert isinstance(refused, wire.RefusalAnswer)
        assert refused.code == "elsewhere"
        with Client(address, operator) as client, pytest.raises(TimeoutError):
            client.ask(encode(stolen), 0.3)
        used = asked(one, stolen)
        assert not isinstance(used, wire.RefusalAnswer) or used.code != "elsewhere"
        noted = [one.event for one in record_of(running) if isinstance(one.event, ev.StaffNoted)]
    tries = [(one.act, one.result, one.from_where) for one in noted]
    assert ("log_in", "done", "desk-1") in tries
    assert ("use_session", "elsewhere", "desk-2") in tries


@pytest.mark.req("FEED-18")
def test_the_studio_changes_its_own_keys_and_its_operators_come_back_by_themselves(
    running: Studio,
) -> None:
    machine(running, "acme")
    printed = told("keys", "init", "--next", *settings_of(running))
    trust = next(line.split() for line in printed.splitlines() if "keys trust" in line)
    folder = running.folder / "machines" / "acme"
    told(*trust[1:], "--folder", str(folder))
    with _Closing(running, ClientKeys.load(folder)) as acme:
        Hands(running).deal(1)
        told("keys", "use-next", "--studio", *settings_of(running))
        assert running.service is not None
        running.service.end()
        running.start()
        running.keys = ClientKeys.load(running.key_folder)
        Hands(running).deal(2)
        until(lambda: sent(running)[-len(acme.payloads) :] == acme.payloads, 30)
    assert verify(running.database, TABLE).is_sound


@pytest.mark.req("FEED-2")
def test_a_table_with_keys_is_watched_and_commanded_from_its_own_machine(running: Studio) -> None:
    Hands(running).deal(1)
    assert "studio command" in told("command", *settings_of(running))
    doctor = json.loads(told("doctor", "--json", *settings_of(running)))
    marks = {one["what"]: one["text"] for one in doctor["findings"]}
    assert "running" in marks["service"]
    assert "no operator may connect" in marks["keys"]
    address = running.endpoints["public_requests"]
    alone = studio_command("watch", "--requests", address, home=running.folder)
    assert alone.returncode == Exit.UNREACHABLE
    assert "does it want keys?" in alone.stderr


def test_a_console_deals_with_its_key_and_is_dark_once_the_key_is_revoked(running: Studio) -> None:
    assert running.keys is not None
    with display() as screen:
        shown = Shown(running, screen)
        try:
            for _ in range(3):
                shown.step()
            told("keys", "revoke", running.keys.name, *settings_of(running))
            shown.wait(lambda view: view.band.role is BandRole.OFF)
            assert shown.end() == 0
        finally:
            if shown.child.poll() is None:
                shown.end(signal.SIGKILL)


def test_a_console_that_waits_for_its_key_to_be_let_in_comes_up_by_itself(running: Studio) -> None:
    assert running.keys is not None
    public = hex_of(running.keys.pair.public)
    with changing(running.key_folder) as rows:
        rows[:] = []
    with display() as screen:

        def let_in() -> None:
            access = running.folder / "data" / "access"
            until(lambda: any(one.what is What.REFUSED for one in read_access(access)), 30)
            told("keys", "add", "--console", "--name", "desk-1", "--public", public,
                 *settings_of(running))  # fmt: skip

        studio_at_work = threading.Thread(target=let_in)
        studio_at_work.start()
        shown = Shown(running, screen)
        studio_at_work.join()
        assert shown.end() == 0
