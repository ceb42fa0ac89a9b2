# SPDX-License-Identifier: Apache-2.0
"""Answers through a relay that cheats: nothing changed is believed, paid or bet on."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from nacl.signing import SigningKey, VerifyKey

from studio.feed import answers, asks, proof, wire
from studio.feed.updates import Accepted, Joined, RoundChecked, Status
from studio.game import events as ev
from tests.feed.cheating import IMPOSTOR, STUDIO, Behind, Frames, behind
from tests.feed.examples import PUBLIC_EVENTS, ROUND, TABLE
from tests.feed.fake_studio import Happening, Record
from tests.feed.following import bets_open

KEYS = [STUDIO.public]
RESULT = next(one for one in PUBLIC_EVENTS if isinstance(one, ev.ResultConfirmed))
ChangeAnswer = Callable[[bytes], bytes]


def answered(request: asks.Ask) -> tuple[Any, bytes]:
    """What the studio answers, signed: read, and as its bytes."""
    happening = Happening(Record())
    for event in PUBLIC_EVENTS:
        happening.add(event)
    frame = answers.answer(asks.encode(request), happening.view, happening.record, sign=STUDIO.sign)
    return asks.read_answer(frame), frame


SNAPSHOT = asks.AskSnapshot(id="n-1", table=TABLE)
ROUND_ASKED = asks.AskRound(id="n-2", table=TABLE, round=ROUND)


@pytest.mark.req("FEED-17")
def test_a_signed_answer_can_be_checked_by_anybody_who_reads_how() -> None:
    key = VerifyKey(bytes(SigningKey(b"s" * 32).verify_key))
    snapshot, frame = answered(SNAPSHOT)
    state = frame[frame.index(b'"state":') + 8 : frame.index(b',"signature":')]
    lines = ["sabot snapshot 1", "n-1", TABLE, snapshot.epoch, str(snapshot.seq), snapshot.head]
    text = "\n".join([*lines, sha256(state).hexdigest()])
    key.verify(text.encode(), bytes.fromhex(snapshot.signature.value))
    found, _ = answered(ROUND_ASKED)
    hashed = sha256("\n".join(found.payloads).encode()).hexdigest()
    text = f"sabot round 1\nn-2\n{TABLE}\n{ROUND}\n{hashed}"
    key.verify(text.encode(), bytes.fromhex(found.signature.value))


@pytest.mark.req("FEED-17")
@pytest.mark.parametrize("request_", [SNAPSHOT, ROUND_ASKED])
def test_every_member_that_is_changed_makes_the_signature_wrong(request_: asks.Ask) -> None:
    answer, frame = answered(request_)
    assert proof.fault_of(answer, frame, KEYS) is None
    told = msgspec.json.decode(frame)
    changes: dict[str, Any] = {
        "id": "n-3", "table": "BAC-2", "epoch": "another", "seq": 1, "head": "00" * 32,
        "round": "another", "payloads": told.get("payloads", ())[:-1],
        "state": {**told.get("state", {}), "dealer": "Eve"},
    }  # fmt: skip
    for name in changes.keys() & told.keys():
        changed = msgspec.json.encode({**told, name: changes[name]})
        fault = proof.fault_of(asks.read_answer(changed), changed, KEYS)  # type: ignore[arg-type]
        assert fault, name
        assert "wrong signature" in fault
    assert "another key" in str(proof.fault_of(answer, frame, [IMPOSTOR.public]))
    del told["signature"]
    bare = msgspec.json.encode(told)
    assert "without" in str(proof.fault_of(asks.read_answer(bare), bare, KEYS))  # type: ignore[arg-type]


def test_an_id_with_a_line_feed_is_answered_and_not_signed() -> None:
    answer, _ = answered(asks.AskSnapshot(id="n\n1", table=TABLE))
    assert isinstance(answer, asks.Snapshot)
    assert answer.signature is msgspec.UNSET


# --- a front-end behind a relay ------------------------------------------------------------------


def swapped(payload: str) -> str:
    """Another winner, and the odds that go with it."""
    other = payload.replace('"outcome":"player"', '"outcome":"banker"')
    return other.replace('"player":"1"', '"player":"-1"').replace(
        '"banker":"-1"', '"banker":"0.95"'
    )


def changed_in(answer: str) -> ChangeAnswer:
    """Answers of that kind tell of another winner."""

    def change(frame: bytes) -> bytes:
        told = msgspec.json.decode(frame)
        if told["answer"] != answer:
            return frame
        if answer == "snapshot":
            for one in told["state"]["results"]:
                one["outcome"] = "banker"
            told["state"]["dealer"] = "Eve"
        else:
            told["payloads"] = [swapped(payload) for payload in told["payloads"]]
        return msgspec.json.encode(told)

    return change


def believed(front: Behind) -> list[str]:
    """The outcomes that a front-end would have paid: accepted, and proven."""
    proven = front.subscriber.proven(TABLE)
    return [
        one.message.data.outcome.value  # type: ignore[union-attr]
        for one in front.updates
        if isinstance(one, Accepted) and one.message.type == "result" and one.message.seq <= proven
    ]


@pytest.mark.req("FEED-17")
def test_behind_an_honest_relay_a_late_front_end_joins_and_bets_once_all_is_proven() -> None:
    with behind(before=bets_open()) as front:
        front.hears(lambda: front.subscriber.bets_are_open(TABLE))
        assert front.subscriber.proven(TABLE) == front.seq == len(bets_open())
        front.studio.say(RESULT)
        front.hears(lambda: front.seq == len(bets_open()) + 1, beats=False)
        assert not front.subscriber.bets_are_open(TABLE)
        assert believed(front) == []
        front.hears(lambda: believed(front) == ["player"])
        assert front.alarms() == set()


@pytest.mark.req("FEED-17")
def test_an_outcome_changed_in_a_message_is_an_alarm_and_is_never_paid() -> None:
    def change(frames: Frames) -> list[Frames]:
        return [[frames[0], swapped(frames[1].decode()).encode()]]

    with behind(before=bets_open()) as front:
        front.goes_live()
        front.cheat.change = change
        front.studio.say(RESULT)
        front.hears(lambda: front.seq == len(bets_open()) + 1, beats=False)
        front.hears(lambda: "chain_broken" in front.alarms())
        assert believed(front) == []
        assert not front.subscriber.bets_are_open(TABLE)


@pytest.mark.req("FEED-17")
def test_an_outcome_changed_in_history_is_an_alarm_and_is_never_paid() -> None:
    with behind(before=bets_open(), change_answer=changed_in("history")) as front:
        front.goes_live()
        honest = front.cheat.change
        front.cheat.change = lambda frames: [] if b"/result" in frames[0] else honest(frames)
        front.studio.say(RESULT)
        front.hears(lambda: "chain_broken" in front.alarms())
        assert front.seq == len(bets_open()) + 1
        assert believed(front) == []
        assert not front.subscriber.bets_are_open(TABLE)


@pytest.mark.req("FEED-17")
def test_a_snapshot_that_was_changed_is_not_joined_and_the_next_honest_one_is() -> None:
    before = [*bets_open(), RESULT]
    with behind(before=before, change_answer=changed_in("snapshot")) as front:
        front.hears(lambda: "impostor" in front.alarms())
        assert front.status in (Status.JOINING, Status.STALE)
        assert not any(isinstance(one, Joined) for one in front.updates)
        assert not front.subscriber.bets_are_open(TABLE)
        front.cheat.change_answer = lambda frame: frame
        front.now += 2.5
        front.goes_live()
        (joined,) = (one for one in front.updates if isinstance(one, Joined))
        assert joined.state == front.studio.happening.state


@pytest.mark.req("FEED-17")
def test_a_snapshot_of_another_hand_or_of_none_is_not_joined() -> None:
    for change in (_without_signature, _by_another_hand):
        with behind(before=bets_open(), change_answer=change) as front:
            front.hears(lambda front=front: "impostor" in front.alarms())  # type: ignore[misc]
            assert front.subscriber.followers[TABLE].view is None


def _without_signature(frame: bytes) -> bytes:
    told = msgspec.json.decode(frame)
    told.pop("signature", None)
    return msgspec.json.encode(told)


def _by_another_hand(frame: bytes) -> bytes:
    bare = asks.read_answer(_without_signature(frame))
    return asks.encode(proof.signed(bare, IMPOSTOR.sign))


@pytest.mark.req("FEED-1", "FEED-17")
def test_a_signed_answer_recorded_for_another_front_end_is_not_believed() -> None:
    with behind(before=bets_open()) as earlier:
        earlier.goes_live()
        (recorded,) = earlier.cheat.answers
    with behind(before=[*bets_open(), RESULT]) as front:

        def played_again(frame: bytes) -> bytes:
            # even with the id that is asked for now
            told = msgspec.json.decode(frame)
            return msgspec.json.encode({**msgspec.json.decode(recorded), "id": told["id"]})

        front.cheat.change_answer = played_again
        front.hears(lambda: "impostor" in front.alarms())
        assert front.subscriber.followers[TABLE].view is None


@pytest.mark.req("FEED-17")
def test_after_a_new_epoch_the_results_of_a_round_are_believed_from_the_studio_alone() -> None:
    before = [*bets_open(), RESULT]
    with behind(before=before, change_answer=changed_in("round")) as front:
        front.goes_live()
        record = front.studio.happening.record
        front.studio.happening = Happening(record, "another-epoch")
        front.studio.happening.sign = STUDIO.sign
        front.studio.happening.state = front.subscriber.followers[TABLE].view  # type: ignore[assignment]
        front.hears(lambda: "impostor" in front.alarms())
        assert not any(isinstance(one, RoundChecked) for one in front.updates)
        front.cheat.change_answer = lambda frame: frame
        front.now += 2.5
        front.hears(lambda: any(isinstance(one, RoundChecked) for one in front.updates))
    (checked, *_) = (one for one in front.updates if isinstance(one, RoundChecked))
    assert checked.message is not None
    assert checked.message.payload == record.rows[-1][2]


def test_a_head_is_proven_only_where_it_was_compared() -> None:
    with behind(before=bets_open()) as front:
        front.hears(lambda: front.status is not Status.JOINING, beats=False)
        assert front.subscriber.proven(TABLE) == 0
        front.hears(lambda: front.subscriber.proven(TABLE) == len(bets_open()))
        assert front.subscriber.followers[TABLE].head != wire.HEAD_0
