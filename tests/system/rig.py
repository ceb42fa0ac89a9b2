# SPDX-License-Identifier: Apache-2.0
"""A studio for tests: simulated shoe and table service as processes, and hands that deal."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import zmq

from drivers.sim.client import ShoeControl
from studio.cli.keys import make_studio
from studio.feed.asks import encode
from studio.feed.keys import ClientKeys
from studio.feed.staff import (
    Acceptance,
    AskCommand,
    AskStaffSnapshot,
    RefusalAnswer,
    StaffAsk,
    StaffSnapshot,
    read_answer,
)
from studio.game.inputs import (
    CloseBets,
    Command,
    ConfirmResult,
    EndShoe,
    LoadShoe,
    OpenBets,
    OpenTable,
    ResumeTable,
    RuleHold,
    TrustStream,
    VoidRound,
)
from studio.store.schema import create
from tests.system import loaded
from tests.waiting import until

TABLE = "BAC-1"
BY = "s-001"
ROOT = Path(__file__).parents[2]
_SOON = 0.002
_CHANGED = {"betting_seconds": "0", "close_guard_ms": "0"}


class Process:
    """A child process that says one line of JSON when it is ready."""

    def __init__(
        self,
        arguments: Sequence[str],
        environment: dict[str, str] | None = None,
        *,
        stdin: int | None = None,
    ) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self.child = self._started(arguments, environment, stdin)
        assert self.child.stdout is not None
        line = self.child.stdout.readline()
        if not line.startswith(b"{"):
            told = self.errors()
            self.end(signal.SIGKILL)
            raise AssertionError(f"{arguments} did not start: {told}{line.decode()}")
        self.said: dict[str, Any] = json.loads(line)

    def _started(
        self, arguments: Sequence[str], environment: dict[str, str] | None, stdin: int | None
    ) -> subprocess.Popen[bytes] | loaded.Service:
        return subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={**os.environ, **(environment or {})},
        )

    def errors(self) -> str:
        """What it wrote to standard error so far."""
        self._errors.seek(0)
        return self._errors.read().decode()

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and wait for the end; the exit status."""
        with suppress(ProcessLookupError):
            self.child.send_signal(number)
        return self.wait()

    def wait(self, seconds: float = 20) -> int:
        """Wait for the end; the exit status."""
        status = self.child.wait(seconds)
        if self.child.stdout is not None:
            self.child.stdout.close()
        self._errors.close()
        return status


class Service(Process):
    """A table service: forked where the program is loaded already, else started."""

    def __init__(self, *arguments: str, environment: dict[str, str] | None = None) -> None:
        super().__init__(["-m", "tests.system.launch", *arguments], environment)

    def _started(
        self, arguments: Sequence[str], environment: dict[str, str] | None, stdin: int | None
    ) -> subprocess.Popen[bytes] | loaded.Service:
        # what the environment says may be for the loading itself
        if loaded.running is None or environment:
            return super()._started(arguments, environment, stdin)
        return loaded.running.start(arguments[2:], self._errors)


def write_site(
    folder: Path,
    shoe: str,
    *,
    house: dict[str, str] | None = None,
    database: str | None = None,
    feed: dict[str, str] | None = None,
    log_in: str = "open",
    staff: dict[str, str] | None = None,
    operators: dict[str, str] | None = None,
    keys: bool = False,
    table: str = TABLE,
) -> None:
    """Settings of one table, with the shoe at that endpoint and free ports.

    ``house`` changes keys of the shipped house ``studio``; an empty value removes the key.
    ``staff`` are rules of the studio for its people, ``operators`` those for its operators.
    """
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    (folder / "houses").mkdir(exist_ok=True)
    shipped = (ROOT / "config" / "houses" / "studio.toml").read_text()
    values, mark, sources = shipped.partition("[sources]")
    lines = []
    changed = {**_CHANGED, **(house or {})}
    for line in values.splitlines():
        key = line.partition("=")[0].strip()
        if changed.get(key) != "":
            lines.append(f"{key} = {changed[key]}" if key in changed else line)
    _put(folder / "houses" / "studio.toml", "\n".join(lines) + "\n" + mark + sources, table)
    text = f'data_folder = "{folder}/data"\n'
    for part, rules in (("staff", staff), ("operators", operators)):
        text += f"[{part}]\n" + "".join(
            f"{key} = {value}\n" for key, value in (rules or {}).items()
        )
    _put(folder / "studio.toml", text, table)
    names = ("public_events", "public_requests", "staff_events", "staff_requests")
    sockets = feed or dict.fromkeys(names, "tcp://127.0.0.1:*")
    endpoints = "\n".join(f'{name} = "{sockets[name]}"' for name in names)
    (folder / "tables" / f"{table}.toml").write_text(
        f'table = "{table}"\nhouse = "studio"\nlog_in = "{log_in}"\nkeys = {str(keys).lower()}\n'
        f'database = "{database or f"sqlite:///{folder}/record.db"}"\n'
        f"[feed]\n{endpoints}\n"
        f'[shoe]\ndriver = "angel_eye_iiex"\nendpoint = "{shoe}"\nsimulated = true\n'
    )


