# SPDX-License-Identifier: Apache-2.0
"""The databases of the store's tests."""

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
    "running_server",
    "server_record",
    "server_url",
    "url",
    "used_record",
]
