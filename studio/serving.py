# SPDX-License-Identifier: Apache-2.0
"""Puts one table together from its settings, runs it, and takes it apart again.

The order matters. The record is opened first, because it refuses a second service for the same
table; then the feed; then what a service before this one had read and not stored is worked off;
only then is the line to the shoe opened.
"""

import gc
import resource
import threading
from collections.abc import Callable
from contextlib import ExitStack

from drivers.endpoint import parse_endpoint
from drivers.rawlog import RawLog
from drivers.reader import Reader
from drivers.registry import decoder_for
from drivers.transport import line_to
from studio.feed.access import Access, AccessLog, What
from studio.feed.answers import answer, no_operators
from studio.feed.guard import PUBLIC, STAFF, Guard
from studio.feed.keys import KeysRefused, ServerKeys
from studio.feed.proof import Sign
from studio.feed.publisher import Publisher
from studio.feed.requests import RequestServer
from studio.game.inputs import ServiceStarted, TableFacts
from studio.heads import Head, HeadsFile
from studio.heads_socket import HeadsSocket
from studio.inbox import Stopping
from studio.keyed import access_folder, key_folder, server_keys, wants_keys
from studio.operator_desk import OperatorDesk
from studio.operator_log import log_line
from studio.rights import refuse_or_warn
from studio.selfcheck import SelfCheck
from studio.service import TableService
from studio.settings import LogIn, TableSettings
from studio.software import Manifests, software_digest, software_version
from studio.staff.desk import Desk
from studio.staff.door import Door
from studio.staff_desk import StaffDesk
from studio.store.database import StoreFailed
from studio.store.history import History
from studio.store.journal import Journal
from studio.store.staff_book import StaffBook
from studio.upkeep_desk import UpkeepDesk

# Greedy front-ends together get a quarter of a core at most.
_PUBLIC_REST = 3.0
_MOST_FILES = 65536


class Endpoints:
    """The real addresses of a running table, ports included."""

    def __init__(self, events: str, requests: str, staff_events: str, staff_requests: str) -> None:
        self.public_events = events
        self.public_requests = requests
        self.staff_events = staff_events
        self.staff_requests = staff_requests


def serve(
    settings: TableSettings,
    stopping: Stopping,
    *,
    started: Callable[[TableService, Endpoints], None] = lambda _service, _endpoints: None,
) -> None:
    """Run a table until ``stopping`` is set. ``started`` is told once everything is up.

    Raises what cannot be mended from here: ``StoreFailed``, ``FeedRefused``, ``KeysRefused``,
    ``zmq.ZMQError``, ``ShoeSettingsFault``, ``EndpointFault``, or the fault that ended the reader.
    """
    raise_file_limit()
    feed, keys = settings.feed, server_keys(settings)
    with ExitStack() as closing:
        line = line_to(parse_endpoint(settings.shoe.endpoint))
        decoder = decoder_for(settings.shoe.driver, settings.shoe.settings)
        journal = closing.enter_context(Journal.open(settings.database_url, settings.table))
        refuse_or_warn(settings)
        players, people = guards = _guards(settings, keys, closing)
        public = closing.enter_context(Publisher(feed.public_events, guard=players))
        staff = closing.enter_context(Publisher(feed.staff_events, guard=people))
        sign = None if keys is None else keys.signer.sign
        service = TableService(settings.table, settings.house, journal, public, staff, sign=sign)
        _keep_heads(settings, service, closing)
        for guard in guards:
            if guard is not None:
                guard.changed = service.wake
        checks, upkeep = _begun(settings, service)

        failures: list[Exception] = []

        def reader_failed(failure: Exception) -> None:
            failures.append(failure)
            stopping.set()
            service.wake()

        reader = Reader(
            line,
            decoder,
            RawLog(settings.raw_log_folder / settings.table),
            service.submit,
            reader_failed,
            device=settings.shoe.driver,
        )
        for reported in reader.resume(service.state.session or "", service.state.ordinal):
            service.handle(reported)

        operators = None
        if players is not None:
            operators = OperatorDesk(settings, service, players)
            closing.callback(operators.close)
            operators.start()
        public_requests = _PublicDesk(settings, service, operators, sign)
        closing.callback(public_requests.close)
        asked = RequestServer(
            feed.public_requests, public_requests.answer, guard=players, rest=_PUBLIC_REST
        )
        closing.callback(asked.stop)
        staff_requests = staff_desk_of(settings, service, operators, upkeep)
        staff_asked = RequestServer(feed.staff_requests, staff_requests.answer, guard=people)
        closing.callback(staff_asked.stop)
        service.changed = staff_asked.ring
        reader.start()
        closing.callback(reader.stop)
        endpoints = Endpoints(public.endpoint, asked.endpoint, staff.endpoint, staff_asked.endpoint)
        # what was made up to here stays: no collection need ever walk it on the way of a card
        gc.collect()
        gc.freeze()
        closing.enter_context(checks)
        started(service, endpoints)
        log_line("serving", table=settings.table, shoe=settings.shoe.endpoint)
        service.run(stopping)
        log_line("stopped", table=settings.table, seq=service.state.seq)
        if failures:
            raise failures[0]


