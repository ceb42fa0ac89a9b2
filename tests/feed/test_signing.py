# SPDX-License-Identifier: Apache-2.0
"""The signature in a heartbeat: its exact form, and a front-end behind a relay that cheats."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest
from nacl.signing import SigningKey, VerifyKey

from studio.feed import wire
from studio.feed.signing import Genuine, Signer, heartbeat_text, signed_text
from studio.feed.subscriber import Subscriber
from studio.feed.updates import Accepted, Status
from studio.game import events as ev
from tests.feed.cheating import IMPOSTOR, STUDIO, Change, Frames, behind
from tests.feed.examples import AT, EPOCH, PUBLIC_EVENTS, TABLE


def a_heartbeat(signer: Signer = STUDIO, suspended: str | None = None) -> bytes:
    return wire.heartbeat_payload(TABLE, EPOCH, 7, b"\x0f" * 32, AT, suspended, sign=signer.sign)


@pytest.mark.req("FEED-17")
def test_a_signature_is_over_seven_lines_and_can_be_checked_by_anybody() -> None:
    data = msgspec.json.decode(a_heartbeat(suspended="review"))["data"]
    assert data["signature"]["algorithm"] == "ed25519"
    key = SigningKey(b"s" * 32).verify_key
    assert data["signature"]["key"] == bytes(key).hex()
    text = f"sabot heartbeat 1\n{TABLE}\n{EPOCH}\n7\n{'0f' * 32}\n{wire.utc_text(AT)}\nreview"
    VerifyKey(bytes(key)).verify(text.encode(), bytes.fromhex(data["signature"]["value"]))
    assert heartbeat_text(a_heartbeat(suspended="review")) == text.encode()
    assert heartbeat_text(a_heartbeat()).endswith(b"Z\n")


def test_a_table_without_keys_sends_heartbeats_as_ever() -> None:
    payload = wire.heartbeat_payload(TABLE, EPOCH, 7, bytes(32), AT, None)
    assert msgspec.json.decode(payload)["data"] == {"head": "00" * 32, "suspended": None}
    with pytest.raises(ValueError, match="not a heartbeat"):
        heartbeat_text(b"{}")


def altered(**members: Any) -> Change:
    """Heartbeats come with other members."""

    def change(frames: Frames) -> list[Frames]:
        topic, payload = frames
        if not topic.endswith(b"/heartbeat"):
            return [frames]
        told = msgspec.json.decode(payload)
        own = {name: value for name, value in members.items() if name in told}
        data = {name: value for name, value in members.items() if name not in told}
        return [[topic, msgspec.json.encode({**told, **own, "data": {**told["data"], **data}})]]

    return change


@pytest.mark.req("FEED-17")
def test_behind_an_honest_relay_all_that_was_heard_is_proven_within_a_heartbeat() -> None:
    with behind() as front:
        front.goes_live()
        front.studio.say(*PUBLIC_EVENTS)
        front.hears(lambda: front.subscriber.proven(TABLE) == len(PUBLIC_EVENTS))
        assert front.seq == len(PUBLIC_EVENTS)
        assert front.alarms() == set()


@pytest.mark.req("FEED-17")
def test_a_card_changed_on_the_way_is_found_at_the_next_heartbeat_and_never_proven() -> None:
    def change(frames: Frames) -> list[Frames]:
        told = msgspec.json.decode(frames[1])
        if told["type"] == "card_dealt":
            told["data"]["card"] = "2C" if told["data"]["card"] == "9H" else "9H"
        return [[frames[0], msgspec.json.encode(told)]]

    with behind() as front:
        front.goes_live()
        front.cheat.change = change
        front.studio.say(*PUBLIC_EVENTS)
        front.hears(lambda: "chain_broken" in front.alarms())
        assert front.subscriber.proven(TABLE) == 0
        assert not front.subscriber.bets_are_open(TABLE)


@pytest.mark.req("FEED-17")
@pytest.mark.parametrize(
    "change, signer",
    [
        (altered(suspended=None, signature=None), STUDIO),
        (altered(suspended="review"), STUDIO),
        (altered(seq=0), STUDIO),
        (altered(at="2026-11-29T23:59:58.000000Z"), STUDIO),
        (altered(head="ab" * 32), STUDIO),
        (altered(epoch="another"), STUDIO),
        (altered(signature={"algorithm": "none", "key": STUDIO.public.hex(), "value": ""}), STUDIO),
        (altered(signature={"algorithm": "ed25519", "key": STUDIO.public.hex(), "value": "x"}),
         STUDIO),
        (None, IMPOSTOR),
        (None, None),
    ],
    ids=["no signature", "suspended", "seq", "at", "head", "epoch", "algorithm", "value",
         "another studio", "a studio without keys"],
)  # fmt: skip
def test_a_heartbeat_that_the_studio_did_not_sign_is_not_believed(
    change: Change | None, signer: Signer | None
) -> None:
    with behind(change, signer) as front:
        front.studio.say(PUBLIC_EVENTS[0])
        front.hears(lambda: "impostor" in front.alarms())
        assert front.subscriber.studio_time(TABLE) is None
        assert not front.subscriber.bets_are_open(TABLE)
        assert front.subscriber.proven(TABLE) == 0
        front.now += 3.0
        front.hears(lambda: front.status is Status.STALE, beats=False)


@pytest.mark.req("FEED-1", "FEED-10")
def test_heartbeats_played_again_do_not_keep_a_table_alive() -> None:
    with behind() as front:
        front.goes_live()
        recorded = [frames for frames in front.cheat.seen if b"heartbeat" in frames[0]]
        # the relay holds back what comes, and plays what it has
        front.cheat.change = lambda _frames: recorded

        def is_stale_with_time() -> bool:
            front.now += 0.5  # one of before may still be on its way, and counts when it comes
            return front.status is Status.STALE

        front.hears(is_stale_with_time)
        assert front.alarms() == set()


@pytest.mark.req("FEED-1")
def test_a_recording_of_an_hour_ago_is_refused_and_so_is_a_clock_that_is_wrong() -> None:
    with behind() as front:
        front.is_fast_by = timedelta(hours=1)
        front.hears(lambda: "impostor" in front.alarms())
        assert front.subscriber.studio_time(TABLE) is None


def test_a_message_without_a_signed_heartbeat_comes_by_history_once_there_is_one() -> None:
    with behind(altered(signature=None)) as front:
        front.studio.say(*PUBLIC_EVENTS[:3])
        front.hears(lambda: len(front.cheat.seen) > 5)
        assert not any(isinstance(one, Accepted) for one in front.updates)
        front.cheat.change = lambda frames: [frames]
        front.hears(lambda: front.seq == 3 and front.status is Status.LIVE)


@pytest.mark.req("FEED-14", "FEED-17")
def test_after_a_message_that_was_not_believed_the_studio_must_be_heard_of_a_time_as_late() -> None:
    genuine = Genuine([STUDIO.public])

    def beats(seconds: int) -> None:
        at = AT + timedelta(seconds=seconds)
        text = signed_text(TABLE, EPOCH, 1, "00" * 32, wire.utc_text(at), None)
        assert genuine.fault_of(STUDIO.sign(text), text, (EPOCH, 1, at), at, 10.0) is None

    assert not genuine.believes(AT + timedelta(seconds=2), 10.0)
    # one that was late on its way knows nothing of that message
    beats(1)
    assert not genuine.is_fresh(10.0)
    beats(2)
    assert genuine.is_fresh(10.0)
    assert not genuine.is_fresh(13.0)


def test_while_the_studio_changes_its_key_both_are_believed() -> None:
    with behind() as front:
        front.subscriber.close()
        front.subscriber = Subscriber(
            front.cheat.endpoint, front.cheat.requests, [TABLE], "test",
            signing=[STUDIO.public.hex(), IMPOSTOR.public.hex()],
            clock=lambda: front.now, wall=front.wall,
        )  # fmt: skip
        front.goes_live()
        front.studio.happening.sign = IMPOSTOR.sign
        front.studio.say(ev.RoundClosed())
        front.hears(lambda: front.subscriber.proven(TABLE) == 1)
        assert front.alarms() == set()
