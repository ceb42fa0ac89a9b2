# SPDX-License-Identifier: Apache-2.0
"""``studio staff``: the accounts of a studio's people.

Every call that looks at or changes an account asks for the badge and the secret of whoever makes
it, and is kept in the staff's database. Only ``init`` asks nobody, and therefore works at a
terminal alone.
"""

import sys
from datetime import datetime
from typing import Annotated

import msgspec
import typer
from rich.table import Table

from studio.cli.asking import Asking
from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.output import console, write_json
from studio.cli.site import Config, known_site, studio_settings
from studio.cli.staff_entry import entry, kept, store_told
from studio.settings import site_of
from studio.staff.accounts import Account, Role, roles_text
from studio.staff.lockout import is_locked
from studio.staff.office import NewAccount
from studio.staff.permissions import OFFICE, PERMISSIONS
from studio.store.staff_schema import create_staff, has_staff, upgrade_staff
from studio.wording import languages

_HELP = taught(
    "The accounts of the studio's people: who may log in, as what, and with which badge. All "
    "tables share them. What is done here is kept, with who did it.",
    "PINs and passwords are typed, or read from standard input with --pin-stdin, one a line: "
    "first your own, then the new one.",
    ("studio staff init", "the first manager, at a terminal"),
    ("studio staff add --as 900 --name 'Anna Rossi' --role dealer --badge 100", "a dealer"),
    ("studio staff pin --as 100", "choose a PIN of your own"),
    ("studio staff unlock-code s-0002 --as 900", "for somebody who is locked out"),
)

_NO_LANGUAGE = "none"

app = typer.Typer(rich_markup_mode="rich", add_completion=False, no_args_is_help=True, help=_HELP)

As = Annotated[str | None, typer.Option("--as", metavar="BADGE", help="Your own badge number.")]
PinStdin = Annotated[
    bool, typer.Option("--pin-stdin", help="Read PINs from standard input, one a line.")
]
Who = Annotated[str, typer.Argument(metavar="ID", help="The account, as s-0002.")]
Roles = Annotated[
    list[Role] | None, typer.Option("--role", metavar="ROLE", help="A role; repeat for more.")
]


@app.command(
    help=taught(
        "Make the staff's database, if it is not there, and the first manager. Works only at a "
        "terminal of this machine, and only while no manager could log in.",
        ("studio staff init", "asks for name, screen name, badge and PIN"),
    )
)
def init(
    config: Config = None,
    name: Annotated[str | None, typer.Option(help="The manager's name.")] = None,
    screen_name: Annotated[str | None, typer.Option(help="What colleagues see.")] = None,
    badge: Annotated[str | None, typer.Option(help="The manager's badge number.")] = None,
) -> None:
    """Make the first manager."""
    if not sys.stdin.isatty():
        raise CommandFailed(
            "the first manager is made by a person at a terminal: run this in one",
            Exit.BAD_SETTINGS,
        )
    asking = Asking(pin_stdin=False)
    full = asking.text(name, "name of the manager")
    shown = asking.text(screen_name, "screen name, which colleagues see", full.split()[0])
    number = asking.text(badge, "badge number")
    secret = asking.new_secret("PIN or password")
    new = NewAccount(name=full, screen_name=shown, roles=frozenset(), badge=number)
    url = studio_settings(config).staff_database_url
    with store_told():
        if not has_staff(url):
            create_staff(url)
    with entry(config) as call:
        made = kept(call.office.begin(new, secret, call.here))
    _say(f"{made.account.id} is a manager with badge {number}")


@app.command(
    help=taught(
        "Add a person. The PIN given here is good for nothing but choosing one's own, with "
        "`studio staff pin` or at a console.",
        (
            "studio staff add --as 900 --name 'Anna Rossi' --role dealer --badge 100",
            "asks for PINs",
        ),
        ('printf \'%s\\n\' "$MINE" "$THEIRS" | studio staff add ... --pin-stdin', "in a script"),
    )
)
def add(
    name: Annotated[str, typer.Option(help="The person's name.")],
    badge: Annotated[str, typer.Option(help="The person's badge number.")],
    role: Roles = None,
    screen_name: Annotated[str | None, typer.Option(help="What colleagues see.")] = None,
    title: Annotated[str, typer.Option(help="What the person is employed as.")] = "",
    language: Annotated[
        str, typer.Option(help="In which the person reads prompts, as in it; else the console's.")
    ] = "",
    another_person: Annotated[
        bool, typer.Option("--another-person", help="There is one of this name already.")
    ] = False,
    own: As = None,
    pin_stdin: PinStdin = False,
    config: Config = None,
) -> None:
    """Add an account."""
    new = NewAccount(
        name=name,
        screen_name=screen_name or (name.split() or [""])[0],
        roles=frozenset(role or ()),
        badge=badge,
        title=title,
        language=language,
        is_another=another_person,
    )
    with entry(config, pin_stdin=pin_stdin) as call:
        by = call.by(own)
        made = kept(call.office.add(by, new, call.first_secret(), call.here))
    _say(f"{made.account.id} is added: {roles_text(made.account.roles)}, badge {badge}")


