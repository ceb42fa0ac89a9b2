# SPDX-License-Identifier: Apache-2.0

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.feed import asks, follow
from studio.feed.updates import Bookmark, Status
from studio.game import events as ev
from tests.feed.examples import EPOCH, PUBLIC_EVENTS, ROUND, TABLE
from tests.feed.fake_studio import Happening, Record
from tests.feed.following import Following, bets_open, live

CLOSED = ev.RoundClosed()
_FEW = st.integers(0, 4)
_steps = st.lists(
    st.one_of(
        st.tuples(st.just("happen"), st.integers(0, len(PUBLIC_EVENTS) - 1)),
        st.tuples(st.sampled_from(["deliver", "repeat", "drop"]), _FEW),
        st.tuples(st.sampled_from(["beat", "answer", "late answer", "lose ask", "wait"]), _FEW),
    ),
    min_size=20,
    max_size=80,
)


class Network:
    """Messages on their way, in no order, and answers worked out early and delivered late."""

    def __init__(self, following: Following) -> None:
        self.following = following
        self.on_their_way: list[bytes] = []
        self.answers: list[asks.Answer] = []

    def do(self, what: str, number: int) -> None:
        following = self.following
        at = min(number, len(self.on_their_way) - 1)
        match what:
            case "happen":
                message = following.happening.add(PUBLIC_EVENTS[number])
                self.on_their_way.append(message.payload)
            case "beat":
                self.on_their_way.append(following.happening.heartbeat())
            case "deliver" if at >= 0:
                following.hear(self.on_their_way.pop(at))
            case "repeat" if at >= 0:
                following.hear(self.on_their_way[at])
            case "drop" if at >= 0:
                del self.on_their_way[at]
            case "answer" if following.asked:
                following.answer_next()
            case "late answer":
                asked, following.asked = following.asked, []
                self.answers += [following.happening.answer(asks.encode(ask)) for ask in asked]
                if self.answers:
                    following.give(self.answers.pop(0))
            case "lose ask" if following.asked:
                del following.asked[0]
            case "wait":
                following.wait(number / 2)


@pytest.mark.req("FEED-9", "FEED-10", "FEED-11", "VOID-6")
@given(st.integers(0, 10), _steps)
def test_whatever_is_dropped_repeated_or_late_the_history_accepted_is_the_one_sent(
    before: int, steps: list[tuple[str, int]]
) -> None:
    happening = Happening(Record())
    for event in PUBLIC_EVENTS[:before]:
        happening.add(event)
    following = Following(happening)
    network = Network(following)
    for what, number in steps:
        network.do(what, number)
    following.settle()
    (joined,) = following.joins
    sent = [payload for _, seq, payload in happening.record.rows if seq > joined.seq]
    assert [message.payload for message in following.accepted] == sent
    assert following.follower.view == happening.state
    assert following.follower.head == happening.head
    assert following.alarms == []
    assert following.follower._kept == {}


@given(st.integers(0, len(PUBLIC_EVENTS)), st.integers(0, len(PUBLIC_EVENTS)))
def test_whoever_comes_back_with_a_bookmark_misses_nothing_and_takes_no_snapshot(
    left_at: int, join_at: int
) -> None:
    happening = Happening(Record())
    first = None
    for number, event in enumerate(PUBLIC_EVENTS):
        if number == min(join_at, left_at):
            first = Following(happening)
            first.settle()
        if number == left_at:
            break
        happening.add(event)
        if first is not None:
            first.hear(happening.record.rows[-1][2])
    first = first or Following(happening)
    first.settle()
    bookmark = msgspec.json.encode(first.follower.bookmark())
    for event in PUBLIC_EVENTS[left_at:]:
        happening.add(event)
    back = Following(happening, bookmark=msgspec.json.decode(bookmark, type=Bookmark))
    assert isinstance(back.asked[0], asks.AskHistory)
    back.settle()
    assert back.joins == []
    assert [m.payload for m in back.accepted] == [r[2] for r in happening.record.rows[left_at:]]
    assert back.follower.view == happening.state
    assert back.follower.head == happening.head


def test_joining_drops_what_the_snapshot_covers_and_applies_the_rest() -> None:
    happening = Happening(Record())
    following = Following(happening)
    following.say(PUBLIC_EVENTS[0], PUBLIC_EVENTS[5])
    assert following.accepted == []
    snapshot = happening.answer(asks.encode(following.asked.pop()))
    following.say(CLOSED)
    following.give(snapshot)
    assert [message.seq for message in following.accepted] == [3]
    assert following.status() is Status.LIVE


@pytest.mark.req("FEED-11")
def test_a_gap_is_filled_from_history_and_never_by_a_snapshot() -> None:
    following = live(CLOSED)
    following.happening.add(CLOSED)
    following.say(CLOSED)
    assert following.status() is Status.CATCHING_UP
    assert following.accepted == []
    ask = following.answer_next()
    assert isinstance(ask, asks.AskHistory)
    assert ask.after == 1
    assert [message.seq for message in following.accepted] == [2, 3]
    assert following.status() is Status.LIVE
    assert len(following.joins) == 1


