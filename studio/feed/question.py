# SPDX-License-Identifier: Apache-2.0
"""The one request that a follower has under way. Pure.

What it must be follows from where the follower stands; so a lost request, or a lost answer, is
simply asked again.
"""

from msgspec.structs import replace

from studio.feed.asks import Answer, Ask

ASK_AGAIN_SECONDS = 2.0


class Question:
    """Sends and forgets requests about one table.

    ``nonce`` makes the ids its own, so that no answer recorded for another one fits.
    """

    def __init__(self, table: str, nonce: str) -> None:
        self._name = f"{table}-{nonce}"
        self._count = 0
        self._asked: tuple[Ask, float] | None = None
        self._not_before = 0.0

    @property
    def id(self) -> str:
        """The id of the next request."""
        return f"{self._name}{self._count}"

    def rest(self, until: float) -> None:
        """Ask nothing new before that time."""
        self._not_before = until

    def answered(self, answer: Answer) -> Ask | None:
        """The request that this answers; None for an answer to any but the last one."""
        if self._asked is None or answer.id != self._asked[0].id:
            return None
        asked, self._asked = self._asked[0], None
        return asked

    def due(self, wanted: Ask | None, now: float) -> Ask | None:
        """The request to send now, if one of this kind is wanted and not under way."""
        if wanted is None:
            self._asked = None
            return None
        if self._asked is not None:
            asked, asked_at = self._asked
            if type(asked) is type(wanted) and now - asked_at < ASK_AGAIN_SECONDS:
                return None
            if replace(wanted, id=asked.id) == asked:
                # where many ask, the first answer may come after the second request
                wanted = asked
        elif now < self._not_before:
            return None
        self._asked = (wanted, now)
        self._count += 1
        return wanted
