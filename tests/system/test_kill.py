# SPDX-License-Identifier: Apache-2.0
"""kill -9 of the service at every step between a card's bytes and its message."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.store.history import History
from studio.verify import verify
from tests.system.rig import TABLE, Gone, Hands, Studio, studio
from tests.system.witness import Watching, account
from tests.waiting import until

ROUNDS = 2
SIMULATOR = ("--seed", "11", "--repeats", "2", "--repeat-spacing", "0.001", "--burn", "first_card")
# After these the bytes of the card are in the raw log, and the card must not be lost.
KEEPING = (
    "logged",
    "decoded",
    "in the inbox",
    "taken",
    "decided",
    "uncommitted",
    "stored",
    "applied",
    "sent",
)


def _dealt(running: Studio, hands: Hands, rounds: int) -> None:
    """Deal, starting the service again when it dies."""
    for _ in range(rounds * 60):
        try:
            hands.deal(rounds)
        except Gone:
            assert running.service is not None
            assert running.service.wait() == -9
            running.start()
        else:
            return
    raise AssertionError("the rounds were not dealt")


def _results(hands: Hands) -> list[tuple[object, ...]]:
    results = hands.snapshot().state["public"]["results"]
    return [(one["outcome"], one["player"], one["banker"], one["bets"]) for one in results]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[str], object]]:
    """The cards and results of the same shoe, dealt without any fault."""
    with studio(tmp_path_factory.mktemp("undisturbed"), *SIMULATOR) as running:
        running.start()
        hands = Hands(running)
        hands.deal(ROUNDS)
        yield account(running), _results(hands)


@pytest.mark.req("DUR-13")
@pytest.mark.req("COM-3")
@pytest.mark.req("RND-5")
@pytest.mark.parametrize("number", [1, 6])
@pytest.mark.parametrize("point", KEEPING)
def test_a_kill_at_any_step_after_the_raw_log_loses_and_doubles_nothing(
    point: str, number: int, tmp_path: Path, undisturbed: tuple[list[str], object]
) -> None:
    with studio(tmp_path, *SIMULATOR) as running:
        running.start(point, number)
        watching = Watching(running.endpoints)
        try:
            hands = Hands(running)
            _dealt(running, hands, ROUNDS)
            assert account(running) == undisturbed[0]
            assert _results(hands) == undisturbed[1]
            _agree(running, watching)
        finally:
            watching.close()


@pytest.mark.req("REC-7")
@pytest.mark.parametrize("number", [1, 6])
def test_a_card_read_but_not_logged_is_known_to_be_missing_and_reaches_no_result(
    number: int, tmp_path: Path
) -> None:
    with studio(tmp_path, *SIMULATOR) as running:
        running.start("read", number)
        watching = Watching(running.endpoints)
        try:
            hands = Hands(running)
            _dealt(running, hands, ROUNDS)
            _agree(running, watching)
            for outcome, player, banker, _bets in _results(hands):
                assert outcome is None or len(player) + len(banker) >= 4  # type: ignore[arg-type]
        finally:
            watching.close()


def _agree(running: Studio, watching: Watching) -> None:
    """Record, the subscriber that stayed, and one that joins now tell the same story."""
    hands = Hands(running)
    late = Watching(running.endpoints)
    try:
        with History.open(running.database, TABLE) as history:
            epoch = history.epochs()[-1]
            stored = [payload for _, payload in history.payloads(epoch, 0, 5000)]
        until(lambda: len(watching.payloads) >= len(stored), 20)
        assert watching.payloads == stored
        until(lambda: late.state() is not None, 20)
        assert late.state() == watching.state()
        assert hands.snapshot().state["public"]["results"]
    finally:
        late.close()
    report = verify(running.database, TABLE)
    assert report.findings == ()
