# SPDX-License-Identifier: Apache-2.0
import logging
import threading
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import zmq
from hypothesis import given
from hypothesis import strategies as st

from studio.feed import asks, requests
from studio.feed.client import Client, NoAnswer
from studio.feed.endpoint import FeedRefused
from studio.feed.requests import RequestServer
from studio.game import events as ev
from tests.feed.examples import EPOCH, PUBLIC_EVENTS, ROUND, TABLE
from tests.feed.fake_studio import ANY_PORT, FakeStudio, Happening, Record, ask
from tests.waiting import until


@pytest.fixture(scope="module")
def happening() -> Happening:
    happening = Happening(Record())
    for event in PUBLIC_EVENTS:
        happening.add(event)
    return happening


@pytest.fixture
def studio(happening: Happening) -> Iterator[FakeStudio]:
    with FakeStudio(happening) as studio:
        yield studio


def _payloads(answer: dict[str, Any]) -> list[bytes]:
    return [payload.encode() for payload in answer["payloads"]]


def test_tables_names_what_is_served_and_where_it_is_sent(studio: FakeStudio) -> None:
    answer = ask(studio.requests, v=1, id="a", ask="tables")
    table = {"table": TABLE, "environment": "test", "epoch": EPOCH, "pub": studio.pub}
    assert answer == {"answer": "tables", "v": 1, "id": "a", "tables": [table]}


def test_a_snapshot_is_one_moment(studio: FakeStudio) -> None:
    answer = ask(studio.requests, v=1, id="b", ask="snapshot", table=TABLE)
    happening = studio.happening
    assert (answer["answer"], answer["id"], answer["epoch"]) == ("snapshot", "b", EPOCH)
    assert (answer["seq"], answer["head"]) == (happening.seq, happening.head.hex())
    assert answer["state"] == msgspec.json.decode(msgspec.json.encode(happening.state))


def test_history_holds_exactly_the_bytes_that_were_sent(studio: FakeStudio) -> None:
    answer = ask(studio.requests, v=1, id="c", ask="history", table=TABLE, epoch=EPOCH, after=0)
    assert _payloads(answer) == [payload for _, _, payload in studio.happening.record.rows]
    assert answer["more"] is False
    assert answer["epoch"] == EPOCH


def test_history_goes_on_after_the_number_named_and_says_if_there_is_more(
    studio: FakeStudio,
) -> None:
    rows = [payload for _, _, payload in studio.happening.record.rows]
    common: dict[str, Any] = {"v": 1, "id": "c", "ask": "history", "table": TABLE, "epoch": EPOCH}
    some = ask(studio.requests, **common, after=3, limit=4)
    assert (_payloads(some), some["more"]) == (rows[3:7], True)
    last = ask(studio.requests, **common, after=len(rows) - 4, limit=4)
    assert (_payloads(last), last["more"]) == (rows[-4:], False)


@pytest.mark.parametrize("beyond", [0, 1, 10**6, 2**63, 10**30])
def test_history_at_or_past_the_last_is_empty(studio: FakeStudio, beyond: int) -> None:
    after = studio.happening.seq + beyond
    answer = ask(studio.requests, v=1, id="c", ask="history", table=TABLE, epoch=EPOCH, after=after)
    assert (answer["answer"], answer["payloads"], answer["more"]) == ("history", [], False)


def test_history_gives_500_if_no_limit_is_named_and_5000_at_most() -> None:
    happening = Happening(Record())
    closed = happening.add(ev.RoundClosed())
    happening.record.rows = [(EPOCH, seq, closed.payload) for seq in range(1, 5003)]
    happening.seq = 5002
    common: dict[str, Any] = {"v": 1, "id": "c", "ask": "history", "table": TABLE, "epoch": EPOCH}
    with FakeStudio(happening) as studio:
        for limit, count in (({}, 500), ({"limit": 5000}, 5000), ({"limit": 10**6}, 5000)):
            answer = ask(studio.requests, **common, after=0, **limit)
            assert (len(answer["payloads"]), answer["more"]) == (count, True)
        assert ask(studio.requests, **common, after=2, limit=5000)["more"] is False


