# SPDX-License-Identifier: GPL-3.0-or-later
"""What a command still needs before it can be sent, step by step, and the command it makes.

One table says which steps each command has. The values are texts: a card's code, a number, the
code of a ground; ``command_of`` makes the command once all are there.
"""

from enum import Enum
from typing import Any, get_args

from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome, Position, Side
from studio.game.holds import Proposal
from studio.game.inputs import Command
from studio.game.snapshot import StaffState
from studio.staff.accounts import Role
from studio.staff.permissions import PERMISSIONS, Grant, grant_for, grant_of, tag_of
from ui.view.seen import LogInRule, Own, Seen

COMMANDS: dict[str, Any] = {str(one.__struct_config__.tag): one for one in get_args(Command)}
LAYS = ("player", "banker", "face_up", "stuck", "unseen", "early")
_NOBODY_SECOND = "second"
_NOBODY = "console"
_LONGEST_HAND = 3
_MAY_BE_ALONE = ("rule_hold", "void_round", "withdraw_report")
# The end of a shoe whose count does not make the decks, once the table has said so.
MISMATCH, ACCEPT_COUNT = "count_mismatch", "accept_count"
# What the pit has of its own: a hold that another person claimed, a round that is over.
TAKE_HOLD, VOID_PAST = "take_hold", "void_past"
# A card of a round that is void, where its number alone is one of the coup under way.
CORRECT_VOID = "correct_void"
_OTHER_NAMES = {
    ACCEPT_COUNT: "end_shoe",
    TAKE_HOLD: "claim_hold",
    VOID_PAST: "void_round",
    CORRECT_VOID: "correct_card",
}
FORMS = (*COMMANDS, *_OTHER_NAMES)
# A ground that is typed, and what was typed.
OWN_WORDS, TYPED_WORDS = "own", "="
# A round of an earlier shoe, whose number is typed.
OTHER_ROUND = "other-round"


class Step(str, Enum):
    """One thing to give: chosen from a list, or typed (``CARD*``, ``COUNT_*``), or ticked.

    ``CARD_TOLD`` can be left empty: nobody knows the card's value.
    """

    RULING = "pick-ruling"
    GROUND = "pick-ground"
    WINNER = "pick-winner"
    NUMBER = "pick-card"
    LAY = "pick-lay"
    REPORT = "pick-report"
    CARD = "card"
    CARD_TOLD = "card-told"
    COUNT_LEFT = "count-left"
    COUNT_BURN = "count-burn"
    MOVES = "moves"
    ROUND = "pick-round"
    HAND_PLAYER = "hand-player"
    HAND_BANKER = "hand-banker"
    WORDS = "words"
    ROUND_ID = "round-id"
    DEALER = "pick-dealer"


CARDS = (Step.CARD, Step.CARD_TOLD)
HANDS = (Step.HAND_PLAYER, Step.HAND_BANKER)
TYPED = (*CARDS, *HANDS, Step.COUNT_LEFT, Step.COUNT_BURN, Step.WORDS, Step.ROUND_ID)

_STEPS: dict[str, tuple[Step, ...]] = {
    "void_round": (Step.GROUND,),
    "change_shoe": (Step.GROUND,),
    "change_reader": (Step.GROUND,),
    "trust_stream": (Step.GROUND,),
    "end_shoe": (Step.COUNT_LEFT,),
    ACCEPT_COUNT: (Step.COUNT_LEFT, Step.GROUND),
    "burn_cards": (Step.COUNT_BURN, Step.GROUND),
    "withdraw_report": (Step.REPORT, Step.GROUND),
    "note_card": (Step.NUMBER, Step.LAY),
    "enter_card": (Step.NUMBER, Step.CARD),
    "correct_card": (Step.NUMBER, Step.CARD),
    "strike_card": (Step.NUMBER, Step.GROUND),
    "correct_burn": (Step.NUMBER, Step.CARD),
    "call_result": (Step.WINNER,),
    "deal_card": (Step.CARD,),
    "record_card": (Step.CARD_TOLD,),
    "amend_round": (Step.ROUND, Step.HAND_PLAYER, Step.HAND_BANKER, Step.GROUND),
    VOID_PAST: (Step.ROUND, Step.GROUND),
    CORRECT_VOID: (Step.ROUND, Step.NUMBER, Step.CARD),
}


def command_tag(act: str) -> str:
    """The command that an act makes."""
    return _OTHER_NAMES.get(act, act)


def steps_of(act: str, seen: Seen, values: tuple[str, ...] = ()) -> tuple[Step, ...]:
    """The steps of a command's form as the table stands, after these values."""
    steps = _fixed_steps(act, seen, values)
    if Step.GROUND in steps and values[steps.index(Step.GROUND) :][:1] == (OWN_WORDS,):
        # what is typed takes the place of the ground that stands for it
        at = steps.index(Step.GROUND)
        return (*steps[: at + 1], Step.WORDS, *steps[at + 1 :])
    return steps


