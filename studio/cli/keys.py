# SPDX-License-Identifier: Apache-2.0
"""``studio keys``: who may connect to a table from beyond its machine.

Each machine makes its own secret, which never leaves it; public keys are exchanged. A studio keeps
whose keys it lets in, every operator and console keeps whom it takes for the studio.
"""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.table import Table

from studio.cli.asking import here
from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.output import console as output
from studio.cli.output import write_json
from studio.cli.site import Config, known_site
from studio.feed import keys as store
from studio.feed.access import Access, read_access
from studio.feed.allowed import (
    Allowed,
    Kind,
    active,
    changing,
    name_fault,
    read_allowed,
    with_key,
    without_key,
)
from studio.feed.keys import KeysRefused, StudioKeys
from studio.keyed import access_folder, key_folder
from studio.settings import StudioSettings, load_studio, site_of

_HELP = taught(
    "Who may connect to a table from beyond its machine. A secret is made on the machine that uses "
    "it and never leaves it; what is printed here is public and may be read to somebody.",
    ("studio keys init", "at the studio, once: its own keys"),
    ("studio keys new acme", "at the operator: prints the public key for the studio"),
    ("studio keys add --name acme --public 3f21...", "at the studio: acme may connect"),
    ("studio keys trust --server 9a0c... --signing 77de...", "at the operator: this is the studio"),
    ("studio keys revoke acme", "at the studio: out at once, at every table"),
    ("studio keys console desk-2", "on another machine with a console"),
)

app = typer.Typer(rich_markup_mode="rich", add_completion=False, no_args_is_help=True, help=_HELP)

Folder = Annotated[
    Path | None,
    typer.Option("--folder", metavar="FOLDER", help="The key folder; by the settings if absent."),
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="Who it is: letters, digits, hyphens.")]
Next = Annotated[
    bool, typer.Option("--next", help="Beside the key in force, to take its place later.")
]
Server = Annotated[
    list[str] | None,
    typer.Option("--server", metavar="KEY", help="The studio's key of sockets; repeat for a next."),
]
Signing = Annotated[
    list[str] | None,
    typer.Option("--signing", metavar="KEY", help="Its key of signatures; repeat for a next."),
]
AsJson = Annotated[bool, typer.Option("--json", help="For a program: JSON, an object a line.")]


def _studio(config: Path | None) -> StudioSettings:
    return load_studio(known_site() if config is None else site_of(config))


def _folder(config: Path | None, folder: Path | None) -> Path:
    return key_folder(_studio(config)) if folder is None else folder.expanduser().absolute()


def _say(text: str) -> None:
    output().print(text, soft_wrap=True, markup=False)


# --- at the studio ------------------------------------------------------------------------------


@app.command(
    help=taught(
        "Make the studio's own keys, unless they are there, and let this machine's own commands "
        "in. `studio init` does it, too.",
        "With --next the keys that will take their place: give them to everybody, and when all "
        "have them, `studio keys use-next --studio`.",
        ("studio keys init", "prints what operators and consoles must be told"),
    )
)
def init(config: Config = None, folder: Folder = None, is_next: Next = False) -> None:
    """Make the server's keys."""
    place = _folder(config, folder)
    studio = make_studio(place)
    if is_next:
        studio = store.make_server_keys(place, is_next=True)
    _say_studio(studio)


def make_studio(folder: Path) -> StudioKeys:
    """The studio's keys and this machine's own as a client, made where they are wanting."""
    studio = store.make_server_keys(folder)
    if not (folder / store.OWN).exists():
        name = re.sub(r"[^A-Za-z0-9._-]", "-", here()).strip("-._")[:40] or "studio"
        let_in(folder, name, Kind.CONSOLE, store.make_own_key(folder, name))
    return studio


def let_in(folder: Path, name: str, kind: Kind, public: str, *, is_next: bool = False) -> None:
    """Let a key in at a studio's key folder. Raises KeysRefused."""
    new = Allowed(name=name, kind=kind, public=public, added=datetime.now(UTC))
    with changing(folder) as rows:
        if public in store.ServerKeys.load(folder).public_keys:
            raise KeysRefused("this is the studio's own key; each has a key of its own")
        rows[:] = with_key(tuple(rows), new, is_next=is_next)


