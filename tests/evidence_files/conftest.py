# SPDX-License-Identifier: Apache-2.0
"""The databases of the store's tests, and a small studio's people."""

from tests.staff.conftest import filled_file
from tests.store.conftest import (
    file_record,
    file_url,
    running_server,
    server_record,
    server_url,
    url,
    used_record,
)

__all__ = [
    "file_record",
    "file_url",
    "filled_file",
    "running_server",
    "server_record",
    "server_url",
    "url",
    "used_record",
]
