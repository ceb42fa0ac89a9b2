# SPDX-License-Identifier: Apache-2.0
"""The public chain as a subscriber keeps it, compared with what the studio says of it. Pure."""

from studio.feed.wire import head_after

HEADS_KEPT = 1024


class ChainKept:
    """The head after every one of the last messages, and a head that the studio claimed.

    ``agreed``: up to which message what is kept was compared with such a head, and is the same.
    """

    def __init__(self, seq: int, head: bytes) -> None:
        self.seq = seq
        self.head = head
        self.agreed = 0
        self._heads = {seq: head}
        self._claims: dict[int, str] = {}

    def extend(self, payload: bytes) -> bool:
        """Take the next message; False if the studio had claimed another head for it."""
        self.head = head_after(self.head, payload)
        self.seq += 1
        self._heads[self.seq] = self.head
        self._heads.pop(self.seq - HEADS_KEPT, None)
        claimed = self._claims.pop(self.seq, None)
        return claimed is None or self._compared(self.seq, claimed)

    def agrees(self, seq: int, head: str) -> bool:
        """Whether the studio's head is this one; a head not reached yet is compared then."""
        if seq > self.seq:
            # of the claims ahead the newest is kept: the chain covers all before it
            self._claims = {seq: head}
            return True
        return seq not in self._heads or self._compared(seq, head)

    def _compared(self, seq: int, head: str) -> bool:
        is_same = self._heads[seq].hex() == head
        if is_same:
            self.agreed = max(self.agreed, seq)
        return is_same

    def holds(self, seq: int, payload: bytes) -> bool:
        """Whether message ``seq`` was this one, as far as it is still known."""
        before, after = self._heads.get(seq - 1), self._heads.get(seq)
        return before is None or after is None or head_after(before, payload) == after
