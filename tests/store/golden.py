# SPDX-License-Identifier: Apache-2.0
"""Golden journals: records as they were written once, which every later program must read.

A file of ``tests/golden/journals`` is a JSON object a line: first table and epoch, then a row of
the journal each; event and payload stand as the text of their bytes, hashes in hex. A file is
never changed. When an event gets a new form, a new file is written with ``keep`` beside it.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from studio.store.chain import Row

FOLDER = Path(__file__).parents[1] / "golden" / "journals"


def keep(name: str, table: str, epoch: str, rows: Iterable[Row]) -> Path:
    """Write a record to ``<name>.jsonl``; an existing file is refused."""
    path = FOLDER / f"{name}.jsonl"
    with path.open("x", encoding="utf-8") as file:
        file.write(json.dumps({"table": table, "epoch": epoch}) + "\n")
        for row in rows:
            line = row._asdict()
            line["event"] = row.event.decode()
            line["payload"] = None if row.payload is None else row.payload.decode()
            line["hash"] = row.hash.hex()
            line["head"] = None if row.head is None else row.head.hex()
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return path


def kept(path: Path) -> tuple[str, str, list[Row]]:
    """Table, epoch and rows of a golden journal."""
    with path.open(encoding="utf-8") as file:
        header = json.loads(next(file))
        return header["table"], header["epoch"], list(_rows(file))


def _rows(lines: Iterable[str]) -> Iterator[Row]:
    for text in lines:
        line = json.loads(text)
        line["event"] = line["event"].encode()
        line["payload"] = None if line["payload"] is None else line["payload"].encode()
        line["hash"] = bytes.fromhex(line["hash"])
        line["head"] = None if line["head"] is None else bytes.fromhex(line["head"])
        yield Row(**line)
