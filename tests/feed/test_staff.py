# SPDX-License-Identifier: Apache-2.0
from datetime import UTC, datetime

import msgspec
import pytest

from studio.feed import asks, staff
from studio.feed.client import Client
from studio.feed.requests import RequestServer
from studio.game import inputs as inp
from tests.feed.fake_studio import ANY_PORT

SNAPSHOT = staff.StaffSnapshot(id="c", table="BAC-1", epoch="e", seq=7, state={"phase": "idle"})
DONE = staff.Performed(id="a")
SECRETS = ("271828", "tok-en")


def answered(request: bytes, said: staff.StaffAnswer = DONE) -> tuple[bytes, list[staff.StaffAsk]]:
    """The answer to a request, and what the table was asked."""
    asked: list[staff.StaffAsk] = []

    def respond(ask: staff.StaffAsk) -> staff.StaffAnswer:
        asked.append(ask)
        return said

    return staff.answer(request, "BAC-1", lambda ask: asks.encode(respond(ask))), asked


def test_a_command_that_is_carried_out_is_answered_with_what_followed() -> None:
    command = inp.OpenTable(by="s-1", dealer="Zoë")
    ask = staff.AskCommand(id="a", table="BAC-1", command=command, token="t")
    frame = msgspec.json.encode(ask)
    followed = staff.Acceptance(id="a", events=("table_opened",), seq=8)
    answer, asked = answered(frame, followed)
    assert asked == [ask]
    assert msgspec.json.decode(answer) == {
        "v": 1, "id": "a", "answer": "accepted", "events": ["table_opened"], "seq": 8
    }  # fmt: skip
    assert msgspec.json.decode(frame)["command"]["command"] == "open_table"
    assert staff.read_answer(answer) == followed


ASKS: list[staff.StaffAsk] = [
    staff.AskStaffSnapshot(id="a", table="BAC-1"),
    staff.AskLogIn(id="a", table="BAC-1", from_="desk-1", badge="100", pin="271828"),
    staff.AskLogOut(id="a", table="BAC-1", token="tok-en"),
    staff.AskChangeSecret(id="a", table="BAC-1", badge="100", pin="271828", new="271828"),
    staff.AskUnlock(id="a", table="BAC-1", badge="100", code="271828"),
    staff.AskApprove(
        id="a", table="BAC-1", command=inp.OpenBets(by="s-1"), shown="x", badge="1", pin="271828"
    ),
    staff.AskCommand(
        id="a", table="BAC-1", command=inp.OpenBets(by=""), token="tok-en", approval="tok-en"
    ),
]


@pytest.mark.parametrize("ask", ASKS, ids=lambda ask: ask.__struct_config__.tag)
def test_every_request_is_read_as_it_was_sent_and_is_logged_without_its_secrets(
    ask: staff.StaffAsk,
) -> None:
    frame = msgspec.json.encode(ask)
    assert msgspec.json.decode(frame)["from"] == ask.from_
    answer, asked = answered(frame)
    assert asked == [ask]
    assert staff.read_answer(answer) == DONE
    assert not [secret for secret in SECRETS if secret in repr(ask)]


ANSWERS: list[staff.StaffAnswer] = [
    staff.RefusalAnswer(id="a", code="not_now", text="Bets are not open."),
    staff.Opened(
        id="a", token="tok-en", staff="s-1", screen_name="Zoë", roles=("dealer",), others=0
    ),
    staff.Approval(
        id="a", approval="tok-en", second="s-2", expires=datetime(2026, 11, 30, tzinfo=UTC)
    ),
    SNAPSHOT,
]


@pytest.mark.parametrize("said", ANSWERS, ids=lambda one: one.__struct_config__.tag)
def test_every_answer_is_passed_on_and_is_logged_without_its_secrets(
    said: staff.StaffAnswer,
) -> None:
    answer, _ = answered(msgspec.json.encode(staff.AskStaffSnapshot(id="a", table="BAC-1")), said)
    assert staff.read_answer(answer) == said
    assert "tok-en" not in repr(said)


@pytest.mark.req("REC-6")
@pytest.mark.parametrize(
    "command, says",
    [
        ({"command": "fly", "by": "s-1"}, "'fly' - at `$.command.command`"),
        ({"command": "open_bets"}, "`by` - at `$.command`"),
        ({"command": "confirm_result", "by": "s-1", "outcome": "red"}, "$.command.outcome"),
        ({"by": "s-1"}, "$.command"),
        ("open_bets", "$.command"),
    ],
)
def test_a_command_of_unknown_shape_is_told_what_is_wrong_with_it(
    command: object, says: str
) -> None:
    request = {"v": 1, "id": "d", "ask": "command", "table": "BAC-1", "command": command}
    answer, asked = answered(msgspec.json.encode(request))
    read = staff.read_answer(answer)
    assert isinstance(read, staff.StaffError)
    assert (read.code, read.id) == ("bad_request", "d")
    assert says in read.text
    assert asked == []


@pytest.mark.parametrize(
    "member, value",
    [
        ("from", "Anna Rossi"),
        ("from", ""),
        ("from", "x" * 65),
        ("pin", 271828),
        ("pin", "271828" * 200),
    ],
)
def test_what_cannot_be_taken_is_refused_and_never_repeated(member: str, value: object) -> None:
    request = {"v": 1, "id": "d", "ask": "log_in", "table": "BAC-1", "badge": "1", "pin": "271828"}
    answer, asked = answered(msgspec.json.encode(request | {member: value}))
    assert asked == []
    assert f"$.{member}" in msgspec.json.decode(answer)["text"]
    assert b"271828" not in answer
    assert b"Anna" not in answer


def test_another_table_or_version_is_an_error() -> None:
    ask = staff.AskStaffSnapshot(id="e", table="BAC-2")
    answer, asked = answered(msgspec.json.encode(ask))
    assert msgspec.json.decode(answer)["code"] == "unknown_table"
    assert asked == []
    answer, _ = answered(b'{"v":3,"id":"e","ask":"snapshot"}')
    assert msgspec.json.decode(answer)["code"] == "version"


def test_what_is_no_staff_answer_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="not an answer of the staff endpoint"):
        staff.read_answer(b'{"answer":"perhaps"}')


def test_a_command_goes_over_a_real_socket() -> None:
    said = staff.Acceptance(id="f", events=(), seq=9)
    server = RequestServer(ANY_PORT, lambda frame, who: answered(frame, said)[0])
    try:
        with Client(server.endpoint) as client:
            command = inp.OpenBets(by="s-1")
            answer = client.ask(staff.AskCommand(id="f", table="BAC-1", command=command))
            client.close()
    finally:
        server.stop()
    assert staff.read_answer(answer) == said
