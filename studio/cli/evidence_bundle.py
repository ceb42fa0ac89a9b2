# SPDX-License-Identifier: Apache-2.0
"""``studio evidence --bundle``: a record for an auditor, with the file that checks it."""

from datetime import UTC, datetime
from pathlib import Path

import typer

from studio.bundle.making import BundleRefused, Span, check, make_bundle
from studio.cli.exits import CommandFailed, Exit
from studio.cli.output import console
from studio.feed.keys import StudioKeys, has_server_keys, studio_keys
from studio.keyed import key_folder
from studio.settings import StudioSettings, TableSettings
from studio.store.database import StoreFailed


def write_bundle(settings: TableSettings, folder: Path, span: Span, heads: Path | None) -> None:
    """Make the bundle, and have it checked by the file that is in it.

    Raises CommandFailed; ends with status 1 if what it holds is not sound.
    """
    try:
        make_bundle(
            settings.database_url,
            settings.table,
            folder,
            at=datetime.now(UTC),
            span=span,
            heads=heads or settings.heads,
            keys=_public_keys(settings.studio),
        )
    except (BundleRefused, StoreFailed) as refused:
        raise CommandFailed(str(refused)) from None
    checked = check(folder)
    out = console()
    out.print(f"{folder.absolute()}: its own verify.py says", soft_wrap=True, markup=False)
    out.print(checked.text.rstrip(), soft_wrap=True, markup=False)
    if checked.status != Exit.DONE:
        raise typer.Exit(Exit.FAILED)


def _public_keys(studio: StudioSettings) -> StudioKeys | None:
    folder = key_folder(studio)
    return studio_keys(folder) if has_server_keys(folder) else None
