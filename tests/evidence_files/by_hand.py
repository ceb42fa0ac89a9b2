# SPDX-License-Identifier: Apache-2.0
"""The proof of an evidence file, computed as its form describes it: JSON and SHA-256, no more.

It shares no code with the program that wrote the file.
"""

import hashlib
import json
from typing import Any


def proof_faults(data: bytes) -> list[str]:
    """What does not follow in the chains of a file; empty for a proof that holds."""
    file = json.loads(data)
    table = file["round"]["table"]
    faults: list[str] = []
    for stretch in file["proof"]:
        if file["made_for"] == "studio":
            faults += _journal(table, stretch)
        faults += _public(stretch)
    return faults


def _journal(table: str, stretch: dict[str, Any]) -> list[str]:
    faults, last = [], bytes.fromhex(stretch["before"]["hash"])
    for row in stretch["rows"]:
        event = row["event"].encode()
        sent = None if row["payload"] is None else row["payload"].encode()
        header = [table, stretch["epoch"]]
        header += [row[name] for name in ("seq", "version", "type", "at", "source")]
        header += [row[name] for name in ("shoe", "round", "public_seq")]
        header += [len(event), None if sent is None else len(sent)]
        text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
        last = hashlib.sha256(last + text + event + (sent or b"")).digest()
        if last.hex() != row["hash"]:
            faults.append(f"row {row['seq']}")
    exported = stretch["exported"]
    if exported is not None and exported["hash"] != last.hex():
        faults.append("exported hash")
    return faults


def _public(stretch: dict[str, Any]) -> list[str]:
    faults, last = [], bytes.fromhex(stretch["before"]["head"])
    rows = [row for row in stretch.get("rows", ()) if row["payload"] is not None]
    for sent in rows or stretch.get("messages", ()):
        last = hashlib.sha256(last + sent["payload"].encode()).digest()
        if last.hex() != sent["head"]:
            faults.append(f"message {sent.get('public_seq', sent['seq'])}")
    exported = stretch["exported"]
    if exported is not None and exported["head"] != last.hex():
        faults.append("exported head")
    return faults
