# SPDX-License-Identifier: Apache-2.0
"""The AsyncAPI 3.0 document of the public sockets, made from the same types as the schemas. Pure.

It describes the studio: what a table service sends on its PUB socket, and what it receives and
answers on its ROUTER socket.
"""

from typing import Any

from studio.contract.schema import ANSWERS, ASKS, MESSAGES, Schema, components
from studio.feed.wire import VERSION

_REF = "#/components/schemas/"
_TITLE = "Public feed of a Punto Banco table"
_TEXT = (
    "ZeroMQ: one PUB socket of messages and one ROUTER socket of requests for each table, CURVE "
    "on both. A message has two frames, its topic and one UTF-8 JSON object; a request and an "
    "answer have one. Read the integrators' page (`studio contract --page`) first: order, gaps, "
    "silence, amendments and signatures are rules, which no schema can say."
)
_SERVERS = {
    "public": ("5550", "PUB: messages and heartbeats. Connect a SUB."),
    "requests": ("5551", "ROUTER: requests. Connect a DEALER; send one frame, get one."),
}
# A request whose answer has another name than its own.
_ANSWERS = {"acknowledge": "acknowledged"}
_CURVE = "CURVE: the studio's public key, and a key pair of yours that the studio has let in."


def document() -> Schema:
    """The whole document."""
    return {
        "asyncapi": "3.0.0",
        "info": {"title": _TITLE, "version": f"{VERSION}.0.0", "description": _TEXT},
        "defaultContentType": "application/json",
        "servers": {
            name: {
                "host": f"studio.example:{port}",
                "protocol": "zmtp",
                "description": text,
                "security": [{"$ref": "#/components/securitySchemes/curve"}],
            }
            for name, (port, text) in _SERVERS.items()
        },
        "channels": _message_channels() | _request_channels(),
        "operations": _sent() | _asked(),
        "components": {
            "schemas": components(_REF),
            "messages": _messages("", MESSAGES) | _messages("ask_", ASKS) | _all_answers(),
            "securitySchemes": {"curve": {"type": "asymmetricEncryption", "description": _CURVE}},
        },
    }


def _messages(prefix: str, kinds: dict[str, type]) -> dict[str, Any]:
    return {
        prefix + name: {
            "name": prefix + name,
            "title": kind.__name__,
            "summary": (kind.__doc__ or "").partition("\n")[0].replace("``", "`"),
            "payload": {"$ref": _REF + kind.__name__},
        }
        for name, kind in kinds.items()
    }


def _all_answers() -> dict[str, Any]:
    return _messages("answer_", ANSWERS)


def _message_channels() -> dict[str, Any]:
    table = {"description": "The table's name, such as BAC-1; subscribe with the slash."}
    return {
        name: {
            "address": "{table}/" + name,
            "servers": [{"$ref": "#/servers/public"}],
            "parameters": {"table": table},
            "messages": {name: {"$ref": f"#/components/messages/{name}"}},
        }
        for name in MESSAGES
    }


def _request_channels() -> dict[str, Any]:
    sides = {"asks": ("ask_", ASKS), "answers": ("answer_", ANSWERS)}
    return {
        channel: {
            "address": None,
            "servers": [{"$ref": "#/servers/requests"}],
            "messages": {
                prefix + name: {"$ref": f"#/components/messages/{prefix}{name}"} for name in kinds
            },
        }
        for channel, (prefix, kinds) in sides.items()
    }


def _sent() -> dict[str, Any]:
    return {
        f"send_{name}": {
            "action": "send",
            "channel": {"$ref": f"#/channels/{name}"},
            "messages": [{"$ref": f"#/channels/{name}/messages/{name}"}],
        }
        for name in MESSAGES
    }


def _asked() -> dict[str, Any]:
    return {
        f"answer_{name}": {
            "action": "receive",
            "channel": {"$ref": "#/channels/asks"},
            "messages": [{"$ref": f"#/channels/asks/messages/ask_{name}"}],
            "reply": {
                "channel": {"$ref": "#/channels/answers"},
                "messages": [
                    {"$ref": f"#/channels/answers/messages/answer_{one}"}
                    for one in answers_to(name)
                ],
            },
        }
        for name in ASKS
    }


def answers_to(ask: str) -> list[str]:
    """What may be answered to a request: its own answer or an error; any, if it has none."""
    own = _ANSWERS.get(ask, ask)
    return [own, "error"] if own in ANSWERS else list(ANSWERS)
