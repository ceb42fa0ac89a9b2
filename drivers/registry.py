# SPDX-License-Identifier: Apache-2.0
"""Which families of shoes there are, by the name used in a table's settings.

A new family is its own file and one line here; the conformance suite then asks for its capture.
"""

from collections.abc import Callable, Mapping

import msgspec

from drivers.angel_eye_iiex import AngelEyeIIEX, AngelEyeSettings
from drivers.base import Decoder


class ShoeSettingsFault(Exception):
    """Settings of a shoe that cannot be used; ``faults`` names all of them, a line each."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


class Family(msgspec.Struct, frozen=True):
    """A family: its settings and how a decoder is made from them."""

    settings: type[msgspec.Struct]
    make: Callable[..., Decoder]


SHOES: dict[str, Family] = {
    "angel_eye_iiex": Family(AngelEyeSettings, AngelEyeIIEX),
}


def decoder_for(name: str, settings: Mapping[str, object]) -> Decoder:
    """A fresh decoder. Raises ``ShoeSettingsFault`` with every fault of name and settings."""
    faults = faults_of(name, settings)
    if faults:
        raise ShoeSettingsFault(tuple(faults))
    family = SHOES[name]
    return family.make(msgspec.convert(dict(settings), family.settings))


def faults_of(name: str, settings: Mapping[str, object]) -> list[str]:
    """What is wrong with a shoe's name and settings, all at once; empty if they can be used."""
    family = SHOES.get(name)
    if family is None:
        return [f"shoe driver {name!r} is not known; known are: {', '.join(sorted(SHOES))}"]
    fields = {field.name: field for field in msgspec.structs.fields(family.settings)}
    faults = [
        f"{key}: not a setting of {name}; its settings are: {', '.join(fields)}"
        for key in settings
        if key not in fields
    ]
    for key in fields.keys() & settings.keys():
        # Alone, so that one wrong value does not hide another.
        try:
            msgspec.convert({key: settings[key]}, family.settings)
        except msgspec.ValidationError as error:
            faults.append(_fault(key, settings[key], error))
    return sorted(faults)


def _fault(key: str, value: object, error: msgspec.ValidationError) -> str:
    text = str(error).split(" - at")[0].removeprefix(f"{key}: ")
    return f"{key}: {text} (it is {value!r})"
