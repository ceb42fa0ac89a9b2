# SPDX-License-Identifier: Apache-2.0
"""What a record says of the software's files, in each kind of database."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from studio.cli.approved import approved_in
from studio.game import events as ev
from studio.settings import load_table
from studio.store.journal import Journal
from tests.store.samples import TABLE, Story
from tests.system.rig import write_site

ONE, OTHER = "a" * 64, "b" * 64


@pytest.mark.req("SW-1", "SW-3")
def test_the_manifest_that_was_approved_last_is_found_in_any_database(
    url: str, tmp_path: Path
) -> None:
    write_site(tmp_path, "serial:/dev/null")
    settings = replace(load_table(tmp_path / "tables" / f"{TABLE}.toml"), database_url=url)
    assert approved_in(settings) is None
    with Journal.open(url, TABLE) as journal:
        story = Story()
        journal.append(story.tell(ev.SoftwareApproved(digest=ONE, reason="set up", by="set-up")))
        assert approved_in(settings) == ONE
        told = ev.SoftwareApproved(digest=OTHER, reason="0.2", by="s-0002", second="s-0003")
        journal.append(story.tell(told))
    assert approved_in(settings) == OTHER
