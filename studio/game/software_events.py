# SPDX-License-Identifier: Apache-2.0
"""What happens to the software and to the settings of a table: approved, compared, put in force.

For staff only.
"""

from studio.game.event_words import EventBase
from studio.game.inputs import SettingChange, SoftwareFinding


class SoftwareApproved(EventBase, frozen=True, tag="software_approved"):
    """The files are right as the manifest with this SHA-256 lists them.

    ``second`` is None for the manifest that was made when the table was set up.
    """

    digest: str
    reason: str
    by: str
    second: str | None = None


class SoftwareCheckAsked(EventBase, frozen=True, tag="software_check_asked"):
    """A person wants the files compared with the manifest now."""

    by: str


class SoftwareChecked(EventBase, frozen=True, tag="software_checked"):
    """The files were compared with the manifest ``approved``; ``digest`` is that of them now.

    Good if ``count`` is 0; else ``findings`` are the first of so many.
    """

    why: str
    approved: str
    digest: str
    files: int
    seconds: float
    count: int = 0
    findings: tuple[SoftwareFinding, ...] = ()


class SettingsApplied(EventBase, frozen=True, tag="settings_applied"):
    """Two people put other settings in force; ``before`` and ``after`` are digests of them all.

    Rules hold for every round after ``after_round``; None: from the first one on. What a change
    says of ``restart`` holds from the next start of the service. ``manifest``: the one that is
    approved from now on, with the new files in it; None where none was.
    """

    before: str
    after: str
    changes: tuple[SettingChange, ...]
    after_round: str | None
    reason: str
    by: str
    second: str
    manifest: str | None = None
