# SPDX-License-Identifier: Apache-2.0
"""What Alembic runs: the migrations, inside the transaction of the connection it is given."""

from alembic import context

from studio.store.models import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
)
context.run_migrations()
