# SPDX-License-Identifier: Apache-2.0
"""Which software is approved, and what the last check found, is found by the same index."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_TELLS_BEFORE = (
    "type IN ('service_restarted', 'rules_loaded', 'table_opened', 'dealer_changed', "
    "'software_approved', 'software_checked', 'settings_applied')"
)


def upgrade() -> None:
    """Make the index anew, with three types more: no card's commit touches it."""
    op.drop_index("ix_journal_before", "journal")
    op.create_index(
        "ix_journal_before",
        "journal",
        ["table_id", "epoch", "type", "seq"],
        unique=False,
        sqlite_where=sa.text(_TELLS_BEFORE),
        postgresql_where=sa.text(_TELLS_BEFORE),
    )