@app.command(
    "list",
    help=taught(
        "All accounts: who, as what, since when, last access, and how they stand.",
        ("studio staff list --as 900", "as a table"),
        ("studio staff list --as 900 --json", "one JSON object a line"),
    ),
)
def list_(
    own: As = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    pin_stdin: PinStdin = False,
    config: Config = None,
) -> None:
    """List the accounts."""
    with entry(config, pin_stdin=pin_stdin) as call:
        found = kept(call.office.accounts(call.by(own), call.here))
        rows = [_Row.of(one, call.door.now()) for one in found]
    if json:
        for row in rows:
            write_json(row)
        return
    table = Table("id", "name", "roles", "badge", "stands", "since", "last access", "from")
    for row in rows:
        seen = (row.last_access or "")[:16].replace("T", " ")
        names = (row.id, row.name, ", ".join(row.roles), row.badge, row.stands)
        table.add_row(*names, row.created[:10], seen, row.last_access_from or "")
    console().print(table)


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    """One account as it is listed (GLI-19 2.8.9), without anything that is secret."""

    id: str
    name: str
    screen_name: str
    title: str
    language: str
    roles: tuple[str, ...]
    badge: str
    stands: str
    created: str
    created_by: str
    last_access: str | None
    last_access_from: str | None
    secret_changed: str
    disabled: str | None
    disabled_by: str | None

    @classmethod
    def of(cls, account: Account, at: datetime) -> "_Row":
        stands = "provisional" if account.is_provisional else "active"
        if is_locked(account, at):
            stands = "locked"
        if account.disabled is not None:
            stands = "disabled"
        return msgspec.convert(
            {
                **msgspec.to_builtins(account),
                "roles": [role.value for role in Role if role in account.roles],
                "stands": stands,
            },
            cls,
        )


@app.command(
    help=taught(
        "Bar somebody from everything, at once and at all tables. The account stays for the "
        "record.",
        ("studio staff disable s-0002 --as 900", "somebody left, or a badge was stolen"),
    )
)
def disable(who: Who, own: As = None, pin_stdin: PinStdin = False, config: Config = None) -> None:
    """Disable an account."""
    with entry(config, pin_stdin=pin_stdin) as call:
        kept(call.office.disable(call.by(own), who, call.here))
    _say(f"{who} is disabled, and logged out everywhere")


@app.command(
    help=taught(
        "Let somebody in again who was disabled, with a new first PIN.",
        ("studio staff enable s-0002 --as 900", "asks for PINs"),
    )
)
def enable(who: Who, own: As = None, pin_stdin: PinStdin = False, config: Config = None) -> None:
    """Enable an account."""
    with entry(config, pin_stdin=pin_stdin) as call:
        by = call.by(own)
        kept(call.office.enable(by, who, call.first_secret(), call.here))
    _say(f"{who} is enabled, and must choose a PIN at first")


@app.command(
    help=taught(
        "Give somebody a new first PIN, and another badge if the old one is lost. They are logged "
        "out everywhere.",
        ("studio staff reset s-0002 --as 900", "a forgotten PIN"),
        ("studio staff reset s-0002 --as 900 --badge 177", "a lost badge"),
    )
)
def reset(
    who: Who,
    badge: Annotated[str | None, typer.Option(help="Their new badge number.")] = None,
    own: As = None,
    pin_stdin: PinStdin = False,
    config: Config = None,
) -> None:
    """Reset a secret."""
    with entry(config, pin_stdin=pin_stdin) as call:
        by = call.by(own)
        kept(call.office.reset(by, who, call.first_secret(), call.here, badge=badge))
    _say(f"{who} must choose a PIN at first")


