# SPDX-License-Identifier: Apache-2.0
"""The pit in every state that it can show: calm, in trouble, in the middle of each form."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import cache

from msgspec.structs import replace

from studio.feed.acknowledgements import Acknowledgements, KeyState, Operator, Waiting
from studio.feed.staff import OnDuty, Place
from studio.feed.staff import Person as OnRoster
from studio.game.inputs import FaultKind, FaultReported, LineLost, Report, SuspendTable
from studio.game.snapshot import staff_state
from studio.staff.accounts import Role
from studio.wording import load_wording
from tests.game.misdeal_stories import STORIES
from tests.game.table_driver import FACTS, Driven, plain_house
from ui.keys import PIT, load_keys
from ui.pit_view.acts import PIT_ACTS
from ui.pit_view.press import pressed, typed
from ui.pit_view.seen import Pit
from ui.pit_view.steps import At, Enter, LookUpStaff, Show, SuspendAll
from ui.view.seen import LinkState, Person, Refused, Seen
from ui.view.speech import Speech
from ui.view.steps import Send, Turn

ANNA = Person("s-0002", "Anna", frozenset({Role.SUPERVISOR}))
BRUNO = Person("s-0003", "Bruno", frozenset({Role.MANAGER}))
NAMES = {"s-0002": "Anna", "s-0003": "Bruno"}
DEALERS = ("Elena", "Marco", "Sara", "Ivan", "Giulia", "Alessandra")
# Player wins, banker wins in four ways, a tie.
_COUPS = ("9H KS TC 7D", "6H 7S KC QD", "8H 6S KD QC", "2H 7S KC QD 3S", "6H 2S KC QD 7C",
          "8H 8S KC QD", "9C JS QC 7H")  # fmt: skip
_TURN = ("SHDC", "HDCS", "DCSH", "CSHD")
_RAW = ("05 31 44 81 b1 03 37 43", "05 32 44 91 a2 03 11 52", "05 33 44 82 ad 03 20 5f",
        "05 34 44 92 b2 03 6d 31", "05 35 44 83 c5 03 14 90")  # fmt: skip


@cache
def speech(language: str = "en") -> Speech:
    """The words of a language with the pit's keys."""
    words = load_wording(language)
    return Speech(words, words, load_keys(None, PIT, PIT_ACTS))


