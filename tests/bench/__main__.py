# SPDX-License-Identifier: Apache-2.0
"""``make bench``: all figures, or those named, one JSON object a line."""

import sys

from tests.bench.console import console
from tests.bench.fanout import catching_up, fanout
from tests.bench.game import adjudicating, deciding, judging, judging_by_table, odds
from tests.bench.latency import latency
from tests.bench.pit import pit
from tests.bench.record import idling, verifying
from tests.bench.search import search

FIGURES = {
    "latency": latency,
    "fanout": fanout,
    "catchup": catching_up,
    "judging": judging,
    "table": judging_by_table,
    "deciding": deciding,
    "verify": verifying,
    "search": search,
    "odds": odds,
    "adjudicate": adjudicating,
    "idle": idling,
    "console": console,
    "pit": pit,
}


def main(names: list[str]) -> int:
    """Measure the figures named, or all."""
    unknown = [name for name in names if name not in FIGURES]
    if unknown:
        sys.stderr.write(f"no such figure: {', '.join(unknown)}; there are {', '.join(FIGURES)}\n")
        return 2
    for name in names or FIGURES:
        FIGURES[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
