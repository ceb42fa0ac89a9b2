# SPDX-License-Identifier: Apache-2.0
"""For every row of the catalogue: a story that raises it, and one that almost does.

A story is told for a house and begins where it says; ``before`` are the cards on the table.
"""

from collections.abc import Callable

from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome, Side
from studio.game.house import Burn, BurnRule, House, ResultEntry, ShoeMode
from studio.game.inputs import CardDrawn, DeviceMode, Target
from studio.game.prompts import prompt_for
from studio.game.state import Phase
from tests.game.table_audit import Audit
from tests.game.table_driver import BY, WHY, Driven, command_for, house, next_fresh

# what may lie on the table before each of a coup's six cards
BEFORE = ("", "9H", "9H KS", "2H KS TC", "2H KS TC 2D", "2H 2S KC QD 9C")
COMPLETE = ("9H KS TC 7D", "6H 7S KC QD", "2H 7S KC QD 3S", "6H 2S KC QD 7C", "2H 2S KC QD 9C 4S")
NATURAL, STAND = COMPLETE[:2]
MOST_STEPS = 60


def rules(name: str, /, **changes: object) -> House:
    """A shipped house without burn, guard and automatic results."""
    quick = {"close_guard_ms": 0, "burn": Burn(BurnRule.NONE), "result_entry": ResultEntry.CONFIRM}
    return house(name, **{**quick, **changes})


def dealt(rule: House, codes: str = "2H KS") -> Driven:
    """A table with these cards out."""
    table = Driven(rule).dealing()
    table.cards(codes)
    return table


def noted(rule: House, codes: str, **said: object) -> Driven:
    """The same, when somebody saw how the last card lay."""
    table = dealt(rule, codes)
    number = len(table.state.coup_cards)
    table.ask("note_card", **{"number": number, **said})
    return table


def called(rule: House, codes: str, outcome: Outcome) -> Driven:
    """The dealer calls a winner over these cards."""
    table = dealt(rule, codes)
    table.ask("call_result", outcome=outcome)
    return table


def told(rule: House, report: inp.Report, codes: str = "2H KS") -> Driven:
    """The shoe says something over these cards."""
    table = dealt(rule, codes)
    table.report(report)
    return table


def dealt_out(rule: House, cut: int) -> Driven:
    """A shoe of one deck in order, cut there and dealt to its last card.

    Of one that is reshuffled after every round somebody says that it is empty, or not.
    """
    if rule.shoe_mode is ShoeMode.CONTINUOUS:
        table = dealt(rule)
        return table if cut else _asked(table, "note_shoe_empty")
    # so near the end that none of the coups before is the last
    from_end = None if rule.cut_card_from_end is None else 1
    table = Driven(house(rule.name, decks=1, cut_card_from_end=from_end, close_guard_ms=0,
                         burn=Burn(BurnRule.NONE))).ready()  # fmt: skip
    deck = [card.value for card in Card]
    for code in deck[cut:] + deck[:cut]:
        if table.state.phase is not Phase.DEALING:
            table.dealing()
        table.card(code)
        if table.state.phase is Phase.RESULT:
            table.ask("confirm_result")
    return table


def _asked(table: Driven, tag: str) -> Driven:
    table.ask(tag)
    return table


def second_copy(rule: House, decks: int) -> Driven:
    """The same card twice, out of so many decks."""
    from_end = None if rule.cut_card_from_end is None else 12
    return dealt(rules(rule.name, decks=decks, cut_card_from_end=from_end), "9H 9H")


def early(rule: House, *, is_open: bool) -> Driven:
    """A card while bets are open, or just after."""
    table = Driven(rule).betting()
    if not is_open:
        table.expire()
    table.card("9H")
    return table


def between(rule: House, *, is_betting: bool) -> Driven:
    """A card after the result, or the first one of the next round."""
    table = Driven(rule).played()
    if is_betting:
        table.dealing()
    table.card("2C")
    return table


def corrected(rule: House, code: str) -> Driven:
    """The second card is said to be this one, as far as the table takes it."""
    table = dealt(rule)
    table.give(inp.CorrectCard(by=BY, number=2, card=Card(code), second="s-9"))
    return table


