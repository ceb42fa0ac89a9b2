# SPDX-License-Identifier: Apache-2.0
from hypothesis import given
from hypothesis import strategies as st

from drivers.sim.line import PacedLine, bytes_per_second

TIMES = st.floats(0, 10, allow_nan=False)
PUSHES = st.lists(st.tuples(TIMES, st.binary(max_size=20), st.floats(0, 1)), max_size=8)
BAUDS = st.sampled_from([1200, 4800, 9600])


@given(PUSHES, st.lists(TIMES, max_size=30), BAUDS)
def test_a_line_is_never_faster_than_its_baud_rate(
    pushes: list[tuple[float, bytes, float]], looks: list[float], baud: int
) -> None:
    line = PacedLine(bytes_per_second(baud, 1))
    events = sorted([(at, data, gap) for at, data, gap in pushes] + [(at, b"", 0) for at in looks])
    seen: list[tuple[float, int]] = []
    for at, data, gap in events:
        line.push(data, at, gap)
        seen.append((at, len(line.due(at))))
    for first, (since, _) in enumerate(seen):
        passed = 0
        for until, count in seen[first + 1 :]:
            passed += count
            # One byte may have been under way, and bytes not fetched earlier come at once.
            waiting = sum(len(data) for at, data, _ in pushes if at <= since)
            assert passed <= waiting + (until - since) * baud / 10 + 1


@given(PUSHES, BAUDS)
def test_a_line_loses_and_reorders_nothing(
    pushes: list[tuple[float, bytes, float]], baud: int
) -> None:
    line = PacedLine(bytes_per_second(baud, 1))
    out = b""
    for at, data, gap in sorted(pushes):
        line.push(data, at, gap)
    while (wake := line.wake) is not None:
        got = line.due(wake)
        assert len(got) >= 1
        out += got
    assert out == b"".join(data for _, data, _ in sorted(pushes))
    assert line.due(1e9) == b""


def test_a_byte_takes_ten_bits() -> None:
    line = PacedLine(bytes_per_second(4800, 1))
    line.push(b"12345678", 5.0)
    assert line.wake == 5.0 + 10 / 4800
    assert line.due(5.0 + 79.9 / 4800) == b"1234567"
    assert line.due(5.0 + 80.1 / 4800) == b"8"


def test_speed_quickens_the_line_and_zero_frees_it() -> None:
    assert bytes_per_second(4800, 2) == 960
    line = PacedLine(bytes_per_second(4800, 0))
    line.push(b"x" * 100_000, 1.0)
    assert line.due(0.9) == b""
    assert len(line.due(1.0, most=1000)) == 1000
    assert line.wake == 1.0
    assert len(line.due(1.0)) == 99_000


def test_a_gap_is_kept_between_pieces() -> None:
    line = PacedLine(10.0)
    line.push(b"ab", 0.0)
    line.push(b"c", 0.0, gap=1.0)
    assert line.due(0.25) == b"ab"
    assert line.due(1.25) == b""
    assert line.due(1.35) == b"c"
