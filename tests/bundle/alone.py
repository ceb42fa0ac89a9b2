# SPDX-License-Identifier: Apache-2.0
"""Runs ``verify.py`` as an auditor does: in an interpreter that has none of our packages."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

VERIFIER = Path(__file__).parents[2] / "studio" / "bundle" / "verify.py"


class Told(NamedTuple):
    """What it said, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        """Its report, if it was asked for JSON."""
        return dict(json.loads(self.out))

    @property
    def places(self) -> list[tuple[int, str]]:
        """Places and texts of what it found."""
        return [(one["seq"], one["text"]) for one in self.report["findings"]]


def alone(*arguments: str | Path, verifier: Path = VERIFIER, cwd: Path | None = None) -> Told:
    """Run it to its end; neither our folder nor any package can be imported there."""
    ran = subprocess.run(
        [sys.executable, "-I", "-S", str(verifier), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd or "/",
        timeout=900,
    )
    return Told(ran.returncode, ran.stdout, ran.stderr)
