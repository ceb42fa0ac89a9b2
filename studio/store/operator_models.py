# SPDX-License-Identifier: Apache-2.0
"""The table of the operators' database: one for a studio, apart from the records of its tables.

A correction is confirmed while cards are dealt: in a file of its own that never makes the record
wait. A migration of its own builds it; a test compares the two. Its name begins with ``operator_``
and its revision has a table of its own, so that a server may hold it beside a record. It takes rows
and gives none back. Times are text as in the record.
"""

from sqlalchemy import Column, Integer, MetaData, String, Table

from studio.store.models import metadata as _record

OPERATOR_SCHEMA = "0001"
VERSION_TABLE = "operator_version"

operator_metadata = MetaData(naming_convention=_record.naming_convention)

acknowledgements = Table(
    "operator_acknowledgements",
    operator_metadata,
    Column("table_id", String(40), primary_key=True),
    Column("epoch", String(36), primary_key=True),
    Column("round", String(80), primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("operator", String(40), primary_key=True),
    Column("at", String(27), nullable=False),
    sqlite_with_rowid=False,
)
