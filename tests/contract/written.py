# SPDX-License-Identifier: Apache-2.0
"""The files of the public contract, as the types have them now."""

import json
from pathlib import Path
from typing import Any

from studio.contract import asyncapi, schema

ROOT = Path(__file__).parents[2]
FILES = ROOT / "studio" / "contract" / "files"
COMMAND = ".venv/bin/python -m tests.contract"


def text_of(value: Any) -> str:
    """A file of the contract: JSON for people to read and for programs to compare."""
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def files() -> dict[str, str]:
    """Every file by its name in the folder."""
    made = {f"{name}.json": text_of(one) for name, one in schema.files().items()}
    return made | {"asyncapi.json": text_of(asyncapi.document())}


def write(folder: Path, wanted: dict[str, str]) -> None:
    """Make a folder hold these files and no other."""
    for file in folder.rglob("*.json"):
        if str(file.relative_to(folder)) not in wanted:
            file.unlink()
    for name, text in wanted.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