def test_a_round_is_answered_with_its_results_of_any_epoch(happening: Happening) -> None:
    later = Happening(happening.record, epoch="another-epoch")
    later.add(PUBLIC_EVENTS[15])
    try:
        with FakeStudio(later) as studio:
            answer = ask(studio.requests, v=1, id="d", ask="round", table=TABLE, round=ROUND)
    finally:
        del happening.record.rows[-1]
    types = [msgspec.json.decode(payload)["type"] for payload in answer["payloads"]]
    assert types == ["result", "result_amended", "round_voided", "result_amended"]
    assert answer["answer"] == "round"


def test_the_round_under_way_is_known_before_it_has_a_result() -> None:
    happening = Happening(Record())
    happening.add(next(event for event in PUBLIC_EVENTS if isinstance(event, ev.BetsOpened)))
    with FakeStudio(happening) as studio:
        answer = ask(studio.requests, v=1, id="d", ask="round", table=TABLE, round=ROUND)
    assert (answer["answer"], answer["payloads"]) == ("round", [])


_HISTORY = b'"v":1,"id":"x","ask":"history","table":"BAC-1","epoch":"' + EPOCH.encode() + b'"'

ERRORS: list[tuple[str, str | None, bytes]] = [
    ("bad_request", None, b""),
    ("bad_request", None, b"\xff\xfe\x00"),
    ("bad_request", None, b"hello"),
    ("bad_request", None, b"[]"),
    ("bad_request", None, b"null"),
    ("bad_request", None, b"{}"),
    ("bad_request", None, b"[" * 60_000),
    ("bad_request", None, b'{"v":1,"id":' + b"[" * 60_000),
    ("bad_request", "x", b'{"id":"x","ask":"tables"}'),
    ("bad_request", "x", b'{"v":1,"id":"x"}'),
    ("bad_request", "x", b'{"v":"1","id":"x","ask":"tables"}'),
    ("bad_request", "x", b'{"v":true,"id":"x","ask":"tables"}'),
    ("bad_request", "x", b'{"v":1,"id":"x","ask":"weather"}'),
    ("bad_request", "x", b'{"v":1,"id":"x","ask":"snapshot"}'),
    ("bad_request", "x", b'{"v":1,"id":"x","ask":"snapshot","table":7}'),
    ("bad_request", None, b'{"v":1,"id":7,"ask":"tables"}'),
    ("bad_request", None, b'{"v":1,"ask":"tables"}'),
    ("bad_request", None, b'{"v":1,"id":"\xff","ask":"tables"}'),
    ("bad_request", None, b'{"v":1,"id":"x","ask":"tables"}{}'),
    ("bad_request", "x", b"{" + _HISTORY + b"}"),
    ("bad_request", "x", b"{" + _HISTORY + b',"after":-1}'),
    ("bad_request", "x", b"{" + _HISTORY + b',"after":"1"}'),
    ("bad_request", "x", b"{" + _HISTORY + b',"after":1.5}'),
    ("bad_request", "x", b"{" + _HISTORY + b',"after":0,"limit":0}'),
    ("bad_request", "x", b"{" + _HISTORY + b',"after":0,"limit":null}'),
    ("version", "x", b'{"v":2,"id":"x","ask":"tables"}'),
    ("version", "x", b'{"v":0,"id":"x","ask":"not even this"}'),
    ("unknown_table", "x", b'{"v":1,"id":"x","ask":"snapshot","table":"BAC-10"}'),
    ("unknown_table", "x", b'{"v":1,"id":"x","ask":"round","table":"","round":"r"}'),
    ("unknown_round", "x", b'{"v":1,"id":"x","ask":"round","table":"BAC-1","round":"r"}'),
    ("unknown_round", "x", b'{"v":1,"id":"x","ask":"round","table":"BAC-1","round":"\\u0000"}'),
    ("unknown_round", "x", b'{"v":1,"id":"x","ask":"round","table":"BAC-1","round":"%9999d"}' % 1),
]  # fmt: skip


