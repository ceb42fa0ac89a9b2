# SPDX-License-Identifier: Apache-2.0
"""A value is set in a TOML text without touching anything else of it."""

import tomllib

import pytest

from studio.backup.placing import with_value

TEXT = """\
# a comment
data_folder = "here"  # where
[staff]
database = "one"
[other]
database = "two"
"""


@pytest.mark.parametrize(
    "section, key",
    [("", "data_folder"), ("", "new"), ("staff", "database"), ("staff", "new"), ("more", "new")],
)
def test_only_that_value_is_another(section: str, key: str) -> None:
    due = tomllib.loads(TEXT)
    (due.setdefault(section, {}) if section else due)[key] = 'a "text"'
    assert tomllib.loads(with_value(TEXT, section, key, 'a "text"')) == due


def test_an_empty_text_gets_it() -> None:
    assert tomllib.loads(with_value("", "staff", "database", "x")) == {"staff": {"database": "x"}}
