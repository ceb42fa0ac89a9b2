# SPDX-License-Identifier: Apache-2.0
"""The tables of the staff's database: one for a studio, apart from the records of its tables.

Migrations of their own build them; a test compares the two. Their names begin with ``staff_`` and
their revision has a table of its own, so that a server may hold them beside a record. The log
and the cases take rows and give none back. Times are text as in the record.
"""

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

from studio.store.models import metadata as _record

STAFF_SCHEMA = "0003"
VERSION_TABLE = "staff_version"

staff_metadata = MetaData(naming_convention=_record.naming_convention)

_STAFF = String(12)
_TABLE = String(40)
_TIME = String(27)
_FROM = String(120)

accounts = Table(
    "staff_accounts",
    staff_metadata,
    Column("staff", _STAFF, primary_key=True),
    Column("name", String(80), nullable=False),
    Column("screen_name", String(80), nullable=False),
    Column("title", String(80), nullable=False),
    Column("roles", String(60), nullable=False),
    Column("badge", String(32), nullable=False, unique=True),
    Column("secret", String(200), nullable=False),
    Column("secret_changed", _TIME, nullable=False),
    Column("is_provisional", Boolean(create_constraint=False), nullable=False),
    Column("created", _TIME, nullable=False),
    Column("created_by", _STAFF, nullable=False),
    Column("last_access", _TIME),
    Column("last_access_from", _FROM),
    Column("disabled", _TIME),
    Column("disabled_by", _STAFF),
    Column("wrong_tries", Integer, nullable=False),
    Column("locked_until", _TIME),
    Column("language", String(2), nullable=False, server_default=""),
)

sessions = Table(
    "staff_sessions",
    staff_metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("staff", _STAFF, ForeignKey("staff_accounts.staff"), nullable=False),
    Column("table_id", _TABLE),
    Column("opened_at", _TABLE, nullable=False),
    Column("opened", _TIME, nullable=False),
    Column("seen", _TIME, nullable=False),
    Column("from_where", _FROM, nullable=False),
    Column("ended", _TIME),
    Index(None, "staff"),
)

codes = Table(
    "staff_codes",
    staff_metadata,
    Column("staff", _STAFF, ForeignKey("staff_accounts.staff"), primary_key=True),
    Column("secret", String(200), nullable=False),
    Column("issued", _TIME, nullable=False),
    Column("issued_by", _STAFF, nullable=False),
    Column("expires", _TIME, nullable=False),
    Column("wrong_tries", Integer, nullable=False),
)

log = Table(
    "staff_log",
    staff_metadata,
    Column("number", Integer, primary_key=True),
    Column("at", _TIME, nullable=False),
    Column("act", String(20), nullable=False),
    Column("by_staff", _STAFF),
    Column("staff", _STAFF),
    Column("table_id", _TABLE),
    Column("from_where", _FROM, nullable=False),
    Column("result", String(20), nullable=False),
    Column("detail", Text, nullable=False),
)

cases = Table(
    "staff_cases",
    staff_metadata,
    Column("case_id", _STAFF, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", _TIME, nullable=False),
    Column("act", String(8), nullable=False),
    Column("by_staff", _STAFF, nullable=False),
    Column("table_id", _TABLE, nullable=False),
    Column("round", String(80), nullable=False),
    Column("operator", String(80), nullable=False),
    Column("reference", String(80), nullable=False),
    Column("due", String(10), nullable=False),
    Column("text", Text, nullable=False),
)
