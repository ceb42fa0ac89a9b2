# SPDX-License-Identifier: Apache-2.0
"""Listening to a shoe, for a person: what comes, what it means, and what is wrong.

Nothing is sent and nothing is kept. ``Listening.lines`` gives one line of text for each frame;
``diagnose`` then names the likely faults of a line from what was counted, and what to do. It is
pure: counts in, sentences out.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime

import msgspec

from drivers.base import Decoded, Decoder, Duplicate, Explanation
from drivers.endpoint import SerialEndpoint, UsbEndpoint
from drivers.reader import READ_TIMEOUT_SECONDS, utc_now
from drivers.transport import Line, LineError, LineFault, SerialLine
from studio.game.inputs import CommandAnswered, FrameRejected, Report, SequenceGap

# Both were seen in the field.
BAUDS = (4800, 9600)
PROBE_FRAMES = 3
PROBE_SECONDS = 20.0


class Tally(msgspec.Struct):
    """What was counted while listening.

    ``advice`` counts rejected frames by the setting with which they would fit,
    ``seven_bit_frames`` those with a wrong field in which no byte has its top bit set.
    """

    endpoint: str
    bytes: int = 0
    seven_bit_frames: int = 0
    frames: int = 0
    repeats: int = 0
    rejected: int = 0
    gaps: int = 0
    strange_seqs: set[str] = msgspec.field(default_factory=set)
    advice: Counter[str] = msgspec.field(default_factory=Counter)
    trouble: LineError | None = None


def chunks_of(
    line: Line, seconds: float | None, monotonic: Callable[[], float] = time.monotonic
) -> Iterator[bytes]:
    """What comes on a line, empty now and then; ends after ``seconds``, or never.

    Opens the line and closes it. Raises ``LineError``.
    """
    try:
        line.open()
        until = None if seconds is None else monotonic() + seconds
        while until is None or monotonic() < until:
            yield line.read(READ_TIMEOUT_SECONDS)
    finally:
        line.close()


class Listening:
    """One time of listening to a line. ``record`` is given all bytes, before they are decoded."""

    def __init__(
        self,
        line: Line,
        decoder: Decoder,
        *,
        record: Callable[[bytes], object] | None = None,
        now: Callable[[], datetime] = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.tally = Tally(line.endpoint)
        self._line = line
        self._decoder = decoder
        self._record = record
        self._now = now
        self._monotonic = monotonic

    def lines(self, seconds: float | None = None) -> Iterator[str]:
        """One line for each frame; ends after ``seconds``, or when the line is lost."""
        try:
            for chunk in chunks_of(self._line, seconds, self._monotonic):
                if chunk:
                    yield from self.hear(chunk, self._now())
        except LineError as error:
            self.tally.trouble = error

    def hear(self, chunk: bytes, at: datetime) -> list[str]:
        """One line for each frame that these bytes complete."""
        if self._record is not None:
            self._record(chunk)
        self.tally.bytes += len(chunk)
        return [self._line_of(item, at) for item in self._decoder.feed(chunk)]

    def _line_of(self, item: Decoded | Duplicate, at: datetime) -> str:
        explained = self._decoder.explain(item.raw)
        if isinstance(item, Duplicate):
            self.tally.repeats += 1
            meaning = "repeat"
        else:
            self._count(item, explained)
            meaning = words_of(item.report)
        clock = at.strftime("%H:%M:%S.%f")[:-3]
        frame = f"{item.raw.hex():<22}  {explained.fields:<28}  {explained.check:<5}"
        return f"{clock}  {frame}  {meaning}"

    def _count(self, item: Decoded, explained: Explanation) -> None:
        tally = self.tally
        match item.report:
            case FrameRejected(reason):
                tally.rejected += 1
                tally.seven_bit_frames += reason == "bad_field" and item.raw.isascii()
                if explained.advice:
                    tally.advice[explained.advice] += 1
            case SequenceGap(_, got):
                tally.gaps += 1
                if not got.isdigit():
                    tally.strange_seqs.add(got)
            case CommandAnswered():
                pass  # a single byte, which noise makes too
            case _:
                tally.frames += 1


def words_of(report: Report) -> str:
    """A report in a few words: its name, and what it says that is not the usual."""
    values = msgspec.to_builtins(report)
    name = values.pop("report").replace("_", " ")
    usual = {field.name: field.default for field in msgspec.structs.fields(report)}
    said = [
        f"{key} {'yes' if value is True else 'no' if value is False else value}"
        for key, value in values.items()
        if value is not None and getattr(report, key) != usual[key]
    ]
    return f"{name}: {', '.join(said)}" if said else name


def diagnose(tally: Tally, seconds: float) -> list[str]:
    """What was heard in ``seconds``, what is likely to be wrong and what to do; never empty."""
    if tally.trouble is not None and not tally.bytes:
        return [_trouble(tally.trouble)]
    if not tally.bytes:
        return [_silent(tally.endpoint, seconds)]
    sound = tally.frames + tally.repeats
    found = [_trouble(tally.trouble)] if tally.trouble is not None else []
    if tally.advice:
        (advice, count), *_ = tally.advice.most_common(1)
        found.append(
            f"Wrong check scope: {count} of {tally.rejected} rejected frames fit if their check is"
            f" reckoned over other bytes. Set {advice} in the settings of the shoe."
        )
    elif tally.seven_bit_frames:
        found.append(
            "Frames have lost the top bit of each byte: something on the way passes 7 data bits. "
            + _where(tally.endpoint, "8 data bits, no parity, 1 stop bit")
        )
    elif not sound:
        found.append(
            f"{tally.bytes} bytes came and no valid frame: suspect the baud rate. "
            + _where(tally.endpoint, f"{' or '.join(map(str, BAUDS))} baud")
        )
    elif tally.rejected > sound / 10:
        found.append(
            f"{tally.rejected} rejected frames beside {sound} sound ones: line noise, a cable that"
            " is too long or badly earthed, or a second program reading the same port."
        )
    if sound:
        found += _about_sequence(tally)
        found.append(
            f"The shoe is heard: {tally.frames} reports, {tally.repeats} repeats,"
            f" {tally.rejected} rejected, {tally.gaps} gaps in {seconds:.0f} s."
        )
    return found


def _about_sequence(tally: Tally) -> list[str]:
    found = []
    times = round(1 + tally.repeats / tally.frames) if tally.frames else 1
    if times > 1:
        found.append(
            f"Each report comes about {times} times. That is normal: repeats are told by the shoe's"
            " own sequence and count once. There is nothing to set."
        )
    if tally.strange_seqs:
        found.append(
            "The sequence is not of the characters expected: seen were also "
            f"{', '.join(sorted(tally.strange_seqs))}. Set sequence in the settings of the shoe."
        )
    elif tally.gaps:
        found.append(
            f"{tally.gaps} gaps in the sequence: reports were lost on the way, cards may be among"
            " them. Look for rejected frames just before."
        )
    return found


def _silent(endpoint: str, seconds: float) -> str:
    text = (
        f"Connected but silent: nothing came in {seconds:.0f} s. A shoe at rest says nothing: draw"
        " a card or turn its key. If it stays silent, check that the shoe is on, that the cable is"
        " in the right port at both ends, and that it is of the right kind (a straight cable where"
        " a crossed one is needed is silent too)."
    )
    if endpoint.startswith("tcp:"):
        text += " An open connection to a device server says nothing about the shoe behind it."
    return text


def _where(endpoint: str, what: str) -> str:
    if endpoint.startswith("tcp:"):
        return f"Set {what} in the device server, on its page for the serial port, not here."
    if what.endswith("baud"):
        return f"Try {what} in the address of the shoe, as in serial:/dev/ttyUSB0?baud={BAUDS[1]}."
    return f"The port here is at {what}: look at the shoe and at what is between."


def _trouble(error: LineError) -> str:
    hint = {
        LineFault.BUSY: "One program only may read a shoe; two would each get a part of the bytes.",
        LineFault.MISSING: "Is it plugged in, and is the address right?",
        LineFault.REFUSED: "For TCP: is the port number right, and does the server run as a TCP"
        " server? It may also serve one host only, and another has it.",
        LineFault.TIMEOUT: "Is the device server on, and on this network?",
        LineFault.CLOSED: "A device server that serves one host only ends the sessions of others.",
        LineFault.UNPLUGGED: "The cable or adapter was pulled out, or has a bad contact.",
        LineFault.AMBIGUOUS: "",
        LineFault.PERMISSION: "",
    }[error.reason]
    return f"No line ({error.reason.value}): {error.detail}. {hint}".rstrip()


def probe_baud(
    endpoint: SerialEndpoint | UsbEndpoint,
    decoder: Callable[[], Decoder],
    *,
    bauds: tuple[int, ...] = BAUDS,
    seconds_each: float = PROBE_SECONDS,
    monotonic: Callable[[], float] = time.monotonic,
) -> int | None:
    """The first baud rate at which ``PROBE_FRAMES`` sound frames come; None if at none.

    Somebody must make the shoe speak meanwhile. Raises ``LineError``.
    """
    for baud in bauds:
        line = SerialLine(msgspec.structs.replace(endpoint, baud=baud))
        fresh, sound = decoder(), 0
        for chunk in chunks_of(line, seconds_each, monotonic):
            sound += sum(_is_sound(item) for item in fresh.feed(chunk))
            if sound >= PROBE_FRAMES:
                return baud
    return None


def _is_sound(item: Decoded | Duplicate) -> bool:
    return isinstance(item, Duplicate) or item.seq is not None
