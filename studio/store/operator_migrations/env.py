# SPDX-License-Identifier: Apache-2.0
"""What Alembic runs: the operators' migrations, inside the transaction of the given connection."""

from alembic import context

from studio.store.operator_models import VERSION_TABLE, operator_metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=operator_metadata,
    version_table=VERSION_TABLE,
)
context.run_migrations()
