# SPDX-License-Identifier: Apache-2.0
"""How fast a round is found among a million, in a file and on a server."""

import itertools
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from studio.store.history import History
from studio.store.schema import create
from studio.store.search import Sought
from tests.bench.figures import quantile, tell
from tests.bench.million import DEALERS, TABLES, fill_file, fill_server
from tests.postgres import Server

ROUNDS = 1_000_000
RUNS = 40
LIMIT_MS = 200

_TABLE, _OTHER = TABLES[6], TABLES[0]
_DEALER = DEALERS[18][1]
_ROUND = f"{_TABLE}-20260110-0007"

ASKED = {
    "table": {"tables": (_TABLE,)},
    "time": {"begin": "2026-01-10T10", "end": "2026-01-10T22"},
    "dealer": {"dealer": _DEALER},
    "outcome": {"outcome": "tie"},
    "irregularity": {"irregularity": "card-lost"},
}
# What is rare, what is not there, and what never comes together.
HARD = {
    "id": Sought(round=_ROUND),
    "void": Sought(outcome="void"),
    "dealer, void": Sought(dealer=_DEALER, outcome="void"),
    "dealer at a table where they never were": Sought(dealer=_DEALER, tables=(_OTHER,)),
    "dealer and outcome at such a table": Sought(
        dealer=_DEALER, tables=(_OTHER,), outcome="banker"
    ),
    "nobody": Sought(dealer="Nobody", outcome="tie"),
    "two tables, outcome": Sought(tables=(_TABLE, _OTHER), outcome="tie"),
    "the page after 100,000 rounds": Sought(after=("2026-01-20T00:00:00.000000Z", "")),
}


def searches() -> Iterator[tuple[str, Sought]]:
    """Everything that can be asked, alone and together."""
    for count in range(len(ASKED) + 1):
        for names in itertools.combinations(ASKED, count):
            made = {key: value for name in names for key, value in ASKED[name].items()}
            yield ", ".join(names) or "the last rounds", Sought(**made)
    yield from HARD.items()


def search() -> None:
    """Each search forty times; its floor is one row by its key, asked on the same connection."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'record.db'}"
        create(url, TABLES[0])
        _measured("SQLite", url, fill_file)
    with Server() as server:
        url = server.new_place()
        create(url, TABLES[0])
        _measured("PostgreSQL", url, fill_server)


def _measured(kind: str, url: str, fill: Callable[[str, int], None]) -> None:
    begin = time.perf_counter()
    fill(url, ROUNDS)
    filled = time.perf_counter() - begin
    all_ms: list[float] = []
    processor_ms: list[float] = []
    slowest, named = 0.0, ""
    with History.open(url, TABLES[0]) as history:
        floor = [_ms(lambda: history.has_round(_ROUND)) for _ in range(RUNS * 10)]
        for name, sought in searches():
            ms = [_ms(lambda sought=sought: history.search(sought)) for _ in range(RUNS)]
            used = time.process_time()
            found = len(history.search(sought))
            processor_ms.append((time.process_time() - used) * 1000)
            all_ms += ms
            if quantile(ms, 0.95) > slowest:
                slowest, named = quantile(ms, 0.95), name
            tell(f"search, {kind}: {name}", found=found, **_quantiles(ms))
    tell(
        f"search among a million rounds, {kind}",
        **_quantiles(all_ms),
        slowest=named,
        slowest_p95_ms=slowest,
        to_reach_ms=LIMIT_MS,
        most_processor_ms_of_this_process=max(processor_ms),
        **{f"floor_{name}": value for name, value in _quantiles(floor).items()},
        seconds_to_fill=filled,
        load=os.getloadavg()[0],
    )


def _ms(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000


def _quantiles(ms: list[float]) -> dict[str, float]:
    return {
        "p50_ms": quantile(ms, 0.5),
        "p95_ms": quantile(ms, 0.95),
        "p99_ms": quantile(ms, 0.99),
    }