def _put(file: Path, text: str, table: str) -> None:
    """Write what all tables of a site read, at once: another one may be about to start."""
    new = file.with_name(f"{file.name}.{table}")
    new.write_text(text)
    new.replace(file)


class Studio:
    """A table with a simulated shoe. The service may die and be started again."""

    def __init__(self, folder: Path, simulator: Process, **site: Any) -> None:
        self.folder = folder
        self.simulator = simulator
        self.shoe = ShoeControl(simulator.said["control"])
        self._site = site
        self.table: str = site.get("table", TABLE)
        self._endpoint = f"serial:{simulator.said['pty']}"
        if simulator.said["pty"] is None:
            self._endpoint = f"tcp:{simulator.said['tcp']}"
        self.database = site.get("database") or f"sqlite:///{folder}/record.db"
        write_site(folder, self._endpoint, **site)
        create(self.database, self.table)
        self.key_folder = folder / "data" / "keys"
        self.keys: ClientKeys | None = None
        if site.get("keys"):
            make_studio(self.key_folder)
            self.keys = ClientKeys.load(self.key_folder)
        self.service: Process | None = None

    def start(self, point: str = "", number: int = 1, **environment: str) -> Process:
        """Start the service; on the same ports, if it ran before."""
        fault = [point, str(number)] if point else []
        self.service = Service(str(self.folder), self.table, *fault, environment=environment)
        self.endpoints = self.service.said
        write_site(self.folder, self._endpoint, **{**self._site, "feed": self.endpoints})
        return self.service

    def is_up(self) -> bool:
        """Whether the service runs."""
        return self.service is not None and self.service.child.poll() is None

    def close(self) -> None:
        """End everything."""
        if self.service is not None:
            self.service.end()
        self.shoe.close()
        self.simulator.end()


@contextmanager
def studio(folder: Path, *simulator: str, **site: Any) -> Iterator[Studio]:
    """A studio with its simulator running and its service not yet started."""
    where = (
        [] if "--tcp" in simulator else ["--pty", str(folder / f"shoe-{site.get('table', TABLE)}")]
    )
    # the shoe burns as the table's house does, else the two count each coup otherwise
    rule = (site.get("house") or {}).get("rule", "first_card").strip('"')
    burn = () if "--burn" in simulator else ("--burn", rule)
    shoe = Process(["-m", "drivers.sim.run", *where, "--speed", "0", *burn, *simulator])
    running = Studio(folder, shoe, **site)
    try:
        yield running
    finally:
        running.close()


class Gone(Exception):
    """The service does not answer."""


