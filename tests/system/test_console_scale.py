# SPDX-License-Identifier: Apache-2.0
"""The console on a screen of small pixels, each of its own drawn by four of them."""

import json
import os
import subprocess
import sys

from tests.system.rig import ROOT
from tests.system.screen import display


def test_at_two_hundred_per_cent_nothing_is_clipped_or_covered_in_any_state():
    with display("3840x2160x24") as screen:
        done = subprocess.run(
            [sys.executable, "-m", "tests.system.scale_child"],
            cwd=ROOT,
            env={**os.environ, "DISPLAY": screen, "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": "2"},
            capture_output=True,
            text=True,
            timeout=140,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["ratio"] == 2.0
    assert told["size"] == [1920, 1080]
    assert told["states"] > 60
    assert told["faults"] == []
