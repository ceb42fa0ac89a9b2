# SPDX-License-Identifier: Apache-2.0
"""Shoes by name, and their settings with every fault at once."""

import pytest

from drivers.registry import ShoeSettingsFault, decoder_for, faults_of


def test_an_unknown_shoe_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(ShoeSettingsFault, match="angel_eye_iiex"):
        decoder_for("angel_eye", {})


def test_all_faults_of_the_settings_are_named() -> None:
    faults = faults_of(
        "angel_eye_iiex",
        {"ack_reports": "yes", "duplicate_key": "card", "speed": 9600, "report_check": "learn"},
    )
    assert [fault.split(":")[0] for fault in faults] == ["ack_reports", "duplicate_key", "speed"]
    assert "'yes'" in faults[0]
    assert "sequence" in faults[2]
    with pytest.raises(ShoeSettingsFault) as caught:
        decoder_for("angel_eye_iiex", {"ack_reports": "yes", "speed": 9600})
    assert len(caught.value.faults) == 2


@pytest.mark.parametrize(
    "key,value",
    [("sequence", "01231"), ("command_check", "learn"), ("longest_frame", 4)],
)
def test_a_value_that_makes_no_sense_is_named_with_what_would(key: str, value: object) -> None:
    (fault,) = faults_of("angel_eye_iiex", {key: value})
    assert fault.startswith(f"{key}: ")
    assert repr(value) in fault


def test_good_settings_have_no_fault() -> None:
    assert faults_of("angel_eye_iiex", {"sequence": "ABC", "longest_frame": 16}) == []
