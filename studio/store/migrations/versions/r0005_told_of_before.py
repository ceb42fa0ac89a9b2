# SPDX-License-Identifier: Apache-2.0
"""What was told of a round once the next one was under way is found with that round.

What the calls for a supervisor say of the rounds that are on record already is read from the
journal. It reads the events as the program of this revision wrote them, so that it holds for ever.
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_CALLS = "SELECT table_id, epoch, seq, event FROM journal WHERE type = 'supervisor_called'"
_PUT = (
    "INSERT INTO irregularities (code, opened_at, round, epoch, seq, table_id) "
    "SELECT :code, opened_at, round, :epoch, :seq, :table FROM rounds WHERE round = :about"
)


def upgrade() -> None:
    """Add them."""
    database = op.get_bind()
    for table, epoch, seq, stored in database.execute(sa.text(_CALLS)).all():
        event = json.loads(bytes(stored))
        if event.get("code") and event.get("about"):
            place = {"table": table, "epoch": epoch, "seq": seq}
            told = {"code": event["code"], "about": event["about"]}
            database.execute(sa.text(_PUT), place | told)
