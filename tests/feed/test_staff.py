# SPDX-License-Identifier: Apache-2.0
import msgspec
import pytest

from studio.feed import staff
from studio.feed.client import Client
from studio.feed.requests import RequestServer
from studio.game import inputs as inp
from tests.feed.fake_studio import ANY_PORT

VIEW = staff.StaffView(table="BAC-1", epoch="e", seq=7, state={"phase": "idle"})


def _answer(request: bytes, said: staff.Done | inp.Refusal) -> tuple[bytes, list[inp.Command]]:
    commands: list[inp.Command] = []

    def command(given: inp.Command) -> staff.Done | inp.Refusal:
        commands.append(given)
        return said

    return staff.answer(request, lambda: VIEW, command), commands


def test_a_command_that_is_carried_out_is_answered_with_what_followed() -> None:
    ask = staff.AskCommand(id="a", table="BAC-1", command=inp.OpenTable(by="s-1", dealer="Zoë"))
    frame = msgspec.json.encode(ask)
    answer, commands = _answer(frame, staff.Done(("table_opened",), 8))
    assert commands == [inp.OpenTable(by="s-1", dealer="Zoë")]
    assert msgspec.json.decode(answer) == {
        "v": 1, "id": "a", "answer": "accepted", "events": ["table_opened"], "seq": 8
    }  # fmt: skip
    assert msgspec.json.decode(frame)["command"]["command"] == "open_table"
    assert staff.read_answer(answer) == staff.Acceptance(id="a", events=("table_opened",), seq=8)


def test_a_refusal_of_the_table_is_passed_on() -> None:
    ask = staff.AskCommand(id="b", table="BAC-1", command=inp.CloseBets(by="s-1"))
    refusal = inp.Refusal("not_now", "Bets are not open.")
    answer, _ = _answer(msgspec.json.encode(ask), refusal)
    assert staff.read_answer(answer) == staff.RefusalAnswer(
        id="b", code="not_now", text="Bets are not open."
    )


def test_a_staff_snapshot_is_whatever_the_table_gives() -> None:
    ask = staff.AskStaffSnapshot(id="c", table="BAC-1")
    answer, commands = _answer(msgspec.json.encode(ask), staff.Done((), 0))
    assert staff.read_answer(answer) == staff.StaffSnapshot(
        id="c", table="BAC-1", epoch="e", seq=7, state={"phase": "idle"}
    )
    assert commands == []


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
    answer, commands = _answer(msgspec.json.encode(request), staff.Done((), 0))
    read = staff.read_answer(answer)
    assert isinstance(read, staff.StaffError)
    assert (read.code, read.id) == ("bad_request", "d")
    assert says in read.text
    assert commands == []


def test_another_table_or_version_is_an_error() -> None:
    ask = staff.AskStaffSnapshot(id="e", table="BAC-2")
    answer, _ = _answer(msgspec.json.encode(ask), staff.Done((), 0))
    assert msgspec.json.decode(answer)["code"] == "unknown_table"
    answer, _ = _answer(b'{"v":3,"id":"e","ask":"snapshot"}', staff.Done((), 0))
    assert msgspec.json.decode(answer)["code"] == "version"


def test_what_is_no_staff_answer_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="not an answer of the staff endpoint"):
        staff.read_answer(b'{"answer":"perhaps"}')


def test_a_command_goes_over_a_real_socket() -> None:
    server = RequestServer(ANY_PORT, lambda frame: _answer(frame, staff.Done((), 9))[0])
    try:
        with Client(server.endpoint) as client:
            command = inp.OpenBets(by="s-1")
            answer = client.ask(staff.AskCommand(id="f", table="BAC-1", command=command))
            client.close()
    finally:
        server.stop()
    assert staff.read_answer(answer) == staff.Acceptance(id="f", events=(), seq=9)
