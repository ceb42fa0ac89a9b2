# SPDX-License-Identifier: Apache-2.0
"""What betting operators tell a table that has keys: which corrections they have.

Their word is taken and kept in the thread that answers public requests; a thread of its own looks
once a second for new corrections, and for keys and connections that came or went, and tells staff
what is outstanding. The table's thread has no part in it but to send that message between two
inputs: the record is read from outside, and acknowledgements have a database of their own.
"""

import threading
import time
from collections.abc import Callable
from datetime import datetime

from studio.feed.access import utc_now
from studio.feed.acknowledgements import (
    Acknowledgements,
    Book,
    Confirmed,
    Correction,
    correction_of,
    told,
)
from studio.feed.allowed import Allowed, Kind, read_allowed
from studio.feed.answers import NO_OPERATORS
from studio.feed.guard import Guard
from studio.feed.keys import KeysRefused
from studio.feed.wire import decode
from studio.keyed import key_folder, operator_database_url
from studio.operator_log import log_line
from studio.service import TableService
from studio.settings import TableSettings
from studio.store.database import StoreFailed
from studio.store.history import History
from studio.store.operator_book import Acknowledgement, OperatorBook

_LOOK_SECONDS = 1.0
# A server that is away must not hold up every request of every front-end.
_REST_SECONDS = 5.0
_PAGE = 1000


class OperatorDesk:
    """The operators' side of one table; ``guard`` knows who is connected. ``start`` it."""

    def __init__(
        self,
        settings: TableSettings,
        service: TableService,
        guard: Guard,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._monotonic = monotonic
        self._service = service
        self._guard = guard
        self._folder = key_folder(settings.studio)
        self._book = Book()
        self._store: OperatorBook | None = None
        self._opening = threading.Lock()
        self._broken: tuple[StoreFailed, float] | None = None
        self._seen: tuple[tuple[Allowed, ...], frozenset[str]] | None = None
        self._heard = 0
        self._shown: Acknowledgements | None = None
        self._fault = ""
        self._is_stopping = False
        self._due = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"operators {settings.table}")

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop; returns when the thread has ended."""
        self._is_stopping = True
        self._due.set()
        if self._thread.is_alive():
            self._thread.join()

    def acknowledgements(self) -> Acknowledgements | None:
        """What waits for which operator, a second ago at most; None before it is known."""
        return self._shown

    def confirm_as(self, who: str | None) -> Callable[[Correction], datetime | str]:
        """What takes the word of whoever has a key of this name. Raises ``StoreFailed``."""

        def confirm(correction: Correction) -> datetime | str:
            kinds = {one.kind for one in read_allowed(self._folder) if one.name == who}
            if who is None or not kinds:
                return NO_OPERATORS
            if Kind.OPERATOR not in kinds:
                return f"{who} is a console of the studio's own: corrections wait for operators"
            return self._confirm(who, correction)

        return confirm

    def _confirm(self, operator: str, one: Correction) -> datetime:
        if self._broken is not None and self._monotonic() < self._broken[1]:
            raise self._broken[0]
        now = utc_now()
        given = Acknowledgement(operator, one.epoch, one.round, one.revision)
        try:
            at = self._opened().add(given, now)
        except StoreFailed as failed:
            self._broken = (failed, self._monotonic() + _REST_SECONDS)
            raise
        self._book.confirm(Confirmed(*given))
        self._seen = None
        self._due.set()
        if at == now:
            table = self._settings.table
            log_line(
                "acknowledged", table=table, who=operator, round=one.round, revision=one.revision
            )
        return at

    def _opened(self) -> OperatorBook:
        with self._opening:
            if self._store is None:
                url = operator_database_url(self._settings.studio)
                self._store = OperatorBook.open(url, self._settings.table)
            return self._store

    # --- in the desk's own thread -------------------------------------------------------------

    def _run(self) -> None:
        history: History | None = None
        try:
            while not self._is_stopping:
                try:
                    if history is None:
                        history = self._begin()
                    self._look(history)
                    self._fault = ""
                except (StoreFailed, KeysRefused) as fault:
                    self._say(str(fault))
                self._due.wait(_LOOK_SECONDS)
                self._due.clear()
        finally:
            if history is not None:
                history.close()

    def _say(self, fault: str) -> None:
        if fault != self._fault:
            self._fault = fault
            table = self._settings.table
            log_line("acknowledgements are not known", warns=True, table=table, why=fault)

    def _begin(self) -> History:
        heard = self._service.shown_state().public_seq
        history = History.open(self._settings.database_url, self._settings.table)
        try:
            for line in history.corrections():
                self._book.correct(Correction(*line[:4], datetime.fromisoformat(line.at)))
            for given in self._opened().all():
                self._book.confirm(Confirmed(*given))
        except BaseException:
            history.close()
            raise
        self._heard = heard
        return history

    def _look(self, history: History) -> None:
        seen = (read_allowed(self._folder), self._guard.connected())
        if not self._hear(history) and seen == self._seen:
            return
        self._seen = seen
        rows = [one for one in seen[0] if one.kind is Kind.OPERATOR]
        found = Acknowledgements(
            operators=told(self._book.operators(rows, seen[1])),
            acknowledge_seconds=self._settings.studio.operators.acknowledge_seconds,
        )
        if found != self._shown:
            self._shown = found
            self._service.tell_staff("acknowledgements", found)

    def _hear(self, history: History) -> bool:
        """Take note of what is on record since the last look; whether a correction was in it."""
        last, has_new = self._service.shown_state().public_seq, False
        if last == self._heard:
            return False
        epoch = history.epochs()[-1]
        while self._heard < last:
            page = history.payloads(epoch, self._heard, _PAGE)
            for seq, payload in page:
                correction = correction_of(decode(payload))
                if correction is not None:
                    self._book.correct(correction)
                    has_new = True
                self._heard = seq
            if not page:
                break
        return has_new