def in_doubt(rule: House, target: Target) -> Driven:
    """After a reconnect the shoe tells of a card for this side."""
    table = dealt(rule)
    table.report(inp.LineUp("pty", 2))
    table.report(CardDrawn(Card("TC"), target, 2))
    return table


def taken_back(rule: House, *, is_taken_back: bool) -> Driven:
    """A card was said to lie face up, and was ruled on; then that is taken back, or not."""
    table = noted(rule, "2H KS", face_up=True)
    table.ask("rule_hold")
    table.ask("note_card", number=2, face_up=not is_taken_back)
    return table


def reported(code: str) -> tuple["Story", "Story"]:
    """A person reports this row, or another one."""
    other = "mis-scored" if code != "mis-scored" else "table-cleared-early"

    def story(said: str) -> "Story":
        def tell(rule: House) -> Driven:
            table = Driven(rule).played() if code == "wrong-paid" else dealt(rule)
            table.ask("report_irregularity", code=said, detail=WHY)
            return table

        return tell

    return story(code), story(other)


Story = Callable[[House], Driven]


def served_again(table: Driven, *, is_restored: bool) -> Driven:
    """The service comes up on the record of a backup, or on the one that it left."""
    table.restored() if is_restored else table.restart()
    return table


_P, _B = Side.PLAYER, Side.BANKER
_FAULT = inp.FaultReported(inp.FaultKind.OVERDRAW, 3, latched=True)

STORIES: dict[str, tuple[Story, Story]] = {
    "excess-after-natural": (
        lambda r: dealt(r, "9H KS TC 7D 2C"),
        lambda r: dealt(r, "2H KS 5C 7D 2C"),
    ),
    "excess-after-complete": (
        lambda r: dealt(r, "6H 7S KC QD 2C"),
        lambda r: dealt(r, "6H 5S KC QD 2C"),
    ),
    "p3-when-stand-b-draws": (
        lambda r: noted(r, "6H 5S KC QD 2C", at=_P),
        lambda r: noted(r, "6H 5S KC QD 2C", at=_B),
    ),
    "p3-when-stand-b-stands": (
        lambda r: noted(r, "6H 7S KC QD 2C", at=_P),
        lambda r: noted(r, "6H 7S KC QD 2C", at=_B),
    ),
    "b3-when-stand": (
        lambda r: noted(r, "6H 7S KC QD 2C", at=_B),
        lambda r: noted(r, "6H 7S KC QD 2C", at=_P),
    ),
    "b3-missed": (
        lambda r: called(r, "6H 5S KC QD", Outcome.PLAYER),
        lambda r: called(r, "6H 7S KC QD", Outcome.BANKER),
    ),
    "p3-missed": (
        lambda r: called(r, "2H 7S KC QD", Outcome.BANKER),
        lambda r: called(r, "2H 7S KC QD 3S", Outcome.BANKER),
    ),
    "p3-skipped-b-drawn": (
        lambda r: noted(r, "2H 7S KC QD 3S", at=_B),
        lambda r: noted(r, "2H 7S KC QD 3S", at=_P),
    ),
    "third-to-wrong-hand": (
        lambda r: noted(r, "2H 2S KC QD 9C 4S", at=_P),
        lambda r: noted(r, "2H 2S KC QD 9C 4S", at=_B),
    ),
    "initial-order": (lambda r: noted(r, "2H KS", at=_P), lambda r: noted(r, "2H KS", at=_B)),
    "initial-short": (
        lambda r: called(r, "9H KS", Outcome.PLAYER),
        lambda r: called(r, NATURAL, Outcome.PLAYER),
    ),
    "double-pull": (lambda r: noted(r, "2H KS", stuck=True), lambda r: noted(r, "2H KS")),
    "card-before-close": (lambda r: early(r, is_open=True), lambda r: early(r, is_open=False)),
    "next-card-early": (
        lambda r: between(r, is_betting=False),
        lambda r: between(r, is_betting=True),
    ),
    "face-up-in-shoe": (lambda r: noted(r, "2H KS", face_up=True), lambda r: noted(r, "2H KS")),
    "duplicate-card": (lambda r: second_copy(r, 1), lambda r: second_copy(r, 2)),
    "insufficient-cards": (lambda r: dealt_out(r, 0), lambda r: dealt_out(r, 2)),
    "misscan-none": (
        lambda r: told(r, inp.CardUnreadable("no read")),
        lambda r: told(r, inp.CardRepeated(Card("KS"))),
    ),
    "misread": (lambda r: corrected(r, "QS"), lambda r: corrected(r, "KS")),
    "frame-lost": (
        lambda r: in_doubt(r, Target.BANKER),
        lambda r: in_doubt(r, Target.PLAYER),
    ),
    "shoe-failure": (lambda r: told(r, _FAULT), lambda r: told(r, inp.FaultCleared(3))),
    "wrong-result-announced": (
        lambda r: called(r, NATURAL, Outcome.TIE),
        lambda r: called(r, NATURAL, Outcome.PLAYER),
    ),
    "repeat-mismatch": (
        lambda r: told(r, inp.CardRepeated(Card("KD"))),
        lambda r: told(r, inp.CardRepeated(Card("KS"))),
    ),
    "card-out-of-game": (
        lambda r: told(r, CardDrawn(Card("TC"), in_game=False, mode=DeviceMode.LOCK)),
        lambda r: told(r, CardDrawn(Card("TC"))),
    ),
    "shoe-mismatch": (
        lambda r: told(r, CardDrawn(Card("TC"), Target.BANKER, 2)),
        lambda r: told(r, CardDrawn(Card("TC"), Target.PLAYER, 2)),
    ),
    "said-otherwise": (
        lambda r: taken_back(rules(r.name, face_up_card="burn"), is_taken_back=True),
        lambda r: taken_back(rules(r.name, face_up_card="burn"), is_taken_back=False),
    ),
    "record-restored": (
        lambda r: served_again(dealt(r, "2H KS TC"), is_restored=True),
        lambda r: served_again(dealt(r, "2H KS TC"), is_restored=False),
    ),
    **{
        code: reported(code)
        for code in (
            "card-returned", "exposed-in-deal", "card-on-floor", "card-lost", "card-damaged",
            "foreign-card", "unshuffled-shoe", "cut-card-missed", "burn-count-wrong",
            "ghost-read", "table-cleared-early", "mis-scored", "wrong-paid",
        )
    },
}  # fmt: skip


