# SPDX-License-Identifier: Apache-2.0
"""What the doctor says of the heads that a table keeps outside of its record."""

import os
import socket
from pathlib import Path

from studio.cli.finding import Finding, Mark
from studio.heads import last_head
from studio.heads_socket import place_of
from studio.settings import TableSettings
from studio.store.database import StoreFailed
from studio.store.history import History

_SECONDS = 0.5
# What players are paid by: after each of these a head is kept.
_COUNTS = frozenset({"round_closed", "result_amended", "round_voided"})


def heads_kept(file: Path, settings: TableSettings) -> Finding:
    """The newest head kept outside must be that of the last round of the record that is over."""
    try:
        kept = last_head(file, settings.table)
        if not os.access(file, os.W_OK):
            return Finding("heads", Mark.FAULT, f"{file}: cannot be written; check owner and mode")
        with History.open(settings.database_url, settings.table) as history:
            is_behind = kept is None and any(one.closed_at for one in history.rounds(2))
            if kept is not None:
                row = next(history.rows(kept.epoch, kept.seq - 1), None)
                if row is None or (row.seq, row.hash.hex()) != (kept.seq, kept.hash):
                    text = (
                        f"{file}: the record is not the one that was kept; `studio verify --heads`"
                    )
                    return Finding("heads", Mark.FAULT, f"{text} says from where on")
                later = history.rows(kept.epoch, kept.seq)
                is_behind = any(one.type in _COUNTS for one in later)
    except FileNotFoundError:
        if file.parent.is_dir() and os.access(file.parent, os.W_OK):
            return Finding("heads", Mark.NOTE, f"{file}: no round was closed since it is set")
        return Finding("heads", Mark.FAULT, f"{file.parent}: no such folder, or not to be written")
    except OSError as fault:
        return Finding("heads", Mark.FAULT, f"{file}: {fault.strerror}; check the disk it is on")
    except StoreFailed as failed:
        return Finding("heads", Mark.NOTE, f"not compared: {failed}")
    if is_behind:
        text = f"{file}: rounds were closed that are not in it; the log says why"
        return Finding("heads", Mark.NOTE, text)
    return Finding("heads", Mark.OK, f"{file}: as far as the record, and agrees with it")


def heads_sent(to: str) -> Finding:
    """Whether somebody is there who takes heads."""
    try:
        socket.create_connection(place_of(to), timeout=_SECONDS).close()
    except OSError as fault:
        text = f"{to}: {fault.strerror or fault}; rounds are played on, and heads wait"
        return Finding("heads sent", Mark.FAULT, text)
    return Finding("heads sent", Mark.OK, f"{to}: somebody takes them")
