# SPDX-License-Identifier: Apache-2.0
"""A thousand subscribers of one table, and many tables: all hear the record, each byte of it."""

import signal
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest

from tests.system.crowd import Crowd
from tests.system.rig import Gone, Hands, Studio, studio
from tests.system.test_kill import KEEPING, SIMULATOR
from tests.system.witness import account, cards_on_record, is_sound, log_of

PROCESSES = 4
SUBSCRIBERS = 1000
TABLES = 20


def gathered(ending: ExitStack, *wanted: tuple[int, str], at: Studio) -> list[Crowd]:
    """Crowds of these sizes and kinds, all live."""
    with ThreadPoolExecutor() as pool:
        made = list(pool.map(lambda one: Crowd(one[0], at, kind=one[1]), wanted))
    for crowd in made:
        ending.callback(crowd.end)
    return made


def all_heard(crowds: list[Crowd]) -> bool:
    """Whether each of them heard the record, nothing twice, nothing missing; fails with who not."""
    for crowd in crowds:
        crowd.ask()
    assert [fault for crowd in crowds for fault in crowd.faults()] == []
    return True


def dealt(running: Studio, *, more: int, killed_at: Sequence[str] = ()) -> None:
    """Deal so many rounds more; the service is killed at each of those steps, and comes back."""
    hands, points = Hands(running), iter(killed_at)
    rounds = len(hands.snapshot().state["public"]["results"]) + more
    for _ in range(len(killed_at) + 1):
        try:
            hands.deal(rounds)
        except Gone:
            assert running.service is not None
            assert running.service.wait() == -signal.SIGKILL
            running.start(next(points, ""), 2)
        else:
            break
    assert next(points, None) is None, "it was not killed at every step"


@pytest.mark.req("FEED-2", "FEED-5", "FEED-8", "FEED-11", "DUR-10", "COM-3")
def test_a_thousand_with_keys_hear_the_record_whatever_becomes_of_some_or_of_the_service(
    tmp_path: Path,
) -> None:
    with studio(tmp_path, *SIMULATOR, keys=True) as running, ExitStack() as ending:
        running.start()
        hands = Hands(running)
        hands.play_to("idle")
        crowds = gathered(ending, *[(SUBSCRIBERS // PROCESSES, "quick")] * PROCESSES, at=running)
        hands.deal(2)
        assert all_heard(crowds)

        killed, slow = gathered(ending, (25, "quick"), (25, "slow"), at=running)
        hands.play_to("dealing", cards=2)
        crowds[0].process.child.send_signal(signal.SIGSTOP)
        killed.process.child.send_signal(signal.SIGKILL)
        dealt(running, more=3)
        assert all_heard(crowds[1:])
        crowds[0].process.child.send_signal(signal.SIGCONT)
        assert all_heard([*crowds, slow])

        hands.play_to("dealing", cards=2)
        assert running.service is not None
        running.service.end(signal.SIGKILL)
        running.start()
        dealt(running, more=2)
        assert all_heard([*crowds, slow])
        assert is_sound(running)
        log_of(running)


@pytest.mark.req("FEED-6", "FEED-11", "DUR-13", "COM-3")
def test_a_service_killed_at_every_step_leaves_no_subscriber_without_a_message(
    tmp_path: Path,
) -> None:
    with studio(tmp_path, *SIMULATOR, keys=True) as running, ExitStack() as ending:
        running.start()
        hands = Hands(running)
        hands.play_to("idle")
        crowds = gathered(ending, (20, "quick"), (20, "slow"), at=running)
        assert running.service is not None
        running.service.end()
        running.start(KEEPING[0], 2)
        dealt(running, more=6, killed_at=KEEPING[1:])
        assert all_heard(crowds)
        assert cards_on_record(running) == account(running)
        assert is_sound(running)


@pytest.mark.req("FEED-13", "FEED-11")
def test_twenty_tables_with_ten_subscribers_each_are_heard_though_one_of_them_dies(
    tmp_path: Path,
) -> None:
    with ExitStack() as ending, ThreadPoolExecutor(3) as pool:
        names = [f"BAC-{number}" for number in range(1, TABLES + 1)]
        tables = [ending.enter_context(_table(tmp_path, name)) for name in names]
        list(pool.map(Studio.start, tables))
        crowds = list(pool.map(lambda n: Crowd(10, *tables[n::4]), range(4)))
        for crowd in crowds:
            ending.callback(crowd.end)
        hands = [Hands(table) for table in tables]
        list(pool.map(lambda one: one.deal(1), hands))
        assert all_heard(crowds)
        assert tables[0].service is not None
        tables[0].service.end(signal.SIGKILL)
        list(pool.map(lambda one: one.deal(2), hands[1:5]))
        tables[0].start()
        hands[0].deal(2)
        assert all_heard(crowds)
        assert all(is_sound(table) for table in tables)


def _table(folder: Path, name: str) -> AbstractContextManager[Studio]:
    return studio(folder, "--seed", name[4:], table=name, database=f"sqlite:///{folder}/{name}.db")