def test_a_heartbeat_beyond_the_last_message_shows_the_gap() -> None:
    following = live()
    following.happening.add(CLOSED)
    following.beat()
    assert following.status() is Status.CATCHING_UP
    following.answer_all()
    assert following.status() is Status.LIVE
    assert [message.seq for message in following.accepted] == [1]


@pytest.mark.req("FEED-14")
def test_a_heartbeat_beyond_the_snapshot_that_was_heard_before_it_shows_the_gap() -> None:
    happening = Happening(Record())
    for event in bets_open():
        happening.add(event)
    following = Following(happening)
    snapshot = happening.answer(asks.encode(following.asked.pop()))
    happening.add(PUBLIC_EVENTS[0])
    following.beat()
    following.give(snapshot)
    assert following.status() is Status.CATCHING_UP
    assert not following.follower.bets_are_open(following.now)
    following.answer_all()
    assert following.status() is Status.LIVE


def test_a_long_gap_is_filled_page_by_page() -> None:
    following = live()
    for _ in range(2500):
        following.happening.add(CLOSED)
    following.beat()
    asked = following.answer_all()
    assert [ask.after for ask in asked if isinstance(ask, asks.AskHistory)] == [0, 1000, 2000]
    assert len(following.accepted) == 2500


def test_a_request_is_asked_again_and_the_first_answer_will_do_however_late() -> None:
    following = Following(Happening(Record()))
    (asked,) = following.asked
    following.wait(1.75)
    assert following.asked == [asked]
    following.wait(0.5)
    assert following.asked == [asked, asked]
    answer = following.happening.answer(asks.encode(asked))
    following.give(answer)
    following.give(answer)
    assert len(following.joins) == 1


def test_an_answer_to_what_is_not_asked_any_more_is_not_taken() -> None:
    following = live()
    following.happening.add(CLOSED)
    following.beat()
    (asked,) = following.asked
    following.hear(following.happening.record.rows[-1][2])
    assert following.status() is Status.LIVE
    following.happening.add(CLOSED)
    following.beat()
    answer = following.happening.answer(asks.encode(asked))
    assert following.asked[-1] != asked
    following.give(answer)
    assert len(following.accepted) == 1


def test_an_answer_without_progress_is_not_asked_for_in_a_tight_loop() -> None:
    following = live()
    following.happening.add(CLOSED)
    following.beat()
    rows, following.happening.record.rows = following.happening.record.rows, []
    following.happening.seq = 0
    assert len(following.answer_all()) == 1
    following.wait(0.25)
    assert following.asked == []
    following.wait(0.5)
    following.happening.record.rows, following.happening.seq = rows, 1
    following.answer_all()
    assert following.status() is Status.LIVE


def test_messages_of_another_table_are_not_heard() -> None:
    following = live()
    payload = following.happening.add(CLOSED).payload
    assert following.hear(payload.replace(b'"BAC-1"', b'"BAC-10"', 1)) == []


def test_what_is_heard_of_another_epoch_before_joining_does_not_hold_up_the_table() -> None:
    other = Happening(Record(), epoch="another-epoch")
    following = Following(Happening(Record()))
    for _ in range(3):
        following.hear(other.add(CLOSED).payload)
    following.say(CLOSED)
    following.answer_all()
    assert following.status() is Status.LIVE
    assert following.follower.epoch == EPOCH
    assert following.follower._kept == {}


def test_whoever_comes_back_is_not_live_before_the_last_page_of_history() -> None:
    first = live()
    for _ in range(1500):
        first.happening.add(CLOSED)
    back = Following(first.happening, bookmark=first.follower.bookmark())
    back.answer_next()
    assert back.status() is Status.CATCHING_UP
    back.answer_next()
    assert back.status() is Status.LIVE
    assert back.asked == []


def test_what_is_kept_is_bounded_and_the_rest_comes_from_history(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(follow, "MOST_KEPT", 5)
    following = live()
    following.happening.add(CLOSED)
    for _ in range(20):
        following.say(CLOSED)
    assert len(following.follower._kept) == 5
    following.settle()
    assert [message.seq for message in following.accepted] == list(range(1, 22))


def test_an_answer_of_another_kind_than_asked_for_is_asked_for_again() -> None:
    following = Following(Happening(Record()))
    ask = following.asked.pop()
    following.give(asks.Round(id=ask.id, table=TABLE, round=ROUND, payloads=()))
    following.give(asks.Tables(id=ask.id, tables=()))
    assert following.asked == []
    following.wait(0.5)
    following.answer_all()
    assert following.status() is Status.LIVE


def test_history_may_overlap_what_was_heard_or_have_a_hole_itself() -> None:
    following = live()
    happening = following.happening
    for _ in range(3):
        happening.add(CLOSED)
    following.beat()
    answer = happening.answer(asks.encode(following.asked.pop()))
    assert isinstance(answer, asks.History)
    following.hear(happening.record.rows[0][2])
    following.give(
        msgspec.structs.replace(answer, payloads=(answer.payloads[0], answer.payloads[2]))
    )
    assert [message.seq for message in following.accepted] == [1]
    following.settle()
    assert [message.seq for message in following.accepted] == [1, 2, 3]