@cache
def played(number: int, rounds: int) -> Driven:
    """A table that has dealt for a while; to be copied, never given anything."""
    table = Driven(plain_house())
    table.restart(facts=replace(FACTS, table=f"BAC-{number}"))
    table.ready()
    for n in range(rounds):
        table.now += timedelta(seconds=30 + number)
        coup = _COUPS[(n * n + number * 3 + n // 3) % len(_COUPS)]
        # another suit each time: there are so many copies of a card
        table.dealing().cards(coup.translate(str.maketrans("SHDC", _TURN[n % 4])))
        table.ask("confirm_result")
    return table


def _copy(table: Driven) -> Driven:
    made = Driven(plain_house())
    made.state, made.now = table.state, table.now
    return made


def seen_of(number: int, table: Driven, **changes: object) -> Seen:
    """What the pit has seen of it, a few seconds after its last change."""
    dealer = DEALERS[number % len(DEALERS)]
    state = staff_state(table.state)
    round_ = state.public.round
    round_ = None if round_ is None else f"BAC-{number}-" + round_.split("-", 2)[2]
    state = replace(state, public=replace(state.public, dealer=dealer, round=round_))
    evidence = tuple(
        replace(one, origin=None if one.origin is None else replace(
            one.origin, raw=_RAW[n % len(_RAW)].replace(" ", "")))
        for n, one in enumerate(state.evidence)
    )  # fmt: skip
    given = {
        "table": f"BAC-{number}",
        "now": table.now + timedelta(seconds=3),
        "link": LinkState.LIVE,
        "state": replace(state, evidence=evidence),
        "person": ANNA,
        "supervisors": ("Anna",),
        "names": NAMES,
        "on_duty": (OnDuty(staff="s-0009", screen_name=dealer, roles=("dealer",)),
                    OnDuty(staff="s-0002", screen_name="Anna", roles=("supervisor",))),
        "shoe_heard_at": table.now,
        "is_pit": True,
        "idle_seconds": 300,
    }  # fmt: skip
    return Seen(**{**given, **changes})


def calm(number: int) -> Seen:
    """A table where all is well, in one phase or another."""
    table = _copy(played(number, 4 + number * 2 % 17))
    match number % 4:
        case 0:
            table.betting()
        case 1:
            table.dealing().cards("6H 5S")
        case 2:
            table.dealing().cards("9H KS TC 7D")
        case _:
            pass
    return seen_of(number, table)


def held(number: int, code: str = "p3-when-stand-b-draws", after: int = 12) -> Seen:
    """A table with a misdeal, held for so many seconds."""
    story = STORIES[code][0](plain_house())
    table = _copy(story)
    table.now = story.now + timedelta(seconds=after)
    return seen_of(number, table)


def claimed(seen: Seen, by: str) -> Seen:
    """The same, once somebody rules on it."""
    state = seen.state
    assert state is not None
    assert state.hold is not None
    hold = replace(state.hold, claimed_by=by, claimed_at=seen.now)
    return replace(seen, state=replace(state, hold=hold))


def rung(seen: Seen) -> Seen:
    """The same, once nobody claimed it in time."""
    state = seen.state
    assert state is not None
    assert state.hold is not None
    return replace(seen, state=replace(state, hold=replace(state.hold, rung_at=seen.now)))


def _told(number: int, report: Report) -> Seen:
    """A table whose shoe has told this."""
    table = _copy(played(number, 9))
    table.report(report)
    return seen_of(number, table)


def changed_software(number: int) -> Seen:
    """A table that stands, for a file is not as two people approved it."""
    table = Driven().ready().approved()
    table.check("/opt/sabot/lib/python3.11/site-packages/msgspec/_core.cpython-311.so", why="daily")
    return seen_of(number, table)


def _called(number: int) -> Seen:
    table = _copy(played(number, 6))
    table.dealing().cards("3H KC")
    table.ask("call_supervisor")
    return seen_of(number, table, now=table.now + timedelta(seconds=47))


def owed(seen: Seen, seconds: int = 200) -> Seen:
    """The same with operators who have yet to acknowledge corrections."""
    since = seen.now - timedelta(seconds=seconds)
    waiting = Waiting(round=f"{seen.table}-20261129-0007", revision=2, type="result_amended",
                      at=since, since=since)  # fmt: skip
    operators = tuple(
        Operator(name=name, key=KeyState.IN_FORCE, revoked=None, connected=n == 0,
                 outstanding=n + 1, waiting=(waiting,))
        for n, name in enumerate(("acme", "northern-lights-gaming"))
    )  # fmt: skip
    return replace(seen, acknowledgements=Acknowledgements(operators=operators,
                                                            acknowledge_seconds=60))  # fmt: skip


def wall(*tables: Seen, person: Person | None = ANNA, **changes: object) -> Pit:
    """A pit with these tables."""
    one_each = tuple(replace(one, person=person) for one in tables)
    given = {"tables": one_each, "now": one_each[0].now, "person": person}
    return Pit(**{**given, **changes})


def calm_wall(count: int, **trouble: Seen) -> Pit:
    """So many tables; ``t3=...`` takes the place of the third."""
    return wall(*(trouble.get(f"t{n}", calm(n)) for n in range(1, count + 1)))


def doing(pit: Pit, *acts: str, language: str = "en") -> Pit:
    """After these acts, or texts typed (``"=100"``), of which none is sent to a table."""
    for act in acts:
        is_text = act.startswith("=")
        step = typed(pit, act[1:]) if is_text else pressed(pit, act, speech(language), 4)
        match step:
            case Show(pit=after) | SuspendAll(pit=after) | LookUpStaff(pit=after):
                pit = after
            case Enter(pit=after):
                pit = replace(after, person=ANNA)
            case At(index=index, step=Turn(own=own)):
                tables = list(pit.tables)
                tables[index] = replace(tables[index], own=own)
                pit = replace(pit, tables=tuple(tables))
            case _:
                raise AssertionError(f"{act}: {step}")
    return pit


def busy() -> Pit:
    """Twenty tables, five of them in trouble."""
    gone = calm(14)
    return calm_wall(
        20,
        t3=rung(held(3, after=31)),
        t8=_told(8, FaultReported(FaultKind.OVERDRAW, 3, latched=True)),
        t9=claimed(held(9, "excess-after-complete", 70), "s-0003"),
        t11=_called(11),
        t14=replace(gone, link=LinkState.GONE, heard_at=gone.now - timedelta(seconds=250)),
        t17=_told(17, LineLost("pty", "unplugged", "")),
    )


PEOPLE = tuple(
    OnRoster(staff=f"s-{n:04}", screen_name=name, roles=(role,),
             places=(Place(table=table, since=played(1, 6).now),) if table != "-" else (),
             is_locked=False, is_disabled=False)
    for n, (name, role, table) in enumerate(
        (("Anna", "supervisor", None), ("Bruno", "manager", None), ("Elena", "dealer", "BAC-6"),
         ("Marco", "dealer", "BAC-1"), ("Sara", "dealer", "-"), ("Ivan", "dealer", "-"),
         ("Giulia", "dealer", "BAC-4"), ("Alessandra", "auditor", "-")), 2)
)  # fmt: skip


def _ruling_in(pit: Pit) -> Pit:
    """Anna rules on what has been held longest."""
    tables = list(pit.tables)
    tables[8] = claimed(tables[8], "s-0002")
    return replace(pit, tables=tuple(tables), selected=8)


def _mine() -> Pit:
    return replace(calm_wall(12, t3=claimed(held(3), "s-0002"), t8=_called(8)), selected=2)


def _staffed(*acts: str) -> Pit:
    return doing(replace(doing(calm_wall(6), "staff"), people=PEOPLE), *acts)


def _suspended_wall() -> Pit:
    tables = []
    for n in range(1, 9):
        table = _copy(played(n, 6))
        if n != 5:
            table.give(SuspendTable(by="s-0002"))
        tables.append(seen_of(n, table))
    return replace(doing(wall(*tables), "suspend_all", "send"))


def pit_scenes() -> Iterator[tuple[str, Callable[[], Pit]]]:
    """Name and state, each."""
    yield "calm-12", lambda: calm_wall(12)
    yield "calm-1", lambda: calm_wall(1)
    yield "calm-3", lambda: calm_wall(3)
    yield "calm-30", lambda: calm_wall(30)
    yield "busy-20", busy
    yield "busy-ruling", lambda: _ruling_in(busy())
    yield "held-unclaimed", lambda: replace(calm_wall(12, t3=held(3)), selected=2)
    yield (
        "held-rung",
        lambda: replace(
            calm_wall(12, t3=rung(held(3, after=40)), t10=rung(held(10, after=50))), selected=2
        ),
    )
    yield "held-mine", _mine
    yield "held-anothers", lambda: replace(calm_wall(12, t3=claimed(held(3), "s-0003")), selected=2)
    yield "ruling-which", lambda: doing(_mine(), "rule_hold")
    yield "ruling-reason", lambda: doing(_mine(), "rule_hold", "send")
    yield (
        "ruling-words",
        lambda: doing(_mine(), "rule_hold", "send", "pick:own", "=wrong box, seen on camera 2"),
    )
    yield "acts", lambda: doing(_mine(), "acts")
    yield "acts-calm", lambda: doing(calm_wall(12), "acts")
    yield "amend-round", lambda: doing(calm_wall(12), "amend_round")
    yield "amend-hand", lambda: doing(calm_wall(12), "amend_round", "send", "=9H 2C")
    yield "second-person", _second_person
    yield (
        "log-in",
        lambda: doing(
            wall(*(calm(n) for n in range(1, 7)), person=None), "log_in", "=100", "accept", "=1234"
        ),
    )
    yield "locked", lambda: replace(calm_wall(6), is_locked=True)
    yield "refused", lambda: _refused(calm_wall(6))
    yield "suspend-all", lambda: doing(calm_wall(20), "suspend_all")
    yield "suspended", _suspended_wall
    yield "owed", lambda: doing(calm_wall(6, t2=owed(calm(2)), t4=owed(calm(4), 3700)), "owed")
    yield "owed-none", lambda: doing(calm_wall(6), "owed")
    yield "staff", _staffed
    yield "staff-person", lambda: _staffed("pick:s-0005")
    yield "software-changed", lambda: replace(calm_wall(6, t3=changed_software(3)), selected=2)
    yield "about", lambda: doing(calm_wall(6), "about")
    yield (
        "no-picture",
        lambda: wall(
            *(
                Seen(table=f"BAC-{n}", now=played(1, 6).now, link=link)
                for n, link in enumerate((LinkState.JOINING, LinkState.GONE, LinkState.STALE), 1)
            ),
            person=None,
        ),
    )
    for code in STORIES:
        yield (
            f"story-{code}",
            lambda code=code: replace(calm_wall(2, t2=claimed_if_held(2, code)), selected=1),
        )


def claimed_if_held(number: int, code: str) -> Seen:
    """The story of a row of the catalogue, ruled on by Anna if it holds the table."""
    seen = held(number, code)
    is_held = seen.state is not None and seen.state.hold is not None
    return claimed(seen, "s-0002") if is_held else seen


def _second_person() -> Pit:
    pit = doing(calm_wall(12), "amend_round", "send", "=9H 2C KC", "accept", "=KS 7D", "accept")
    return doing(pit, "send", "=200", "accept", "=12")


def _refused(pit: Pit) -> Pit:
    seen = replace(pit.tables[0], refused=Refused("claimed", "", "rule_hold"))
    return replace(pit, tables=(seen, *pit.tables[1:]))


def sent(pit: Pit, act: str) -> object:
    """The command that an act sends to the table beside the wall."""
    step = pressed(pit, act, speech())
    assert isinstance(step, At), step
    assert isinstance(step.step, Send), step.step
    return step.step.command


def beside(pit: Pit, seen: Seen) -> Pit:
    """The same wall with that table in the place of the selected one."""
    tables = list(pit.tables)
    tables[pit.selected] = replace(seen, person=pit.person)
    return replace(pit, tables=tuple(tables))
