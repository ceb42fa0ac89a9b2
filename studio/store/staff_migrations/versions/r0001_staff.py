# SPDX-License-Identifier: Apache-2.0
"""The first schema of the staff's database. Its log takes rows and gives none back (AUD-1)."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables, and the triggers that keep the log."""
    _tables()
    if op.get_bind().dialect.name == "sqlite":
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER staff_log_no_{change.lower()} BEFORE {change} ON staff_log "
                "BEGIN SELECT RAISE(ABORT, 'staff_log is append-only'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION staff_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
    )
    op.execute(
        "CREATE TRIGGER staff_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON staff_log "
        "FOR EACH STATEMENT EXECUTE FUNCTION staff_append_only()"
    )


def _tables() -> None:
    op.create_table(
        "staff_accounts",
        sa.Column("staff", sa.String(length=12), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("screen_name", sa.String(length=80), nullable=False),
        sa.Column("title", sa.String(length=80), nullable=False),
        sa.Column("roles", sa.String(length=60), nullable=False),
        sa.Column("badge", sa.String(length=32), nullable=False),
        sa.Column("secret", sa.String(length=200), nullable=False),
        sa.Column("secret_changed", sa.String(length=27), nullable=False),
        sa.Column("is_provisional", sa.Boolean(), nullable=False),
        sa.Column("created", sa.String(length=27), nullable=False),
        sa.Column("created_by", sa.String(length=12), nullable=False),
        sa.Column("last_access", sa.String(length=27), nullable=True),
        sa.Column("last_access_from", sa.String(length=120), nullable=True),
        sa.Column("disabled", sa.String(length=27), nullable=True),
        sa.Column("disabled_by", sa.String(length=12), nullable=True),
        sa.Column("wrong_tries", sa.Integer(), nullable=False),
        sa.Column("locked_until", sa.String(length=27), nullable=True),
        sa.PrimaryKeyConstraint("staff", name=op.f("pk_staff_accounts")),
        sa.UniqueConstraint("badge", name=op.f("uq_staff_accounts_badge")),
    )
    op.create_table(
        "staff_sessions",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("staff", sa.String(length=12), nullable=False),
        sa.Column("table_id", sa.String(length=40), nullable=True),
        sa.Column("opened_at", sa.String(length=40), nullable=False),
        sa.Column("opened", sa.String(length=27), nullable=False),
        sa.Column("seen", sa.String(length=27), nullable=False),
        sa.Column("from_where", sa.String(length=120), nullable=False),
        sa.Column("ended", sa.String(length=27), nullable=True),
        sa.ForeignKeyConstraint(
            ["staff"], ["staff_accounts.staff"], name=op.f("fk_staff_sessions_staff")
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_staff_sessions")),
    )
    op.create_index(op.f("ix_staff_sessions_staff"), "staff_sessions", ["staff"], unique=False)
    op.create_table(
        "staff_codes",
        sa.Column("staff", sa.String(length=12), nullable=False),
        sa.Column("secret", sa.String(length=200), nullable=False),
        sa.Column("issued", sa.String(length=27), nullable=False),
        sa.Column("issued_by", sa.String(length=12), nullable=False),
        sa.Column("expires", sa.String(length=27), nullable=False),
        sa.Column("wrong_tries", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["staff"], ["staff_accounts.staff"], name=op.f("fk_staff_codes_staff")
        ),
        sa.PrimaryKeyConstraint("staff", name=op.f("pk_staff_codes")),
    )
    op.create_table(
        "staff_log",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.String(length=27), nullable=False),
        sa.Column("act", sa.String(length=20), nullable=False),
        sa.Column("by_staff", sa.String(length=12), nullable=True),
        sa.Column("staff", sa.String(length=12), nullable=True),
        sa.Column("table_id", sa.String(length=40), nullable=True),
        sa.Column("from_where", sa.String(length=120), nullable=False),
        sa.Column("result", sa.String(length=20), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_staff_log")),
    )
