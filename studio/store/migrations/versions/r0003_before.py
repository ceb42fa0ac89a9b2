# SPDX-License-Identifier: Apache-2.0
"""What was so when a round began is found without reading the whole record."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_TELLS_BEFORE = "type IN ('service_restarted', 'rules_loaded', 'table_opened', 'dealer_changed')"


def upgrade() -> None:
    """Make the index: no card's commit touches it."""
    op.create_index(
        "ix_journal_before",
        "journal",
        ["table_id", "epoch", "type", "seq"],
        unique=False,
        sqlite_where=sa.text(_TELLS_BEFORE),
        postgresql_where=sa.text(_TELLS_BEFORE),
    )
