# SPDX-License-Identifier: Apache-2.0
"""Opens, notes and closes cases, for those whom the permissions allow it.

Whether the round is on record, and can no longer be amended, is for whoever opens a case to know.
"""

from datetime import date, timedelta, tzinfo

import msgspec

from studio.staff.attempts import DONE, Act, Attempt, Refused
from studio.staff.book import Page
from studio.staff.cases import DUE_DAYS, CaseAct, CaseEntry, NewCase, cases_in
from studio.staff.door import Door
from studio.staff.office import may_do, noted

LONGEST_TEXT = 4_000
_LONGEST_NAME = 80


class CaseBook:
    """Opens, notes and closes cases. Any thread may use it; each act is one transaction.

    ``by`` is an id from ``Door.identify`` of this moment; what may be done is looked up again.
    """

    def __init__(self, door: Door, zone: tzinfo) -> None:
        self._door = door
        self._zone = zone

    def open(self, by: str, new: NewCase, from_: str) -> CaseEntry | Refused:
        """A new case, with an id of its own; refused if this operator's reference has one."""
        attempt = self._attempt(Act.OPEN_CASE, by, from_, new.table, new.round)
        with self._door.book.writing() as page:
            refused = _refused(page, attempt, new.operator, new.reference, new.claim)
            if refused is not None:
                return refused
            there = cases_in(page.case_entries())
            ours = (new.operator, new.reference)
            if any((one.first.operator, one.first.reference) == ours for one in there):
                return noted(page, attempt, "reference_taken")
            today = attempt.at.astimezone(self._zone).date()
            entry = CaseEntry(
                case=f"c-{len(there) + 1:04d}",
                number=1,
                at=attempt.at,
                act=CaseAct.OPENED,
                by=by,
                table=new.table,
                round=new.round,
                operator=new.operator,
                reference=new.reference,
                due=today + timedelta(days=DUE_DAYS) if new.due is None else new.due,
                text=new.claim,
            )
            return self._kept(page, attempt, entry)

    def note(
        self, by: str, case: str, text: str, from_: str, due: date | None = None
    ) -> CaseEntry | Refused:
        """Add to an open case what was seen or said, or another day by which it is answered."""
        return self._add(Act.NOTE_CASE, CaseAct.NOTED, by, case, text, from_, due)

    def close(self, by: str, case: str, finding: str, from_: str) -> CaseEntry | Refused:
        """Close a case with what was found."""
        return self._add(Act.CLOSE_CASE, CaseAct.CLOSED, by, case, finding, from_, None)

    def _add(
        self,
        act: Act,
        entered: CaseAct,
        by: str,
        case: str,
        text: str,
        from_: str,
        due: date | None,
    ) -> CaseEntry | Refused:
        attempt = self._attempt(act, by, from_, None, case)
        with self._door.book.writing() as page:
            refused = _refused(page, attempt, text)
            if refused is not None:
                return refused
            entries = page.case_entries(case)
            if not entries:
                return noted(page, attempt, "no_case")
            last = entries[-1]
            if last.act is CaseAct.CLOSED:
                return noted(page, attempt, "case_closed")
            entry = msgspec.structs.replace(
                last,
                number=last.number + 1,
                at=attempt.at,
                act=entered,
                by=by,
                due=due or last.due,
                text=text,
            )
            return self._kept(page, attempt, entry)

    def _kept(self, page: Page, attempt: Attempt, entry: CaseEntry) -> CaseEntry:
        page.add_case_entry(entry)
        detail = f"{entry.case} of {entry.round}"
        page.note(msgspec.structs.replace(attempt, table=entry.table, detail=detail))
        return entry

    def _attempt(self, act: Act, by: str, from_: str, table: str | None, detail: str) -> Attempt:
        at = self._door.now()
        return Attempt(at=at, act=act, by=by, from_=from_, result=DONE, table=table, detail=detail)


def _refused(page: Page, attempt: Attempt, *said: str) -> Refused | None:
    """The refusal of somebody who may not, or of words that cannot be kept."""
    if attempt.by is None or not may_do(page, attempt.by, attempt.act):
        return noted(page, attempt, "not_permitted")
    *names, text = said
    if any(not 0 < len(one.strip()) <= _LONGEST_NAME or not one.isprintable() for one in names):
        wrong = f"Give operator and reference in 1 to {_LONGEST_NAME} printable characters each."
        return noted(page, attempt, "unfit", wrong)
    if len(text) > LONGEST_TEXT or (not names and not text.strip()):
        return noted(page, attempt, "unfit", f"Give a text of 1 to {LONGEST_TEXT} characters.")
    return None
