# SPDX-License-Identifier: Apache-2.0
"""Secrets as argon2id hashes, and random tokens and codes.

Parameters are the second recommended option of RFC 9106 (3 passes, 64 MiB, 4 lanes): 160 ms
on two cores, so that this is never called from the table's thread.
"""

import secrets

import msgspec
from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

# Read aloud over the phone: no letters or digits that are taken for one another.
_CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
_CODE_LENGTH = 8
_TOKEN_BYTES = 32


class Cost(msgspec.Struct, frozen=True):
    """What one try costs: passes over ``memory_kib`` of memory in so many ``lanes``."""

    passes: int = 3
    memory_kib: int = 64 * 1024
    lanes: int = 4


RFC_9106 = Cost()


class Hashing:
    """Makes and checks hashes of secrets. Any thread may use it."""

    def __init__(self, cost: Cost = RFC_9106) -> None:
        self._hasher = PasswordHasher(
            time_cost=cost.passes,
            memory_cost=cost.memory_kib,
            parallelism=cost.lanes,
            hash_len=32,
            salt_len=16,
            type=Type.ID,
        )
        # what an unknown badge is checked against, so that it takes as long as a known one:
        # random bytes that are no secret's hash
        salt, value = secrets.token_hex(8), secrets.token_hex(21) + "A"
        self._nobody = (
            f"$argon2id$v=19$m={cost.memory_kib},t={cost.passes},p={cost.lanes}${salt}${value}"
        )

    def of(self, secret: str) -> str:
        """The hash to be kept, with its salt and parameters."""
        return self._hasher.hash(secret)

    def is_right(self, kept: str | None, secret: str) -> bool:
        """Whether a secret is the one of that hash; never for None, which takes as long."""
        try:
            self._hasher.verify(self._nobody if kept is None else kept, secret)
        except (VerificationError, InvalidHashError):
            return False
        return kept is not None

    def is_outdated(self, kept: str) -> bool:
        """Whether a hash was made with other parameters than these."""
        return self._hasher.check_needs_rehash(kept)


def new_token() -> str:
    """256 random bits as text."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def new_code() -> str:
    """A one-time code, ``ABCD-EFGH``: about 40 random bits, for minutes and three tries."""
    letters = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
    return f"{letters[:4]}-{letters[4:]}"


def code_as_typed(text: str) -> str:
    """A code as people type it, brought to the form of ``new_code``."""
    plain = "".join(text.upper().replace("-", " ").split())
    return f"{plain[:4]}-{plain[4:]}"
