# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a table's feed, by what was seen of it, and whom to call. Pure.

Steps are judged in the order in which they were taken, and the first fault is the one to mend:
what comes after it may be its consequence.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from enum import Enum
from typing import NamedTuple

import msgspec

from studio.cli.finding import Finding, Mark
from studio.contacts import Contacts
from studio.feed.messages import Heartbeat
from studio.feed.probe import Beat, Link, Met, Seen, Shake
from studio.feed.signing import Genuine, heartbeat_text

CLOCK_LIMIT = timedelta(seconds=1)

_REASONS = {
    "misdeal": "a mistake in the deal is being put right",
    "device": "the shoe, its reader or its line has failed",
    "review": "a decision is being looked at again",
    "staff": "the staff at the table stopped it",
    "system": "the studio's own system stopped it; it may be unable to keep the record",
}
_PHASES = {
    "closed": "closed",
    "shuffling": "shuffling",
    "idle": "between rounds",
    "bets_open": "taking bets",
    "dealing": "dealing",
    "held": "holding a round",
    "result": "showing a result",
}


class Code(str, Enum):
    """The diagnosis, for programs. ``sound``: nothing is wrong."""

    SOUND = "sound"
    NOBODY_LISTENS = "nobody_listens"
    NO_ROUTE = "no_route"
    PACKETS_VANISH = "packets_vanish"
    HANGS = "hangs"
    NOT_THE_FEED = "not_the_feed"
    NO_KEY = "no_key"
    NO_CURVE = "no_curve"
    KEY_REFUSED = "key_refused"
    WRONG_SERVER = "wrong_server"
    NO_ANSWER = "no_answer"
    UNKNOWN_TABLE = "unknown_table"
    ENVIRONMENT = "environment"
    STALE = "stale"
    BAD_SIGNATURE = "bad_signature"
    CLOCK = "clock"
    SUSPENDED = "suspended"


class Whom(str, Enum):
    """Who can mend it: the studio's engineer, our own network's people, the pit, or we here."""

    ENGINEER = "engineer"
    NETWORK = "network"
    PIT = "pit"
    HERE = "here"


class Call(msgspec.Struct, frozen=True):
    """Whom to call, how they are reached, and what to tell them."""

    who: Whom
    contact: str
    tell: str


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """All that was found of one table; ``call`` is None if nothing is wrong.

    ``clock_apart_seconds`` is positive when this machine's clock is ahead of the studio's.
    """

    table: str | None
    requests: str
    code: Code
    findings: tuple[Finding, ...]
    call: Call | None = None
    suspended: str | None = None
    round_trip_seconds: float | None = None
    clock_apart_seconds: float | None = None

    @property
    def is_reached(self) -> bool:
        """Whether the table itself was heard to answer."""
        return self.code not in _UNREACHED


_UNREACHED = {
    Code.NOBODY_LISTENS, Code.NO_ROUTE, Code.PACKETS_VANISH, Code.HANGS, Code.NOT_THE_FEED,
    Code.NO_KEY, Code.NO_CURVE, Code.KEY_REFUSED, Code.WRONG_SERVER, Code.NO_ANSWER,
}  # fmt: skip


class Expected(NamedTuple):
    """What a sound feed is like: whose key we are, the environment, who signs, how exact clocks."""

    key: str | None
    environment: str
    signing: Sequence[str] = ()
    clock_limit: timedelta = CLOCK_LIMIT


class _Step(NamedTuple):
    """One finding; with a fault its code, whom to call, and what to tell them."""

    finding: Finding
    code: Code = Code.SOUND
    whom: Whom = Whom.HERE
    tell: str = ""


def diagnose(seen: Seen, expected: Expected, contacts: Contacts) -> Diagnosis:
    """Judge what was seen."""
    steps = list(_steps(seen, expected))
    first = next((one for one in steps if one.code is not Code.SOUND), None)
    served = seen.served
    apart = _apart(seen.beats)
    return Diagnosis(
        table=seen.table if served is None else served.table,
        requests=seen.requests.endpoint,
        code=Code.SOUND if first is None else first.code,
        findings=tuple(one.finding for one in steps),
        call=None
        if first is None
        else Call(first.whom, getattr(contacts, first.whom.value, ""), first.tell),
        suspended=_suspended(seen),
        round_trip_seconds=seen.round_trip,
        clock_apart_seconds=None if apart is None else apart.total_seconds(),
    )


