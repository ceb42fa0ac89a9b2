# SPDX-License-Identifier: Apache-2.0
"""The first schema: journal, checkpoints and reports. The journal takes rows and gives none back.

Triggers refuse to change or remove a row of the journal, of its epochs and of the revisions
(AUD-1, AUD-3). They are no proof, the hash chain is; they stop mistakes.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_KEPT = ("epochs", "journal", "revisions", "bet_results")


def upgrade() -> None:
    """Make the tables and their triggers."""
    _tables()
    if op.get_bind().dialect.name == "sqlite":
        for table in _KEPT:
            for change in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
                )
        return
    op.execute(
        "CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
    )
    for table in _KEPT:
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION append_only()"
        )


def _tables() -> None:
    op.create_table(
        "epochs",
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("epoch", sa.String(length=36), nullable=False),
        sa.Column("created", sa.String(length=27), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "ordinal", name=op.f("pk_epochs")),
        sa.UniqueConstraint("table_id", "epoch", name=op.f("uq_epochs_table_id_epoch")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rounds",
        sa.Column("round", sa.String(length=80), nullable=False),
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("epoch", sa.String(length=36), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("shoe", sa.String(length=80), nullable=True),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("opened_at", sa.String(length=27), nullable=False),
        sa.Column("closed_at", sa.String(length=27), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("round", name=op.f("pk_rounds")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_rounds_table_id_day"), "rounds", ["table_id", "day"], unique=False)
    op.create_index(
        "uq_rounds_open",
        "rounds",
        ["table_id"],
        unique=True,
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_table(
        "shoes",
        sa.Column("shoe", sa.String(length=80), nullable=False),
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("epoch", sa.String(length=36), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("loaded_at", sa.String(length=27), nullable=False),
        sa.Column("decks", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.String(length=27), nullable=True),
        sa.Column("rounds", sa.Integer(), nullable=True),
        sa.Column("burned", sa.Integer(), nullable=True),
        sa.Column("seen", sa.Integer(), nullable=True),
        sa.Column("left", sa.Integer(), nullable=True),
        sa.Column("counted", sa.Integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("shoe", name=op.f("pk_shoes")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "cards",
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("epoch", sa.String(length=36), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("shoe", sa.String(length=80), nullable=True),
        sa.Column("round", sa.String(length=80), nullable=True),
        sa.Column("fate", sa.String(length=8), nullable=False),
        sa.Column("position", sa.String(length=2), nullable=True),
        sa.Column("card", sa.String(length=2), nullable=True),
        sa.Column("source", sa.String(length=10), nullable=False),
        sa.Column("at", sa.String(length=27), nullable=False),
        sa.ForeignKeyConstraint(["round"], ["rounds.round"], name=op.f("fk_cards_round")),
        sa.PrimaryKeyConstraint("table_id", "epoch", "seq", name=op.f("pk_cards")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "journal",
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("epoch", sa.String(length=36), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("type", sa.String(length=40), nullable=False),
        sa.Column("at", sa.String(length=27), nullable=False),
        sa.Column("source", sa.String(length=10), nullable=False),
        sa.Column("shoe", sa.String(length=80), nullable=True),
        sa.Column("round", sa.String(length=80), nullable=True),
        sa.Column("event", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("public_seq", sa.Integer(), nullable=True),
        sa.Column("payload", sa.LargeBinary(), nullable=True),
        sa.Column("head", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(
            ["table_id", "epoch"],
            ["epochs.table_id", "epochs.epoch"],
            name=op.f("fk_journal_table_id_epoch"),
        ),
        sa.PrimaryKeyConstraint("table_id", "epoch", "seq", name=op.f("pk_journal")),
        sa.UniqueConstraint(
            "table_id", "epoch", "public_seq", name=op.f("uq_journal_table_id_epoch_public_seq")
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "checkpoints",
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("epoch", sa.String(length=36), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("blob", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id", "epoch", "seq"],
            ["journal.table_id", "journal.epoch", "journal.seq"],
            name=op.f("fk_checkpoints_table_id_epoch_seq"),
        ),
        sa.PrimaryKeyConstraint("table_id", "epoch", "seq", name=op.f("pk_checkpoints")),
    )
    op.create_table(
        "revisions",
        sa.Column("round", sa.String(length=80), nullable=False),
        sa.Column("revision", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("epoch", sa.String(length=36), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.String(length=27), nullable=False),
        sa.Column("type", sa.String(length=40), nullable=False),
        sa.Column("outcome", sa.String(length=8), nullable=True),
        sa.Column("player", sa.String(length=16), nullable=True),
        sa.Column("banker", sa.String(length=16), nullable=True),
        sa.Column("player_total", sa.Integer(), nullable=True),
        sa.Column("banker_total", sa.Integer(), nullable=True),
        sa.Column("natural", sa.Boolean(), nullable=True),
        sa.Column("player_pair", sa.Boolean(), nullable=True),
        sa.Column("banker_pair", sa.Boolean(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("by", sa.String(length=80), nullable=True),
        sa.Column("second", sa.String(length=80), nullable=True),
        sa.ForeignKeyConstraint(["round"], ["rounds.round"], name=op.f("fk_revisions_round")),
        sa.ForeignKeyConstraint(
            ["table_id", "epoch", "seq"],
            ["journal.table_id", "journal.epoch", "journal.seq"],
            name=op.f("fk_revisions_table_id_epoch_seq"),
        ),
        sa.PrimaryKeyConstraint("round", "revision", name=op.f("pk_revisions")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "bet_results",
        sa.Column("round", sa.String(length=80), nullable=False),
        sa.Column("revision", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("bet", sa.String(length=24), nullable=False),
        sa.Column("profit", sa.String(length=12), nullable=False),
        sa.ForeignKeyConstraint(
            ["round", "revision"],
            ["revisions.round", "revisions.revision"],
            name=op.f("fk_bet_results_round_revision"),
        ),
        sa.PrimaryKeyConstraint("round", "revision", "bet", name=op.f("pk_bet_results")),
        sqlite_with_rowid=False,
    )
