# SPDX-License-Identifier: Apache-2.0
"""Two tables of one site share a data folder; neither may read the other's raw log as its own."""

from pathlib import Path

from tests.system.rig import TABLE, Hands, studio


def test_the_raw_log_of_a_table_lies_in_a_folder_of_its_own(tmp_path: Path) -> None:
    with studio(tmp_path) as running:
        running.start()
        Hands(running).deal(1)
        raw = tmp_path / "data" / "raw"
        assert list((raw / TABLE).glob("*.log"))
        assert [entry.name for entry in raw.iterdir()] == [TABLE]
