# SPDX-License-Identifier: Apache-2.0
"""What takes each command back, or mends it; and who may: the README's table is made from it.

``python -m tests.undo`` writes it into README.md, between its two marks. Who may is read from
the permissions. ``tests/game/test_undo.py`` shows each at a table, and the console names the same.
"""

import sys
from pathlib import Path
from typing import NamedTuple

from studio.staff.accounts import Role
from studio.staff.permissions import PERMISSIONS, Grant

README = Path(__file__).parent.parent / "README.md"
COMMAND = ".venv/bin/python -m tests.undo"
BEGIN, END = f"<!-- made by `{COMMAND}` -->", "<!-- undo until here -->"


class Undo(NamedTuple):
    """The commands that take one back or mend what it did, the usual one first, and how far."""

    by: tuple[str, ...]
    how: str


UNDO: dict[str, Undo] = {
    # the table
    "open_table": Undo(("close_table",), "between rounds"),
    "close_table": Undo(("open_table",), ""),
    "suspend_table": Undo(
        ("resume_table",),
        "bets that it closed are opened again, or the round is void",
    ),
    "resume_table": Undo(("suspend_table",), ""),
    "call_supervisor": Undo(("answer_call",), "also by who called"),
    "answer_call": Undo(("call_supervisor",), ""),
    "change_dealer": Undo(("change_dealer",), "with the name of before"),
    # the shoe
    "load_shoe": Undo(("end_shoe",), "also within the burn"),
    "end_shoe": Undo(
        ("load_shoe",),
        "what has ended stays so: a shoe is loaded anew, under an id of its own",
    ),
    "change_shoe": Undo(("change_shoe",), "what has ended stays so: a shoe is loaded anew"),
    "change_reader": Undo(("change_reader",), "back to the one before"),
    "trust_stream": Undo(("report_irregularity",), "the table is held again"),
    # the deal
    "open_bets": Undo(
        ("void_round",),
        "opened too soon: stakes are returned; before the first card it uses up no last coup",
    ),
    "close_bets": Undo(
        ("void_round",),
        "closed too soon: bets of a round are not opened twice, it is void",
    ),
    "confirm_result": Undo(
        ("amend_round", "void_round"),
        "confirmed too early or wrong: a later revision, within the house's time",
    ),
    "close_round": Undo(("amend_round",), "its result can be put right as before"),
    "open_free_coup": Undo(
        ("cancel_free_coup",),
        "before a card left the shoe for it; its cards wait as before",
    ),
    "cancel_free_coup": Undo(("open_free_coup",), ""),
    "burn_cards": Undo(
        ("burn_cards",),
        "another number while it burns, 0 if it is done; ended too early: burn the rest",
    ),
    "note_cut_card": Undo(("end_shoe",), "players were told: the shoe ends a coup or two early"),
    # what people see and say
    "note_card": Undo(
        ("note_card",),
        "the last word counts, also that a card was not early; what the table saw stays",
    ),
    "call_result": Undo(
        ("withdraw_report", "call_result"),
        "a wrong winner that holds the table; else call again, the cards decide",
    ),
    "note_shoe_empty": Undo(
        ("withdraw_report",),
        "but not where the table counted every card out",
    ),
    "report_irregularity": Undo(
        ("withdraw_report", "answer_call", "rule_hold"),
        "or, where the house can mend it, the ruling to go on; a payment of before only calls",
    ),
    "withdraw_report": Undo(("report_irregularity",), "it is reported again"),
    "claim_hold": Undo(("release_hold",), "or another person takes over"),
    "release_hold": Undo(("claim_hold",), ""),
    # rulings and work by hand
    "enter_card": Undo(("correct_card",), ""),
    "correct_card": Undo(("correct_card",), ""),
    "deal_card": Undo(("correct_card",), ""),
    "strike_card": Undo(("enter_card",), "as a missing one, at its place"),
    "correct_burn": Undo(("correct_burn",), ""),
    "record_card": Undo(
        ("correct_card", "correct_burn", "strike_card"),
        "its value in a coup or in the burn; struck while it is held, if it was none",
    ),
    "set_manual_mode": Undo(("set_manual_mode",), "off again"),
    "rule_hold": Undo(
        ("amend_round", "void_round"),
        "the result that came of it; or the round",
    ),
    "void_round": Undo(("open_bets",), "a void round stays void: the next one is opened"),
    # software and settings
    "check_software": Undo(("check_software",), "nothing changes: it is checked again"),
    "approve_software": Undo(("approve_software",), "the manifest of before"),
    "apply_settings": Undo(("apply_settings",), "the settings of before"),
    "amend_round": Undo(("amend_round",), "one revision more, within the house's time"),
}


def who(tag: str) -> str:
    """Who may give a command, in words."""
    grants = PERMISSIONS[tag].grants
    alone = [role.value for role in Role if grants[role] is Grant.ALONE]
    pairs = [role.value for role in Role if grants[role] is Grant.PAIR]
    parts = [f"{' or '.join(alone)} alone"] if alone else []
    parts += [f"{' or '.join(pairs)} with a second person"] if pairs else []
    return "; ".join(parts)


def written(readme: str) -> str:
    """The README with the table as it is now. Raises ValueError if a mark is missing."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"README.md: the marks {BEGIN} and {END} must be there, in this order")
    lines = ["| command | taken back or mended by | who may |", "|---|---|---|"]
    for tag, undo in UNDO.items():
        by = " or ".join(f"`{one}`" for one in undo.by)
        how = f": {undo.how}" if undo.how else ""
        lines.append(f"| `{tag}` | {by}{how} | {who(undo.by[0])} |")
    table = "\n".join(lines)
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def main() -> int:
    """Write the table into the README; says whether that changed it."""
    old = README.read_text(encoding="utf-8")
    new = written(old)
    README.write_text(new, encoding="utf-8")
    sys.stdout.write("README.md: unchanged\n" if new == old else "README.md: table made anew\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
