# SPDX-License-Identifier: Apache-2.0
"""Whether the contract still keeps what was published: nothing is removed, renamed or retyped.

``published.json`` holds the schemas that front-ends were written against. What the studio sends may
get more types and members; what front-ends ask may get more requests, and members that nobody
need send. What words describe may change.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from studio.contract import schema
from tests.contract.written import text_of

PUBLISHED = Path(__file__).parents[1] / "golden" / "contract" / "published.json"
WHAT_TO_DO = (
    "this breaks front-ends in use. Keep the member as it was and add a new one beside it; only "
    "where its meaning changes, raise VERSION in studio/feed/wire.py and speak both for a time"
)
_WORDS_ONLY = {"$schema", "$defs", "title", "description", "examples"}
_ASKS = "asks/"


def published() -> dict[str, Any]:
    """The schemas of the version that is in use, by the name of their file."""
    found: dict[str, Any] = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    return found


def write_published() -> None:
    """Publish the schemas of now."""
    PUBLISHED.parent.mkdir(parents=True, exist_ok=True)
    PUBLISHED.write_text(text_of(schema.files()), encoding="utf-8")


def breaks(old: dict[str, Any], new: dict[str, Any] | None = None) -> list[str]:
    """What of ``old`` is not kept by ``new`` (the types of now), a line each."""
    now = schema.files() if new is None else new
    found = []
    for name, before in old.items():
        if name not in now:
            found.append(f"{name} is gone: {WHAT_TO_DO}")
            continue
        is_asked = name.startswith(_ASKS)
        wholes = _whole(before, before), _whole(now[name], now[name])
        found += [f"{name}{what}: {WHAT_TO_DO}" for what in _differences(*wholes, "", is_asked)]
    return found


def _whole(part: Any, of: dict[str, Any]) -> Any:
    """A schema with what it refers to in its place, and without words."""
    match part:
        case {"$ref": str(name)}:
            rest = {key: value for key, value in part.items() if key != "$ref"}
            return _whole(of["$defs"][name.rpartition("/")[2]] | rest, of)
        case {"properties": properties}:
            plain = {key: value for key, value in part.items() if key != "properties"}
            inner = {name: _whole(one, of) for name, one in properties.items()}
            return {**_whole(plain, of), "properties": inner}
        case dict():
            return {key: _whole(one, of) for key, one in part.items() if key not in _WORDS_ONLY}
        case list():
            return [_whole(one, of) for one in part]
        case _:
            return part


def _differences(old: Any, new: Any, at: str, is_asked: bool) -> Iterator[str]:
    yield from _members(old, new, at, is_asked)
    for key in sorted((old.keys() | new.keys()) - {"properties", "required"}):
        match old.get(key), new.get(key):
            case dict() as before, dict() as after:
                yield from _differences(before, after, at, is_asked)
            case [dict(), *_] as before, [dict(), *_] as after if len(before) == len(after):
                for one, other in zip(before, after, strict=True):
                    yield from _differences(one, other, at, is_asked)
            case before, after if before != after:
                yield f"{at}: {key} was {json.dumps(before)}, is {json.dumps(after)}"


def _members(old: Any, new: Any, at: str, is_asked: bool) -> Iterator[str]:
    before, after = old.get("properties", {}), new.get("properties", {})
    must_before, must_after = set(old.get("required", ())), set(new.get("required", ()))
    for name, one in before.items():
        if name not in after:
            yield f"{at}.{name}: is gone"
        else:
            yield from _differences(one, after[name], f"{at}.{name}", is_asked)
    if is_asked:
        for name in sorted(must_after - must_before):
            yield f"{at}.{name}: nobody had to send it, and now everybody must"
    else:
        for name in sorted(must_before - must_after):
            yield f"{at}.{name}: was always sent, and may be left out now"
