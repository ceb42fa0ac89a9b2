# SPDX-License-Identifier: Apache-2.0
"""Things brought at any moment: by other threads, and by a signal in the midst of waiting."""

import signal
import threading
from queue import Empty

import pytest

from studio.inbox import Inbox, Stopping


@pytest.fixture
def alarms():
    """Signals may be sent by a timer; afterwards all is as it was."""
    before = signal.getsignal(signal.SIGALRM)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_a_wait_that_is_over_before_it_has_begun_ends():
    inbox = Inbox()
    for _ in range(20_000):
        with pytest.raises(Empty):
            inbox.get(1e-6)


@pytest.mark.parametrize("kind", ["inbox", "stopping"])
def test_a_signal_at_any_moment_of_a_wait_is_heard(alarms, kind):
    for number in range(3_000):
        inbox, stopping = Inbox(), Stopping()

        def handler(*_, inbox=inbox, stopping=stopping):
            inbox.put("rung")
            stopping.set()

        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 1e-5 + number % 50 * 2e-6)
        if kind == "inbox":
            assert taken_from(inbox) == "rung"
        else:
            while not stopping.wait(1e-5):
                pass


def taken_from(inbox):
    """The next thing, waited for in the shortest steps."""
    while True:
        try:
            return inbox.get(1e-5)
        except Empty:
            continue


def test_what_many_threads_bring_is_taken_whole_and_in_the_order_of_each():
    inbox = Inbox()
    threads = [
        threading.Thread(target=lambda name=name: [inbox.put((name, n)) for n in range(2_000)])
        for name in range(4)
    ]
    for thread in threads:
        thread.start()
    taken = [inbox.get(10.0) for _ in range(8_000)]
    for thread in threads:
        thread.join()
    assert len(inbox) == 0
    assert all([n for name, n in taken if name == one] == list(range(2_000)) for one in range(4))


def test_the_word_to_end_is_heard_by_all_who_wait():
    stopping = Stopping()
    heard = []
    threads = [threading.Thread(target=lambda: heard.append(stopping.wait(10.0))) for _ in range(5)]
    for thread in threads:
        thread.start()
    stopping.set()
    for thread in threads:
        thread.join()
    assert heard == [True] * 5
    assert stopping.wait(0.0)
