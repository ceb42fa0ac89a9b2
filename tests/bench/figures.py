# SPDX-License-Identifier: Apache-2.0
"""How a figure is measured and printed: one JSON object a line."""

import json
import time
from collections.abc import Callable


def quantile(values: list[float], part: float) -> float:
    """The value below which that part of the values lies."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * part), len(ordered) - 1)]


def median(values: list[float]) -> float:
    return quantile(values, 0.5)


def seconds_of(work: Callable[[], object]) -> float:
    """How long a piece of work takes, once."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def rates(
    work: Callable[[], int], runs: int = 5, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """Things done per second, by run, after one run that does not count."""
    work()
    measured = []
    for _ in range(runs):
        begin = clock()
        done = work()
        measured.append(done / (clock() - begin))
    return measured


def spin(loops: int = 2_000_000) -> float:
    """A fixed piece of plain Python, in loops per second: how fast this machine is just now."""
    begin = time.process_time()
    total = 0
    for number in range(loops):
        total += number
    return loops / (time.process_time() - begin)


def tell(figure: str, **members: object) -> None:
    """Print a figure."""
    rounded = {
        name: float(f"{value:.4g}") if isinstance(value, float) else value
        for name, value in members.items()
    }
    print(json.dumps({"figure": figure, **rounded}), flush=True)
