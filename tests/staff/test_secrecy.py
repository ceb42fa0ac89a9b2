# SPDX-License-Identifier: Apache-2.0
"""Secrets and tokens are nowhere in clear: not in the database, a log, a text or a value shown."""

import re
import sqlite3
from pathlib import Path

import pytest
from argon2.exceptions import VerifyMismatchError

from studio.staff.attempts import TEXTS
from studio.staff.desk import Approved
from studio.staff.hashing import RFC_9106, Cost, Hashing, code_as_typed, new_code, new_token
from studio.staff.office import CodeIssued
from tests.staff.people import BADGES, FIRST_PIN, HERE, PIN, Staff, done, logged_in
from tests.staff.test_approvals import ruling_of


@pytest.mark.req("ACC-4")
def test_secrets_are_hashed_with_argon2id_at_the_cost_of_rfc_9106():
    assert (RFC_9106.passes, RFC_9106.memory_kib, RFC_9106.lanes) == (3, 64 * 1024, 4)
    kept = Hashing().of(PIN)
    assert re.fullmatch(r"\$argon2id\$v=19\$m=65536,t=3,p=4\$[^$]{22}\$[^$]{43}", kept)
    assert Hashing().is_right(kept, PIN)
    assert not Hashing().is_right(kept, PIN + "0")


@pytest.mark.req("ACC-4")
def test_a_hash_made_elsewhere_is_read_alike():
    """The reference implementation's own test vector for version 19, argon2id."""
    kept = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
    assert Hashing().is_right(kept, "password")
    assert not Hashing().is_right(kept, "Password")
    assert Hashing().is_outdated(kept)


def test_what_is_no_hash_is_nobodys_secret(staff: Staff):
    assert not staff.door.hashing.is_right("", PIN)
    assert not staff.door.hashing.is_right("plain", "plain")
    assert not staff.door.hashing.is_right(None, PIN)


def test_an_unknown_badge_takes_the_work_of_a_known_one():
    cost = Cost(passes=1, memory_kib=8, lanes=1)
    for _ in range(20):
        hashing = Hashing(cost)
        # read as a hash and computed with: a text that is no hash would fail at once
        with pytest.raises(VerifyMismatchError):
            hashing._hasher.verify(hashing._nobody, PIN)
        assert hashing._nobody.split("$")[:4] == hashing.of(PIN).split("$")[:4]


@pytest.mark.req("ACC-4")
def test_a_right_try_renews_a_hash_of_another_cost(staff: Staff):
    before = staff.account(staff.dealer).secret
    assert "m=8," in before
    staff.door.hashing = Hashing()
    assert staff.door.hashing.is_outdated(before)
    desk = staff.desk()
    desk._door.hashing = staff.door.hashing
    logged_in(desk, "dealer")
    after = staff.account(staff.dealer).secret
    assert not staff.door.hashing.is_outdated(after)
    logged_in(desk, "dealer")
    assert staff.account(staff.dealer).secret == after


@pytest.mark.req("ACC-10")
def test_tokens_and_codes_are_random_enough():
    assert len({new_token() for _ in range(1000)}) == 1000
    assert len(new_token()) * 6 >= 256
    codes = {new_code() for _ in range(1000)}
    assert len(codes) == 1000
    assert all(re.fullmatch(r"[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}", code) for code in codes)
    assert code_as_typed(" abcd efgh ") == code_as_typed("ABCD-EFGH") == "ABCD-EFGH"


@pytest.mark.req("ACC-4", "ACC-10")
def test_no_byte_of_the_database_gives_a_secret_a_token_or_a_code_away(
    staff: Staff, tmp_path: Path
):
    desk = staff.desk()
    opened = logged_in(desk, "supervisor")
    for _ in range(3):
        desk.log_in(BADGES["dealer"], "864209", HERE)
    # a PIN typed where the badge belongs
    desk.log_in("864209", BADGES["dealer"], HERE)
    code = done(staff.office.issue_code(staff.manager, staff.dealer, HERE), CodeIssued)
    approval = done(desk.approve(BADGES["floor"], PIN, ruling_of(staff), HERE), Approved).approval
    secrets = [PIN, FIRST_PIN, "864209", opened.token, code.code, approval.token]
    stored = b"".join(file.read_bytes() for file in tmp_path.glob("staff.db*"))
    assert opened.session.token_hash in stored
    for secret in secrets:
        assert secret.encode() not in stored
        assert secret.replace("-", "").encode() not in stored


@pytest.mark.req("ACC-4")
def test_no_value_that_could_be_logged_shows_a_secret_or_a_name(staff: Staff):
    desk = staff.desk()
    opened = logged_in(desk, "supervisor")
    wrong = desk.log_in(BADGES["dealer"], "864209", HERE)
    for _ in range(2):
        desk.log_in(BADGES["dealer"], "864209", HERE)
    code = done(staff.office.issue_code(staff.manager, staff.dealer, HERE), CodeIssued)
    approval = done(desk.approve(BADGES["floor"], PIN, ruling_of(staff), HERE), Approved)
    shown = "\n".join(
        f"{value!r} {value}"
        for value in (
            opened,
            wrong,
            code,
            approval,
            staff.account(staff.dealer),
            *staff.attempts(),
        )
    )
    hidden = [opened.token, "864209", PIN, code.code, approval.approval.token, "of the studio"]
    assert [secret for secret in hidden if secret in shown] == []
    assert staff.dealer in shown


def test_the_log_of_attempts_can_be_added_to_only(staff: Staff, tmp_path: Path):
    with sqlite3.connect(tmp_path / "staff.db") as connection:
        for statement in ("DELETE FROM staff_log", "UPDATE staff_log SET result = 'done'"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)
    connection.close()


def test_every_refusal_says_something_to_a_person():
    assert all(text.endswith(".") and text[0].isupper() for text in TEXTS.values())
