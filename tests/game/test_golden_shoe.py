# SPDX-License-Identifier: Apache-2.0
"""Golden shoes: records written once, out of which every later program reads the same table."""

import json
from pathlib import Path

import pytest

from studio.game import events as ev
from studio.game.events import Recorded
from studio.store.chain import recorded_of
from tests.game.golden_shoe import pictures, scripted, states_beside
from tests.game.table_audit import Audit
from tests.store.golden import FOLDER, kept

SHOES = sorted(path for path in FOLDER.glob("*.jsonl") if states_beside(path).exists())


def record_of(path: Path) -> list[Recorded]:
    return [recorded_of(row) for row in kept(path)[2]]


def test_there_is_a_golden_shoe() -> None:
    assert SHOES


@pytest.mark.req("DAT-2")
@pytest.mark.req("DAT-10", "DUR-14")
@pytest.mark.parametrize("path", SHOES, ids=lambda path: path.stem)
def test_a_golden_shoe_leads_to_the_states_that_it_once_led_to(path: Path) -> None:
    states = json.loads(states_beside(path).read_text(encoding="utf-8"))
    assert pictures(record_of(path)) == states


@pytest.mark.parametrize("path", SHOES, ids=lambda path: path.stem)
def test_a_golden_shoe_keeps_the_promises_of_the_feed(path: Path) -> None:
    record = record_of(path)
    audit = Audit(mends=any(isinstance(one.event, ev.CardStruck) for one in record))
    for recorded in record:
        audit.see(recorded)


def test_the_scripted_shoe_has_every_event_that_a_table_decides() -> None:
    told = {type(one.event).__struct_config__.tag for one in scripted().log}
    every = {row.type for path in FOLDER.glob("*.jsonl") for row in kept(path)[2]}
    # an epoch is not decided by the table: it begins on a stopped one; files are of no shoe
    of_files = {"software_approved", "software_check_asked", "software_checked", "settings_applied"}
    assert every - told == {"epoch_begun", *of_files}
