# SPDX-License-Identifier: Apache-2.0
"""JSON Schemas (2020-12) of every public message, request and answer, made from their own types.

Every object is open: more members may come, and no schema refuses them. A member that a message
or an answer may leave out, or that a request need not have, is one that ``required`` does not name.

Pure: it makes values; who writes them where is no concern of this module.
"""

from typing import Any, Literal, get_args, get_type_hints

import msgspec

from studio.contract.members import MEMBERS, Member
from studio.feed import asks
from studio.feed.messages import TYPES
from studio.feed.wire import VERSION, Envelope
from studio.game.snapshot import PublicState

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ANY_MESSAGE = "message"
_IN_FILE = "#/$defs/"


class NotDescribed(LookupError):
    """A member of the contract without a word of what it means."""


def _message_type(name: str, data: type) -> type[msgspec.Struct]:
    """The whole message of a type: the envelope with this data in it."""
    own: dict[str, Any] = {"v": Literal[VERSION], "type": Literal[name], "data": data}
    hints = get_type_hints(Envelope) | own
    fields = [(member, hints[member]) for member in Envelope.__struct_fields__]
    made = msgspec.defstruct(f"{data.__name__}Message", fields)
    made.__doc__ = data.__doc__
    return made


MESSAGES: dict[str, type] = {name: _message_type(name, data) for name, data in TYPES.items()}
ASKS: dict[str, type] = {str(one.__struct_config__.tag): one for one in get_args(asks.Ask)}
ANSWERS: dict[str, type] = {str(one.__struct_config__.tag): one for one in get_args(asks.Answer)}


def components(ref: str = _IN_FILE) -> dict[str, Schema]:
    """The schema of every class of the contract, by its name; ``ref`` comes before a name."""
    kinds = [*MESSAGES.values(), *ASKS.values(), *ANSWERS.values(), PublicState]
    _, made = msgspec.json.schema_components(kinds, ref_template=ref + "{name}")
    # the answer's own type has room for whatever a test or a tool takes for a state
    made["Snapshot"]["properties"]["state"] = {"$ref": f"{ref}PublicState"}
    return {name: _told(name, schema) for name, schema in sorted(made.items())}


def files() -> dict[str, Schema]:
    """Every schema by the name of its file: ``messages/card_dealt``, ``asks/round`` and so on."""
    every = components()
    kinds = {"messages": MESSAGES, "asks": ASKS, "answers": ANSWERS}
    found = {
        f"{folder}/{name}": _alone(kind.__name__, every)
        for folder, named in kinds.items()
        for name, kind in named.items()
    }
    return found | {ANY_MESSAGE: any_message()}


def any_message() -> Schema:
    """What every message has, today and tomorrow."""
    first = dict(components()[MESSAGES["heartbeat"].__name__])
    properties = first["properties"] | {
        "type": {"type": "string"} | _words("type"),
        "data": {"type": "object"} | _words("data"),
    }
    text = "Any message, of a type that is known today or of one to come."
    return {
        "$schema": DIALECT,
        **first,
        "title": "Message",
        "description": text,
        "properties": properties,
    }


def _alone(name: str, every: dict[str, Schema]) -> Schema:
    """A schema that stands by itself, with the others that it refers to."""
    wanted, found = [name], {}
    while wanted:
        one = wanted.pop()
        if one not in found:
            found[one] = every[one]
            wanted += referred(every[one], _IN_FILE)
    own = found.pop(name)
    rest = {"$defs": dict(sorted(found.items()))} if found else {}
    return {"$schema": DIALECT, **own, **rest}


def referred(schema: object, ref: str) -> list[str]:
    """The names that a schema refers to."""
    match schema:
        case dict():
            inner = [name for value in schema.values() for name in referred(value, ref)]
            name = schema.get("$ref")
            return [*inner, name.removeprefix(ref)] if isinstance(name, str) else inner
        case list():
            return [name for value in schema for name in referred(value, ref)]
        case _:
            return []


def _told(name: str, schema: Schema) -> Schema:
    """A class's schema with what its members mean, and its version nailed down."""
    plain = str(schema.get("description", "")).replace("``", "`")
    schema = schema | ({"description": plain} if plain else {})
    if "properties" not in schema:
        return schema
    members = {
        member: _fixed(kind) | _words(member, name) for member, kind in schema["properties"].items()
    }
    required = list(schema.get("required", ()))
    if "v" in members:
        members["v"] = {"const": VERSION} | _words("v")
        required = ["v", *(one for one in required if one != "v")]
    return schema | {"properties": members, "required": required}


def _fixed(kind: Schema) -> Schema:
    """One word is a constant; a default is the studio's affair."""
    kind = {key: value for key, value in kind.items() if key != "default"}
    return {"const": kind["enum"][0]} if len(kind.get("enum", ())) == 1 else kind


def _words(member: str, of: str = "") -> Schema:
    found: Member | None = MEMBERS.get(f"{of}.{member}") or MEMBERS.get(member)
    if found is None:
        raise NotDescribed(
            f"{of}.{member} is public and nobody says what it means: give it a row in MEMBERS of "
            "studio/contract/members.py, and a place on the integrators' page"
        )
    return {"description": found.text, **found.more}
