# SPDX-License-Identifier: Apache-2.0
"""TOML text to typed values, with every fault found at once, each in words for a person.

Owns how a settings file is judged against a msgspec class: unknown keys, missing keys, values of
the wrong kind. It knows no setting by name and touches no file.
"""

import difflib
import tomllib
import types
import typing
from enum import Enum

import msgspec

S = typing.TypeVar("S", bound=msgspec.Struct)

_WORDS = {
    bool: ("true or false", "a yes or no"),
    int: ("a whole number", "a whole number"),
    float: ("a number", "a number with a fraction"),
    str: ("a text in quotes", "a text"),
    list: ("a list", "a list"),
    tuple: ("a list", "a list"),
    dict: ("a table", "a table"),
}


class Fault(msgspec.Struct, frozen=True):
    """One thing wrong in the settings: where, what, and what would be right.

    Without a ``key`` it is the whole file that cannot be used.
    """

    file: str
    key: str
    wrong: str
    right: str

    def __str__(self) -> str:
        place = f"{self.file}: {self.key}" if self.key else self.file
        return f"{place}: {self.wrong}; {self.right}"


def fault_told(file: str, line: str) -> Fault:
    """The fault that is told as "key: what is wrong; what would be right"."""
    key, _, text = line.partition(": ")
    wrong, _, right = text.partition("; ")
    return Fault(file, key, wrong, right)


class SettingsFault(Exception):
    """The settings cannot be used; ``faults`` lists everything that is wrong with them."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


def parsed(text: str, file: str) -> dict[str, typing.Any]:
    """The keys of a TOML text. Raises SettingsFault when it is not TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        what, _, place = str(fault).removesuffix(")").partition(" (at ")
        wrong = f"not TOML, {place}: {what}"
        raise SettingsFault([Fault(file, "", wrong, "correct this place")]) from None


def typed(
    cls: type[S], data: dict[str, typing.Any], file: str, stand_ins: dict[str, typing.Any]
) -> tuple[S, list[Fault]]:
    """``data`` as ``cls``, and every fault found in it.

    ``stand_ins``, a value for each required key, takes the place of what is missing or does not
    fit, so that the caller can judge what the sound values mean; with faults, the value is good
    for nothing else.
    """
    faults: list[Fault] = []
    sound = _sound(cls, data, file, "", faults)
    return msgspec.convert(_merged(stand_ins, sound), cls), faults


def unknown_key(key: str, known: typing.Iterable[str], file: str) -> Fault:
    """The fault of a key that nobody knows, with the nearest one that is known."""
    known = list(known)
    name = key.rpartition(".")[2]
    near = difflib.get_close_matches(name, known, n=1)
    right = f'did you mean "{near[0]}"?' if near else f"known here: {', '.join(known)}"
    return Fault(file, key, "no such setting", right)


def _sound(
    cls: type[msgspec.Struct],
    data: dict[str, typing.Any],
    file: str,
    prefix: str,
    faults: list[Fault],
) -> dict[str, typing.Any]:
    """The part of ``data`` that fits ``cls``; what does not goes to ``faults``."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(cls)}
    faults += [unknown_key(prefix + key, fields, file) for key in data if key not in fields]
    sound = {}
    for name, field in fields.items():
        key = prefix + name
        if name not in data:
            if field.required:
                faults.append(Fault(file, key, "missing", f"give {_expected(field.type)}"))
            continue
        value, inner = data[name], _struct_in(field.type)
        if inner is not None and isinstance(value, dict):
            sound[name] = _sound(inner, value, file, key + ".", faults)
            continue
        try:
            msgspec.convert(value, field.type)
            sound[name] = value
        except msgspec.ValidationError as misfit:
            what, _, at = str(misfit).removesuffix("`").partition(" - at `$")
            right = f"give {_expected(field.type)}" if not at else what.lower()
            faults.append(Fault(file, key + at, f"{_shown(value)}, which does not fit", right))
    return sound


def _merged(below: dict[str, typing.Any], above: dict[str, typing.Any]) -> dict[str, typing.Any]:
    merged = below | above
    for key, value in below.items():
        if isinstance(value, dict) and isinstance(above.get(key), dict):
            merged[key] = _merged(value, above[key])
    return merged


def _struct_in(kind: typing.Any) -> type[msgspec.Struct] | None:
    """The struct class that a field holds, None for anything else."""
    for option in _options(kind):
        if isinstance(option, type) and issubclass(option, msgspec.Struct):
            return option
    return None


def _options(kind: typing.Any) -> tuple[typing.Any, ...]:
    if isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union:
        return tuple(option for option in typing.get_args(kind) if option is not type(None))
    return (kind,)


def _expected(kind: typing.Any) -> str:
    """What a field takes, in words."""
    return " or ".join(_expected_of(option) for option in _options(kind))


def _expected_of(option: typing.Any) -> str:
    limits = ""
    if typing.get_origin(option) is typing.Annotated:
        metas = typing.get_args(option)[1:]
        limits = "".join(_limits(meta) for meta in metas if isinstance(meta, msgspec.Meta))
        option = typing.get_args(option)[0]
    plain = typing.get_origin(option) or option
    if isinstance(plain, type) and issubclass(plain, Enum):
        return "one of " + ", ".join(f'"{member.value}"' for member in plain)
    if isinstance(plain, type) and issubclass(plain, msgspec.Struct):
        return "a table"
    return _WORDS.get(plain, ("a value", ""))[0] + limits


def _limits(meta: msgspec.Meta) -> str:
    text = ""
    if meta.ge is not None:
        text += f" from {meta.ge}"
    if meta.le is not None:
        text += f" to {meta.le}" if meta.ge is not None else f" of at most {meta.le}"
    if meta.min_length:
        text += ", not empty"
    if meta.description:
        text += f" ({meta.description})"
    return text


def _shown(value: typing.Any) -> str:
    """A value as it stands in the file, and what kind of thing it is."""
    kind = _WORDS.get(type(value), ("", "a date or time"))[1]
    if isinstance(value, dict | list):
        return kind
    text = "true" if value is True else "false" if value is False else value
    return f'"{text}" is {kind}' if isinstance(value, str) else f"{text} is {kind}"
