# SPDX-License-Identifier: Apache-2.0
"""A whole evening with something wrong in one coup of five, every hold ruled by the first proposal.

Afterwards the record, the feed and the simulated shoe's own account tell of the same evening, and
no card of a held moment was public before its ruling.
"""

from collections.abc import Iterator

import msgspec
import pytest

from studio.cli.drill_floor import Floor
from studio.feed.asks import AskHistory, AskSnapshot, History, Snapshot, read_answer
from studio.feed.client import Client
from studio.feed.subscriber import Subscriber
from studio.feed.updates import Joined
from studio.inbox import Stopping
from studio.verify import verify
from tests.system.evening import ONE_IN, End, Evening
from tests.system.troubles import TROUBLES

# Shoes dealt to their ends in each house, beside those that are stopped before. Without roads there
# is no shoe: the house that reshuffles is left out.
SHOES = {"studio": 2, "atlantic-city": 1, "macau": 1, "spain": 1}
_ENDS_OF_A_HOLD = ("round_released", "round_reconstructed", "round_voided")
_MAY_BE_TOLD_IN_A_HOLD = ("cut_card_seen",)


@pytest.fixture(scope="module", params=SHOES)
def evening(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Evening]:
    """An evening in one house, over."""
    folder = tmp_path_factory.mktemp(request.param)
    options = ("--repeats", "2")
    with Floor(folder, request.param, Stopping(), seed=11, shoe=options) as floor:
        found = Evening(floor, seed=5)
        found.deal(SHOES[request.param])
        floor.hear_all(floor.public_seq())
        found.findings = verify(floor.database, floor.table).findings
        yield found


def _messages(evening: Evening) -> list[dict[str, object]]:
    return [msgspec.json.decode(payload) for payload in evening.floor.heard]


def test_something_went_wrong_in_one_coup_of_five(evening: Evening) -> None:
    assert evening.coups > 50 * evening.shoes
    # one that finds no moment in its own coup waits for the next
    assert evening.coups // ONE_IN - 2 <= len(evening.done) <= evening.coups // ONE_IN
    assert evening.hidden
    assert set(evening.done) <= {trouble.name for trouble in TROUBLES}


def test_the_record_is_sound_and_has_the_cards_that_left_the_shoe(evening: Evening) -> None:
    assert evening.wrong == []
    assert evening.findings == ()


def test_every_round_came_on_air_to_what_its_cards_give(evening: Evening) -> None:
    shown = []
    for one in _messages(evening):
        data = one["data"]
        assert isinstance(data, dict)
        if one["type"] == "result":
            hands = tuple(data["player"]), tuple(data["banker"])
            shown.append(End(str(one["round"]), data["outcome"], *hands))
        elif one["type"] == "round_voided":
            shown.append(End(str(one["round"]), None, (), ()))
    assert shown == evening.ends


def test_what_was_heard_is_the_history_and_the_record(evening: Evening) -> None:
    floor = evening.floor
    assert floor.joined == 0
    assert floor.alarms == []
    found: list[bytes] = []
    with Client(floor.endpoints["public_requests"]) as client:
        snapshot = read_answer(client.ask(AskSnapshot(id="s", table=floor.table)))
        assert isinstance(snapshot, Snapshot)
        while len(found) < snapshot.seq:
            ask = AskHistory(
                id="h", table=floor.table, epoch=snapshot.epoch, after=len(found), limit=5000
            )
            page = read_answer(client.ask(ask))
            assert isinstance(page, History)
            found += [payload.encode() for payload in page.payloads]
    assert found == floor.heard == floor.stored(0, 100_000)
    assert floor.picture() == snapshot.state
    # one that joins now has the same picture as the one that heard it all
    with Subscriber(
        floor.endpoints["public_events"], floor.endpoints["public_requests"], None, "test"
    ) as late:
        floor.until(lambda: [one for one in late.poll(0) if isinstance(one, Joined)], "a picture")
        view = late.followers[floor.table].view
        assert msgspec.json.decode(msgspec.json.encode(view)) == snapshot.state


def test_no_card_of_a_held_moment_was_public_before_its_ruling(evening: Evening) -> None:
    is_held = False
    holds = 0
    for one in _messages(evening):
        if one["type"] == "round_held":
            is_held, holds = True, holds + 1
        elif one["type"] in _ENDS_OF_A_HOLD:
            is_held = False
        elif is_held:
            assert one["type"] in _MAY_BE_TOLD_IN_A_HOLD
    assert holds


def test_the_picture_in_a_hold_is_the_one_from_before_it(evening: Evening) -> None:
    messages = _messages(evening)
    for moment in evening.hidden:
        player: list[object] = []
        banker: list[object] = []
        for one in messages[: moment.messages]:
            data = one["data"]
            assert isinstance(data, dict)
            match one["type"]:
                case "card_dealt":
                    (player if data["position"][0] == "P" else banker).append(data["card"])
                case "round_reconstructed":
                    player, banker = list(data["player"]), list(data["banker"])
                case "round_closed":
                    player, banker = [], []
                case _:
                    pass
        assert [[card.value for card in hand] for hand in moment.hands] == [player, banker]


def test_no_card_was_public_while_bets_were_open(evening: Evening) -> None:
    are_open = False
    for one in _messages(evening):
        are_open = one["type"] == "bets_opened" or (are_open and one["type"] != "bets_closed")
        assert not (are_open and one["type"] in ("card_dealt", "result"))
