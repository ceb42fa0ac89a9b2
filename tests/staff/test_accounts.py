# SPDX-License-Identifier: Apache-2.0
"""What a badge, a name, a PIN and a password must be, the studio's rules, the count of tries."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.staff.accounts import (
    Account,
    Role,
    badge_fault,
    id_of,
    is_secret_due,
    name_fault,
    roles_text,
    secret_fault,
)
from studio.staff.lockout import after_right, after_wrong, is_locked, released
from studio.staff.rules import STANDARD, StaffRules, faults_of

AT = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)
ACCOUNT = Account(
    id="s-0001",
    name="Anna Rossi",
    screen_name="Anna",
    roles=frozenset({Role.DEALER}),
    badge="100",
    secret="x",
    secret_changed=AT,
    created=AT,
    created_by="s-0002",
    is_provisional=False,
)


@pytest.mark.req("ACC-8")
def test_all_is_kept_of_an_account_that_the_standard_lists():
    kept = set(Account.__struct_fields__)
    assert kept >= {
        "name",
        "title",
        "id",
        "roles",
        "created",
        "last_access",
        "last_access_from",
        "secret_changed",
        "disabled",
    }


def test_ids_count_from_one_and_roles_are_told_in_their_order():
    assert [id_of(1), id_of(412), id_of(12345)] == ["s-0001", "s-0412", "s-12345"]
    assert roles_text(frozenset({Role.MANAGER, Role.SUPERVISOR})) == "supervisor, manager"


def test_an_account_shows_nothing_but_its_id():
    assert repr(ACCOUNT) == str(ACCOUNT) == "Account(s-0001)"


@pytest.mark.parametrize("badge", ["100", "A-77", "x" * 32])
def test_a_badge_is_letters_digits_and_hyphens(badge):
    assert badge_fault(badge) == ""


@pytest.mark.parametrize("badge", ["", "1 0", "x" * 33, "é", "1\n", "'; --"])
def test_what_no_badge_can_be_is_refused(badge):
    assert badge_fault(badge)


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 81])
def test_a_name_can_be_shown(name):
    assert name_fault(name)
    assert name_fault("Zoë d'Été") == ""


@pytest.mark.req("ACC-6")
@pytest.mark.parametrize("secret", ["271828", "90210457", "horse battery", "Tr0ub4dor"])
def test_these_secrets_are_taken(secret):
    assert secret_fault(secret, "100", STANDARD) == ""


@pytest.mark.req("ACC-6")
@pytest.mark.parametrize(
    "secret",
    [
        "27182",
        "111111",
        "123456",
        "987654",
        "890123",
        "121212",
        "100100",
        "short",
        "aaaabbbb",
        " leading12",
        "tab\tinside",
        "x1" * 65,
        "",
        "\u0662\u0667\u0661\u0668\u0662",
    ],
)
def test_these_secrets_are_refused_and_never_repeated(secret):
    fault = secret_fault(secret, "100100", STANDARD)
    assert fault
    assert len(secret) < 5 or secret not in fault


@pytest.mark.req("ACC-6")
def test_a_studio_may_ask_for_longer_secrets():
    rules = StaffRules(pin_digits=8, password_characters=14)
    assert secret_fault("271828", "1", rules)
    assert secret_fault("horse battery", "1", rules)
    assert secret_fault("27182845", "1", rules) == ""


@pytest.mark.req("ACC-6")
def test_a_secret_is_due_when_it_is_old_or_anothers_choice():
    old = AT + timedelta(days=STANDARD.secret_days)
    assert is_secret_due(ACCOUNT, STANDARD, old)
    assert not is_secret_due(ACCOUNT, STANDARD, old - timedelta(seconds=1))
    assert is_secret_due(msgspec.structs.replace(ACCOUNT, is_provisional=True), STANDARD, AT)


@pytest.mark.req("ACC-2", "ACC-5", "ACC-6")
def test_the_defaults_are_no_looser_than_the_standard():
    assert faults_of(STANDARD) == []
    assert STANDARD.idle_seconds == 300
    assert STANDARD.wrong_tries == 3
    assert STANDARD.password_characters == 8
    assert STANDARD.secret_days == 90


@pytest.mark.parametrize(
    "key, value",
    [
        ("idle_seconds", 301),
        ("idle_seconds", 0),
        ("wrong_tries", 4),
        ("wrong_tries", 0),
        ("pin_digits", 5),
        ("password_characters", 7),
        ("secret_days", 91),
        ("session_hours", 25),
        ("approval_seconds", 0),
        ("code_minutes", 61),
        ("lock_minutes", 29),
        ("pin_digits", 129),
    ],
)
def test_looser_rules_are_refused_by_name(key, value):
    (fault,) = faults_of(msgspec.structs.replace(STANDARD, **{key: value}))
    assert fault.startswith(f"{key}: ")


@pytest.mark.req("ACC-5")
def test_three_wrong_tries_lock_until_somebody_releases():
    account = ACCOUNT
    for _ in range(2):
        account = after_wrong(account, STANDARD, AT)
        assert not is_locked(account, AT)
    account = after_wrong(account, STANDARD, AT)
    assert is_locked(account, AT + timedelta(days=10_000))
    assert not is_locked(released(account), AT)


TRIES = st.lists(st.tuples(st.booleans(), st.integers(0, 40)), max_size=30)


@pytest.mark.req("ACC-5")
@given(TRIES, st.sampled_from([None, 30]))
def test_after_any_tries_an_account_is_locked_when_the_last_three_were_wrong(tries, minutes):
    rules = msgspec.structs.replace(STANDARD, lock_minutes=minutes)
    account, at, wrong, until = ACCOUNT, AT, 0, None
    for is_right, pause in tries:
        at += timedelta(minutes=pause)
        if until is not None and at >= until:
            wrong, until = 0, None
        assert is_locked(account, at) == (until is not None)
        if is_right and until is None:
            account, wrong = after_right(account, at, "here"), 0
        elif not is_right:
            account = after_wrong(account, rules, at)
            wrong += until is None
        if wrong >= 3 and until is None:
            until = datetime.max.replace(tzinfo=UTC)
            if minutes is not None:
                until = at + timedelta(minutes=minutes)
        assert account.wrong_tries <= 3
    assert is_locked(account, at) == (until is not None)