def _fixed_steps(act: str, seen: Seen, values: tuple[str, ...]) -> tuple[Step, ...]:
    state = seen.state
    if act == "rule_hold":
        chosen = proposal_of(state, values[0]) if values else None
        # whoever moves the cards, and ticks them, is at the table
        has_moves = chosen is not None and bool(chosen.moves) and not seen.is_pit
        return (Step.RULING, Step.GROUND, *((Step.MOVES,) if has_moves else ()))
    if values[:1] == (OTHER_ROUND,):
        return (Step.ROUND, Step.ROUND_ID, *_STEPS[act][1:])
    if act == "open_table" and seen.is_pit:
        return (Step.DEALER,)
    if act in ("enter_card", "correct_burn") and unread_of(state, act) is not None:
        return (Step.CARD,)
    return _STEPS.get(act, ())


_WAITS_FOR = {"enter-card": "enter_card", "enter-burn-card": "correct_burn"}


def unread_of(state: StaffState | None, act: str = "enter_card") -> int | None:
    """The number of the card that the table waits for, if it waits for this act's."""
    if state is None or _WAITS_FOR.get(state.prompt.code) != act:
        return None
    return int(state.prompt.words["number"])


def reads_of(state: StaffState) -> dict[int, Card | None]:
    """The reads of a hold that may have been no card, by number (``holds.strikeable``)."""
    if state.hold is None:
        return {}
    if state.hold.back.value in ("dealing", "result"):
        return {one.number: one.fact.card for one in state.evidence if not one.fact.is_carried}
    return dict(enumerate(state.hold.aside, 1))


def asides_of(state: StaffState, act: str) -> tuple[int, ...] | None:
    """The numbers of the cards aside that this act can be about; None where a coup is held."""
    hold = state.hold
    if hold is None or hold.back.value in ("dealing", "result"):
        return None
    is_unread = act == "enter_card"
    return tuple(n for n, card in enumerate(hold.aside, 1) if (card is None) is is_unread)


def key_of(proposal: Proposal) -> str:
    """What names a proposal among the others: its remedy, and the answer that it goes with."""
    answers = {None: "", True: "-seen", False: "-unseen"}
    return proposal.remedy.value + answers[proposal.faces_seen]


def proposal_of(state: StaffState | None, key: str) -> Proposal | None:
    """The proposal with this key, if it can be ruled now."""
    proposals = () if state is None else state.proposals
    return next((one for one in proposals if key_of(one) == key), None)


def moves_left(seen: Seen, own: Own, key: str) -> tuple[int, ...]:
    """The numbers of the cards that are still to be moved for a ruling, in order."""
    chosen = proposal_of(seen.state, key)
    if chosen is None:
        return ()
    done = own.moves_done if own.moves_for == chosen.bound_to else frozenset[int]()
    return tuple(one.number for one in chosen.moves if one.number not in done)


def command_of(act: str, seen: Seen, values: tuple[str, ...], grounds: dict[str, str]) -> Command:
    """The command of a finished form, given by whoever is logged in.

    Who approves is set by the service; at a table where nobody logs in a name stands for them.
    """
    state = seen.state
    if state is None:
        raise LookupError("a command needs a table that was seen")
    # a ground of one's own is two values: that it is one, and its words
    values = tuple(one for one in values if one not in (OWN_WORDS, OTHER_ROUND))
    typed = {one: one[1:] for one in values if one.startswith(TYPED_WORDS)}
    made = _made(act, state, values, grounds | typed)
    by = seen.person.staff if seen.person is not None else _NOBODY
    kind = COMMANDS[command_tag(act)]
    if "second" in kind.__struct_fields__:
        is_open = seen.log_in is LogInRule.OPEN
        made["second"] = _NOBODY_SECOND if is_open else (None if act in _MAY_BE_ALONE else "")
    if act in ("open_table", "change_dealer") and "dealer" not in made:
        name = seen.person.screen_name if seen.person is not None else state.public.dealer
        made["dealer"] = name or _NOBODY
    command: Command = kind(by=by, **made)
    return command


