# SPDX-License-Identifier: Apache-2.0
"""Site settings as text: the files that a studio's first set-up writes.

Owns their wording, so that a person can go on by hand. It writes nothing itself, and what it
returns loads without a fault if its arguments were right.
"""

import json
from typing import Any

import msgspec

from studio.settings import FeedEndpoints


class NewTable(msgspec.Struct, frozen=True, kw_only=True):
    """What a person answers for a new table; ``shoe_settings`` are the driver's own.

    ``keys``: its sockets want keys on this machine as well. ``log_in``: staff log in although no
    real cards are dealt.
    """

    table: str
    house: str
    driver: str
    endpoint: str
    simulated: bool
    database: str
    feed: FeedEndpoints = FeedEndpoints()
    shoe_settings: dict[str, Any] = {}
    keys: bool = False
    log_in: bool = False


def studio_text(data_folder: str, time_zone: str = "UTC", log_level: str = "info") -> str:
    """The text of ``studio.toml``."""
    return f"""\
# What all tables of this machine share.

# Where records, raw logs and keys are kept; other paths in the settings begin here.
data_folder = {quoted(data_folder)}
key_folder = "keys"

# For times shown to people. The record is in UTC, the gaming day is the house's.
time_zone = {quoted(time_zone)}

# debug, info, warning or error
log_level = {quoted(log_level)}

# With true no table starts whose role at the database could change what was recorded, rather than
# saying so in its log: `studio db roles` sets up one that cannot.
# append_only = true

# The files of the software are compared with the approved manifest at every start, and again
# after so many hours, 24 at most.
# [software]
# check_hours = 24

# Whom `studio watch --diagnose` says to call: a name, a number, as you would say it.
# [contacts]
# engineer = "the studio's engineer on duty, extension 100"
# network = "whoever looks after this machine's network"
# pit = "the studio's pit"
"""


def table_text(new: NewTable) -> str:
    """The text of ``tables/NAME.toml``."""
    feed = "\n".join(
        f"{name} = {quoted(getattr(new.feed, name))}" for name in FeedEndpoints.__struct_fields__
    )
    return f"""\
table = {quoted(new.table)}

# The rules: a file of houses/, shipped or beside this folder.
house = {quoted(new.house)}

# sqlite:///FILE, or postgresql://USER@HOST/NAME with the password in PGPASSWORD or ~/.pgpass.
database = {quoted(new.database)}

{_log_in(new)}
# Every byte from the shoe is kept in this folder before it is read.
raw_log = "raw"

# After every round the heads of the record are added to this file, best on another machine's disk:
# `studio verify --heads FILE` then finds a record that was written anew as a whole.
# heads = "/mnt/elsewhere/TABLE.heads"
# The same, as lines over TCP to whatever keeps them.
# heads_to = "tcp://auditor.example:7700"

# Beyond this machine the sockets always want keys (`studio keys`); with true, here as well.
{"" if new.keys else "# "}keys = true

# How far the pictures that viewers see are behind; `stream` would name them.
picture_delay_ms = 0

# The recording that shows each round, as the recorder calls it; that of `stream` if absent.
# video_stream = "recorder-2/{new.table}"

[feed]
{feed}

[shoe]
driver = {quoted(new.driver)}
endpoint = {quoted(new.endpoint)}
# Real cards, or a simulator? With a simulated shoe the table is a test, always.
simulated = {_value(new.simulated)}
{_shoe_settings(new.shoe_settings)}"""


def _log_in(new: NewTable) -> str:
    if new.simulated and not new.log_in:
        return """\
# Where real cards are dealt, staff log in with badge and PIN; here only if this is set.
# log_in = "required"
"""
    return """\
# Staff log in with badge and PIN; `studio staff init` makes the first manager.
log_in = "required"
"""


def _shoe_settings(settings: dict[str, Any]) -> str:
    if not settings:
        return ""
    lines = [f"{quoted(key)} = {_value(value)}" for key, value in settings.items()]
    return "\n[shoe.settings]\n" + "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    """A text, number, yes or no, or a list of them, as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return quoted(str(value))


def quoted(text: str) -> str:
    """A TOML basic string; JSON's escapes are among TOML's."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
