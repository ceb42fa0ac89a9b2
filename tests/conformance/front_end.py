# SPDX-License-Identifier: Apache-2.0
"""A front-end that shares no code with the studio, and can be wrong on purpose.

It knows what the feed's contract says, JSON and bare sockets. Each word among its arguments is one
of ``FAULTS``: a thing that somebody might forget, or think that it does not matter.
"""

import hashlib
import json
import os
import sys
import time
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import zmq
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

FAULTS = frozenset(sys.argv[1:])
TABLE, ENVIRONMENT = os.environ["SABOT_TABLE"], os.environ["SABOT_ENVIRONMENT"]
STALE_SECONDS, AGAIN_SECONDS = 3.0, 1.0
TYPES = {"shoe_loaded", "shoe_ended", "dealer_changed", "card_dealt", "round_held"}
OF_A_RESULT = {"result", "result_amended", "round_voided"}


class FrontEnd:
    def __init__(self) -> None:
        self.context = zmq.Context()
        self.events = self.socket(zmq.SUB, os.environ["SABOT_EVENTS"])
        slash = "" if "prefix" in FAULTS else "/"
        self.events.subscribe(f"{TABLE}{slash}".encode())
        self.requests = self.socket(zmq.DEALER, os.environ["SABOT_REQUESTS"])
        self.epoch: str | None = None
        self.other: str | None = None
        self.seq = self.behind = 0
        self.head = bytes(32)
        self.is_broken = False
        self.kept: dict[tuple[str, int], Any] = {}
        self.round: str | None = None
        self.closes_at: datetime | None = None
        self.suspended: str | None = None
        self.beat: tuple[datetime, float, str | None] | None = None
        self.heard = float("-inf")
        self.asked: tuple[str, float] | None = None
        self.number = 0
        self.results: dict[str, Any] = {}
        self.until: dict[str, str | None] = {}
        self.to_check: list[str] = []
        self.unknown: list[str] = []
        self.to_acknowledge: dict[str, int] = {}
        self.is_refused = False
        self.last = ""

    def socket(self, kind: int, endpoint: str) -> Any:
        socket = self.context.socket(kind)
        socket.linger = 0
        if "SABOT_SERVER_KEY" in os.environ:
            socket.curve_serverkey = os.environ["SABOT_SERVER_KEY"].encode()
            socket.curve_publickey = os.environ["SABOT_PUBLIC_KEY"].encode()
            socket.curve_secretkey = os.environ["SABOT_SECRET_KEY"].encode()
        socket.connect(endpoint)
        return socket

    # --- the book -----------------------------------------------------------------------------

    def settle(self, round_: str, data: dict[str, Any], *, is_snapshot: bool = False) -> None:
        known = self.results.setdefault(round_, {"revision": 0, "outcome": None, "paid": {}})
        is_later = data["revision"] > known["revision"]
        if not is_later and not is_snapshot and "counts twice" in FAULTS:
            for bet, profit in data.get("bets", {}).items():
                known["paid"][bet] = str(Decimal(known["paid"].get(bet, "0")) + Decimal(profit))
        if not is_later and "last word" not in FAULTS:
            return
        if known["revision"] > 0 and "first word" in FAULTS:
            return
        known["revision"] = data["revision"]
        known["outcome"] = data.get("outcome")
        known["paid"] = dict(data.get("bets", {}))
        self.until[round_] = data.get("amendable_until")
        is_first = data["revision"] == 1 and data.get("outcome") is not None
        if not is_snapshot and not is_first and "silent" not in FAULTS:
            self.to_acknowledge[round_] = data["revision"]

    # --- messages -----------------------------------------------------------------------------

    def hear(self, payload: bytes) -> None:
        told = json.loads(payload)
        if told["table"] != TABLE and "prefix" not in FAULTS:
            return
        self.heard = time.monotonic()
        if self.epoch is not None and told["epoch"] != self.epoch:
            self.hear_other_epoch(told)
        if told["type"] == "heartbeat":
            self.hear_heartbeat(told)
            return
        if told["type"] in OF_A_RESULT and {"last word", "counts twice"} & FAULTS:
            self.settle(told["round"], told["data"])
        self.kept[told["epoch"], told["seq"]] = payload, told
        self.count_in()

    def hear_heartbeat(self, told: dict[str, Any]) -> None:
        data = told["data"]
        self.beat = datetime.fromisoformat(told["at"]), self.heard, data["suspended"]
        if told["epoch"] != self.epoch:
            return
        self.behind = max(self.behind, told["seq"])
        if told["seq"] == self.seq and data["head"] != self.head.hex() and "chain" not in FAULTS:
            self.is_broken = True

    def is_genuine(self, payload: bytes) -> bool:
        told = json.loads(payload)
        if "SABOT_SIGNING_KEY" not in os.environ or told["type"] != "heartbeat":
            return True
        if "any hand" in FAULTS:
            return True
        data = told["data"]
        if data.get("signature") is None:
            return "no hand" in FAULTS
        facts = told["table"], told["epoch"], str(told["seq"]), data["head"], told["at"]
        text = "\n".join(["sabot heartbeat 1", *facts, data["suspended"] or ""])
        key = VerifyKey(bytes.fromhex(os.environ["SABOT_SIGNING_KEY"]))
        try:
            key.verify(text.encode(), bytes.fromhex(data["signature"]["value"]))
        except BadSignatureError:
            return False
        is_later = self.beat is None or datetime.fromisoformat(told["at"]) > self.beat[0]
        return is_later or "replays" in FAULTS

    def hear_other_epoch(self, told: dict[str, Any]) -> None:
        if told["epoch"] == self.other or "old epoch" in FAULTS:
            return
        self.other = self.epoch
        self.epoch, self.asked = None, None
        if "round" not in FAULTS:
            self.to_check = [*self.until]
        if self.round is not None and self.round not in self.until:
            self.to_check.append(self.round)

    def count_in(self) -> None:
        if self.epoch is None:
            return
        if "gaps" in FAULTS:
            beyond = [seq for epoch, seq in self.kept if epoch == self.epoch and seq > self.seq]
            self.seq = min(beyond, default=self.seq + 1) - 1
        while (self.epoch, self.seq + 1) in self.kept:
            self.seq += 1
            payload, told = self.kept.pop((self.epoch, self.seq))
            self.head = hashlib.sha256(self.head + payload).digest()
            self.apply(told)
        behind = [seq for epoch, seq in self.kept if epoch == self.epoch]
        self.behind = max([self.behind, *behind])

    def apply(self, told: dict[str, Any]) -> None:
        type_, data = told["type"], told["data"]
        if type_ == "table_opened":
            self.expect(data["environment"])
        elif type_ == "bets_opened":
            self.round, self.closes_at = told["round"], datetime.fromisoformat(data["closes_at"])
        elif type_ == "bets_closed":
            self.closes_at = None
        elif type_ == "table_suspended":
            self.suspended = data["reason"]
            if "reopens" not in FAULTS:
                self.closes_at = None
        elif type_ == "table_resumed":
            self.suspended = None
        elif type_ in OF_A_RESULT and not (type_ == "round_voided" and "voids" in FAULTS):
            self.settle(told["round"], data)
            if told["round"] == self.round:
                self.closes_at = None
        elif type_ == "round_closed":
            self.round = None
        elif type_ == "table_closed":
            self.suspended, self.closes_at = None, None
        elif "strict" in FAULTS and type_ not in TYPES:
            raise ValueError(f"no such type: {type_}")

    def expect(self, environment: str) -> None:
        if environment != ENVIRONMENT and "environment" not in FAULTS:
            self.is_refused = True

    # --- requests -----------------------------------------------------------------------------

    def wanted(self) -> dict[str, Any] | None:
        if self.to_check:
            return {"ask": "round", "table": TABLE, "round": self.to_check[0]}
        if self.epoch is None:
            return {"ask": "snapshot", "table": TABLE}
        if self.behind > self.seq and "gaps" not in FAULTS:
            if "snapshot" in FAULTS:
                return {"ask": "snapshot", "table": TABLE}
            return {"ask": "history", "table": TABLE, "epoch": self.epoch, "after": self.seq}
        for round_, revision in self.to_acknowledge.items():
            return {"ask": "acknowledge", "table": TABLE, "round": round_, "revision": revision}
        return None

    def ask(self) -> None:
        now = time.monotonic()
        wanted = self.wanted()
        if wanted is None or (self.asked is not None and now - self.asked[1] < AGAIN_SECONDS):
            return
        self.number += 1
        self.asked = (str(self.number), now)
        self.requests.send(json.dumps({"v": 1, "id": self.asked[0], **wanted}).encode())

    def take(self, frame: bytes) -> None:
        answer = json.loads(frame)
        if self.asked is None or answer["id"] != self.asked[0]:
            return
        self.asked = None
        if answer["answer"] == "snapshot":
            self.join(answer)
        elif answer["answer"] == "history":
            for payload in answer["payloads"]:
                told = json.loads(payload)
                self.kept[told["epoch"], told["seq"]] = payload.encode(), told
            self.count_in()
        elif answer["answer"] == "round":
            for payload in answer["payloads"]:
                self.settle(self.to_check[0], json.loads(payload)["data"])
            del self.to_check[0]
        elif answer["answer"] == "acknowledged":
            if self.to_acknowledge.get(answer["round"]) == answer["revision"]:
                del self.to_acknowledge[answer["round"]]
        elif answer["code"] == "unknown_round" and self.to_check:
            self.unknown.append(self.to_check.pop(0))
        else:
            # without keys nobody's word is taken
            self.to_acknowledge.clear()

    def join(self, answer: dict[str, Any]) -> None:
        state = answer["state"]
        self.expect(state["environment"])
        self.epoch, self.seq, self.behind = answer["epoch"], answer["seq"], answer["seq"]
        self.round, self.suspended = state["round"], state["suspended"]
        until = state["closes_at"]
        self.closes_at = None if until is None else datetime.fromisoformat(until)
        for one in state["results"]:
            self.settle(one["round"], one, is_snapshot=True)
        self.kept = {
            (epoch, seq): one
            for (epoch, seq), one in self.kept.items()
            if epoch == self.epoch and seq > self.seq
        }
        self.head = bytes.fromhex(answer["head"])
        self.count_in()

    # --- the view -----------------------------------------------------------------------------

    def is_open(self) -> bool:
        if self.epoch is None or self.closes_at is None or self.suspended is not None:
            return False
        now = time.monotonic()
        seconds = 3.3 * STALE_SECONDS if "late" in FAULTS else STALE_SECONDS
        if self.beat is None or (now - self.heard > seconds and "stale" not in FAULTS):
            return False
        at, heard, suspended = self.beat
        if suspended is not None and "last word on air" not in FAULTS:
            return False
        if self.behind > self.seq and not {"gaps", "blind"} & FAULTS:
            return False
        time_there = at + timedelta(seconds=now - heard)
        if "own clock" in FAULTS:
            time_there = datetime.now(at.tzinfo)
        return time_there < self.closes_at and not (self.is_refused or self.is_broken)

    def tell(self) -> None:
        view = {
            "table": TABLE,
            "epoch": self.epoch,
            "seq": self.seq,
            "open": self.is_open(),
            "round": self.round,
            "results": {key: one for key, one in self.results.items() if one["revision"]},
            "unknown": self.unknown,
            "status": "refused" if self.is_refused else "",
        }
        line = json.dumps(view)
        if line != self.last:
            self.last = line
            print(line, flush=True)

    def run(self) -> None:
        poller = zmq.Poller()
        poller.register(self.events, zmq.POLLIN)
        poller.register(self.requests, zmq.POLLIN)
        while True:
            self.ask()
            ready = dict(poller.poll(100))
            if self.requests in ready:
                self.take(self.requests.recv())
            for _ in range(1000 if self.events in ready else 0):
                try:
                    payload = self.events.recv_multipart(zmq.NOBLOCK)[-1]
                except zmq.Again:
                    break
                if self.is_genuine(payload):
                    self.hear(payload)
            self.tell()


if __name__ == "__main__":
    FrontEnd().run()
