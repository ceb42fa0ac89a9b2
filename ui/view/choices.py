# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be picked at the step of a form: a ruling, a round, a card by its number."""

from studio.game.cards import Card
from studio.game.snapshot import StaffState
from ui.view.acts import step_of
from ui.view.forms import (
    CORRECT_VOID,
    LAYS,
    OTHER_ROUND,
    OWN_WORDS,
    Step,
    asides_of,
    dealers_for,
    key_of,
    reads_of,
)
from ui.view.holding import consequence_of
from ui.view.picture import are_values_shown
from ui.view.seen import Panel, Seen
from ui.view.speech import Speech, fit, short

# What is picked, its words, and a line about it.
Pickable = tuple[str, str, str]


def form_choices(panel: Panel, seen: Seen, speech: Speech) -> tuple[Pickable, ...]:
    """What can be picked in the step at which this form stands: value, words, detail."""
    console, state = speech.words.console, seen.state
    if state is None:
        return ()
    is_shown = are_values_shown(state)
    match step_of(panel, seen):
        case Step.RULING:
            return tuple(
                (key_of(one), speech.words.remedies[one.remedy.value],
                 consequence_of(one, state, speech, is_shown=is_shown))
                for one in state.proposals
            )  # fmt: skip
        case Step.GROUND:
            known = tuple((code, text, "") for code, text in console.grounds.items())
            return (*known, (OWN_WORDS, console.panels["words"], "")) if seen.is_pit else known
        case Step.DEALER:
            return tuple((one, one, "") for one in dealers_for(seen))
        case Step.ROUND if panel.act == CORRECT_VOID:
            return _void_rounds(seen, state, is_shown=is_shown)
        case Step.ROUND:
            return _rounds(seen, speech)
        case Step.REPORT:
            return tuple(
                (code, fit(speech.words.irregularities[code].what, "panel.choice"), "")
                for code in state.withdrawable
            )
        case Step.WINNER:
            return tuple((one, speech.fact(one), "") for one in ("player", "tie", "banker"))
        case Step.LAY:
            fact = state.evidence[int(panel.values[0]) - 1].fact
            said = {"early"} if fact.is_early_said else set()
            said |= {one for one in ("face_up", "stuck", "unseen") if getattr(fact, one)}
            lays = [f"not_{one}" if one in said else one for one in LAYS]
            return tuple((one, console.panels[f"lay-{one}"], "") for one in lays)
        case Step.NUMBER:
            return _numbers(panel, seen, speech, is_shown=is_shown)
        case _:
            return ()


def _rounds(seen: Seen, speech: Speech) -> tuple[Pickable, ...]:
    """The rounds of this shoe whose result can still be changed, the last one first."""
    state = seen.state
    if state is None:
        return ()
    rows = []
    for one in reversed(state.public.results):
        if one.outcome is None or one.amendable_until is None or one.amendable_until < seen.now:
            continue
        totals = {"player": one.player_total, "banker": one.banker_total}
        cards = " ".join(map(short, one.player)), " ".join(map(short, one.banker))
        ended = speech.fact(f"result-{one.outcome.value}", **totals)
        told = f"{one.round.removeprefix(f'{seen.table}-')}  {ended}"
        rows.append((one.round, fit(told, "panel.choice"), " / ".join(cards)))
    return (*rows, (OTHER_ROUND, speech.words.console.panels["other-round"], ""))


def _void_rounds(seen: Seen, state: StaffState, *, is_shown: bool) -> tuple[Pickable, ...]:
    """The void rounds of this shoe that had cards, the last one first."""
    rows = []
    for round_, cards in reversed(state.void_cards.items()):
        told = " ".join("?" if one is None else short(one) for one in cards) if is_shown else ""
        rows.append((round_, round_.removeprefix(f"{seen.table}-"), told))
    return tuple(rows)


def _numbers(panel: Panel, seen: Seen, speech: Speech, *, is_shown: bool) -> tuple[Pickable, ...]:
    """The cards that this act can be about. A missing one can also come after the last.

    Of the burned ones, and of those aside that are given a value, only the number is shown, to
    nobody the value.
    """
    state = seen.state
    if state is None:
        return ()
    reads: dict[int, Card | None] = {one.number: one.fact.card for one in state.evidence}
    aside = asides_of(state, panel.act)
    match panel.act:
        case "enter_card" | "correct_card" if aside is not None:
            reads = dict.fromkeys(aside)
        case "correct_burn":
            reads = dict.fromkeys(range(1, state.burn_reads + 1))
        case "correct_void":
            reads = dict(enumerate(state.void_cards.get(panel.values[0], ()), 1))
        case "strike_card":
            reads = reads_of(state)
        case "enter_card":
            reads[len(reads) + 1] = None
        case _:
            pass
    return tuple(
        (
            str(number),
            speech.fact("card-number", number=number)
            if card is None or not is_shown
            else speech.fact("card-shown", number=number, card=short(card)),
            "",
        )
        for number, card in reads.items()
    )
