# SPDX-License-Identifier: Apache-2.0
"""The sandbox's line to other terminals, and what is said when a sandbox cannot begin."""

import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from studio.cli import run
from studio.cli.exits import CommandFailed, Exit
from studio.cli.sandbox_line import PREFIX, Line, ask
from studio.sandbox import Answer


@contextmanager
def line(folder: Path) -> Iterator[Line]:
    folder.mkdir(exist_ok=True)
    made = Line(folder)
    try:
        yield made
    finally:
        made.close()


def called(folder: Path | None, words: list[str], at: Line) -> Answer:
    """What somebody is answered who asks; a call that says nothing is a look who runs."""

    def take() -> None:
        while (asked := at.take()) is None:
            pass
        asked.answer(Answer(ok=True, text=" ".join(asked.words)))

    taking = threading.Thread(target=take)
    taking.start()
    try:
        return ask(folder, words)
    finally:
        taking.join()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_the_words_arrive_and_the_answer_comes_back(place):
    with line(place / "box") as box:
        assert called(place / "box", ["void", "BAC-2"], box).text == "void BAC-2"
        assert (place / "box" / "trigger").stat().st_mode & 0o777 == 0o600


def test_what_cannot_be_read_is_hung_up_on(place):
    for said in (b"nonsense\n", b'{"a": 1}\n', b""):
        with line(place / "box") as box, socket.socket(socket.AF_UNIX) as caller:
            caller.connect(str(place / "box" / "trigger"))
            caller.sendall(said)
            caller.shutdown(socket.SHUT_WR)
            assert box.take() is None
            assert caller.recv(10) == b""


def test_whoever_hung_up_before_the_answer_does_no_harm(place):
    with line(place / "box") as box:
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(str(place / "box" / "trigger"))
            caller.sendall(b'["void"]\n')
        asked = box.take()
        assert asked is not None
        asked.answer(Answer(ok=True, text="done"))


def test_the_only_sandbox_that_runs_need_not_be_named_and_several_must(place):
    with pytest.raises(CommandFailed, match="no sandbox of yours"):
        ask(None, ["void"])
    with line(place / f"{PREFIX}1") as first:
        # one that was killed left its name behind
        dead = socket.socket(socket.AF_UNIX)
        (place / f"{PREFIX}0").mkdir()
        dead.bind(str(place / f"{PREFIX}0" / "trigger"))
        dead.close()
        assert called(None, ["hold"], first).text == "hold"
        with (
            line(place / f"{PREFIX}2"),
            pytest.raises(CommandFailed, match=f"{PREFIX}2") as several,
        ):
            ask(None, ["void"])
        assert several.value.status is Exit.BAD_SETTINGS


def test_a_path_that_is_too_long_is_told(place):
    folder = place / ("long" * 30)
    folder.mkdir()
    with pytest.raises(CommandFailed, match="shorter path"):
        Line(folder)


@pytest.mark.parametrize(
    "options, told",
    [
        (("--operator", "a b"), "--operator"),
        (("--tables", "0"), "--tables"),
        (("--folder", "full"), "is not empty"),
        (("--folder", "full/file"), "--folder"),
    ],
)
def test_a_sandbox_that_cannot_begin_says_why(place, capsys, monkeypatch, options, told):
    monkeypatch.chdir(place)
    (place / "full").mkdir()
    (place / "full" / "file").touch()
    assert run(["sandbox", *options]) == Exit.BAD_SETTINGS
    assert told in capsys.readouterr().err
    assert [path.name for path in place.iterdir()] == ["full"]
