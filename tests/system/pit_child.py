# SPDX-License-Identifier: Apache-2.0
"""Runs ``studio pit`` as a process and tells all that it draws, as ``console_child`` does."""

import sys

import msgspec

from studio.cli import run
from ui.pit.surface import PitSurface
from ui.pit_view.model import PitView

_ENCODER = msgspec.json.Encoder()


def tell() -> None:
    """Have every view told that is shown, when it is another one."""
    show_view = PitSurface.show_view
    last: PitView | None = None

    def told(self: PitSurface, view: PitView) -> None:
        nonlocal last
        show_view(self, view)
        if view != last:
            last = view
            sys.stdout.buffer.write(_ENCODER.encode(view) + b"\n")
            sys.stdout.buffer.flush()

    PitSurface.show_view = told  # type: ignore[method-assign]


if __name__ == "__main__":
    tell()
    run(["pit", *sys.argv[1:]])
