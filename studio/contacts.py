# SPDX-License-Identifier: Apache-2.0
"""Whom to call when a table's feed is not as it must be: words of a site, for people."""

import msgspec


class Contacts(msgspec.Struct, frozen=True, kw_only=True):
    """Who they are and how they are reached, as one says it."""

    engineer: str = "the studio's engineer on duty"
    network: str = "whoever looks after this machine's network"
    pit: str = "the studio's pit"
