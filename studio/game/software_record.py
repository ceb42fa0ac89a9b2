# SPDX-License-Identifier: Apache-2.0
"""How what is known of the software's files changes with each event that tells of them."""

from msgspec.structs import replace

from studio.game import events as ev
from studio.game.events import Recorded
from studio.game.state import SoftwareStanding


def software_told(standing: SoftwareStanding, recorded: Recorded) -> SoftwareStanding:
    """What is known after this event; a start and an approval want a check."""
    match recorded.event:
        case ev.ServiceRestarted():
            return replace(standing, is_due=standing.approved is not None)
        case ev.SoftwareApproved(digest=digest):
            return replace(standing, approved=digest, is_due=True)
        case ev.SettingsApplied(manifest=str(manifest)):
            return replace(standing, approved=manifest)
        case ev.SoftwareChecked() as checked:
            return replace(standing, is_due=False, checked_at=recorded.at, count=checked.count,
                           findings=checked.findings)  # fmt: skip
        case _:
            return standing