class Hands:
    """A dealer who does what the prompt says, by staff requests and at the simulated shoe.

    ``closes_bets``: no timer does it, because the house's betting time is long.
    """

    def __init__(self, studio: Studio, *, closes_bets: bool = False) -> None:
        self._studio = studio
        self._closes_bets = closes_bets

    def snapshot(self) -> StaffSnapshot:
        """What a console would draw."""
        answer = self._ask(AskStaffSnapshot(id="s", table=self._studio.table))
        assert isinstance(answer, StaffSnapshot), answer
        return answer

    def tell(self, command: Command) -> Any:
        """Send a command; the answer."""
        return self._ask(AskCommand(id="c", table=self._studio.table, command=command))

    def _ask(self, ask: StaffAsk) -> Any:
        """Asked once: a command asked again because its answer is late would be a second one."""
        with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
            socket.linger = 0
            if self._studio.keys is not None:
                self._studio.keys.secure(socket)
            socket.connect(self._studio.endpoints["staff_requests"])
            socket.send(encode(ask))
            for _ in range(100):
                if socket.poll(200):
                    answer = read_answer(socket.recv())
                    # its last word to whoever asked when it was on its way down
                    if isinstance(answer, RefusalAnswer) and answer.code == "stopped":
                        raise Gone
                    return answer
                if not self._studio.is_up():
                    raise Gone
        raise Gone

    def step(self) -> str:
        """Do what the prompt says, and wait until the table has seen it; the prompt's code."""
        before = self.snapshot()
        prompt = before.state["prompt"]
        code: str = prompt["code"]
        public = before.state["public"]
        if prompt["pull"]:
            self.pull()
            return code
        commands: dict[str, Command] = {
            "open-table": OpenTable(by=BY, dealer="Anna"),
            "load-shoe": LoadShoe(by=BY),
            "open-bets": OpenBets(by=BY),
            "open-bets-last-coup": OpenBets(by=BY),
            "open-bets-again": OpenBets(by=BY),
            "settle": OpenBets(by=BY),
            "confirm-result": ConfirmResult(by=BY),
            "suspended": ResumeTable(by=BY),
            "end-shoe": EndShoe(by=BY, left=self._studio.shoe.state().left),
            "held": VoidRound(by=BY, round=public["round"] or "", reason="test"),
            "enter-card": VoidRound(by=BY, round=public["round"] or "", reason="test"),
        }
        if self._closes_bets:
            commands["bets-open"] = CloseBets(by=BY)
        if code == "held" and "void_round" not in prompt["commands"]:
            first = before.state["proposals"][0]
            bound_to = first["bound_to"]
            commands["held"] = RuleHold(
                by=BY,
                remedy=first["remedy"],
                reason="test",
                bound_to=bound_to,
                faces_seen=first["faces_seen"],
            )
        if code not in commands:
            self._seen(before.seq)
            return code
        if before.state["trust"] == "suspect" and code in ("open-bets", "settle"):
            self.tell(TrustStream(by=BY, reason="compared with the screen"))
        answer = self.tell(commands[code])
        assert isinstance(answer, Acceptance), (code, answer)
        return code

    def pull(self) -> None:
        """Pull a card, and wait until the table has it or knows that something is wrong."""
        before = self.snapshot().state["cards_out"]
        self._studio.shoe.pull()

        def is_known() -> bool:
            state = self.snapshot().state
            return bool(state["cards_out"] != before or state["phase"] == "held")

        until(is_known, 20, _SOON)

    def wait_for(self, **members: str) -> dict[str, Any]:
        """Wait until the staff state has these members; the state."""

        def state_there() -> dict[str, Any] | None:
            state: dict[str, Any] = self.snapshot().state
            has_all = all(state[name] == value for name, value in members.items())
            return state if has_all else None

        found = until(state_there, 20, _SOON)
        assert found is not None
        return found

    def play_to(self, phase: str, cards: int = 0) -> dict[str, Any]:
        """Do what the prompts say until that phase, with so many cards on the table; the state."""
        for _ in range(200):
            state: dict[str, Any] = self.snapshot().state
            on_table = len(state["public"]["player"]) + len(state["public"]["banker"])
            if state["phase"] == phase and (cards == 0 or on_table == cards):
                return state
            self.step()
        raise AssertionError(f"{phase} was not reached: {self.snapshot().state['prompt']}")

    def _seen(self, seq: int) -> None:
        until(lambda: self.snapshot().seq > seq, 20, _SOON)

    def deal(self, rounds: int) -> None:
        """Deal until so many rounds have a result or are void."""
        for _ in range(rounds * 60):
            state = self.snapshot().state
            finished = len(state["public"]["results"])
            if finished >= rounds and state["phase"] == "settling":
                return
            self.step()
        raise AssertionError(f"{rounds} rounds were not dealt: {self.snapshot().state['prompt']}")
