# SPDX-License-Identifier: Apache-2.0
"""What Alembic runs: the staff's migrations, inside the transaction of the given connection."""

from alembic import context

from studio.store.staff_models import VERSION_TABLE, staff_metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=staff_metadata,
    version_table=VERSION_TABLE,
)
context.run_migrations()