def _begun(settings: TableSettings, service: TableService) -> tuple[SelfCheck, UpkeepDesk]:
    """Begin; gives who compares the files from now on, and who puts other ones in their places."""
    set_up = Manifests(settings).of_set_up() if service.state.seq == 0 else None
    service.handle(ServiceStarted(facts_of(settings), settings.house, set_up))
    changing = threading.Lock()
    checks = SelfCheck(settings, service, changing)
    service.heard = checks.heard
    upkeep = UpkeepDesk(settings, changing)
    upkeep.started()
    return checks, upkeep


def _keep_heads(settings: TableSettings, service: TableService, closing: ExitStack) -> None:
    """Have the heads of the record kept outside of it, if the settings say where."""
    kept: list[Callable[[Head], None]] = []
    if settings.heads is not None:
        kept.append(closing.enter_context(HeadsFile(settings.heads, settings.table)).add)
    if settings.heads_to is not None:
        kept.append(closing.enter_context(HeadsSocket(settings.heads_to, settings.table)).add)

    def keep(head: Head) -> None:
        for add in kept:
            add(head)

    service.keep_head = keep


def _guards(
    settings: TableSettings, keys: ServerKeys | None, closing: ExitStack
) -> tuple[Guard | None, Guard | None]:
    """The guards of the public side and of the staff's, at work, with one log of who came.

    There is none where the table has no keys.
    """
    if keys is None or not wants_keys(settings):
        return None, None
    table, folder = settings.table, key_folder(settings.studio)

    def tell(access: Access) -> None:
        if access.what is not What.ASKED:
            nobody = f"key {access.key}" if access.key else "nobody yet"
            told = {"who": access.who or nobody, "address": access.address}
            if access.why:
                told["why"] = access.why
            warns = access.what in (What.REFUSED, What.CUT)
            log_line(access.what.value, warns=warns, table=table, side=access.side, **told)

    def failed(fault: OSError) -> None:
        log_line("who connects is not kept", warns=True, table=table, why=str(fault))

    def broken(fault: KeysRefused) -> None:
        log_line("the list of keys is not read anew", warns=True, table=table, why=str(fault))

    log = AccessLog(access_folder(settings.studio), table, tell, failed)
    closing.callback(log.tidy)
    made = []
    for side in (PUBLIC, STAFF):
        guard = Guard(side, table, folder, keys.pair, log, broken=broken)
        closing.callback(guard.close)
        guard.start()
        made.append(guard)
    return made[0], made[1]


def raise_file_limit() -> None:
    """Let this process have as many connections as the system grants: two for a subscriber."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def facts_of(settings: TableSettings) -> TableFacts:
    """What the table is told of its settings and of the program at every start."""
    return TableFacts(
        table=settings.table,
        environment=settings.environment.value,
        stream=settings.stream,
        picture_delay_ms=settings.picture_delay_ms,
        version=software_version(),
        digest=software_digest(),
        video_stream=settings.video_stream,
    )


def staff_desk_of(
    settings: TableSettings,
    service: TableService,
    operators: OperatorDesk | None = None,
    upkeep: UpkeepDesk | None = None,
) -> StaffDesk:
    """The desk of a table's staff; without their database it refuses them, and tries again."""
    waiting = (lambda: None) if operators is None else operators.acknowledgements

    def open_desk() -> Desk:
        return Desk(
            Door(StaffBook.open(settings.studio.staff_database_url), settings.studio.staff),
            settings.table,
            settings.house.second_person,
            needs_supervisor=settings.house.supervisor_on_duty,
            pauses_alone=settings.house.pause_without_supervisor,
        )

    if settings.log_in is LogIn.OPEN:
        return StaffDesk(settings.table, service, acknowledgements=waiting, upkeep=upkeep)
    desk = StaffDesk(settings.table, service, open_desk, acknowledgements=waiting, upkeep=upkeep)
    try:
        desk.open()
    except StoreFailed as failed:
        log_line("nobody can log in", warns=True, table=settings.table, why=str(failed))
    return desk


class _PublicDesk:
    """Answers public requests, in the thread of their server: its own reading connection."""

    def __init__(
        self,
        settings: TableSettings,
        service: TableService,
        operators: OperatorDesk | None,
        sign: Sign | None,
    ) -> None:
        self._settings = settings
        self._service = service
        self._operators = operators
        self._sign = sign
        self._history: History | None = None

    def answer(self, request: bytes, who: str | None) -> bytes:
        if self._history is None:
            self._history = History.open(self._settings.database_url, self._settings.table)
        operators = self._operators
        confirm = no_operators if operators is None else operators.confirm_as(who)
        view = self._service.public_view
        return answer(request, view, self._history, confirm, sign=self._sign)

    def close(self) -> None:
        if self._history is not None:
            self._history.close()
