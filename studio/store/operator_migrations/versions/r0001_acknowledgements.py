# SPDX-License-Identifier: Apache-2.0
"""The first schema: what operators acknowledged. It takes rows and gives none back (AUD-1)."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_TABLE = "operator_acknowledgements"


def upgrade() -> None:
    """Make the table, and the triggers that keep it."""
    op.create_table(
        _TABLE,
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("epoch", sa.String(length=36), nullable=False),
        sa.Column("round", sa.String(length=80), nullable=False),
        sa.Column("revision", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("operator", sa.String(length=40), nullable=False),
        sa.Column("at", sa.String(length=27), nullable=False),
        sa.PrimaryKeyConstraint(
            "table_id", "epoch", "round", "revision", "operator", name=op.f(f"pk_{_TABLE}")
        ),
        sqlite_with_rowid=False,
    )
    if op.get_bind().dialect.name == "sqlite":
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {_TABLE}_no_{change.lower()} BEFORE {change} ON {_TABLE} "
                f"BEGIN SELECT RAISE(ABORT, '{_TABLE} is append-only'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION operator_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {_TABLE}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {_TABLE} "
        "FOR EACH STATEMENT EXECUTE FUNCTION operator_append_only()"
    )
