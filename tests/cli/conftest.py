# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    """A machine without any settings of its own."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "STUDIO_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path