def _say_studio(studio: StudioKeys) -> None:
    servers = " ".join(f"--server {key}" for key in studio.server)
    signing = " ".join(f"--signing {key}" for key in studio.signing)
    _say("Operators and consoles must be told, once and by a way that can be trusted:")
    _say(f"  studio keys trust {servers} {signing}")


@app.command(
    help=taught(
        "Let a key in: an operator's to the public sockets, a console's to the staff's as well. "
        "It works at once, also at tables that are served.",
        "One key each. To change it without a stop: add the next one, let them use it, and revoke "
        "the old one.",
        ("studio keys add --name acme --public 3f21...", "acme sent you this key"),
        ("studio keys add --name acme --public 5d02... --next", "and the next one"),
        ("studio keys add --name desk-2 --console --public 88c1...", "a console"),
    )
)
def add(
    name: Annotated[str, typer.Option(metavar="NAME", help="Whose key it is.")],
    public: Annotated[
        str, typer.Option(metavar="KEY", help="The public key that they sent, hex or Z85.")
    ],
    is_console: Annotated[
        bool, typer.Option("--console", help="A console of the studio's own staff.")
    ] = False,
    is_next: Next = False,
    config: Config = None,
    folder: Folder = None,
) -> None:
    """Add a public key."""
    place = _folder(config, folder)
    kind = Kind.CONSOLE if is_console else Kind.OPERATOR
    let_in(place, name, kind, store.key_as_given(public), is_next=is_next)
    _say(f"{name} may connect as {kind.value}")
    _say_studio(store.studio_keys(place))


@app.command("list", help="Whose keys are let in, and whose were.")
def list_(config: Config = None, folder: Folder = None, as_json: AsJson = False) -> None:
    """Print the rows."""
    rows = read_allowed(_folder(config, folder))
    if as_json:
        for one in rows:
            write_json(one)
        return
    table = _table("name", "", "key", "added (UTC)", "")
    for one in rows:
        since = "" if one.revoked is None else f"revoked {one.revoked:%Y-%m-%d %H:%M}"
        is_second = one.revoked is None and active(rows, one.name)[0] is not one
        state = since or ("next" if is_second else "may connect")
        table.add_row(
            one.name, one.kind.value, one.public[:16], f"{one.added:%Y-%m-%d %H:%M}", state
        )
    output().print(table)


@app.command(
    help=taught(
        "Bar the keys of an operator or a console for ever. Their connections end at once, at "
        "every table that is served with this key folder; the others go on.",
        ("studio keys revoke acme", "all keys of acme"),
        ("studio keys revoke acme --old", "the old one, after the next one was added"),
    )
)
def revoke(
    name: Name,
    old: Annotated[bool, typer.Option("--old", help="Only the older of two.")] = False,
    config: Config = None,
    folder: Folder = None,
) -> None:
    """Revoke."""
    with changing(_folder(config, folder)) as rows:
        rows[:] = without_key(tuple(rows), name, datetime.now(UTC), old_only=old)
        left = active(rows, name)
    _say(f"{name} is out" if not left else f"the old key of {name} is out, the next one in force")


@app.command(
    help=taught(
        "Who connected, was refused, asked, was cut off or left, at all tables of this machine. "
        "The same again within a minute is counted.",
        ("studio keys log", "the last hundred lines"),
        ("studio keys log acme --limit 1000", "of one operator"),
        ("studio keys log --json", "for a program: all of it"),
    )
)
def log(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Only this one.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="The last so many.")] = 100,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Print the lines."""
    lines = read_access(access_folder(_studio(config)), name)
    if as_json:
        for one in lines:
            write_json(one)
        return
    table = _table("at (UTC)", "table", "", "who", "", "from", "")
    for one in list(lines)[-limit:]:
        table.add_row(*_told(one))
    output().print(table)


def _told(one: Access) -> tuple[str, ...]:
    what = one.what.value if one.count == 1 else f"{one.what.value} × {one.count}"  # noqa: RUF001
    who = one.who or (f"key {one.key}" if one.key else "nobody yet")
    return f"{one.at:%Y-%m-%d %H:%M:%S}", one.table, one.side, who, what, one.address, one.why


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for one in columns:
        table.add_column(one, overflow="fold")
    return table


# --- at an operator's or a console's machine ----------------------------------------------------


@app.command(
    help=taught(
        "Make this machine's own key as an operator. The secret stays here; the public key that "
        "is printed goes to the studio.",
        ("studio keys new acme", "the first one"),
        ("studio keys new acme --next", "one to take its place"),
    )
)
def new(
    name: Name,
    is_next: Next = False,
    config: Config = None,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Make a client's pair."""
    public = _made(_folder(config, folder), name, is_next=is_next)
    if as_json:
        write_json({"name": name, "public": public})
        return
    _say(f"public key of {name}:\n  {public}\nThe studio lets it in with:")
    _say(f"  studio keys add --name {name} --public {public}{' --next' * is_next}")


