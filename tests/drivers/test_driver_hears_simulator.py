# SPDX-License-Identifier: Apache-2.0
"""The driver and the simulator, written apart from the same notes, must agree on every card."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.base import Decoded
from drivers.registry import decoder_for
from drivers.sim.commands import Fault, Pull
from drivers.sim.device import SimulatedShoe
from drivers.sim.faults import SPOILING, FaultKind
from drivers.sim.options import Burn, BurnRule, SimOptions
from studio.game.inputs import (
    CardDrawn,
    CardUnreadable,
    CutCardDrawn,
    FrameRejected,
    Report,
    ResultReported,
    SequenceGap,
    ShoeStarted,
)

# What can befall a report on its way; all of them show, if not by themselves then by a gap.
ON_THE_WAY = sorted(
    {
        *SPOILING,
        FaultKind.LOST,
        FaultKind.SEQ_JUMP,
        FaultKind.NOISE,
        FaultKind.BREAK,
        FaultKind.UNREADABLE,
    }
)


class Talk:
    """A simulated shoe that speaks to a decoder, in a time of its own."""

    def __init__(self, options: SimOptions) -> None:
        self.shoe = SimulatedShoe(options, 0.0)
        self.decoder = decoder_for("angel_eye_iiex", {})
        self.reports: list[Report] = []
        self.now = 0.0
        self._hear()

    def do(self, command: Pull | Fault) -> None:
        answer = self.shoe.do(command, self.now)
        assert answer.ok, answer.error
        self._hear()

    def _hear(self) -> None:
        while True:
            items = self.decoder.feed(self.shoe.step(self.now))
            self.reports += [item.report for item in items if isinstance(item, Decoded)]
            wake = self.shoe.wake
            if wake is None:
                return
            self.now = max(self.now, wake)

    def count(self, kind: type[Report]) -> int:
        return sum(isinstance(report, kind) for report in self.reports)

    @property
    def heard(self) -> list[str | None]:
        """The cards that the driver reports, None for one that was not read."""
        return [
            report.card.value if isinstance(report, CardDrawn) else None
            for report in self.reports
            if isinstance(report, CardDrawn | CardUnreadable)
        ]

    @property
    def sent(self) -> list[str | None]:
        """The cards that the shoe read, by its own account."""
        return [card.read for card in self.shoe.state().drawn]


@pytest.mark.parametrize("repeats", [0, 2])
def test_a_whole_shoe_is_heard_card_by_card(repeats: int) -> None:
    options = SimOptions(
        pty="unused", speed=0, repeats=repeats, burn=Burn(rule=BurnRule.FIRST_CARD)
    )
    talk = Talk(options)
    for _ in range(416):
        talk.do(Pull())
    assert talk.heard == talk.sent
    assert len(talk.heard) == 416
    assert talk.count(ShoeStarted) == talk.count(CutCardDrawn) == 1
    assert talk.count(ResultReported) > 60
    assert talk.count(SequenceGap) == talk.count(FrameRejected) == 0


def is_subsequence(part: list[str | None], whole: list[str | None]) -> bool:
    rest = iter(whole)
    return all(item in rest for item in part)


@pytest.mark.req("REC-6")
@given(
    faults=st.lists(st.tuples(st.sampled_from(ON_THE_WAY), st.booleans()), max_size=8),
    repeats=st.integers(0, 2),
    seed=st.integers(0, 1000),
)
def test_whatever_befalls_the_line_no_card_is_invented_and_none_is_lost_unseen(
    faults: list[tuple[FaultKind, bool]], repeats: int, seed: int
) -> None:
    talk = Talk(SimOptions(pty="unused", speed=0, repeats=repeats, seed=seed))
    for kind, all_copies in faults:
        talk.do(Fault(kind=kind, all_copies=all_copies))
        talk.do(Pull())
    talk.do(Pull())
    talk.do(Pull())
    assert is_subsequence(talk.heard, talk.sent)
    if talk.heard != talk.sent:
        assert talk.count(SequenceGap) > 0 or FrameRejected("bad_field") in talk.reports
    assert talk.heard[-1:] == talk.sent[-1:]
