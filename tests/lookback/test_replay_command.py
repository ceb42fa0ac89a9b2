# SPDX-License-Identifier: Apache-2.0
"""``studio replay``: listed, as JSON, stepped through with keys, and errors that teach."""

import io
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from studio.cli import run
from studio.cli.exits import Exit
from studio.cli.replaying import moved
from studio.store.staff_schema import create_staff
from tests.cli.terminal import Terminal
from tests.lookback.site import Site
from tests.staff.people import BADGES, PIN, Staff

GOLDEN = Path(__file__).parents[1] / "golden" / "replays"
# Of each run its own, and what is told apart by other tests.
_LEFT_OUT = ("epoch", "hash", "state")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return Site(tmp_path_factory.mktemp("site"))


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command prints."""
    assert run(["replay", *arguments]) == Exit.DONE
    return capsys.readouterr().out


def still_told(once: object, now: object, where: str = "") -> list[str]:
    """Where what was told once is told otherwise now; members may have been added."""
    if isinstance(once, dict) and isinstance(now, dict):
        pairs = [(f"{where}.{name}", value, now.get(name)) for name, value in once.items()]
    elif isinstance(once, list) and isinstance(now, list) and len(once) == len(now):
        pairs = [(f"{where}[{n}]", *two) for n, two in enumerate(zip(once, now, strict=True))]
    else:
        return [] if once == now else [f"{where}: {once!r}, now {now!r}"]
    return [fault for place, a, b in pairs for fault in still_told(a, b, place)]


def test_a_held_and_amended_round_is_told_as_it_always_was(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        json.loads(line)
        for line in told(capsys, site.rounds[1], *site.config, "--json").splitlines()
    ]
    for one in lines:
        assert one["replay"] is True
        for each in (one, *one.get("revisions", [])):
            for name in _LEFT_OUT:
                each.pop(name, None)
    kept = (GOLDEN / "held-and-amended.jsonl").read_text().splitlines()
    assert len(lines) == len(kept)
    for now, once in zip(lines, map(json.loads, kept), strict=True):
        assert still_told(once, now) == []


def test_the_state_of_a_step_is_what_a_console_drew(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    held = next(one.seq for one in site.told if one.event.__struct_config__.tag == "round_held")
    step = json.loads(told(capsys, site.rounds[1], *site.config, "--at", str(held), "--json"))
    assert (step["seq"], step["type"], step["whole"]) == (held, "round_held", True)
    assert step["state"]["phase"] == "held"
    assert step["state"]["prompt"]["code"] == "held"
    assert step["state"]["player"] == ["2H", "3D", "KS"]
    assert step["state"]["public"]["player"] == ["2H", "3D", "KS"]


def test_a_list_has_each_event_with_bytes_people_and_the_table(
    site: Site, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDIO_CONFIG", str(site.folder))
    text = told(capsys, site.rounds[1])
    assert text.startswith(f" REPLAY  {site.rounds[1]}  dealt 2026-11-29 13:00:")
    assert "final: banker 8-9   player 2H 6S   banker KS 9D   revision 2" in text
    assert "raw 00  report 6 of session s1" in text
    assert "dealing · player 2H 3D = 5 · banker 3S 4C = 7 · bets closed" in text
    assert "held for exposed-in-deal" in text
    assert "by s-001, s-002" in text
    assert "Draw a card for ." not in text


def test_people_are_named_to_those_who_may_look_at_the_accounts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Site(tmp_path)
    url = f"sqlite:///{tmp_path}/data/staff.db"
    create_staff(url)
    staff = Staff(url)
    staff.begin()
    with staff.book.writing() as page:
        page.add(replace(page.accounts()[0], id="s-001", badge="111", name="Anna Rossi"))

    def asked(badge: str, *more: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{PIN}\n"))
        command = ["replay", site.rounds[0], *site.config, "--as", badge, "--pin-stdin", *more]
        status = run(command)
        return status, *capsys.readouterr()

    status, lines, _ = asked(BADGES["manager"], "--json")
    named = [one for line in lines.splitlines() for one in json.loads(line).get("staff", ())]
    assert status == Exit.DONE
    assert {(one["id"], one["name"]) for one in named} == {("s-001", "Anna Rossi")}
    assert "by s-001 Anna Rossi" in asked(BADGES["supervisor"])[1]
    status, shown, why = asked(BADGES["dealer"])
    assert (status, shown) == (Exit.FAILED, "")
    assert "Your role may not do this" in why
    assert "Anna" not in told(capsys, site.rounds[0], *site.config).replace("dealer Anna", "")


def test_any_event_of_the_record_is_seen_without_a_round(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    for one in site.told[:12]:
        shown = told(capsys, *site.config, "--at", str(one.seq))
        assert f" {one.event.__struct_config__.tag}" in shown


@pytest.mark.req("DSP-4", "SW-5")
def test_an_event_that_is_asked_for_alone_tells_the_game_it_is_of_or_that_was_the_last(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    first = next(one.seq for one in site.told if one.round == site.rounds[0])
    for seq, round_ in ((first, site.rounds[0]), (site.told[-1].seq, site.told[-1].round)):
        shown = told(capsys, *site.config, "--at", str(seq))
        assert f"REPLAY  {round_}  dealt " in shown
        assert " final: " in shown
        assert " dealt by sabot " in shown
        game = json.loads(told(capsys, *site.config, "--at", str(seq), "--json"))["game"]
        assert game["round"] == round_
        assert game["final"]
    before = told(capsys, *site.config, "--at", "1")
    assert "final" not in before


@pytest.mark.parametrize(
    "arguments, status, named",
    [
        ([], Exit.BAD_SETTINGS, "give a round"),
        (["BAC-1-20261129-0999"], Exit.FAILED, "has no round BAC-1-20261129-0999"),
        (["--at", "999"], Exit.FAILED, "has no event 999: they end at"),
        (["--at", "5", "--epoch", "x"], Exit.FAILED, "no epoch x: table BAC-1 has"),
        (["BAC-1-20261129-0002", "--at", "5"], Exit.FAILED, "event 5 is not of round"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(
    site: Site,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    status: Exit,
    named: str,
) -> None:
    assert run(["replay", *site.config, *arguments]) == status
    assert named in " ".join(capsys.readouterr().err.replace("│", " ").split())


@pytest.mark.req("DSP-4")
def test_keys_step_through_a_round_on_a_terminal(site: Site, tmp_path: Path) -> None:
    terminal = Terminal(["replay", site.rounds[1], *site.config], tmp_path)
    terminal.until("REPLAY", site.rounds[1], "1 of 17", "bets open until", "PLAYER", "big road")
    terminal.press(b"\x1b[C ")
    terminal.until("3 of 17", "dealer_changed")
    terminal.press(b"\x1b[F")
    terminal.until("17 of 17", "result_amended", "banker 8-9")
    terminal.press(b"\x1b[D")
    terminal.until("16 of 17", "round_closed")
    terminal.press(b"g")
    terminal.until("1 of 17")
    terminal.press(b"q")
    assert terminal.wait() == Exit.DONE


@pytest.mark.parametrize(
    "at, key, there",
    [(0, b"p", 0), (0, b" ", 1), (4, b"n", 4), (4, b"g", 0), (0, b"G", 4), (2, b"x", 2)],
)
def test_a_key_never_leads_out_of_the_round(at: int, key: bytes, there: int) -> None:
    assert moved(at, key, 5) == there
