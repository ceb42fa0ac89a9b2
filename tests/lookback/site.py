# SPDX-License-Identifier: Apache-2.0
"""A studio on Malta with two tables, each with a record of its own."""

from pathlib import Path

from studio.store.journal import Journal
from studio.store.schema import create
from tests.lookback.evening import BANKER_WINS, PLAYER_WINS, TABLE, TIES, Evening
from tests.store.samples import Story

OTHER = "BAC-2-20261129-0001"


class Site:
    """``rounds`` are those of BAC-1: one by the book, one held and amended, one void."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "tables").mkdir(parents=True)
        (folder / "studio.toml").write_text(
            f'data_folder = "{folder}/data"\ntime_zone = "Europe/Malta"\n'
        )
        for name in (TABLE, "BAC-2"):
            (folder / "tables" / f"{name}.toml").write_text(
                f'table = "{name}"\nhouse = "studio"\ndatabase = "sqlite:///{name}.db"\n'
                '[shoe]\ndriver = "angel_eye_iiex"\nendpoint = "tcp:127.0.0.1:1"\n'
                "simulated = true\n"
            )
            create(self.url(name), name)
        evening = Evening()
        first = evening.play(PLAYER_WINS)
        second = evening.play(BANKER_WINS, by="s-007", held=True, relieved_by="Bea")
        evening.amend(second)
        third = evening.play(TIES)
        evening.void_past(third)
        self.rounds = (first, second, third)
        with Journal.open(self.url(TABLE), TABLE) as journal:
            self.told = evening.keep(journal)
        with Journal.open(self.url("BAC-2"), "BAC-2") as journal:
            journal.append(Story().whole_round(OTHER))

    def url(self, name: str) -> str:
        """Where the record of a table is."""
        return f"sqlite:///{self.folder}/data/{name}.db"

    @property
    def config(self) -> tuple[str, str]:
        """The option that names BAC-1."""
        return ("-c", str(self.folder / "tables" / f"{TABLE}.toml"))