@app.command(
    help=taught(
        "Without an ID: what each role may, at a table and with the accounts. With one: give that "
        "person these roles instead. Roles by which one person could do everything are refused.",
        ("studio staff roles", "the permissions, command by command"),
        ("studio staff roles s-0002 --as 900 --role supervisor", "a promotion"),
    )
)
def roles(
    who: Annotated[str | None, typer.Argument(metavar="[ID]", help="The account.")] = None,
    role: Roles = None,
    own: As = None,
    pin_stdin: PinStdin = False,
    config: Config = None,
) -> None:
    """Show permissions, or set roles."""
    if who is None:
        _show_permissions()
        return
    with entry(config, pin_stdin=pin_stdin) as call:
        by = call.by(own)
        made = kept(call.office.set_roles(by, who, frozenset(role or ()), call.here))
    _say(f"{who} is now {roles_text(made.account.roles)}, and logged out everywhere")


def _show_permissions() -> None:
    table = Table("command", *(role.value for role in Role), "second person")
    for tag, row in (PERMISSIONS | OFFICE).items():
        table.add_row(tag, *(row.grants[role].value for role in Role), roles_text(row.second))
    console().print(table)


@app.command(
    help=taught(
        "The language in which a person reads prompts, from the next log-in on; `none` for that "
        "of the console. What is called aloud is in the language of the table.",
        ("studio staff language s-0002 it --as 900", "Italian"),
    )
)
def language(
    who: Who,
    words: Annotated[str, typer.Argument(metavar="LANG", help="Two letters, as in it; or none.")],
    own: As = None,
    pin_stdin: PinStdin = False,
    config: Config = None,
) -> None:
    """Set a person's language."""
    chosen = "" if words == _NO_LANGUAGE else words
    known = languages(site_of(config) if config is not None else known_site())
    if chosen and chosen not in known:
        raise CommandFailed(
            f'there are no words in "{chosen}": give one of {", ".join(known)}, or {_NO_LANGUAGE}',
            Exit.BAD_SETTINGS,
        )
    with entry(config, pin_stdin=pin_stdin) as call:
        kept(call.office.set_language(call.by(own), who, chosen, call.here))
    told = f"prompts in {chosen}" if chosen else "prompts in the console's language"
    _say(f"{who} has {told}, from the next log-in on")


@app.command(
    "unlock-code",
    help=taught(
        "A one-time code for somebody who is locked out: they type it with their badge, at a "
        "console or with `studio staff unlock`, and log in with their own PIN. Supervisors can "
        "release dealers, managers everybody.",
        ("studio staff unlock-code s-0002 --as 900", "tell it by phone; it is good for minutes"),
    ),
)
def unlock_code(
    who: Who, own: As = None, pin_stdin: PinStdin = False, config: Config = None
) -> None:
    """Issue a code."""
    with entry(config, pin_stdin=pin_stdin) as call:
        issued = kept(call.office.issue_code(call.by(own), who, call.here))
        minutes = call.door.rules.code_minutes
    _say(f"one-time code for {who}, for {minutes} minutes: {issued.code}")


@app.command(
    help=taught(
        "Release your own account with a one-time code.",
        ("studio staff unlock --as 100", "asks for the code"),
    )
)
def unlock(own: As = None, pin_stdin: PinStdin = False, config: Config = None) -> None:
    """Use a code."""
    with entry(config, pin_stdin=pin_stdin) as call:
        badge = call.asking.text(own, "your badge")
        kept(call.door.unlock(badge, call.asking.secret("one-time code"), call.here))
    _say("released: log in with your PIN")


@app.command(
    help=taught(
        "Choose a PIN or a password of your own.",
        ("studio staff pin --as 100", "asks for the old one, then twice for the new one"),
    )
)
def pin(own: As = None, pin_stdin: PinStdin = False, config: Config = None) -> None:
    """Change one's own secret."""
    with entry(config, pin_stdin=pin_stdin) as call:
        badge = call.asking.text(own, "your badge")
        old = call.asking.secret("your PIN or password")
        new = call.asking.new_secret("your new one")
        kept(call.door.change_secret(badge, old, new, call.here))
    _say("changed; it is good at once, and you are logged out everywhere")


@app.command(
    help=taught(
        "Bring the staff's database to this program's schema: whole, or not at all. Stop the "
        "tables and make a backup first.",
        ("studio staff upgrade", "after an update of the program"),
    )
)
def upgrade(config: Config = None) -> None:
    """Upgrade the database."""
    with store_told():
        before, after = upgrade_staff(studio_settings(config).staff_database_url)
    if before == after:
        _say(f"the staff's database has schema {after} already")
    else:
        _say(f"the staff's database went from schema {before} to {after}")


def _say(text: str) -> None:
    console().print(text, soft_wrap=True, markup=False)
