# SPDX-License-Identifier: Apache-2.0
"""Running the migrations of a database, up to a revision.

Alembic is loaded only when there is something to migrate: a service that starts, or a look at a
record, would wait for it in vain.
"""

from sqlalchemy import Connection


class UnknownRevision(Exception):
    """The database is at a revision that the migrations here do not know."""


def migrate(connection: Connection, scripts: str, revision: str) -> None:
    """Run the migrations in the package ``studio.store.SCRIPTS``, in the connection's transaction.

    Raises ``UnknownRevision``.
    """
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", f"studio.store:{scripts}")
    try:
        command.upgrade(config, revision)
    except CommandError as fault:
        raise UnknownRevision(str(fault)) from fault
