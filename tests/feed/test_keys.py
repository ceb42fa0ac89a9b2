# SPDX-License-Identifier: Apache-2.0
"""Keys on disk: who can read them, and the rules of the list of those that are let in."""

import stat
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from studio.feed import keys as store
from studio.feed.allowed import (
    Allowed,
    Kind,
    Rows,
    active,
    changing,
    read_allowed,
    with_key,
    without_key,
)
from studio.feed.keys import ClientKeys, KeysRefused, ServerKeys, StudioKeys
from tests.feed.keyed import AT, Studio, public_of


@pytest.fixture
def keyed(tmp_path: Path) -> Studio:
    return Studio(tmp_path)


def row(name: str, number: int = 0, kind: Kind = Kind.OPERATOR) -> Allowed:
    return Allowed(name=name, kind=kind, public=f"{number:064x}", added=AT)


@pytest.mark.req("FEED-18")
def test_only_their_owner_can_see_the_keys(keyed: Studio) -> None:
    keyed.client("acme")
    assert stat.S_IMODE(keyed.folder.stat().st_mode) == 0o700
    names = {file.name: stat.S_IMODE(file.stat().st_mode) for file in keyed.folder.iterdir()}
    assert names == {"server.key": 0o600, "studio.pub": 0o600, "allowed.json": 0o600}


@pytest.mark.req("FEED-18")
@pytest.mark.parametrize("name", ["", "server.key", "allowed.json"])
def test_keys_that_others_could_read_are_refused_with_what_to_do(keyed: Studio, name: str) -> None:
    keyed.client("acme")
    path = keyed.folder / name if name else keyed.folder
    path.chmod(0o750 if path.is_dir() else 0o640)
    with pytest.raises(KeysRefused, match=rf"run `chmod {'600' if name else '700'} {path}`"):
        _all_read(keyed.folder)


def _all_read(folder: Path) -> None:
    ServerKeys.load(folder)
    read_allowed(folder)


@pytest.mark.parametrize("text", ["", "{}", "not JSON", '{"curve":"00","signing":"11"}'])
def test_a_damaged_key_is_refused_and_nothing_of_it_is_told(keyed: Studio, text: str) -> None:
    (keyed.folder / "server.key").write_text(text)
    with pytest.raises(KeysRefused, match=r"server\.key: damaged; restore it") as refused:
        ServerKeys.load(keyed.folder)
    assert text == "" or text not in str(refused.value)


def test_what_is_not_there_says_which_command_makes_it(tmp_path: Path) -> None:
    with pytest.raises(KeysRefused, match="studio keys init"):
        ServerKeys.load(tmp_path)
    with pytest.raises(KeysRefused, match="studio keys new"):
        ClientKeys.load(tmp_path)
    store.make_own_key(tmp_path / "own", "acme")
    with pytest.raises(KeysRefused, match="studio keys trust"):
        ClientKeys.load(tmp_path / "own")


def test_no_secret_is_in_what_is_printed_of_keys(keyed: Studio) -> None:
    keys = keyed.client("acme")
    for one, secret in ((keys, keys.pair.secret), (keyed.keys, keyed.keys.pair.secret)):
        assert secret.decode() not in repr(one)
        assert store.hex_of(secret) not in repr(one)


def test_keys_that_are_there_stay_as_they_are(keyed: Studio) -> None:
    assert store.make_server_keys(keyed.folder) == keyed.public
    store.make_own_key(keyed.folder, "here")
    with pytest.raises(KeysRefused, match="--next makes another one"):
        store.make_own_key(keyed.folder, "here")


@pytest.mark.req("FEED-18")
def test_a_machine_changes_its_own_key_in_two_steps(keyed: Studio) -> None:
    old = keyed.client("acme")
    machine = keyed.machine("acme")
    public = store.make_own_key(machine, "acme", is_next=True)
    assert ClientKeys.load(machine) == old
    assert store.own_key(machine, is_next=True) == ("acme", public)
    assert store.use_next(machine) == public == public_of(ClientKeys.load(machine))
    with pytest.raises(KeysRefused, match="--next"):
        store.use_next(machine)


