# SPDX-License-Identifier: Apache-2.0
"""One Qt application for all tests of the windows, made before anything is counted."""

import pytest

from tests.ui.offscreen import warm


@pytest.fixture(scope="session", autouse=True)
def application(qapp):
    warm(qapp)
    return qapp
