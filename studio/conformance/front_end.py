# SPDX-License-Identifier: Apache-2.0
"""A front-end in Python that passes, and all that one must add to be judged: ``line``.

``studio conformance -- python -m studio.conformance.front_end``; with ``studio conformance
--example`` its text is printed.
"""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from studio.feed import messages as m
from studio.feed.keys import ClientKeys
from studio.feed.subscriber import EnvironmentRefused, Subscriber
from studio.feed.updates import Accepted, Joined, RoundChecked, Update


class Book:
    """What is paid on each round; a real one keeps it on disk, with every bet."""

    def __init__(self) -> None:
        self.results: dict[str, dict[str, Any]] = {}
        self.unknown: set[str] = set()

    def take(self, update: Update) -> None:
        """Settle what an update says; whatever it says again changes nothing."""
        match update:
            case Joined(state=state):
                for one in state.results:
                    self._settle(one.round, one.revision, one.outcome, one.bets)
            case RoundChecked(round=round_, message=None):
                self.unknown.add(round_)
            case Accepted(message=message) | RoundChecked(message=message):
                match message and (message.round, message.data):
                    case (str(round_), m.Result(revision=revision, outcome=outcome, bets=bets)):
                        self._settle(round_, revision, outcome, bets)
                    case (str(round_), m.RoundVoided(revision=revision)):
                        self._settle(round_, revision, None, {})

    def _settle(
        self, round_: str, revision: int, outcome: str | None, bets: Mapping[str, str]
    ) -> None:
        known = self.results.get(round_)
        if known is None or known["revision"] < revision:
            self.results[round_] = {"revision": revision, "outcome": outcome, "paid": dict(bets)}


def line(table: str, subscriber: Subscriber, book: Book) -> str:
    """The view of the table as the kit wants to read it."""
    follower = subscriber.followers[table]
    view = {
        "table": table,
        "epoch": follower.epoch,
        "seq": follower.seq,
        "open": subscriber.bets_are_open(table),
        "round": follower.view and follower.view.round,
        "results": book.results,
        "unknown": sorted(book.unknown),
        "status": follower.status.value,
    }
    return json.dumps(view)


def main() -> None:
    """Follow the table named in the environment until ended, and print each change of view."""
    env, book, last = os.environ, Book(), ""
    folder = env.get("SABOT_KEY_FOLDER")
    table = env["SABOT_TABLE"]
    with Subscriber(
        env["SABOT_EVENTS"],
        env["SABOT_REQUESTS"],
        [table],
        env["SABOT_ENVIRONMENT"],
        keys=ClientKeys.load(Path(folder)) if folder else None,
        signing=[env["SABOT_SIGNING_KEY"]] if "SABOT_SIGNING_KEY" in env else None,
    ) as subscriber:
        while True:
            try:
                for update in subscriber.poll(0.1):
                    book.take(update)
                for one in subscriber.corrections(table):
                    subscriber.acknowledge(table, one.round, one.revision)
            except EnvironmentRefused as refused:
                sys.stderr.write(f"{refused}\n")
            now = line(table, subscriber, book)
            if now != last:
                sys.stdout.write(now + "\n")
                sys.stdout.flush()
                last = now


if __name__ == "__main__":
    main()
