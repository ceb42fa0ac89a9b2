# SPDX-License-Identifier: Apache-2.0
"""Cases of what is not known yet, of what is not meant for the front-end, and of impostors."""

from typing import Any

import msgspec

from studio.conformance.stage import Stage
from studio.feed.follow import STALE_SECONDS
from studio.feed.signing import Signer, new_secret

_FAR = 1000


def unknown(s: Stage) -> None:
    """Members everywhere, and a type."""
    s.begin(through=s.at("bets_opened", 3))
    s.say_otherwise(_with_more)
    s.say_otherwise(_of_another_type)
    s.level()
    s.say_otherwise(_with_more)
    s.say(through=s.at("result", 3) - 1)
    s.say_otherwise(_with_more)
    s.level()


def _with_more(line: dict[str, Any]) -> dict[str, Any]:
    more = {"mood": "calm", "lamps": [1, {"on": True}]}
    return {**line, "salt": None, "data": {**line["data"], **more}}


def _of_another_type(line: dict[str, Any]) -> dict[str, Any]:
    return {**line, "type": "camera_moved", "data": {"camera": 2, "closes_at": line["at"]}}


def other_table(s: Stage) -> None:
    """A table whose name begins with this one's."""
    s.begin(through=s.at("bets_opened", 3))
    other = f"{s.table.name}0"
    beat = msgspec.json.decode(s.table.heartbeat())
    beat["data"]["suspended"] = "staff"
    closed = s.table.transcript.messages[s.at("table_closed")]
    for told in (beat, {**closed, "epoch": s.table.epoch}):
        payload = msgspec.json.encode({**told, "table": other, "seq": s.table.seq + _FAR})
        s.air.send(payload, told["type"], other)
    s.say()
    s.level()


def wrong_environment(s: Stage) -> None:
    """A table with a simulated shoe, and a front-end that pays."""
    s.expected_environment = "live"
    s.start(through=s.at("bets_opened", 3))
    s.refused()


def forged_heartbeat(s: Stage) -> None:
    """Somebody else's hand."""
    s.begin(through=s.at("bets_opened", 3))
    impostor = Signer(new_secret())
    s.air.beat = lambda: s.table.heartbeat_by(impostor.sign)
    s.shut("the studio was not heard for 3 s", STALE_SECONDS)
    s.beating()
    s.level()


def unsigned_heartbeat(s: Stage) -> None:
    """Nobody's hand."""
    s.begin(through=s.at("bets_opened", 3))
    s.air.beat = lambda: s.table.heartbeat_by(None)
    s.shut("the studio was not heard for 3 s", STALE_SECONDS)
    s.beating()
    s.level()


def replayed_heartbeat(s: Stage) -> None:
    """The studio's own hand, but not now."""
    s.begin(through=s.at("bets_opened", 3))
    recorded = s.table.heartbeat()
    s.air.beat = lambda: recorded
    s.shut("the studio was not heard for 3 s", STALE_SECONDS)
    s.beating()
    s.level()


def changed_message(s: Stage) -> None:
    """One name instead of another."""
    s.begin(through=s.at("bets_opened", 2))
    (message,) = s.skip()
    changed = message.payload.replace("Zoë".encode(), b"Eve")
    s.air.send(changed, message.type)
    s.shut("the chain is not the studio's", from_now=True)
