# SPDX-License-Identifier: Apache-2.0
"""Whether a table's service could change what was recorded, and that it does not start so if told.

Looked at are the record, the staff's log and what operators acknowledged, wherever they are kept.
"""

from studio.keyed import operator_database_url
from studio.operator_log import log_line
from studio.settings import TableSettings
from studio.store.database import StoreFailed
from studio.store.rights import excess

_MOST_TOLD = 3


def could_change(settings: TableSettings) -> str:
    """What would let the service change or remove what was recorded, in words; else empty.

    Raises ``StoreFailed`` where that cannot be told.
    """
    studio = settings.studio
    urls = (settings.database_url, studio.staff_database_url, operator_database_url(studio))
    found = list(dict.fromkeys(text for url in dict.fromkeys(urls) for text in excess(url)))
    if len(found) > _MOST_TOLD:
        found[_MOST_TOLD:] = [f"and {len(found) - _MOST_TOLD} more"]
    return "; ".join(found)


def refuse_or_warn(settings: TableSettings) -> None:
    """Say in the log that the service could; with ``append_only`` raise ``StoreFailed``."""
    found = could_change(settings)
    if not found:
        return
    if settings.studio.append_only:
        raise StoreFailed(
            f"table {settings.table} could change what was recorded, and append_only in "
            f"studio.toml forbids that: {found}; `studio db roles` sets up a role that cannot"
        )
    words = "this service could change what was recorded: see `studio db roles`"
    log_line(words, warns=True, table=settings.table, why=found)
