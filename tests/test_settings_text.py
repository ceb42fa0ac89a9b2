# SPDX-License-Identifier: Apache-2.0
import tomllib

from hypothesis import given
from hypothesis import strategies as st

from studio.settings import LogIn, load_table
from studio.settings_text import NewTable, studio_text, table_text

TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)
VALUES = st.one_of(
    st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), TEXTS
)
SETTINGS = st.dictionaries(TEXTS, VALUES | st.lists(VALUES, max_size=3), max_size=3)


def new_table(**changes) -> NewTable:
    given = {
        "table": "BAC-3",
        "house": "studio",
        "driver": "angel_eye_iiex",
        "endpoint": "/dev/serial/by-id/usb-shoe",
        "simulated": False,
        "database": "sqlite:///BAC-3.db",
    }
    return NewTable(**(given | changes))


def test_what_is_written_loads(tmp_path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "studio.toml").write_text(studio_text(str(tmp_path / "data"), "Europe/Malta"))
    file = tmp_path / "tables" / "BAC-3.toml"
    file.write_text(table_text(new_table(shoe_settings={"baud": 9600})))
    table = load_table(file)
    assert table.table == "BAC-3"
    assert table.shoe.endpoint == "/dev/serial/by-id/usb-shoe"
    assert table.shoe.settings == {"baud": 9600}
    assert table.environment.value == "live"
    assert table.studio.time_zone == "Europe/Malta"
    assert table.database_url == f"sqlite:///{tmp_path}/data/BAC-3.db"


def test_a_test_may_want_keys_and_log_ins_as_where_real_cards_are_dealt(tmp_path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "studio.toml").write_text(studio_text(str(tmp_path / "data")))
    file = tmp_path / "tables" / "BAC-3.toml"
    for asked in (False, True):
        file.write_text(table_text(new_table(simulated=True, keys=asked, log_in=asked)))
        table = load_table(file)
        assert table.keys is asked
        assert table.log_in is (LogIn.REQUIRED if asked else LogIn.OPEN)
        assert table.environment.value == "test"


@given(endpoint=TEXTS, settings=SETTINGS)
def test_any_text_is_written_so_that_it_reads_back_the_same(endpoint, settings):
    read = tomllib.loads(table_text(new_table(endpoint=endpoint, shoe_settings=settings)))
    assert read["shoe"]["endpoint"] == endpoint
    assert read["shoe"].get("settings", {}) == settings


@given(folder=TEXTS)
def test_any_folder_is_written_so_that_it_reads_back_the_same(folder):
    assert tomllib.loads(studio_text(folder))["data_folder"] == folder
