# SPDX-License-Identifier: Apache-2.0
"""What the program needs to do in each table, and what its role may do beyond that.

On a server the role that a table's service connects as needs no right to change or remove what was
recorded: another one owns the tables and migrates. ``RIGHTS`` is the whole account of it; the SQL
that sets it up, and the check at a start, are made from it. In SQLite nothing but triggers stands
in the way of whoever may write the file, and that person can take them away: then the chain tells.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import Connection, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from studio.store.database import (
    StoreFailed,
    failure,
    file_of,
    name_of,
    parse_url,
    reading_engine,
    writing_engine,
)
from studio.store.models import metadata

ANY = ("*",)


class Right(NamedTuple):
    """What is done to a table beside reading it; ``update`` names the columns that change."""

    insert: bool = True
    update: tuple[str, ...] = ()
    delete: bool = False


_APPENDED = Right()
_READ = Right(insert=False)

RIGHTS: dict[str, Right] = {
    # the record
    "journal": _APPENDED,
    "epochs": _APPENDED,
    "revisions": _APPENDED,
    "bet_results": _APPENDED,
    "cards": _APPENDED,
    "round_dealers": _APPENDED,
    "irregularities": _APPENDED,
    # what a round or a shoe is now; `studio verify` tells it again from the journal
    "rounds": Right(update=("status", "closed_at", "revision", "outcome")),
    "shoes": Right(
        update=("ended_at", "rounds", "burned", "seen", "left", "counted", "reason")
    ),
    # states saved for a start, which only save time: most of the old ones go
    "checkpoints": Right(delete=True),
    # the staff
    "staff_log": _APPENDED,
    "staff_cases": _APPENDED,
    "staff_accounts": Right(update=ANY),
    "staff_sessions": Right(update=("seen", "ended")),
    "staff_codes": Right(delete=True),
    # what operators acknowledged
    "operator_acknowledgements": _APPENDED,
    # which migrations were run
    "alembic_version": _READ,
    "staff_version": _READ,
    "operator_version": _READ,
}  # fmt: skip

# The triggers that refuse a change, by table; of those in an SQLite file one for each change.
GUARDED = (
    "journal",
    "epochs",
    "revisions",
    "bet_results",
    "round_dealers",
    "irregularities",
    "staff_log",
    "staff_cases",
    "operator_acknowledgements",
)

_FOUND = text("""
SELECT c.relname, n.nspname, pg_get_userbyid(c.relowner), pg_has_role(c.relowner, 'MEMBER'),
       has_table_privilege(c.oid, 'UPDATE'), has_any_column_privilege(c.oid, 'UPDATE'),
       has_table_privilege(c.oid, 'DELETE'), has_table_privilege(c.oid, 'TRUNCATE')
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND c.relname = ANY(:names) AND pg_table_is_visible(c.oid)
ORDER BY c.relname
""")
_COLUMNS = text("""
SELECT a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relname = :name AND pg_table_is_visible(c.oid) AND a.attnum > 0 AND NOT a.attisdropped
AND has_column_privilege(c.oid, a.attnum, 'UPDATE')
""")
_GUARDS = text("""
SELECT DISTINCT c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE t.tgname = c.relname || '_append_only' AND t.tgenabled IN ('O', 'A')
AND pg_table_is_visible(c.oid)
""")
_SELF = text("SELECT current_user, rolsuper FROM pg_roles WHERE rolname = current_user")
_TRIGGERS = text("SELECT name FROM sqlite_master WHERE type = 'trigger'")
_TABLES = text("SELECT name FROM sqlite_master WHERE type = 'table'")


def excess(url: str) -> list[str]:
    """Whatever would let the role of this URL change or remove what was recorded, in words.

    Empty: nothing would. For an SQLite file, the triggers that are gone. Raises ``StoreFailed``.
    """
    parsed = parse_url(url)
    file = file_of(parsed)
    if file is not None and not file.is_file():
        return []
    try:
        with reading_engine(parsed).connect() as connection:
            found = _in_file if file is not None else _on_server
            return list(found(connection))
    except DBAPIError as fault:
        raise failure(parsed, "reading", fault) from fault


def refuse_missing(connection: Any, url: URL) -> None:
    """Raise ``StoreFailed`` if the role of this driver connection may not add to a report table.

    A table that an upgrade made is the owner's until the roles are set up again, and a round would
    stop in its midst.
    """
    asked = (
        "SELECT name FROM unnest(%s::text[]) AS name "
        "WHERE to_regclass(name) IS NOT NULL AND NOT has_table_privilege(name, 'INSERT')"
    )
    names = [one.name for one in metadata.sorted_tables]
    missing = [name for (name,) in connection.execute(asked, (names,)).fetchall()]
    if missing:
        raise StoreFailed(
            f"{name_of(url)}: this role may not add to {', '.join(missing)}: run `studio db roles` "
            "as after every upgrade, then start again"
        )


def _in_file(connection: Connection) -> Iterator[str]:
    triggers = set(connection.execute(_TRIGGERS).scalars())
    tables = set(connection.execute(_TABLES).scalars())
    for table in GUARDED:
        wanted = {f"{table}_no_update", f"{table}_no_delete"}
        if table in tables and not wanted <= triggers:
            yield f"the triggers that refuse a change of {table} are gone"


def _on_server(connection: Connection) -> Iterator[str]:
    role, is_superuser = connection.execute(_SELF).one()
    if is_superuser:
        yield f"role {role} is a superuser"
        return
    guarded = set(connection.execute(_GUARDS).scalars())
    for row in connection.execute(_FOUND, {"names": list(RIGHTS)}):
        table, _schema, _owner, is_owner, updates, updates_some, deletes, truncates = row
        right = RIGHTS[table]
        if is_owner:
            yield f"role {role} owns {table}"
            continue
        has = []
        if updates_some and right.update != ANY:
            columns = set(connection.execute(_COLUMNS, {"name": table}).scalars())
            if updates or columns - set(right.update):
                has.append("UPDATE")
        has += ["DELETE"] if deletes and not right.delete else []
        has += ["TRUNCATE"] if truncates else []
        if has:
            yield f"role {role} has {', '.join(has)} on {table}"
        if table in GUARDED and table not in guarded:
            yield f"the trigger that refuses a change of {table} is gone"


def roles_sql(url: str, owner: str, application: str) -> list[str]:
    """SQL statements after which ``owner`` owns the tables and ``application`` can only add.

    For all of our tables that are in the database. They are run by a superuser. Raises
    ``StoreFailed`` for an SQLite file, or a database without any.
    """
    parsed = parse_url(url)
    if file_of(parsed) is not None:
        raise StoreFailed(f"{name_of(parsed)} is an SQLite file: only a server has roles")
    try:
        with reading_engine(parsed).connect() as connection:
            rows = connection.execute(_FOUND, {"names": list(RIGHTS)}).all()
            if not rows:
                text = f"{name_of(parsed)} has no tables: `studio db create` makes them first"
                raise StoreFailed(text)
            places = {(schema, table) for table, schema, *_rest in rows}
            statements = [
                *_made(connection, owner),
                *_made(connection, application),
            ]
            schemas = sorted({schema for schema, _table in places})
            return [*statements, *_granted(connection, schemas, sorted(places), owner, application)]
    except DBAPIError as fault:
        raise failure(parsed, "reading", fault) from fault


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _made(connection: Connection, role: str) -> Iterator[str]:
    known = text("SELECT count(*) FROM pg_roles WHERE rolname = :role")
    if not connection.execute(known, {"role": role}).scalar_one():
        yield f"CREATE ROLE {_quoted(role)} LOGIN"


_FUNCTIONS = text("""
SELECT DISTINCT n.nspname, p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
JOIN pg_trigger t ON t.tgfoid = p.oid JOIN pg_class c ON c.oid = t.tgrelid
WHERE c.relname = ANY(:names) AND NOT t.tgisinternal AND pg_table_is_visible(c.oid)
""")
_SEQUENCES = text("""
SELECT n.nspname, s.relname FROM pg_class s JOIN pg_depend d ON d.objid = s.oid
JOIN pg_class c ON c.oid = d.refobjid JOIN pg_namespace n ON n.oid = s.relnamespace
WHERE s.relkind = 'S' AND c.relname = ANY(:names) AND pg_table_is_visible(c.oid)
""")


def _granted(
    connection: Connection,
    schemas: list[str],
    places: list[tuple[str, str]],
    owner: str,
    application: str,
) -> Iterator[str]:
    to, names = _quoted(application), {"names": list(RIGHTS)}
    for schema in schemas:
        yield f"GRANT USAGE, CREATE ON SCHEMA {_quoted(schema)} TO {_quoted(owner)}"
        yield f"REVOKE ALL ON SCHEMA {_quoted(schema)} FROM {to}"
        yield f"GRANT USAGE ON SCHEMA {_quoted(schema)} TO {to}"
    for schema, function in connection.execute(_FUNCTIONS, names):
        place = f"{_quoted(schema)}.{_quoted(function)}"
        yield f"ALTER FUNCTION {place}() OWNER TO {_quoted(owner)}"
    for schema, table in places:
        place, right = f"{_quoted(schema)}.{_quoted(table)}", RIGHTS[table]
        yield f"ALTER TABLE {place} OWNER TO {_quoted(owner)}"
        yield f"REVOKE ALL ON {place} FROM PUBLIC, {to}"
        given = ["SELECT"]
        given += ["INSERT"] if right.insert else []
        given += ["DELETE"] if right.delete else []
        if right.update:
            columns = ", ".join(map(_quoted, right.update))
            given.append("UPDATE" if right.update == ANY else f"UPDATE ({columns})")
        yield f"GRANT {', '.join(given)} ON {place} TO {to}"
    for schema, sequence in connection.execute(_SEQUENCES, names):
        yield f"GRANT USAGE ON SEQUENCE {_quoted(schema)}.{_quoted(sequence)} TO {to}"


def run_sql(url: str, statements: list[str]) -> None:
    """Run them in one transaction, as the role of this URL. Raises ``StoreFailed``."""
    parsed = parse_url(url)
    try:
        with writing_engine(parsed).begin() as connection:
            for statement in statements:
                connection.exec_driver_sql(statement)
    except DBAPIError as fault:
        raise failure(parsed, "setting the roles up in", fault) from fault
