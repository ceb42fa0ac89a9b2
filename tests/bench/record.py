# SPDX-License-Identifier: Apache-2.0
"""How fast a record is verified, and what an idle table costs."""

import hashlib
import os
import tempfile
import time
from pathlib import Path

from studio.store.schema import create
from studio.verify import verify
from tests.bench.figures import median, rates, tell
from tests.long_record import fill
from tests.system.rig import ROOT, TABLE, Hands, Process, studio
from tests.waiting import until

ROUNDS = 3_000
IDLE_SECONDS = 20.0


def verifying() -> None:
    """A journal of some thousand rounds, both chains and every result, against SHA-256 alone."""
    with tempfile.TemporaryDirectory(dir=ROOT) as folder:
        url = f"sqlite:///{folder}/record.db"
        create(url, TABLE)
        fill(url, ROUNDS)
        measured = rates(lambda: verify(url, TABLE).events)
        sound = verify(url, TABLE).is_sound
    tell(
        "events verified",
        per_second=median(measured),
        to_reach=20_000,
        is_sound=sound,
        floor_hashes_per_second=median(rates(_hashes)),
    )


def _hashes() -> int:
    row = bytes(700)
    for _ in range(100_000):
        row = hashlib.sha256(row).digest() + row[32:]
    return 100_000


def idling() -> None:
    """Processor time and memory of a table service in which nothing happens."""
    with tempfile.TemporaryDirectory() as folder, studio(Path(folder)) as running:
        service = running.start()
        hands = Hands(running)
        until(lambda: hands.step() == "settle" or hands.snapshot().state["rounds"], 60)
        pid = service.child.pid
        began, used = time.perf_counter(), _processor_seconds(pid)
        until(lambda: time.perf_counter() - began > IDLE_SECONDS, IDLE_SECONDS + 5, 0.5)
        share = (_processor_seconds(pid) - used) / (time.perf_counter() - began)
        tell(
            "idle table service",
            percent_of_a_core=share * 100,
            to_reach_percent=1,
            megabytes=megabytes(pid),
            to_reach_megabytes=100,
            floor_megabytes_of_bare_python=_bare_megabytes(),
        )


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise LookupError(pid)


def _bare_megabytes() -> float:
    bare = Process(["-c", "print({}, flush=True); input()"])
    used = megabytes(bare.child.pid)
    bare.end()
    return used