def _steps(seen: Seen, expected: Expected) -> Iterator[_Step]:
    met = _met("requests", seen.requests, expected)
    yield met
    if met.code is not Code.SOUND:
        return
    served = _served(seen)
    yield served
    if served.code is not Code.SOUND:
        return
    yield _environment(seen, expected)
    if seen.events is None:
        return
    met = _met("events", seen.events, expected)
    yield met
    if met.code is not Code.SOUND:
        return
    yield _alive(seen)
    if seen.beats:
        yield _signed(seen.beats, expected)
        yield _clock(seen, expected)
    yield _open(seen)


def _ok(what: str, text: str) -> _Step:
    return _Step(Finding(what, Mark.OK, text))


def _fault(what: str, text: str, code: Code, whom: Whom, tell: str) -> _Step:
    return _Step(Finding(what, Mark.FAULT, text), code, whom, tell)


# --- the way there ------------------------------------------------------------------------------


def _met(what: str, met: Met, expected: Expected) -> _Step:
    if met.link is not Link.ZEROMQ:
        return _unlinked(what, met)
    if met.shake is not Shake.DONE:
        return _unshaken(what, met, expected)
    key = "no keys are asked for" if expected.key is None else f"the key {expected.key} is let in"
    return _ok(what, f"{met.endpoint} answers, {key}")


def _unlinked(what: str, met: Met) -> _Step:
    where, said = met.endpoint, f" ({met.said})" if met.said else ""
    match met.link:
        case Link.REFUSED:
            return _fault(
                what, f"the machine is there, and nobody listens at {where}{said}",
                Code.NOBODY_LISTENS, Whom.ENGINEER,
                f"the table service at {where} does not run, or has another address",
            )  # fmt: skip
        case Link.NO_ROUTE:
            return _fault(
                what, f"there is no way to {where}{said}: is the address right?",
                Code.NO_ROUTE, Whom.NETWORK, f"{where} cannot be reached from here{said}",
            )  # fmt: skip
        case Link.VANISHES:
            return _fault(
                what, f"what is sent to {where} vanishes: a firewall, or the machine is off",
                Code.PACKETS_VANISH, Whom.NETWORK,
                f"connections to {where} get no answer: is it let through on the way? "
                "If it is, the studio's engineer",
            )  # fmt: skip
        case Link.SILENT:
            return _fault(
                what, f"{where} takes the connection and says nothing: the service hangs",
                Code.HANGS, Whom.ENGINEER, f"what listens at {where} hangs, or is stopped",
            )  # fmt: skip
        case _:
            return _fault(
                what, f"what listens at {where} is no feed{said}: is the address right?",
                Code.NOT_THE_FEED, Whom.HERE,
                f"compare {where} with what the studio gave you; is there a proxy on the way?",
            )  # fmt: skip


def _unshaken(what: str, met: Met, expected: Expected) -> _Step:
    where = met.endpoint
    match met.shake:
        case Shake.NO_KEY:
            return _fault(
                what, f"{where} wants a key, and none was given",
                Code.NO_KEY, Whom.HERE,
                "`studio keys new NAME` makes a key for this machine; --keys says where it is",
            )  # fmt: skip
        case Shake.NO_CURVE:
            return _fault(
                what, f"{where} knows no keys: that is not the studio that we were told of",
                Code.NO_CURVE, Whom.ENGINEER,
                f"{where} speaks without keys: take no bets before it is clear who that is",
            )  # fmt: skip
        case Shake.REFUSED:
            return _fault(
                what, f"{where} refuses the key {expected.key}: it was revoked, or never let in",
                Code.KEY_REFUSED, Whom.ENGINEER,
                f"is the key {expected.key} on your list? `studio keys list` tells",
            )  # fmt: skip
        case Shake.STRANGER:
            return _fault(
                what, f"{where} has not the key that we take for the studio's: an impostor, or "
                "the studio changed its keys",
                Code.WRONG_SERVER, Whom.ENGINEER,
                f"compare by telephone the studio's key: `studio keys trust` takes another. Take "
                f"no bets from {where} before",
            )  # fmt: skip
        case Shake.ELSEWHERE:
            return _fault(
                what, f"{where} is the studio's, and not its socket of {what}",
                Code.NOT_THE_FEED, Whom.HERE,
                "compare the address with what the studio gave you",
            )  # fmt: skip
        case _:
            return _fault(
                what, f"{where} does not end the hand-shake: the service hangs",
                Code.HANGS, Whom.ENGINEER, f"what listens at {where} hangs, or is overloaded",
            )  # fmt: skip


# --- what is served there -----------------------------------------------------------------------


