# SPDX-License-Identifier: Apache-2.0
"""A card that was known while bets were open, by each value of the house's ``early_card``.

Played, burned, or the round void: by the command that rules a coup, and at a live table with a
simulated shoe. No shipped house voids, so a site's own file has that.
"""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from studio.cli.exits import Exit
from studio.game.house import REMEDIES
from studio.settings import SITE_VARIABLE, SettingsFault, load_house
from tests.cli.run import SECONDS, STUDIO, environment

SITE = Path(__file__).parents[1] / "site"
# what comes of QC, drawn too soon, and of 5S 6D 2D KH after it
HOUSES = {"play": "france", "burn": "studio", "void": "early-void"}
COMPACT = "( QC ) 5S 6D 2D"
VALUES = sorted(HOUSES)


def studio(home: Path, *arguments: str, given: str = "") -> str:
    done = subprocess.run(
        [*STUDIO, *arguments],
        env=environment(home) | {SITE_VARIABLE: str(SITE)},
        cwd=home,
        input=given,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (Exit.DONE, "")
    return done.stdout


def ruled(home: Path, house: str, *codes: str) -> dict[str, Any]:
    """What ``studio adjudicate`` says of these cards, the first drawn while bets were open."""
    first, *others = ({"card": code} for code in codes)
    events = [{"bets": "open"}, first, {"bets": "closed"}, *others]
    record = json.dumps({"id": "early", "house": house, "events": events})
    answer: dict[str, Any] = json.loads(studio(home, "adjudicate", given=record))
    return answer


def test_there_is_a_house_for_each_value_and_another_value_is_refused(tmp_path: Path) -> None:
    assert set(HOUSES) == set(REMEDIES["early_card"])
    for value, name in HOUSES.items():
        assert load_house(name, SITE).early_card == value
    file = tmp_path / "houses" / "early-void.toml"
    file.parent.mkdir()
    text = (SITE / "houses" / "early-void.toml").read_text(encoding="utf-8")
    file.write_text(text.replace('early_card = "void"', 'early_card = "keep"'), encoding="utf-8")
    with pytest.raises(SettingsFault) as found:
        load_house("early-void", tmp_path)
    assert '"keep" is no remedy here; use one of play, burn, void' in str(found.value)


@pytest.mark.req("RND-4")
def test_an_early_card_is_played_burned_or_the_round_is_void(tmp_path: Path) -> None:
    cards = ("QC", "5S", "6D", "2D")
    told = {value: ruled(tmp_path, name, *cards) for value, name in HOUSES.items()}
    early = [{"code": "card-before-close", "card": 1}]
    assert all(one["irregularities"] == early for one in told.values())
    found = {
        value: (one["verdict"], one["player"], one["banker"], one["outcome"], one["surplus"])
        for value, one in told.items()
    }
    assert found == {
        "play": ("reconstructed", ["QC", "6D"], ["5S", "2D"], "banker", []),
        "burn": (
            "incomplete", ["5S", "2D"], ["6D"], None, [{"card": "QC", "remedy": "burn"}],
        ),
        "void": ("void", ["QC", "6D"], ["5S", "2D"], None, []),
    }  # fmt: skip


@pytest.mark.parametrize("value", VALUES)
def test_the_value_that_ruled_is_told_with_its_source(value: str, tmp_path: Path) -> None:
    name = HOUSES[value]
    told = " ".join(studio(tmp_path, "adjudicate", "--house", name, COMPACT).split())
    source = load_house(name, SITE).sources["early_card"]
    assert f"House {name}, early_card = {value}: {source}" in told


@pytest.mark.req("RND-4")
@pytest.mark.parametrize("value", VALUES)
def test_at_a_live_table_the_same_comes_of_it_and_the_feed_never_shows_it_before(
    value: str, tmp_path: Path
) -> None:
    drill = ("drill", "card-before-close", "--house", HOUSES[value], "--json")
    sheet = json.loads(studio(tmp_path, *drill))
    unmet = [one for one in sheet["checks"] if not one["met"]]
    assert (sheet["passed"], unmet) == (True, [])
    results = next(one["seen"] for one in sheet["checks"] if one["what"] == "results")
    expected = {"play": "banker: QC 6D / 5S 2D", "burn": "player: 5S 2D / 6D KH", "void": "void"}
    assert results == expected[value]
