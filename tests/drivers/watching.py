# SPDX-License-Identifier: Apache-2.0
"""A reader under test, and what it delivered."""

from pathlib import Path

from drivers.endpoint import parse_endpoint
from drivers.rawlog import RawLog
from drivers.reader import Reader
from drivers.registry import decoder_for
from drivers.transport import line_to
from studio.game.inputs import LineUp, Report, Reported
from tests.waiting import until


class Watched:
    """A running reader of an Angel Eye II-EX; ``got`` is what it delivered, in order."""

    def __init__(self, endpoint: str, folder: Path, **settings: object) -> None:
        self.got: list[Reported] = []
        self.failures: list[Exception] = []
        self.rawlog = RawLog(folder)
        self.reader = Reader(
            line_to(parse_endpoint(endpoint)),
            decoder_for("angel_eye_iiex", settings),
            self.rawlog,
            self.got.append,
            self.failures.append,
            device="shoe-1",
            pauses_seconds=(0.01, 0.02),
        )

    def __enter__(self) -> "Watched":
        self.reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.reader.stop()

    @property
    def reports(self) -> list[Report]:
        return [reported.report for reported in self.got]

    def of(self, kind: type[Report]) -> list[Report]:
        return [report for report in self.reports if isinstance(report, kind)]

    def wait_for(self, kind: type[Report], count: int = 1) -> None:
        until(lambda: len(self.of(kind)) >= count)

    def wait_up(self, count: int = 1) -> None:
        self.wait_for(LineUp, count)

    def wait_bytes(self, count: int) -> None:
        until(lambda: self.reader.health.bytes >= count)