def _made(
    act: str, state: StaffState, values: tuple[str, ...], grounds: dict[str, str]
) -> dict[str, Any]:
    """What the command says beside its people."""
    last = values[-1] if values else ""
    match act:
        case "rule_hold":
            chosen = proposal_of(state, values[0])
            reason = grounds[values[1]]
            if chosen is None:
                return {"remedy": values[0], "reason": reason, "bound_to": ""}
            return {
                "remedy": chosen.remedy.value,
                "reason": reason,
                "bound_to": chosen.bound_to,
                "faces_seen": chosen.faces_seen,
            }
        case "void_round":
            return {"round": state.public.round or "", "reason": grounds[last]}
        case "void_past":
            return {"round": values[0], "reason": grounds[last]}
        case "amend_round":
            player, banker = (hand_of(one) or () for one in values[1:3])
            reason = grounds[last]
            return {"round": values[0], "player": player, "banker": banker, "reason": reason}
        case "open_table" if values:
            return {"dealer": last}
        case "claim_hold" | "take_hold":
            return {"round": state.public.round, "take_over": act == TAKE_HOLD}
        case "change_shoe" | "change_reader" | "trust_stream":
            return {"reason": grounds[last]}
        case "end_shoe":
            return {"left": int(last) if last else None}
        case "accept_count":
            left = int(values[0]) if values[0] else None
            return {"left": left, "accept_mismatch": True, "reason": grounds[last]}
        case "withdraw_report":
            return {"code": values[0], "reason": grounds[values[1]]}
        case "burn_cards":
            return {"count": int(values[0]), "reason": grounds[values[1]]}
        case "note_card":
            fact = {last.removeprefix("not_"): not last.startswith("not_")}
            lay = {"at": Side(last)} if last in ("player", "banker") else fact
            return {"number": int(values[0]), **lay}
        case "enter_card":
            unread = unread_of(state)
            if unread is not None:
                return {"number": unread, "card": Card(last)}
            is_missing = asides_of(state, act) is None
            return {"number": int(values[0]), "card": Card(last), "missing": is_missing}
        case "correct_card":
            return {"number": int(values[0]), "card": Card(last)}
        case "correct_void":
            return {"round": values[0], "number": int(values[1]), "card": Card(last)}
        case "correct_burn":
            unread = unread_of(state, act)
            number = int(values[0]) if unread is None else unread
            return {"number": number, "card": Card(last)}
        case "strike_card":
            return {"number": int(values[0]), "reason": grounds[values[1]]}
        case "call_result":
            return {"outcome": Outcome(last)}
        case "deal_card":
            return {"card": Card(last), "position": Position(state.prompt.position or "P1")}
        case "record_card":
            return {"number": state.cards_out + 1, "card": Card(last) if last else None}
        case "report_irregularity":
            return {"code": values[0], "detail": values[1]}
        case "set_manual_mode":
            return {"on": not state.public.manual_mode}
        case "suspend_table":
            return {"reason": "review"}
        case _:
            return {}


def hand_of(text: str) -> tuple[Card, ...] | None:
    """The cards of a hand, in the order dealt, as they are kept once typed: ``3H KC``."""
    codes = text.split()
    return tuple(map(Card, codes)) if 2 <= len(codes) <= _LONGEST_HAND else None


def dealers_for(seen: Seen) -> tuple[str, ...]:
    """The screen names of those who can deal here: on duty, else who dealt last."""
    there = [one.screen_name for one in seen.on_duty if Role.DEALER.value in one.roles]
    last = "" if seen.state is None else seen.state.public.dealer
    return tuple(there) or (last or _NOBODY,)


def is_mine(seen: Seen) -> bool:
    """Whether whoever is logged in has claimed what is held."""
    hold = None if seen.state is None else seen.state.hold
    by = seen.person.staff if seen.person is not None else _NOBODY
    return hold is not None and hold.claimed_by == by


def may_give(tag: str, seen: Seen) -> bool:
    """Whether this person can give this command at all, alone or with another (ACC-1).

    While nobody is logged in, a dealer's commands are shown.
    """
    if seen.log_in is LogInRule.OPEN:
        return True
    roles = frozenset({Role.DEALER}) if seen.person is None else seen.person.roles
    return grant_of(PERMISSIONS[tag], roles) is not Grant.NO


def takes_two(command: Command, seen: Seen) -> bool:
    """Whether a second person must approve it, as far as the console knows; the table may ask."""
    if seen.log_in is LogInRule.OPEN or seen.person is None or seen.state is None:
        return False
    is_past = isinstance(command, inp.VoidRound) and command.round != seen.state.public.round
    is_late = is_past or (tag_of(command) == "void_round" and seen.state.phase == "settling")
    asked = seen.state.house.second_person
    return grant_for(command, seen.person.roles, asked, is_late=is_late) is Grant.PAIR


def takes_two_for(proposal: Proposal, seen: Seen) -> bool:
    """Whether a second person must approve this ruling."""
    if seen.log_in is LogInRule.OPEN:
        return proposal.needs_second
    ruling = inp.RuleHold(by="", remedy=proposal.remedy.value, reason="", bound_to="")
    return proposal.needs_second or takes_two(ruling, seen)


def outcome_command(seen: Seen, outcome: str | None) -> Command:
    """The result stands; with the winner as called, where the house asks for it."""
    by = seen.person.staff if seen.person is not None else _NOBODY
    return inp.ConfirmResult(by=by, outcome=None if outcome is None else Outcome(outcome))
