# SPDX-License-Identifier: Apache-2.0
"""The reader: one thread for one shoe, from the bytes on the line to reports in the inbox.

It opens the line, for ever, with growing pauses; writes what comes to the raw log; decodes it;
stamps each report with where its bytes are; and delivers it. It knows neither the family of the
shoe nor the table. A lost line is a report like any other; a lost disk, or a fault in the program,
ends the thread and is told to ``failed``.

A session is one opening of the line. Its reports are counted from 1 without holes, and the count
depends on nothing but the raw log: that is how a restart finds what a killed service had read and
not stored. Hence also the rule for floods: of reports that carry no news, rejected frames and
answers to commands, those in a row after the 1st, 2nd, 4th, 8th and so on are counted only.
"""

import threading
import time
import uuid
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

import msgspec

from drivers.base import Decoded, Decoder, Duplicate
from drivers.rawlog import RawLog
from drivers.transport import Line, LineError
from studio.game.inputs import (
    CommandAnswered,
    FrameRejected,
    LineLost,
    LineUp,
    Origin,
    Report,
    Reported,
    SequenceGap,
)

READ_TIMEOUT_SECONDS = 0.25
PAUSES_SECONDS = (1.0, 2.0, 5.0, 10.0)
# A line that was up for so long, or that brought bytes, was a good one: reopen it at once.
GOOD_LINE_SECONDS = 10.0
# Enough of the sessions before to hold the last report of the shoe, and a bound on empty ones.
PRIMING_BYTES = 4096
PRIMING_SESSIONS = 200


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """How the shoe's line is, at one moment.

    A line that is up says nothing about the shoe: ``shoe_heard_at`` is when the last sound frame
    came since the line is up, None if none did; ``silent_seconds`` counts from it, or from
    ``since``, when the line went up or down. ``attempt`` counts openings since the last good
    line; ``trouble`` says why the line is down. The counts are of this process: ``frames`` are
    sound reports that were news, ``duplicates`` repeats of them, ``rejected`` no frames at all.
    """

    is_up: bool
    since: datetime
    endpoint: str
    attempt: int
    session: str
    shoe_heard_at: datetime | None
    silent_seconds: float
    bytes: int
    frames: int
    duplicates: int
    rejected: int
    trouble: str | None


class _Session:
    """Numbers and stamps the reports of one session; pure, the same live and from the log."""

    def __init__(self, device: str, session: str) -> None:
        self.session = session
        self._device = device
        self._ordinal = 0
        self._in_a_row: dict[type[Report], int] = {}

    def stamped(self, item: Decoded, at: datetime) -> Reported | None:
        """The report as the table gets it; None for one of a flood."""
        report = item.report
        # With a sequence it is a sound frame with a field out of range: maybe a card.
        if item.seq is None and isinstance(report, FrameRejected | CommandAnswered):
            count = self._in_a_row.get(type(report), 0) + 1
            self._in_a_row[type(report)] = count
            if count & (count - 1):
                return None
        else:
            self._in_a_row.clear()
        self._ordinal += 1
        origin = Origin(
            self._device, self.session, self._ordinal, item.end, item.raw.hex(), at, item.seq
        )
        return Reported(origin, report)

    def noted(self, report: LineUp | LineLost, end: int, at: datetime) -> Reported:
        """A report about the line itself, after ``end`` bytes."""
        self._in_a_row.clear()
        self._ordinal += 1
        return Reported(Origin(self._device, self.session, self._ordinal, end, "", at), report)


def utc_now() -> datetime:
    """The wall time."""
    return datetime.now(UTC)


def new_session() -> str:
    """A session id that was never used before."""
    return uuid.uuid4().hex


