# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path

import pytest

from studio.cli import run
from studio.cli.exits import Exit
from tests.contract.written import files

SCHEMAS = sorted(name.removesuffix(".json") for name in files() if name != "asyncapi.json")


def test_without_an_option_the_contract_lists_every_schema(capsys):
    assert run(["contract"]) == Exit.DONE
    text = capsys.readouterr().out
    assert [line.strip() for line in text.splitlines() if line.startswith("  ")] == SCHEMAS
    for option in ("--page", "--asyncapi", "--schema", "--out"):
        assert option in text


@pytest.mark.parametrize("name", ["messages/result", "result", "message", "asks/round"])
def test_a_schema_is_printed_by_its_name(name, capsys):
    assert run(["contract", "--schema", name]) == Exit.DONE
    wanted = {"result": "messages/result"}.get(name, name)
    assert capsys.readouterr().out == files()[f"{wanted}.json"]


def test_the_page_and_the_asyncapi_document_are_printed(capsys):
    assert run(["contract", "--page"]) == Exit.DONE
    assert capsys.readouterr().out.startswith("# The feed, for who writes a betting front-end\n")
    assert run(["contract", "--asyncapi"]) == Exit.DONE
    assert json.loads(capsys.readouterr().out)["asyncapi"] == "3.0.0"


def test_all_of_it_is_written_into_a_folder(tmp_path, capsys):
    folder = tmp_path / "new" / "contract"
    assert run(["contract", "--out", str(folder)]) == Exit.DONE
    assert "integrators.md" in capsys.readouterr().out
    found = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    assert found == {*files(), "integrators.md"}
    assert (folder / "asks/round.json").read_text() == files()["asks/round.json"]


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("--schema", "resullt"), "`studio contract` lists them"),
        (("--schema", "round"), "which of answers/round, asks/round?"),
        (("--page", "--asyncapi"), "choose one"),
    ],
)
def test_what_cannot_be_chosen_is_told(arguments, said, capsys):
    assert run(["contract", *arguments]) == Exit.BAD_SETTINGS
    assert said in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, capsys):
    (tmp_path / "taken").write_text("")
    assert run(["contract", "--out", str(tmp_path / "taken")]) == Exit.FAILED
    assert "taken" in capsys.readouterr().err
