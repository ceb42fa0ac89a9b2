# SPDX-License-Identifier: Apache-2.0
import json

import pytest

from studio.cli import run
from studio.cli.exits import Exit
from tests.cli.site import INIT, changed, made


def test_db_create_makes_a_sound_record_without_rounds_once(home, capsys):
    file = made(home)
    changed(file, "BAC-1.db", "other.db")
    assert run(["db", "create", "-c", str(file)]) == Exit.DONE
    assert run(["verify", "-c", str(file)]) == run(["history", "-c", str(file)]) == Exit.DONE
    text = capsys.readouterr().out
    assert ("SOUND" in text, "no round" in text) == (True, True)
    assert run(["db", "create", "-c", str(file)]) == Exit.FAILED
    assert "exists" in capsys.readouterr().err
    assert run(["db", "upgrade", "-c", str(file)]) == Exit.DONE
    assert "already" in capsys.readouterr().out
    assert run(["db", "new-epoch", "-c", str(file)]) == Exit.DONE


@pytest.mark.parametrize("command", ["history", "verify", "serve"])
def test_a_record_that_is_missing_is_named_with_what_to_do(home, capsys, command):
    file = made(home)
    changed(file, "BAC-1.db", "missing.db")
    assert run([command, "-c", str(file)]) == Exit.FAILED
    assert "missing.db" in capsys.readouterr().err


def test_a_table_is_found_by_its_name_in_the_default_site(home, capsys):
    made(home)
    capsys.readouterr()
    assert run(["verify", "-t", "BAC-1", "--json"]) == Exit.DONE
    assert json.loads(capsys.readouterr().out)["table"] == "BAC-1"


def test_a_variable_that_names_no_site_is_told_and_no_other_settings_are_taken(
    home, capsys, monkeypatch
):
    for wrong in (made(home), home / "nowhere"):
        monkeypatch.setenv("STUDIO_CONFIG", str(wrong))
        capsys.readouterr()
        assert run(["history"]) == Exit.BAD_SETTINGS
        assert f"{wrong}: no folder of a site" in capsys.readouterr().err


def test_among_several_tables_one_must_be_named(home, capsys):
    for name in ("NORTH-1", "NORTH-2"):
        assert run([*INIT, "--first-port", "0", "--table", name]) == Exit.DONE
    assert run(["verify"]) == Exit.BAD_SETTINGS
    assert "NORTH-1, NORTH-2" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["watch", "dealer"])
def test_a_table_on_any_port_must_be_told_where_it_is(home, capsys, command):
    made(home)
    assert run([command]) == Exit.BAD_SETTINGS
    assert "studio serve" in capsys.readouterr().err