class Reader:
    """Reads one shoe. ``start`` once, ``stop`` once; ``resume`` before ``start`` if at all.

    ``deliver`` takes each report in the reader's thread and must not block for long; ``failed``
    is told the error that ended the thread. ``decoder`` must be fresh and is the reader's alone,
    as are ``line`` and ``rawlog`` once it runs.
    """

    def __init__(
        self,
        line: Line,
        decoder: Decoder,
        rawlog: RawLog,
        deliver: Callable[[Reported], None],
        failed: Callable[[Exception], None],
        *,
        device: str,
        now: Callable[[], datetime] = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
        session_id: Callable[[], str] = new_session,
        pauses_seconds: tuple[float, ...] = PAUSES_SECONDS,
    ) -> None:
        self._line = line
        self._decoder = decoder
        self._rawlog = rawlog
        self._deliver = deliver
        self._failed = failed
        self._device = device
        self._now = now
        self._monotonic = monotonic
        self._session_id = session_id
        self._pauses = pauses_seconds
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"reader {device}", daemon=True)
        self._is_primed = False
        self._session = _Session(device, "")
        self._attempt = 0
        self._is_up = False
        self._since = now()
        self._heard_at: datetime | None = None
        self._heard_monotonic = monotonic()
        self._trouble: str | None = None
        self._session_bytes = 0
        self._bytes = self._frames = self._duplicates = self._rejected = 0

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self) -> None:
        """End reading and close the line; returns when it is done."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def health(self) -> Health:
        """How the line is now; may be asked from any thread."""
        return Health(
            is_up=self._is_up,
            since=self._since,
            endpoint=self._line.endpoint,
            attempt=self._attempt,
            session=self._session.session,
            shoe_heard_at=self._heard_at,
            silent_seconds=self._monotonic() - self._heard_monotonic,
            bytes=self._bytes,
            frames=self._frames,
            duplicates=self._duplicates,
            rejected=self._rejected,
            trouble=self._trouble,
        )

    def resume(self, session: str, ordinal: int) -> list[Reported]:
        """What was read after that report: of its session, and of all sessions since.

        Session and ordinal are those of the last report that was stored. The decoder is left as
        the shoe left it, so that the next session goes on from there. Empty if the raw log does
        not know the session.
        """
        sessions = self._rawlog.sessions()
        if session not in sessions:
            self._prime(sessions)
            return []
        place = sessions.index(session)
        self._prime(sessions[:place])
        return [
            reported
            for known in sessions[place:]
            for reported in self._replayed(known)
            if known != session or reported.origin.ordinal > ordinal
        ]

    def _prime(self, sessions: list[str]) -> None:
        """Let the decoder hear the end of what the shoe said in these sessions."""
        self._is_primed = True
        heard: list[bytes] = []
        for session in reversed(sessions[-PRIMING_SESSIONS:]):
            heard.append(self._rawlog.bytes_of(session))
            if sum(len(data) for data in heard) >= PRIMING_BYTES:
                break
        for data in reversed(heard):
            self._decoder.reopened()
            self._decoder.feed(data)

    def _replayed(self, session: str) -> Iterable[Reported]:
        stamps = _Session(self._device, session)
        self._decoder.reopened()
        for entry in self._rawlog.entries_of(session):
            if not isinstance(entry.what, bytes):
                yield stamps.noted(entry.what, entry.end, entry.at)
                continue
            for item in self._decoder.feed(entry.what):
                if isinstance(item, Decoded):
                    reported = stamps.stamped(item, entry.at)
                    if reported is not None:
                        yield reported

    def _run(self) -> None:
        try:
            if not self._is_primed:
                self._prime(self._rawlog.sessions())
            while not self._stopping.is_set():
                self._begin_session()
                if self._open():
                    self._read()
        except Exception as error:  # noqa: BLE001  the thread's end: the service must hear of it
            self._failed(error)
        finally:
            self._is_up = False
            self._line.close()
            self._rawlog.close()

    def _begin_session(self) -> None:
        self._session = _Session(self._device, self._session_id())
        self._session_bytes = 0
        self._rawlog.begin(self._session.session, self._now())
        self._decoder.reopened()

    def _open(self) -> bool:
        """Open the line, however long it takes; false if the reader was stopped before."""
        told = None
        while not self._stopping.wait(self._pause()):
            self._attempt += 1
            try:
                self._line.open()
            except LineError as error:
                self._line.close()
                self._trouble = str(error)
                if error.reason is not told:
                    told = error.reason
                    self._note(LineLost(self._line.endpoint, error.reason.value, error.detail))
            else:
                self._mark(is_up=True)
                self._note(LineUp(self._line.endpoint, self._attempt))
                return True
        return False

    def _pause(self) -> float:
        """Seconds to wait before the next opening."""
        if self._attempt == 0:
            return 0.0
        return self._pauses[min(self._attempt, len(self._pauses)) - 1]

    def _read(self) -> None:
        opened = self._monotonic()
        try:
            while not self._stopping.is_set():
                chunk = self._line.read(READ_TIMEOUT_SECONDS)
                if chunk:
                    self._take(chunk)
        except LineError as error:
            if self._session_bytes or self._monotonic() - opened >= GOOD_LINE_SECONDS:
                self._attempt = 0
            self._mark(is_up=False)
            self._trouble = str(error)
            self._note(LineLost(self._line.endpoint, error.reason.value, error.detail))
        finally:
            self._line.close()

    def _take(self, chunk: bytes) -> None:
        at = self._now()
        self._rawlog.chunk(chunk, at)
        self._bytes += len(chunk)
        self._session_bytes += len(chunk)
        items = self._decoder.feed(chunk)
        for item in items:
            if isinstance(item, Decoded):
                reported = self._session.stamped(item, at)
                if reported is not None:
                    self._deliver(reported)
            self._count(item, at)
        # Last: a line that fails here must not keep back what was heard.
        for item in items:
            answer = self._decoder.acknowledgement(item)
            if answer:
                self._line.write(answer)

    def _count(self, item: Decoded | Duplicate, at: datetime) -> None:
        if isinstance(item, Duplicate):
            self._duplicates += 1
        elif isinstance(item.report, FrameRejected):
            self._rejected += 1
            return
        elif isinstance(item.report, CommandAnswered):
            return  # it may be a single byte, which noise makes too
        elif not isinstance(item.report, SequenceGap):
            self._frames += 1
        self._heard_at, self._heard_monotonic = at, self._monotonic()

    def _note(self, report: LineUp | LineLost) -> None:
        at = self._now()
        self._rawlog.note(report, at)
        self._deliver(self._session.noted(report, self._session_bytes, at))

    def _mark(self, *, is_up: bool) -> None:
        self._is_up, self._since = is_up, self._now()
        self._heard_at, self._heard_monotonic = None, self._monotonic()
        if is_up:
            self._trouble = None
