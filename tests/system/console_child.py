# SPDX-License-Identifier: Apache-2.0
"""Runs ``studio console`` as a process and tells all that it draws.

``python -m tests.system.console_child OPTIONS``: the program's own command with these options. Each
view goes to standard output as a line of JSON when its window shows it. The program itself knows
nothing of that: it is put around its window from outside.
"""

import sys

import msgspec

from studio.cli import run
from ui.console.surface import Surface
from ui.view.model import View

_ENCODER = msgspec.json.Encoder()


def tell() -> None:
    """Have every view told that is shown, when it is another one."""
    show_view = Surface.show_view
    last = b""

    def told(self: Surface, view: View) -> None:
        nonlocal last
        show_view(self, view)
        line = _ENCODER.encode(view)
        if line != last:
            last = line
            sys.stdout.buffer.write(line + b"\n")
            sys.stdout.buffer.flush()

    Surface.show_view = told  # type: ignore[method-assign]


if __name__ == "__main__":
    tell()
    run(["console", *sys.argv[1:]])