def codes_of(table: Driven) -> list[str]:
    """What holds the table, in the order in which it was raised."""
    return [] if table.state.hold is None else [one.code for one in table.state.hold.raised]


def out(table: Driven) -> str:
    """What left the shoe, as far as it is known, in the order of the codes."""
    return " ".join(sorted(code for code, n in table.state.copies.items() for _ in range(n)))


CARD_TO_COME = ("bets open", "dealing", "result", "held between")


def beside_a_card_to_come(table: Driven, when: str) -> None:
    """From between two rounds to where a card may come now."""
    if when == "held between":
        table.card("2C")
        return
    table.betting()
    if when != "bets open":
        table.expire()
    if when == "result":
        table.cards("9H KS TC 7D")


def go_home(table: Driven) -> Driven:
    """Follow the prompts until no round is under way; what was recorded keeps its promises."""
    for _ in range(MOST_STEPS):
        state = table.state
        prompt = prompt_for(state)
        if state.phase is Phase.IDLE and state.free_coup_cards is None:
            break
        if state.phase is Phase.SETTLING:
            table.ask("close_round")
        elif prompt.pull:
            table.card(next_fresh(state).value)
        elif prompt.commands:
            table.give(command_for(prompt.commands[0], state))
            assert not isinstance(table.last, inp.Refusal), table.last
        else:
            table.expire()
    assert table.state.phase is Phase.IDLE
    audited(table)
    return table


def audited(table: Driven) -> None:
    """The record of this table breaks no promise, and leads to its state."""
    audit = Audit()
    for recorded in table.log:
        audit.see(recorded)
    assert table.replayed() == table.state
