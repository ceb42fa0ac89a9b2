# SPDX-License-Identifier: Apache-2.0
"""Cases of disputed rounds: opened, noted, closed; by whom, and how long they may wait."""

from datetime import date
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError

from studio.staff.case_book import LONGEST_TEXT, CaseBook
from studio.staff.cases import Case, CaseAct, CaseEntry, NewCase, cases_in
from tests.staff.people import HERE, Staff, code_of, done, each_database

ROME = ZoneInfo("Europe/Rome")
NEW = NewCase(
    table="BAC-1", round="BAC-1-20261129-0214", operator="acme", reference="D-77", claim="not a tie"
)


def cases_of(staff: Staff) -> list[Case]:
    with staff.book.reading() as page:
        return cases_in(page.case_entries())


@each_database
@pytest.mark.req("DSP-1", "DSP-3")
def test_a_case_is_opened_noted_and_closed_and_every_entry_is_kept(staff: Staff) -> None:
    book = CaseBook(staff.door, ROME)
    opened = done(book.open(staff.supervisor, NEW, HERE), CaseEntry)
    assert (opened.case, opened.due, opened.by) == ("c-0001", date(2026, 12, 3), staff.supervisor)
    staff.clock.pass_(hours=1)
    done(book.note(staff.supervisor, "c-0001", "video seen", HERE, date(2026, 12, 5)), CaseEntry)
    staff.clock.pass_(hours=1)
    done(book.close(staff.manager, "c-0001", "dealt as recorded", HERE), CaseEntry)
    (case,) = cases_of(staff)
    assert [(one.act, one.text) for one in case.entries] == [
        (CaseAct.OPENED, "not a tie"),
        (CaseAct.NOTED, "video seen"),
        (CaseAct.CLOSED, "dealt as recorded"),
    ]
    assert (case.is_open, case.last.due, case.last.reference) == (False, date(2026, 12, 5), "D-77")
    noted = staff.attempts(lambda one: one.act.value.endswith("_case"))
    assert [(one.act.value, one.by, one.result, one.table) for one in noted] == [
        ("open_case", staff.supervisor, "done", "BAC-1"),
        ("note_case", staff.supervisor, "done", "BAC-1"),
        ("close_case", staff.manager, "done", "BAC-1"),
    ]


@pytest.mark.req("DSP-3")
def test_a_case_is_overdue_when_its_day_is_over_where_the_studio_is(staff: Staff) -> None:
    # opened when it is 23:30 in Rome and a day earlier in Los Angeles' afternoon
    staff.clock.pass_(hours=2, minutes=30)
    opened = done(CaseBook(staff.door, ROME).open(staff.manager, NEW, HERE), CaseEntry)
    assert opened.due == date(2026, 12, 3)
    (case,) = cases_of(staff)
    staff.clock.pass_(days=3, minutes=29)
    assert not case.is_overdue(staff.clock(), ROME)
    staff.clock.pass_(minutes=1)
    assert case.is_overdue(staff.clock(), ROME)
    assert not case.is_overdue(staff.clock(), ZoneInfo("America/Los_Angeles"))
    done(CaseBook(staff.door, ROME).close(staff.manager, "c-0001", "late", HERE), CaseEntry)
    (closed,) = cases_of(staff)
    staff.clock.pass_(days=300)
    assert closed.is_overdue(staff.clock(), ROME), "it was closed too late, and stays so"


def test_a_case_that_was_closed_in_time_is_never_overdue(staff: Staff) -> None:
    book = CaseBook(staff.door, ROME)
    done(book.open(staff.manager, replace(NEW, due=date(2026, 11, 30)), HERE), CaseEntry)
    done(book.close(staff.manager, "c-0001", "seen", HERE), CaseEntry)
    staff.clock.pass_(days=300)
    assert not cases_of(staff)[0].is_overdue(staff.clock(), ROME)


@pytest.mark.req("ACC-1")
def test_who_may_not_is_refused_and_that_is_kept(staff: Staff) -> None:
    book = CaseBook(staff.door, ROME)
    assert code_of(book.open(staff.dealer, NEW, HERE)) == "not_permitted"
    assert code_of(book.open("s-9999", NEW, HERE)) == "not_permitted"
    done(book.open(staff.supervisor, NEW, HERE), CaseEntry)
    assert code_of(book.note(staff.dealer, "c-0001", "I saw it", HERE)) == "not_permitted"
    assert code_of(book.close(staff.supervisor, "c-0001", "mine", HERE)) == "not_permitted"
    refused = staff.attempts(lambda one: one.result == "not_permitted")
    assert [one.act.value for one in refused] == [
        "open_case",
        "open_case",
        "note_case",
        "close_case",
    ]
    assert len(cases_of(staff)[0].entries) == 1


def test_what_cannot_be_kept_is_refused(staff: Staff) -> None:
    book, by = CaseBook(staff.door, ROME), staff.manager
    assert code_of(book.open(by, replace(NEW, reference=" "), HERE)) == "unfit"
    assert code_of(book.open(by, replace(NEW, operator="a\nb"), HERE)) == "unfit"
    assert code_of(book.open(by, replace(NEW, claim="x" * (LONGEST_TEXT + 1)), HERE)) == "unfit"
    done(book.open(by, NEW, HERE), CaseEntry)
    assert code_of(book.open(by, replace(NEW, round="another"), HERE)) == "reference_taken"
    assert done(book.open(by, replace(NEW, operator="other"), HERE), CaseEntry).case == "c-0002"
    assert code_of(book.note(by, "c-0009", "what", HERE)) == "no_case"
    assert code_of(book.note(by, "c-0001", " ", HERE)) == "unfit"
    done(book.close(by, "c-0001", "as recorded", HERE), CaseEntry)
    assert code_of(book.close(by, "c-0001", "again", HERE)) == "case_closed"
    assert code_of(book.note(by, "c-0001", "again", HERE)) == "case_closed"


@each_database
@pytest.mark.req("AUD-1")
def test_nobody_changes_or_deletes_an_entry(staff: Staff) -> None:
    done(CaseBook(staff.door, ROME).open(staff.manager, NEW, HERE), CaseEntry)
    before = cases_of(staff)
    engine = create_engine(staff.url)
    for statement in ("DELETE FROM staff_cases", "UPDATE staff_cases SET due = '2030-01-01'"):
        with pytest.raises(DBAPIError, match="append-only"), engine.begin() as connection:
            connection.execute(text(statement))
    engine.dispose()
    assert cases_of(staff) == before