@pytest.mark.req("FEED-18")
def test_a_studio_tells_its_next_keys_before_it_uses_them(keyed: Studio) -> None:
    both = store.make_server_keys(keyed.folder, is_next=True)
    assert (both.server[0], both.signing[0]) == keyed.keys.public_keys
    assert len(both.server) == len(both.signing) == 2
    assert ServerKeys.load(keyed.folder).public_keys == keyed.keys.public_keys
    assert store.use_next_server_keys(keyed.folder) == StudioKeys(both.server[1:], both.signing[1:])
    assert ServerKeys.load(keyed.folder).public_keys == (both.server[1], both.signing[1])


def test_a_key_is_taken_in_hex_and_in_z85_and_nothing_else_is(keyed: Studio) -> None:
    pair = keyed.client("acme").pair
    public = store.hex_of(pair.public)
    assert store.key_as_given(pair.public.decode()) == public
    assert store.key_as_given(f" {public.upper()}\n") == public
    for text in ("", "00", "g" * 64, public[:-1], "\xff" * 40, "~" * 40):
        with pytest.raises(KeysRefused, match="is no public key"):
            store.key_as_given(text)


# --- the list -----------------------------------------------------------------------------------


@pytest.mark.req("FEED-2")
def test_each_has_one_key_and_a_second_only_to_take_its_place() -> None:
    rows = with_key((), row("acme", 1))
    with pytest.raises(KeysRefused, match="this key is there, as acme's"):
        with_key(rows, row("best", 1))
    with pytest.raises(KeysRefused, match="say --next"):
        with_key(rows, row("acme", 2))
    with pytest.raises(KeysRefused, match="acme is operator already"):
        with_key(rows, row("acme", 2, Kind.CONSOLE))
    rows = with_key(rows, row("acme", 2), is_next=True)
    with pytest.raises(KeysRefused, match="revoke the old one first"):
        with_key(rows, row("acme", 3), is_next=True)
    rows = without_key(rows, "acme", AT, old_only=True)
    assert [one.public[-1] for one in active(rows)] == ["2"]
    with pytest.raises(KeysRefused, match="one key only"):
        without_key(rows, "acme", AT, old_only=True)


@pytest.mark.req("FEED-2")
def test_a_revoked_key_never_comes_back_and_all_keys_of_a_name_go_together() -> None:
    rows: Rows = with_key(with_key((), row("acme", 1)), row("acme", 2), is_next=True)
    rows = without_key(with_key(rows, row("best", 3)), "acme", AT + timedelta(hours=1))
    assert [one.name for one in active(rows)] == ["best"]
    assert [one.revoked for one in rows if one.name == "acme"] == [AT + timedelta(hours=1)] * 2
    with pytest.raises(KeysRefused, match="was revoked and stays so"):
        with_key(rows, row("acme", 1))
    with pytest.raises(KeysRefused, match="allowed are: best"):
        without_key(rows, "acme", AT)
    assert len(active(with_key(rows, row("acme", 4)), "acme")) == 1


@pytest.mark.parametrize("name", ["", "a b", "../acme", "-acme", "é", "a" * 41])
def test_a_name_is_a_word_that_fits_into_the_record(name: str) -> None:
    with pytest.raises(KeysRefused, match="is no name"):
        with_key((), row(name))


def test_two_who_change_the_list_at_once_lose_nothing(keyed: Studio) -> None:
    def add(first: int) -> None:
        for number in range(first, first + 20):
            with changing(keyed.folder) as rows:
                rows.append(row(f"n-{number}", number))

    threads = [threading.Thread(target=add, args=(first,)) for first in (100, 200, 300)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(read_allowed(keyed.folder)) == 60
    assert not list(keyed.folder.glob(".*"))


def test_a_change_that_is_refused_leaves_the_list_as_it_was(keyed: Studio) -> None:
    keyed.client("acme")
    before = (keyed.folder / "allowed.json").read_bytes()
    with pytest.raises(KeysRefused):
        keyed.revoke("best")
    assert (keyed.folder / "allowed.json").read_bytes() == before
