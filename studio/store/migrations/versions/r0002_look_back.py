# SPDX-License-Identifier: Apache-2.0
"""Rounds are found by time, dealer, outcome and irregularity: report rows and indices for it.

What the new rows say of the rounds that are on record already is read from the journal. It reads
the events as the program of this revision wrote them, so that it holds for ever.
"""

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_NEW = ("round_dealers", "irregularities")
_TELLS_DEALER = "type IN ('table_opened', 'dealer_changed')"
_LONGEST_NAME = 80
_AT_ONCE = 20_000


def upgrade() -> None:
    """Make them, and fill them from the journal."""
    _tables()
    _stand()
    for table, epochs in _epochs().items():
        _fill(table, epochs)
    _indices()
    _triggers()


def _tables() -> None:
    op.add_column("rounds", sa.Column("outcome", sa.String(length=8), nullable=True))
    for table, key, length in (("round_dealers", "who", 80), ("irregularities", "code", 40)):
        op.create_table(
            table,
            sa.Column(key, sa.String(length=length), nullable=False),
            sa.Column("opened_at", sa.String(length=27), nullable=False),
            sa.Column("round", sa.String(length=80), nullable=False),
            sa.Column("epoch", sa.String(length=36), nullable=False),
            sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
            sa.Column("table_id", sa.String(length=40), nullable=False),
            sa.ForeignKeyConstraint(["round"], ["rounds.round"], name=op.f(f"fk_{table}_round")),
            sa.PrimaryKeyConstraint(
                key, "opened_at", "round", "epoch", "seq", name=op.f(f"pk_{table}")
            ),
            sqlite_with_rowid=False,
        )


def _indices() -> None:
    for table in _NEW:
        op.create_index(f"ix_{table}_round", table, ["round"], unique=False)
    op.create_index("ix_rounds_opened", "rounds", ["opened_at", "round"], unique=False)
    for column, name in (("table_id", "table"), ("outcome", "outcome")):
        op.create_index(
            f"ix_rounds_{name}_opened", "rounds", [column, "opened_at", "round"], unique=False
        )
    op.create_index(
        "ix_journal_dealers",
        "journal",
        ["table_id", "epoch", "seq"],
        unique=False,
        sqlite_where=sa.text(_TELLS_DEALER),
        postgresql_where=sa.text(_TELLS_DEALER),
    )


def _stand() -> None:
    """The outcome that stands for each round."""
    op.execute(
        "UPDATE rounds SET outcome = (SELECT CASE revisions.type WHEN 'round_voided' THEN 'void' "
        "ELSE revisions.outcome END FROM revisions WHERE revisions.round = rounds.round "
        "AND revisions.revision = rounds.revision)"
    )


def _epochs() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    asked = "SELECT table_id, epoch FROM epochs ORDER BY table_id, ordinal"
    for table, epoch in op.get_bind().execute(sa.text(asked)):
        found.setdefault(table, []).append(epoch)
    return found


def _fill(table: str, epochs: list[str]) -> None:
    """The dealers and the irregularities of every round of a table."""
    dealer, under_way, opened_at = "", None, ""
    for epoch in epochs:
        rows: dict[str, list[dict[str, Any]]] = {name: [] for name in _NEW}
        for seq, kind, at, event in _events(table, epoch):
            place = {"epoch": epoch, "seq": seq, "table_id": table}
            if kind in ("table_opened", "dealer_changed"):
                dealer = event["dealer"]
            if kind == "round_closed":
                under_way = None
            whos: list[str] = []
            if kind == "bets_opened" and event["round"] != under_way:
                under_way, opened_at = event["round"], at
                whos = [dealer, event["by"]]
            elif kind == "dealer_changed" and under_way is not None:
                whos = [dealer]
            place |= {"round": under_way, "opened_at": opened_at}
            for who in dict.fromkeys(one.strip()[:_LONGEST_NAME] for one in whos):
                if who:
                    rows["round_dealers"].append(place | {"who": who})
            if kind == "irregularity_raised" and under_way is not None:
                rows["irregularities"].append(place | {"code": event["code"]})
            _put(rows, _AT_ONCE)
        _put(rows, 1)


def _events(table: str, epoch: str) -> Iterator[tuple[int, str, str, dict[str, Any]]]:
    asked = sa.text(
        "SELECT seq, type, at, event FROM journal WHERE table_id = :table AND epoch = :epoch "
        "AND seq > :after AND type IN ('table_opened', 'dealer_changed', 'bets_opened', "
        "'round_closed', 'irregularity_raised') ORDER BY seq LIMIT :most"
    )
    place = {"table": table, "epoch": epoch, "most": _AT_ONCE}
    after = 0
    while True:
        found = op.get_bind().execute(asked, place | {"after": after}).all()
        if not found:
            return
        for seq, kind, at, event in found:
            yield seq, kind, at, json.loads(bytes(event))
        after = found[-1][0]


def _put(rows: dict[str, list[dict[str, Any]]], at_least: int) -> None:
    for name, new in rows.items():
        if len(new) >= at_least:
            columns = ", ".join(new[0])
            values = ", ".join(f":{column}" for column in new[0])
            put = f"INSERT INTO {name} ({columns}) VALUES ({values})"  # noqa: S608  our own names
            op.get_bind().execute(sa.text(put), new)
            new.clear()


def _triggers() -> None:
    for table in _NEW:
        if op.get_bind().dialect.name != "sqlite":
            op.execute(
                f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE "
                f"ON {table} FOR EACH STATEMENT EXECUTE FUNCTION append_only()"
            )
            continue
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )
