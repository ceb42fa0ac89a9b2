# SPDX-License-Identifier: Apache-2.0
"""The tables of a record. Migrations build them; a test compares the two.

The journal is the record itself: rows are added, never changed (triggers of the migration refuse
it). The report tables say again, in the same transaction, what the journal says, so that history
and auditors can ask by round without folding events. Checkpoints only save time at a start.

Times are text in RFC 3339, UTC, with six digits of a second: one form in the hash, in reports and
in order. What a card writes has no index beyond its keys: every page that it touches is paid for at
its commit. A round is found by indices that are touched when bets open and at its result.
"""

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

SCHEMA = "0005"

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

_TABLE = String(40)
_EPOCH = String(36)
_ID = String(80)
_TIME = String(27)
_CARDS = String(16)

# By which program and rules a round was dealt, and by whom: what was so when it began.
TELLS_BEFORE = (
    "type IN ('service_restarted', 'rules_loaded', 'table_opened', 'dealer_changed', "
    "'software_approved', 'software_checked', 'settings_applied')"
)

epochs = Table(
    "epochs",
    metadata,
    Column("table_id", _TABLE, primary_key=True),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("epoch", _EPOCH, nullable=False),
    Column("created", _TIME, nullable=False),
    UniqueConstraint("table_id", "epoch"),
    sqlite_with_rowid=False,
)

journal = Table(
    "journal",
    metadata,
    Column("table_id", _TABLE, primary_key=True),
    Column("epoch", _EPOCH, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("type", String(40), nullable=False),
    Column("at", _TIME, nullable=False),
    Column("source", String(10), nullable=False),
    Column("shoe", _ID),
    Column("round", _ID),
    Column("event", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("public_seq", Integer),
    Column("payload", LargeBinary),
    Column("head", LargeBinary),
    ForeignKeyConstraint(["table_id", "epoch"], ["epochs.table_id", "epochs.epoch"]),
    UniqueConstraint("table_id", "epoch", "public_seq"),
    Index(
        "ix_journal_before",
        "table_id",
        "epoch",
        "type",
        "seq",
        sqlite_where=text(TELLS_BEFORE),
        postgresql_where=text(TELLS_BEFORE),
    ),
    sqlite_with_rowid=False,
)

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("table_id", _TABLE, primary_key=True),
    Column("epoch", _EPOCH, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("hash", LargeBinary, nullable=False),
    Column("blob", LargeBinary, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    ForeignKeyConstraint(
        ["table_id", "epoch", "seq"], ["journal.table_id", "journal.epoch", "journal.seq"]
    ),
)

shoes = Table(
    "shoes",
    metadata,
    Column("shoe", _ID, primary_key=True),
    Column("table_id", _TABLE, nullable=False),
    Column("epoch", _EPOCH, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("loaded_at", _TIME, nullable=False),
    Column("decks", Integer, nullable=False),
    Column("ended_at", _TIME),
    Column("rounds", Integer),
    Column("burned", Integer),
    Column("seen", Integer),
    Column("left", Integer),
    Column("counted", Integer),
    Column("reason", Text),
    sqlite_with_rowid=False,
)

rounds = Table(
    "rounds",
    metadata,
    Column("round", _ID, primary_key=True),
    Column("table_id", _TABLE, nullable=False),
    Column("epoch", _EPOCH, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("shoe", _ID),
    Column("day", String(10), nullable=False),
    Column("status", String(12), nullable=False),
    Column("opened_at", _TIME, nullable=False),
    Column("closed_at", _TIME),
    Column("revision", Integer, nullable=False),
    # Of the revision that stands: an outcome, or void; none before there is one.
    Column("outcome", String(8)),
    Index(None, "table_id", "day"),
    Index("ix_rounds_opened", "opened_at", "round"),
    Index("ix_rounds_table_opened", "table_id", "opened_at", "round"),
    Index("ix_rounds_outcome_opened", "outcome", "opened_at", "round"),
    # At most one round of a table is open; at a start it is found by this.
    Index(
        "uq_rounds_open",
        "table_id",
        unique=True,
        sqlite_where=text("closed_at IS NULL"),
        postgresql_where=text("closed_at IS NULL"),
    ),
    sqlite_with_rowid=False,
)

# Who dealt a round: the dealer's screen name, each one where it changed, and the id of whoever
# opened bets. The key is the order in which a dealer's rounds are listed.
round_dealers = Table(
    "round_dealers",
    metadata,
    Column("who", _ID, primary_key=True),
    Column("opened_at", _TIME, primary_key=True),
    Column("round", _ID, ForeignKey("rounds.round"), primary_key=True),
    Column("epoch", _EPOCH, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("table_id", _TABLE, nullable=False),
    Index("ix_round_dealers_round", "round"),
    sqlite_with_rowid=False,
)

# What went wrong in a round; ``opened_at`` is the round's.
irregularities = Table(
    "irregularities",
    metadata,
    Column("code", String(40), primary_key=True),
    Column("opened_at", _TIME, primary_key=True),
    Column("round", _ID, ForeignKey("rounds.round"), primary_key=True),
    Column("epoch", _EPOCH, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("table_id", _TABLE, nullable=False),
    Index("ix_irregularities_round", "round"),
    sqlite_with_rowid=False,
)

cards = Table(
    "cards",
    metadata,
    Column("table_id", _TABLE, primary_key=True),
    Column("epoch", _EPOCH, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("shoe", _ID),
    Column("round", _ID, ForeignKey("rounds.round")),
    Column("fate", String(8), nullable=False),
    Column("position", String(2)),
    Column("card", String(2)),
    Column("source", String(10), nullable=False),
    Column("at", _TIME, nullable=False),
    sqlite_with_rowid=False,
)

revisions = Table(
    "revisions",
    metadata,
    Column("round", _ID, ForeignKey("rounds.round"), primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("table_id", _TABLE, nullable=False),
    Column("epoch", _EPOCH, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", _TIME, nullable=False),
    Column("type", String(40), nullable=False),
    Column("outcome", String(8)),
    Column("player", _CARDS),
    Column("banker", _CARDS),
    Column("player_total", Integer),
    Column("banker_total", Integer),
    Column("natural", Boolean(create_constraint=False)),
    Column("player_pair", Boolean(create_constraint=False)),
    Column("banker_pair", Boolean(create_constraint=False)),
    Column("reason", Text),
    Column("by", _ID),
    Column("second", _ID),
    ForeignKeyConstraint(
        ["table_id", "epoch", "seq"], ["journal.table_id", "journal.epoch", "journal.seq"]
    ),
    sqlite_with_rowid=False,
)

bet_results = Table(
    "bet_results",
    metadata,
    Column("round", _ID, primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("bet", String(24), primary_key=True),
    Column("profit", String(12), nullable=False),
    ForeignKeyConstraint(["round", "revision"], ["revisions.round", "revisions.revision"]),
    sqlite_with_rowid=False,
)
