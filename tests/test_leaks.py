# SPDX-License-Identifier: Apache-2.0
import logging
import os
import socket
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.leaks import Watch
from tests.waiting import until


def test_a_thread_left_running_is_told_and_gone_once_it_ends(monkeypatch):
    monkeypatch.setattr("tests.leaks._GRACE_SECONDS", 0.05)
    watch = Watch()
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait, name="forgotten", daemon=True)
    thread.start()
    assert watch.left_behind() == ["threads left behind: forgotten"]
    stop.set()
    thread.join()
    assert watch.left_behind() == []


def test_an_open_socket_is_told_and_gone_once_it_is_closed(monkeypatch):
    monkeypatch.setattr("tests.leaks._GRACE_SECONDS", 0.05)
    watch = Watch()
    left, right = socket.socketpair()
    (fault,) = watch.left_behind()
    assert fault.count("socket:") == 2
    left.close()
    right.close()
    assert watch.left_behind() == []


def test_an_open_file_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr("tests.leaks._GRACE_SECONDS", 0.05)
    watch = Watch()
    descriptor = os.open(tmp_path / "kept", os.O_CREAT)
    (fault,) = watch.left_behind()
    assert "kept" in fault
    os.close(descriptor)


def test_a_warning_that_was_expected_is_cleared(caplog):
    logging.getLogger("studio").warning("the line is gone")
    assert "the line is gone" in caplog.text
    caplog.clear()


@given(st.integers())
def test_properties_run_under_the_same_checks(number):
    assert number == number + 0


def test_waiting_gives_the_first_true_value_and_fails_after_the_deadline():
    values = iter([0, None, 7])
    assert until(lambda: next(values)) == 7
    with pytest.raises(AssertionError, match="not true within"):
        until(lambda: False, seconds=0.02)
