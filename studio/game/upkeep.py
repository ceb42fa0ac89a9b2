# SPDX-License-Identifier: Apache-2.0
"""What the table makes of checks of its software and of other settings.

A round that is under way is played to its end. Then no other begins while a file is not as
approved, nor between a start and the check that belongs to it.
"""

import re

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.amendments import reason_missing, second_missing
from studio.game.draft import Draft
from studio.game.events import Source
from studio.game.inputs import Refusal
from studio.game.state import Phase, TableState

_DIGEST = re.compile(r"[0-9a-f]{64}")
_BETWEEN_ROUNDS = (Phase.NO_SHOE, Phase.BURNING, Phase.IDLE)


def software_refusal(state: TableState) -> Refusal | None:
    """Why no round may begin for the software's sake, if so, and what to do."""
    software = state.software
    if software.count:
        first = software.findings[0]
        more = f" and {software.count - 1} more" if software.count > 1 else ""
        text = (
            f"The software is not as approved: {first.path} is {first.what}{more}. Put the file "
            "back and check again, or have two people approve what is there."
        )
        return Refusal("software_changed", text)
    if software.is_due:
        return Refusal("software_unchecked", "The software is being checked. Wait a moment.")
    return None


def stop_between_rounds(d: Draft) -> None:
    """Suspend an open table once its round is over, if a file is not as approved."""
    state = d.state
    is_over = state.phase in _BETWEEN_ROUNDS and not state.is_round_under_way
    if state.software.count and state.is_open and state.suspended is None and is_over:
        d.add(ev.TableSuspended(reason="system"), Source.SYSTEM)


def software_compared(d: Draft, compared: inp.SoftwareCompared) -> None:
    """A check is over; one against a manifest that is not in force any more says nothing."""
    if compared.approved != d.state.software.approved:
        return
    d.add(
        ev.SoftwareChecked(
            why=compared.why,
            approved=compared.approved,
            digest=compared.digest,
            files=compared.files,
            seconds=compared.seconds,
            count=compared.count,
            findings=compared.findings,
        )
    )


def set_up(d: Draft, manifest: str | None) -> None:
    """The manifest that was made at the set-up is the first to be approved."""
    if manifest is not None and d.state.software.approved is None:
        d.add(ev.SoftwareApproved(digest=manifest, reason="the table was set up", by="set-up"))


def check_software(d: Draft, command: inp.CheckSoftware) -> Refusal | None:
    """Have the files compared now, if there is something to compare them with."""
    if d.state.software.approved is None:
        text = "No manifest is approved yet: run `studio software approve` first."
        return Refusal("nothing_approved", text)
    d.add(ev.SoftwareCheckAsked(by=command.by))
    return None


def approve_software(d: Draft, command: inp.ApproveSoftware) -> Refusal | None:
    """Two people say that these files are right; a check shows whether they are there."""
    refusal = second_missing(command.by, command.second)
    refusal = refusal or reason_missing(command.reason, "Approving other files")
    if refusal is not None:
        return refusal
    if _DIGEST.fullmatch(command.digest) is None:
        return Refusal("no_manifest", f"{command.digest!r} is not the SHA-256 of a manifest.")
    if command.digest == d.state.software.approved and not d.state.software.count:
        return Refusal("already", "This manifest is approved already.")
    d.add(
        ev.SoftwareApproved(
            digest=command.digest, reason=command.reason, by=command.by, second=command.second
        )
    )
    return None


def apply_settings(d: Draft, command: inp.ApplySettings) -> Refusal | None:
    """Two people put other settings in force; rules wait for the end of the round."""
    refusal = second_missing(command.by, command.second)
    refusal = refusal or reason_missing(command.reason, "Applying settings")
    if refusal is not None:
        return refusal
    if not command.changes or command.before == command.after:
        return Refusal("already", "These settings are in force already.")
    d.add(
        ev.SettingsApplied(
            before=command.before,
            after=command.after,
            changes=command.changes,
            after_round=_last_round(d.state),
            reason=command.reason,
            by=command.by,
            second=command.second,
            manifest=command.manifest,
        )
    )
    if command.house not in (None, d.state.next_house or d.state.house):
        d.add(ev.RulesLoaded(house=command.house))
    return None


def _last_round(state: TableState) -> str | None:
    """The round under way, else the last one; the rules of before hold up to it."""
    if state.round is not None:
        return state.round
    if not state.round_number or state.facts is None:
        return None
    return f"{state.facts.table}-{state.round_day}-{state.round_number:04d}"