def _served(seen: Seen) -> _Step:
    where = seen.requests.endpoint
    if seen.tables is None:
        return _fault(
            "table", f"{where} does not answer a request: is it a table's public request socket?",
            Code.NO_ANSWER, Whom.ENGINEER, f"requests to {where} get no answer",
        )  # fmt: skip
    served = seen.served
    if served is None:
        names = ", ".join(one.table for one in seen.tables) or "none"
        return _fault(
            "table", f"{seen.table} is not served at {where}; served: {names}",
            Code.UNKNOWN_TABLE, Whom.HERE,
            f"correct the table's name or address; the studio's engineer knows where {seen.table} "
            "is",
        )  # fmt: skip
    took = "" if seen.round_trip is None else f", answers in {seen.round_trip * 1000:.0f} ms"
    phase = "" if seen.state is None else f", {_PHASES.get(seen.state.phase, seen.state.phase)}"
    return _ok("table", f"{served.table} is served{took}{phase}")


def _environment(seen: Seen, expected: Expected) -> _Step:
    served = seen.served
    told = "" if served is None else served.environment
    if told == expected.environment:
        return _ok("environment", told)
    return _fault(
        "environment", f"this table is {told!r}, expected was {expected.environment!r}",
        Code.ENVIRONMENT, Whom.HERE,
        "correct the address, or say --environment; nothing of a test is ever paid",
    )  # fmt: skip


def _alive(seen: Seen) -> _Step:
    if seen.beats:
        beats = len(seen.beats)
        return _ok("heartbeats", f"{beats} in {seen.listened:.1f} s")
    return _fault(
        "heartbeats", f"connected, and nothing heard for {seen.listened:.1f} s: the table is stale",
        Code.STALE, Whom.ENGINEER, "the service answers and its table says nothing: it hangs",
    )  # fmt: skip


def _signed(beats: Sequence[Beat], expected: Expected) -> _Step:
    if not expected.signing:
        return _Step(Finding("signature", Mark.NOTE, "not looked at: no studio's key is known"))
    for beat in beats:
        # each by itself, and by its own time: the clock is judged apart
        genuine = Genuine([bytes.fromhex(key) for key in expected.signing])
        message = beat.message
        signature = message.data.signature if isinstance(message.data, Heartbeat) else None
        about = (message.epoch, message.seq, message.at)
        fault = genuine.fault_of(signature, heartbeat_text(message.payload), about, message.at, 0.0)
        if fault:
            return _fault(
                "signature", fault, Code.BAD_SIGNATURE, Whom.ENGINEER,
                "heartbeats are not signed by the studio's key: take no bets, and compare the "
                "keys by telephone",
            )  # fmt: skip
    return _ok("signature", "by the studio's own hand")


def _apart(beats: Sequence[Beat]) -> timedelta | None:
    """How far the clocks are apart: what came fastest says it best."""
    return min((beat.heard - beat.message.at for beat in beats), default=None)


def _clock(seen: Seen, expected: Expected) -> _Step:
    apart = _apart(seen.beats) or timedelta()
    seconds = abs(apart.total_seconds())
    way = "ahead of" if apart > timedelta() else "behind"
    spread = max(beat.heard - beat.message.at for beat in seen.beats) - apart
    uneven = f"; heartbeats come up to {spread.total_seconds() * 1000:.0f} ms later than others"
    if abs(apart) <= expected.clock_limit:
        return _ok("clock", f"{seconds:.3f} s {way} the studio's{uneven if spread else ''}")
    limit = expected.clock_limit.total_seconds()
    return _fault(
        "clock", f"this machine's clock is {seconds:.1f} s {way} the studio's (limit {limit:g} s): "
        f"here {_at(seen.beats[-1].heard)}, there {_at(seen.beats[-1].message.at)}",
        Code.CLOCK, Whom.HERE,
        "set this machine's clock by a time server; if it is right, call the studio's engineer",
    )  # fmt: skip


def _at(time: datetime) -> str:
    return f"{time:%H:%M:%S} UTC"


def _open(seen: Seen) -> _Step:
    reason = _suspended(seen)
    if reason is None:
        return _ok("play", "not suspended")
    words = _REASONS.get(reason, reason)
    return _fault(
        "play", f"suspended, no bets are taken: {words} ({reason})",
        Code.SUSPENDED, Whom.PIT, f"when will the table go on? It says: {words}",
    )  # fmt: skip


def _suspended(seen: Seen) -> str | None:
    """The last word on it is a heartbeat's; the picture's only where none is heard."""
    if seen.beats:
        data = seen.beats[-1].message.data
        return data.suspended if isinstance(data, Heartbeat) else None
    return None if seen.state is None else seen.state.suspended
