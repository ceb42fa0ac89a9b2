# SPDX-License-Identifier: Apache-2.0
"""The language in which a person reads the prompts; nobody's is known of the accounts there."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column."""
    language = sa.Column("language", sa.String(length=2), nullable=False, server_default="")
    op.add_column("staff_accounts", language)
