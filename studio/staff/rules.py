# SPDX-License-Identifier: Apache-2.0
"""The studio's rules for secrets, locks and sessions, and what can be wrong with them.

The defaults are the standard's own figures; a studio may be stricter, never looser. Pure.
"""

import msgspec

# The loosest value of each rule, and where it is said.
_AT_MOST = {
    "idle_seconds": (300, "GLI-19 C.6.5(d)(ii)"),
    "session_hours": (24, "a session ends with the shift"),
    "wrong_tries": (3, "GLI-19 B.2.3(g)(i)"),
    "secret_days": (90, "GLI-19 B.2.3(f)(iii), quarterly"),
    "approval_seconds": (300, "an approval is for what is on the table now"),
    "code_minutes": (60, "a one-time code is used at once"),
}
_AT_LEAST = {
    "pin_digits": (6, "with a badge and three tries"),
    "password_characters": (8, "GLI-19 B.2.3, note"),
    "lock_minutes": (30, "or leave it out: locked until released"),
}
LONGEST_SECRET = 128


class StaffRules(msgspec.Struct, frozen=True, kw_only=True):
    """How secrets, locks and sessions are kept.

    ``idle_seconds`` without a command end a session, ``session_hours`` end it in any case.
    ``wrong_tries`` lock an account for ``lock_minutes``, or until it is released if None.
    A secret is a PIN of at least ``pin_digits`` or a password of at least ``password_characters``;
    it is due for a change after ``secret_days``. An approval of a second person is good for
    ``approval_seconds``, a one-time code for ``code_minutes``.
    """

    idle_seconds: int = 300
    session_hours: int = 12
    wrong_tries: int = 3
    lock_minutes: int | None = None
    pin_digits: int = 6
    password_characters: int = 8
    secret_days: int = 90
    approval_seconds: int = 60
    code_minutes: int = 10


STANDARD = StaffRules()


def faults_of(rules: StaffRules) -> list[str]:
    """What is unsound in the rules, each "key: what is wrong; what would be right"."""
    faults = []
    for name, (most, why) in _AT_MOST.items():
        value = getattr(rules, name)
        if not 1 <= value <= most:
            faults.append(f"{name}: {value} is out of range; give 1 to {most} ({why})")
    for name, (least, why) in _AT_LEAST.items():
        value = getattr(rules, name)
        if value is not None and not least <= value:
            faults.append(f"{name}: {value} is too little; give {least} or more ({why})")
    faults += [
        f"{name}: nobody can have so long a secret; {LONGEST_SECRET} at most"
        for name in ("pin_digits", "password_characters")
        if getattr(rules, name) > LONGEST_SECRET
    ]
    return faults