@pytest.mark.req("REC-6")
@pytest.mark.parametrize("code, id_, request_", ERRORS, ids=range(len(ERRORS)))
def test_a_bad_request_is_answered_with_what_is_wrong(
    studio: FakeStudio, code: str, id_: str | None, request_: bytes
) -> None:
    with Client(studio.requests) as client:
        answer = msgspec.json.decode(client.ask(request_))
    assert (answer["answer"], answer["code"], answer["id"]) == ("error", code, id_)
    assert answer["text"]
    assert set(answer) == {"v", "answer", "id", "code", "text"}


def test_another_epoch_is_told_with_the_one_in_force(studio: FakeStudio) -> None:
    answer = ask(studio.requests, v=1, id="c", ask="history", table=TABLE, epoch="old", after=3)
    assert (answer["code"], answer["epoch"]) == ("epoch_changed", EPOCH)
    assert "oldest" not in answer


def test_what_is_no_longer_kept_is_told_with_the_oldest_that_is() -> None:
    happening = Happening(Record())
    for event in PUBLIC_EVENTS:
        happening.add(event)
    happening.record.first_kept = 6
    common: dict[str, Any] = {"v": 1, "id": "c", "ask": "history", "table": TABLE, "epoch": EPOCH}
    with FakeStudio(happening) as studio:
        answer = ask(studio.requests, **common, after=4)
        assert (answer["code"], answer["oldest"]) == ("too_old", 6)
        assert len(ask(studio.requests, **common, after=5)["payloads"]) == happening.seq - 5
        happening.record.first_kept = happening.seq + 1
        assert ask(studio.requests, **common, after=0)["oldest"] == happening.seq + 1


@given(st.binary(max_size=200))
def test_any_bytes_at_all_are_answered(request_: bytes) -> None:
    answer = Happening(Record()).answer(request_)
    assert isinstance(answer, asks.Error)
    assert answer.code == "bad_request"


@given(st.builds(asks.AskHistory, id=st.text(), table=st.text(), epoch=st.text(),
                 after=st.integers(0, 2**63), limit=st.integers(1, 5000))
       | st.builds(asks.AskRound, id=st.text(), table=st.text(), round=st.text())
       | st.builds(asks.AskSnapshot, id=st.text(), table=st.text())
       | st.builds(asks.AskAcknowledge, id=st.text(), table=st.text(), round=st.text(),
                   revision=st.integers(1, 2**53), epoch=st.none() | st.text())
       | st.builds(asks.AskTables, id=st.text()))  # fmt: skip
def test_a_request_is_read_as_it_was_written(request_: asks.Ask) -> None:
    assert asks.read_ask(asks.encode(request_), msgspec.json.Decoder(asks.Ask)) == request_


def _socket(context: zmq.Context[Any], kind: int, endpoint: str) -> zmq.Socket[bytes]:
    socket: zmq.Socket[bytes] = context.socket(kind)
    socket.linger = 0
    socket.rcvtimeo = 10_000
    socket.connect(endpoint)
    return socket


def test_a_req_socket_with_its_empty_delimiter_is_served_as_well(studio: FakeStudio) -> None:
    with zmq.Context() as context, _socket(context, zmq.REQ, studio.requests) as req:
        for id_ in ("a", "b"):
            req.send(b'{"v":1,"ask":"tables","id":"' + id_.encode() + b'"}')
            assert msgspec.json.decode(req.recv())["id"] == id_


def test_too_many_frames_and_an_empty_one_are_bad_requests(studio: FakeStudio) -> None:
    with zmq.Context() as context, _socket(context, zmq.DEALER, studio.requests) as dealer:
        for frames in ([b"{}", b"{}"], [b"", b"{}", b"{}"], [b"", b""], [b""], [b"x"] * 1000):
            dealer.send_multipart(frames)
            answer = msgspec.json.decode(dealer.recv_multipart()[-1])
            assert answer["code"] == "bad_request"