def _made(folder: Path, name: str, *, is_next: bool) -> str:
    fault = name_fault(name)
    if fault:
        raise KeysRefused(fault)
    return store.make_own_key(folder, name, is_next=is_next)


@app.command(
    help=taught(
        "Set up this machine for a console. At the studio's own machine it is let in at once.",
        ("studio keys console desk-2", "prints what to do at the studio"),
        ("studio keys console desk-2 --server 9a0c... --signing 77de...", "with the studio's keys"),
    )
)
def console(
    name: Name,
    server: Server = None,
    signing: Signing = None,
    is_next: Next = False,
    config: Config = None,
    folder: Folder = None,
) -> None:
    """Make a console's pair, and trust the studio."""
    place = _folder(config, folder)
    public = _made(place, name, is_next=is_next)
    if store.has_server_keys(place):
        let_in(place, name, Kind.CONSOLE, public, is_next=is_next)
        _say(f"{name} may connect as console")
        return
    if server or signing:
        _trust(place, server, signing)
    _say("The studio lets this console in with:")
    _say(f"  studio keys add --console --name {name} --public {public}{' --next' * is_next}")
    if not (place / store.STUDIO).exists():
        _say("and tells you which `studio keys trust ...` to run here.")


@app.command(
    help=taught(
        "Keep the studio's public keys: who answers with others is not the studio. Compare them "
        "with what the studio tells you by another way than the one they came.",
        ("studio keys trust --server 9a0c... --signing 77de...", ""),
    )
)
def trust(
    server: Server = None, signing: Signing = None, config: Config = None, folder: Folder = None
) -> None:
    """Keep whom this machine takes for the studio."""
    place = _folder(config, folder)
    if store.has_server_keys(place):
        raise KeysRefused(f"{place} holds the studio's own keys: nobody else's are trusted here")
    _trust(place, server, signing)
    _say("this is the studio from now on; start again what is connected")


def _trust(folder: Path, server: list[str] | None, signing: list[str] | None) -> None:
    if not server or not signing:
        raise CommandFailed("say both --server KEY and --signing KEY", Exit.BAD_SETTINGS)
    given = [tuple(map(store.key_as_given, keys)) for keys in (server, signing)]
    store.trust(folder, StudioKeys(*given))


@app.command(
    "use-next",
    help=taught(
        "Put the next key in force: this machine's own, or with --studio the studio's, which each "
        "table's service takes up when it is started next. Its subscribers come back by themselves "
        "if they were told of it before.",
        ("studio keys use-next", "at an operator: the studio has added it"),
        ("studio keys use-next --studio", "at the studio: everybody has been told"),
    ),
)
def use_next(
    is_studio: Annotated[bool, typer.Option("--studio", help="The studio's own keys.")] = False,
    config: Config = None,
    folder: Folder = None,
) -> None:
    """Let the next key take the place of the one in force."""
    place = _folder(config, folder)
    if is_studio:
        _say_studio(store.use_next_server_keys(place))
        return
    _say(f"in force is {store.use_next(place)}; start again what is connected with the old one")


@app.command(help="The public keys that this machine has and trusts.")
def show(config: Config = None, folder: Folder = None, as_json: AsJson = False) -> None:
    """Print public keys."""
    place = _folder(config, folder)
    own = store.own_key(place) if (place / store.OWN).exists() else None
    studio = store.studio_keys(place) if (place / store.STUDIO).exists() else None
    if as_json:
        write_json({"own": own, "studio": None if studio is None else msgspec.to_builtins(studio)})
        return
    if own is not None:
        _say(f"this machine is {own[0]}: {own[1]}")
    if studio is not None:
        _say_studio(studio)
    if own is None and studio is None:
        _say(f"no keys in {place}: see `studio keys --help`")
