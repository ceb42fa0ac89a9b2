# SPDX-License-Identifier: Apache-2.0
"""The pit's window as a process on a screen of its own, and a supervisor's hands."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from tests.staff.people import PIN
from tests.system.screen import OnScreen
from ui.pit_view.model import PitView, TileView

SIZE = "1600x900x24"
_read = msgspec.json.Decoder(PitView).decode


class PitShown(OnScreen[PitView]):
    """The pit of a site, at all of its tables."""

    def __init__(self, folder: Path, screen: str, *options: str) -> None:
        first = min((folder / "tables").glob("*.toml"))
        super().__init__(screen, "pit_child", _read, "--config", str(first), *options)
        self.begin(lambda view: not any(one.is_veiled for one in view.tiles))

    def tile(self, table: str) -> TileView:
        """A table on the wall."""
        return next(one for one in self.view.tiles if one.table == table)

    def identify(self, kind: str, badge: str, pin: str = PIN) -> None:
        """Badge by a reader, PIN by hand, once the panel asks for them."""
        self.wait(lambda view: view.panel is not None and view.panel.kind == kind)
        self.scan(badge)
        self.wait(lambda view: view.panel is not None and view.panel.fields[1].is_current)
        self.type(pin)
        self.wait(lambda view: view.panel is None)

    def log_in(self, badge: str, pin: str = PIN) -> None:
        """Somebody logs in for all tables, and is in, or is told why not."""
        self.do("log_in")
        self.identify("log_in", badge, pin)
        self.wait(lambda view: not view.foot.sending and (_is_in(view) or view.foot.refusal))

    def send(self) -> None:
        """Take the marked line of the panel, and wait until it shows something else."""
        self.wait(lambda view: view.panel is not None)
        before = self.view.panel
        self.do("send")
        self.wait(lambda view: view.panel != before)


def _is_in(view: PitView) -> bool:
    return bool(view.header.person_role)


@contextmanager
def pit(folder: Path, screen: str, *options: str) -> Iterator[PitShown]:
    """The pit of that site on that screen; ended in order."""
    shown = PitShown(folder, screen, *options)
    try:
        yield shown
    finally:
        if shown.child.poll() is None:
            shown.end()
