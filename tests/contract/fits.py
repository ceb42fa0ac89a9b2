# SPDX-License-Identifier: Apache-2.0
"""Whether what is sent and asked fits the schemas that ship, by another library's judgement."""

import json
from functools import cache
from typing import Any

import jsonschema

from tests.contract.written import FILES


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    """The judge of one schema, by the name of its file."""
    schema = json.loads((FILES / f"{name}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def name_of(value: dict[str, Any]) -> str:
    """The schema for what this says it is."""
    if "ask" in value:
        return f"asks/{value['ask']}"
    if "answer" in value:
        return f"answers/{value['answer']}"
    return f"messages/{value['type']}"


def faults(value: dict[str, Any], name: str | None = None) -> list[str]:
    """What does not fit, a line each; a message must also be one as any message is."""
    own = name_of(value) if name is None else name
    names = [own, "message"] if own.startswith("messages/") else [own]
    return [
        f"{one} {'.'.join(map(str, fault.absolute_path))}: {fault.message}"
        for one in names
        for fault in validator(one).iter_errors(value)
    ]


def all_faults(payloads: list[bytes]) -> list[str]:
    """What does not fit of messages or answers, as bytes."""
    return [fault for payload in payloads for fault in faults(json.loads(payload))]
