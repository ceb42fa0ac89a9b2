# SPDX-License-Identifier: Apache-2.0
"""``studio pit``: what it is told in vain, and in which order the tables stand."""

import pytest

from studio.cli.exits import Exit
from studio.demo import write_site
from tests.cli.run import studio


@pytest.mark.parametrize(
    "given", ["BAC-7", "BAC-7=tcp://10.0.0.7:5552", "=tcp://h:1,tcp://h:2", "BAC-7=a,b"]
)
def test_what_is_no_address_of_a_table_is_said_to_be_none(given, tmp_path):
    done = studio("pit", "--at", given, home=tmp_path)
    assert done.returncode == Exit.BAD_SETTINGS
    assert "give" in done.stderr


def test_a_table_with_any_free_port_is_to_be_named_with_its_address(tmp_path):
    file = write_site(tmp_path / "site", 1.0)
    done = studio("pit", "-c", str(file), home=tmp_path)
    assert (done.returncode, "--at" in done.stderr) == (Exit.BAD_SETTINGS, True)


def test_without_a_screen_it_is_said_where_to_look_instead(tmp_path, monkeypatch):
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    done = studio("pit", "--at", "BAC-1=tcp://127.0.0.1:1,tcp://127.0.0.1:2", home=tmp_path)
    assert done.returncode == Exit.FAILED
    assert "no screen here" in done.stderr


def test_tables_stand_in_the_order_of_their_numbers():
    from studio.cli.pit import _in_order

    names = ["BAC-10", "BAC-2", "vip", "BAC-1", "EU-3"]
    assert sorted(names, key=_in_order) == ["BAC-1", "BAC-2", "BAC-10", "EU-3", "vip"]
