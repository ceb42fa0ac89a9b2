# SPDX-License-Identifier: Apache-2.0
"""Cases of disputed rounds: their entries are added, never changed (DSP-1)."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table, and the triggers that keep it."""
    op.create_table(
        "staff_cases",
        sa.Column("case_id", sa.String(length=12), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.String(length=27), nullable=False),
        sa.Column("act", sa.String(length=8), nullable=False),
        sa.Column("by_staff", sa.String(length=12), nullable=False),
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("round", sa.String(length=80), nullable=False),
        sa.Column("operator", sa.String(length=80), nullable=False),
        sa.Column("reference", sa.String(length=80), nullable=False),
        sa.Column("due", sa.String(length=10), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("case_id", "number", name=op.f("pk_staff_cases")),
    )
    if op.get_bind().dialect.name == "sqlite":
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER staff_cases_no_{change.lower()} BEFORE {change} ON staff_cases "
                "BEGIN SELECT RAISE(ABORT, 'staff_cases is append-only'); END"
            )
        return
    op.execute(
        "CREATE TRIGGER staff_cases_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON staff_cases "
        "FOR EACH STATEMENT EXECUTE FUNCTION staff_append_only()"
    )