def test_a_request_that_is_too_long_is_refused_and_a_huge_one_is_not_even_read(
    studio: FakeStudio,
) -> None:
    with zmq.Context() as context:
        with _socket(context, zmq.DEALER, studio.requests) as dealer:
            dealer.send(b" " * (requests.LARGEST_REQUEST_BYTES + 1))
            assert b"has at most" in dealer.recv()
        with _socket(context, zmq.DEALER, studio.requests) as dealer:
            dealer.rcvtimeo = 100
            dealer.send(b" " * (requests.LARGEST_FRAME_BYTES + 1))
            with pytest.raises(zmq.Again):
                dealer.recv()
    assert ask(studio.requests, v=1, id="a", ask="tables")["answer"] == "tables"


def test_many_requests_at_once_are_all_answered_in_order(studio: FakeStudio) -> None:
    with zmq.Context() as context, _socket(context, zmq.DEALER, studio.requests) as dealer:
        dealer.sndhwm = dealer.rcvhwm = 0
        for number in range(2000):
            dealer.send(b'{"v":1,"ask":"tables","id":"%d"}' % number)
        ids = [msgspec.json.decode(dealer.recv())["id"] for _ in range(2000)]
    assert ids == [str(number) for number in range(2000)]


@pytest.mark.req("FEED-5")
def test_a_peer_that_takes_no_answers_does_not_hold_up_the_others(happening: Happening) -> None:
    asked: list[bytes] = []
    big = b"x" * 2_000_000

    def answer(request: bytes, who: str | None) -> bytes:
        asked.append(request)
        return big if request == b"greedy" else request

    server = RequestServer(ANY_PORT, answer)
    try:
        with zmq.Context() as context:
            greedy = context.socket(zmq.DEALER)
            greedy.linger = 0
            greedy.rcvhwm = 1
            greedy.connect(server.endpoint)
            with greedy, Client(server.endpoint) as honest:
                for _ in range(200):
                    greedy.send(b"greedy")
                until(lambda: len(asked) >= 30)
                for number in range(20):
                    assert honest.ask(b"%d" % number) == b"%d" % number
                until(lambda: asked.count(b"greedy") == 200)
    finally:
        server.stop()


def test_a_peer_that_is_gone_before_its_answer_changes_nothing() -> None:
    is_gone = threading.Event()
    answered: list[bytes] = []

    def answer(request: bytes, who: str | None) -> bytes:
        if request == b"leaving":
            is_gone.wait(10)
        answered.append(request)
        return request

    server = RequestServer(ANY_PORT, answer)
    try:
        with Client(server.endpoint) as client, pytest.raises(NoAnswer):
            client.ask(b"leaving", seconds=0.1)
        is_gone.set()
        with Client(server.endpoint) as client:
            assert client.ask(b"staying") == b"staying"
    finally:
        server.stop()
    assert answered == [b"leaving", b"staying"]


def test_a_failure_while_answering_is_logged_and_serving_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def answer(request: bytes, who: str | None) -> bytes:
        if request == b"bad":
            raise LookupError("the record is gone")
        return request

    server = RequestServer(ANY_PORT, answer)
    try:
        with Client(server.endpoint) as client:
            with pytest.raises(NoAnswer, match="no answer from tcp://127"):
                client.ask(b"bad", seconds=0.2)
            assert client.ask(b"good") == b"good"
    finally:
        server.stop()
        server.stop()
    logged = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert [record.message for record in logged] == ["a request could not be answered"]
    caplog.clear()


def test_an_address_in_use_or_not_loopback_is_told_to_whoever_makes_the_server(
    studio: FakeStudio,
) -> None:
    with pytest.raises(zmq.ZMQError, match=f"cannot bind {studio.requests}"):
        RequestServer(studio.requests, lambda request, who: request)
    with pytest.raises(FeedRefused, match="needs keys"):
        RequestServer("tcp://0.0.0.0:*", lambda request, who: request)
