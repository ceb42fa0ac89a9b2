# SPDX-License-Identifier: Apache-2.0
"""One writer a table: a lock that ends with the process that holds it (DUR-9).

SQLite: ``flock`` on ``<file>.lock``, which names its holder. PostgreSQL: a session's advisory
lock; the server knows who holds it. The unique key of the journal is the second line: even
without this lock two writers collide, they never interleave.
"""

import fcntl
import os
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from studio.store.database import InUse, StoreFailed


class FileLock:
    """The lock of an SQLite record. Held from construction to ``release``.

    Raises ``InUse`` naming the holder when another process, or another part of this one, has it.
    """

    def __init__(self, database: Path, table: str) -> None:
        path = database.with_name(database.name + ".lock")
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
        except OSError as fault:
            raise StoreFailed(f"{path} cannot be opened: {fault.strerror}") from fault
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            holder = os.pread(self._file, 200, 0).decode(errors="replace").strip()
            os.close(self._file)
            raise InUse(
                f"{database} is in use by {holder or 'another process'}: a table has one service; "
                "end that one first"
            ) from fault
        since = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"process {os.getpid()}, table {table}, since {since}\n".encode(), 0)

    def release(self) -> None:
        """Give it up. The file stays: removing it would let two holders in."""
        os.close(self._file)


_HOLDER = """
SELECT a.pid, a.application_name, coalesce(host(a.client_addr), 'this machine'), a.backend_start
FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
WHERE l.locktype = 'advisory' AND l.granted AND l.classid = %s AND l.objid = %s
"""


def lock_on_server(connection: Any, table: str) -> None:
    """Take the table's advisory lock for the session. Raises ``InUse`` naming the holder."""
    digest = sha256(f"sabot journal {table}".encode()).digest()
    high, low = int.from_bytes(digest[:4]), int.from_bytes(digest[4:8])
    key = int.from_bytes(digest[:8], signed=True)
    if connection.execute("SELECT pg_try_advisory_lock(%s)", (key,)).fetchone()[0]:
        return
    found = connection.execute(_HOLDER, (high, low)).fetchone()
    holder = "another session"
    if found is not None:
        holder = f"{found[1]} from {found[2]} (server process {found[0]}, since {found[3]})"
    raise InUse(f"table {table} is in use by {holder}: a table has one service; end that one first")
