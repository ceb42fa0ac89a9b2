# SPDX-License-Identifier: Apache-2.0
"""The conformance kit: front-ends that are right pass, those that are wrong fail by name."""

import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from studio.conformance.cases import CASES, Needs
from studio.conformance.run import Mark, Row, Setup, rows
from tests.cli.run import processes_in, studio

FRONT_END = (sys.executable, str(Path(__file__).parents[1] / "conformance" / "front_end.py"))
CASE = {case.name: case for case in CASES}
# What somebody might forget, the case that shows it, and what the front-end is caught saying.
FAULTS = {
    "gaps": ("dropped", "revision 2"),
    "blind": ("dropped", "bets open"),
    "stale": ("stale", "bets open"),
    "late": ("stale", "bets open"),
    "last word": ("older-revision-late", "revision 1"),
    "first word": ("amended", "revision 1"),
    "counts twice": ("duplicates", "player "),
    "voids": ("voided", "revision 1"),
    "reopens": ("suspended", "open"),
    "last word on air": ("last-word", "bets open"),
    "own clock": ("closes-at", "bets open"),
    "snapshot": ("earlier-shoe", "and nothing else"),
    "prefix": ("other-table", "and nothing else"),
    "strict": ("unknown", "ended with status 1"),
    "environment": ("environment", "open"),
    "round": ("new-epoch", "and nothing else"),
    "old epoch": ("new-epoch", "and nothing else"),
    "silent": ("acknowledged", "and nothing else"),
    "any hand": ("forged-heartbeat", "bets open"),
    "no hand": ("unsigned-heartbeat", "bets open"),
    "replays": ("replayed-heartbeat", "bets open"),
    "chain": ("changed-message", "bets open"),
}


def _wrong(fault: str) -> Row:
    """What the kit says of a front-end with this fault, in the case that shows it."""
    case = CASE[FAULTS[fault][0]]
    is_keyed = case.needs is Needs.KEYS
    setup = Setup(command=(*FRONT_END, fault), patience=6.0, is_keyed=is_keyed, at_once=1)
    (row,) = rows([case], setup, threading.Event())
    return row


@pytest.mark.req("FEED-1", "FEED-7", "FEED-9", "FEED-10", "FEED-11", "FEED-12", "FEED-14")
def test_the_subscriber_passes_every_case_with_keys(tmp_path: Path) -> None:
    front_end = (sys.executable, "-m", "studio.conformance.front_end")
    options = ("--json", "--patience", "20", "--at-once", "8")
    done = studio("conformance", *options, "--", *front_end, home=tmp_path)
    sheet = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row for row in sheet if row["mark"] != "passed"] == []
    assert [row["case"] for row in sheet] == [case.name for case in CASES]
    assert (done.returncode, done.stderr) == (0, "")
    assert processes_in(tmp_path) == []


def test_a_front_end_that_shares_no_code_with_the_studio_passes_every_case() -> None:
    setup = Setup(command=FRONT_END, patience=20.0, at_once=8)
    sheet = [*rows(CASES, setup, threading.Event())]
    assert [row for row in sheet if row.mark is not Mark.PASSED] == []


@pytest.mark.req("FEED-17")
def test_each_front_end_that_is_wrong_fails_the_case_that_is_about_it() -> None:
    with ThreadPoolExecutor(8) as pool:
        caught = dict(zip(FAULTS, pool.map(_wrong, FAULTS), strict=True))
    missed = {
        fault: row
        for fault, row in caught.items()
        if row.mark is not Mark.FAILED or FAULTS[fault][1] not in row.said
    }
    assert missed == {}
