# SPDX-License-Identifier: Apache-2.0
"""Which manifest a table's record says is approved, and what the last check found."""

from studio.cli.finding import Finding, Mark
from studio.game.events import SettingsApplied, SoftwareApproved, SoftwareChecked
from studio.settings import TableSettings
from studio.software import Manifests
from studio.store.chain import recorded_of
from studio.store.database import StoreFailed
from studio.store.history import History

_TYPES = ("software_approved", "software_checked", "settings_applied")


def approved_in(settings: TableSettings) -> str | None:
    """The digest of the approved manifest by the table's record. Raises ``StoreFailed``."""
    match _last(settings, *_TYPES):
        case SoftwareApproved(digest=digest):
            return digest
        case SoftwareChecked(approved=approved):
            return approved
        case SettingsApplied(manifest=digest):
            return digest
        case _:
            return None


def _last(settings: TableSettings, *types: str) -> object:
    with History.open(settings.database_url, settings.table) as history:
        epochs = history.epochs()
        row = history.last_of(types, epochs[-1]) if epochs else None
    return None if row is None else recorded_of(row).event


def software_finding(settings: TableSettings) -> Finding:
    """What `studio doctor` says of it; the files themselves are `studio software check`'s."""
    what = "software"
    try:
        digest = approved_in(settings)
        checked = _last(settings, "software_checked")
    except StoreFailed:
        return Finding(what, Mark.NOTE, "not looked at: the record cannot be read")
    waiting = Manifests(settings).of_set_up()
    if digest is None and waiting is not None:
        text = f"manifest {waiting[:12]} of the set-up, for the first start"
        return Finding(what, Mark.OK, f"{text}; changed since? `studio software approve`")
    if digest is None:
        text = "no manifest is approved: the files are not checked; `studio software approve`"
        return Finding(what, Mark.NOTE, text)
    if Manifests(settings).read(digest) is None:
        file = Manifests(settings).path_of(digest)
        return Finding(what, Mark.FAULT, f"{file}, the approved manifest, is missing or changed")
    if isinstance(checked, SoftwareChecked) and checked.count:
        first, more = checked.findings[0], checked.count - 1
        text = f"not as approved at the last check: {first.path}" + f" and {more} more" * bool(more)
        return Finding(what, Mark.FAULT, f"{text}; `studio software check` looks again")
    return Finding(what, Mark.OK, f"manifest {digest[:12]} is approved")
