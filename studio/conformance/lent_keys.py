# SPDX-License-Identifier: Apache-2.0
"""Keys for one run: a studio's, and a pair for the front-end, in folders that go with the run."""

from datetime import UTC, datetime
from pathlib import Path

from studio.feed.access import AccessLog
from studio.feed.allowed import Allowed, Kind, changing, with_key
from studio.feed.guard import PUBLIC, Guard
from studio.feed.keys import ClientKeys, ServerKeys, make_own_key, make_server_keys, trust

_NAME = "front-end"


class LentKeys:
    """Made in ``folder``; ``client`` is the front-end's folder, as ``studio keys new`` makes it."""

    def __init__(self, folder: Path) -> None:
        self._studio, self._log, self.client = folder / "studio", folder / "log", folder / "client"
        public = make_server_keys(self._studio)
        self.keys = ServerKeys.load(self._studio)
        own = make_own_key(self.client, _NAME)
        trust(self.client, public)
        row = Allowed(name=_NAME, kind=Kind.OPERATOR, public=own, added=datetime.now(UTC))
        with changing(self._studio) as rows:
            rows[:] = with_key(tuple(rows), row)

    def guard(self, table: str) -> Guard:
        """Lets the front-end's key in, and no other."""
        return Guard(PUBLIC, table, self._studio, self.keys.pair, AccessLog(self._log, table))

    def variables(self) -> dict[str, str]:
        """What the front-end is told; keys of sockets in CURVE's own Z85, as libzmq takes them."""
        own = ClientKeys.load(self.client)
        return {
            "SABOT_SERVER_KEY": self.keys.pair.public.decode(),
            "SABOT_PUBLIC_KEY": own.pair.public.decode(),
            "SABOT_SECRET_KEY": own.pair.secret.decode(),
            "SABOT_KEY_FOLDER": str(self.client),
        }
