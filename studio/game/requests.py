# SPDX-License-Identifier: Apache-2.0
"""What a person can ask of a table: one class for each command.

``by`` is a staff id, never a name; ``second`` is that of the person who approved.
"""

import msgspec

from studio.game.cards import Card
from studio.game.coup import Outcome, Position, Side
from studio.game.house import House


class _Command(msgspec.Struct, frozen=True, tag_field="command", kw_only=True):
    """A request of a person. ``by`` is a staff id, never a name."""

    by: str


class OpenTable(_Command, frozen=True, tag="open_table"):
    """Open the table to players. ``dealer`` is the screen name of the dealer on duty."""

    dealer: str


class CloseTable(_Command, frozen=True, tag="close_table"):
    """Close the table; only between rounds."""

    reason: str = "staff"


class SuspendTable(_Command, frozen=True, tag="suspend_table"):
    """Take no bets until resumed; a round under way is played to its end."""

    reason: str = "staff"


class ResumeTable(_Command, frozen=True, tag="resume_table"):
    """Go on after a suspension."""


class ChangeDealer(_Command, frozen=True, tag="change_dealer"):
    """Another dealer takes over; ``dealer`` is the screen name."""

    dealer: str


class LoadShoe(_Command, frozen=True, tag="load_shoe"):
    """A shuffled shoe is in place; the burn begins."""


class EndShoe(_Command, frozen=True, tag="end_shoe"):
    """Take the shoe out. ``left``: cards counted in it, or None to trust the system's own count.

    ``accept_mismatch`` closes a shoe whose count does not make the decks; it needs a ``reason``.
    """

    left: int | None = None
    accept_mismatch: bool = False
    reason: str = ""


class ChangeShoe(_Command, frozen=True, tag="change_shoe"):
    """Take the shoe out before its time and load another, once the round is over or void.

    ``left`` and ``accept_mismatch`` as for EndShoe; the ``reason`` is always needed.
    """

    reason: str
    left: int | None = None
    accept_mismatch: bool = False


class ChangeReader(_Command, frozen=True, tag="change_reader"):
    """Another reader reads the same shoe from now on: cards, shoe id and inventory stay.

    At any time, also within a coup. The new reader counts from its own start.
    """

    reason: str


class OpenBets(_Command, frozen=True, tag="open_bets"):
    """Open bets; closes the round before it, if that is settled."""


class CloseBets(_Command, frozen=True, tag="close_bets"):
    """No more bets, before the timer says so."""


class ConfirmResult(_Command, frozen=True, tag="confirm_result"):
    """The result stands. ``outcome`` is the winner as called, where the house asks for it."""

    outcome: Outcome | None = None


class CloseRound(_Command, frozen=True, tag="close_round"):
    """Bets are paid and the cards are cleared."""


class RuleHold(_Command, frozen=True, tag="rule_hold"):
    """Rule on a hold: ``remedy`` is one of its proposals, ``bound_to`` that proposal's digest.

    ``second`` is the staff id of the person who approved, where the house asks for one.
    ``faces_seen``: whether players saw the faces of the surplus cards, where the proposal asks.
    """

    remedy: str
    reason: str
    bound_to: str
    second: str | None = None
    faces_seen: bool | None = None


class VoidRound(_Command, frozen=True, tag="void_round"):
    """Cancel a round; stakes are returned. ``round`` names it.

    The one under way, or one that has its result and can still be amended: that takes two people.
    """

    round: str
    reason: str
    second: str | None = None


class NoteCard(_Command, frozen=True, tag="note_card"):
    """Say how card ``number`` of the coup lay: in which box, face up, stuck to the one before it.

    ``unseen``: nobody, camera included, saw its face. What is None is not said: it stays as it
    was said before.
    ``early``: it was drawn while bets were open, though the table knew them to be closed; False
    takes that back, but not what the table saw itself.
    """

    number: int
    at: Side | None = None
    early: bool | None = None
    face_up: bool | None = None
    stuck: bool | None = None
    unseen: bool | None = None


class EnterCard(_Command, frozen=True, tag="enter_card"):
    """Give card ``number``, which was not read, its value.

    ``missing``: the shoe never told of it; it takes that number, and those after it move on.
    In a hold outside a coup the number is its place among the cards that lie aside.
    """

    number: int
    card: Card
    second: str
    missing: bool = False


class CorrectCard(_Command, frozen=True, tag="correct_card"):
    """Card ``number`` was read wrongly: the physical card is right, the read is kept.

    In a hold outside a coup the number is its place among the cards that lie aside. ``round``: a
    void round of this shoe, whose card it is, read or not, in the order drawn.
    """

    number: int
    card: Card
    second: str
    round: str | None = None


class StrikeCard(_Command, frozen=True, tag="strike_card"):
    """Read ``number`` was no card of its own: one was slid back and out again, and read twice.

    In a held coup the number is the card's in the coup; outside one, its place among the cards
    that lie aside. What was read stays in the record.
    """

    number: int
    reason: str
    second: str


class CorrectBurn(_Command, frozen=True, tag="correct_burn"):
    """The ``number``-th card burned from this shoe is ``card``: it was read wrongly, or not.

    Those burned from aside, after a ruling or at the end of a coup, count on with the others.
    """

    number: int
    card: Card
    second: str


class CallResult(_Command, frozen=True, tag="call_result"):
    """The dealer called this winner aloud; it does not confirm anything."""

    outcome: Outcome


class NoteShoeEmpty(_Command, frozen=True, tag="note_shoe_empty"):
    """No card is left in the shoe."""


class ReportIrregularity(_Command, frozen=True, tag="report_irregularity"):
    """Name what only eyes can see; ``code`` is a reportable row of the catalogue."""

    code: str
    detail: str


class CallSupervisor(_Command, frozen=True, tag="call_supervisor"):
    """Ask the supervisor to come; play goes on, and players hear nothing of it."""


class AnswerCall(_Command, frozen=True, tag="answer_call"):
    """The supervisor has come, or is not needed any more."""


class ClaimHold(_Command, frozen=True, tag="claim_hold"):
    """Whoever gives it rules on this hold; it is refused while another person has claimed it.

    ``round``: the snapshot's round, None outside of one. ``take_over``: in place of that person.
    """

    round: str | None = None
    take_over: bool = False


class ReleaseHold(_Command, frozen=True, tag="release_hold"):
    """Whoever claimed this hold does not rule on it after all: anybody can claim it."""


class OpenFreeCoup(_Command, frozen=True, tag="open_free_coup"):
    """Deal a coup without bets: what players have seen is dealt out in it."""


class CancelFreeCoup(_Command, frozen=True, tag="cancel_free_coup"):
    """Call off a coup without bets that was opened by mistake, before its first card.

    The cards that were to be dealt in it wait as before.
    """


class WithdrawReport(_Command, frozen=True, tag="withdraw_report"):
    """Take back what a person reported, noted or called by mistake; ``code`` is the hold's."""

    code: str
    reason: str
    second: str | None = None


class NoteCutCard(_Command, frozen=True, tag="note_cut_card"):
    """The cut card came out, and the shoe did not tell of it. Only the first of a shoe counts."""


class BurnCards(_Command, frozen=True, tag="burn_cards"):
    """The next ``count`` cards are burned: on a change of dealer, or to mend a burn.

    Within a burn: so many more cards from now on, 0 if it is done.
    """

    count: int
    reason: str


class SetManualMode(_Command, frozen=True, tag="set_manual_mode"):
    """Cards are, or are no longer, entered by people."""

    on: bool
    second: str


class DealCard(_Command, frozen=True, tag="deal_card"):
    """In manual mode: this card lies at ``position``, which must be the one that is due."""

    card: Card
    position: Position
    second: str


class RecordCard(_Command, frozen=True, tag="record_card"):
    """Card ``number`` of this shoe left it and no shoe tells of it: judged as if one had.

    It must be the next to leave the shoe; ``card`` None: nobody knows its value. A card that is due
    in a coup is dealt by DealCard instead.
    """

    number: int
    second: str
    card: Card | None = None


class AmendRound(_Command, frozen=True, tag="amend_round"):
    """A round that has a result was wrong: these are its cards, in the order dealt to each hand."""

    round: str
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    reason: str
    second: str


class TrustStream(_Command, frozen=True, tag="trust_stream"):
    """A person has compared the table with the screen: the shoe's stream can be trusted again."""

    reason: str


class CheckSoftware(_Command, frozen=True, tag="check_software"):
    """Compare every file of the software with the approved manifest now; play goes on."""


class ApproveSoftware(_Command, frozen=True, tag="approve_software"):
    """The files are right as ``digest`` lists them: the SHA-256 of their manifest."""

    digest: str
    reason: str
    second: str


class SettingChange(msgspec.Struct, frozen=True):
    """One setting of a file before and after, as text; None where it is not there.

    ``restart``: the service takes it only when it is started again.
    """

    file: str
    key: str
    before: str | None
    after: str | None
    restart: bool = True


class ApplySettings(_Command, frozen=True, tag="apply_settings"):
    """Put settings that were laid ready in force; ``after`` and ``before`` are their digests.

    ``house``: the rules that follow, if they change. ``manifest`` is set by the service: the
    digest of the manifest with the new files in it.
    """

    reason: str
    before: str
    after: str
    changes: tuple[SettingChange, ...]
    second: str
    house: House | None = None
    manifest: str | None = None


Command = (
    OpenTable
    | CloseTable
    | SuspendTable
    | ResumeTable
    | ChangeDealer
    | LoadShoe
    | EndShoe
    | ChangeShoe
    | ChangeReader
    | OpenBets
    | CloseBets
    | ConfirmResult
    | CloseRound
    | RuleHold
    | VoidRound
    | TrustStream
    | NoteCard
    | EnterCard
    | CorrectCard
    | StrikeCard
    | CallResult
    | NoteShoeEmpty
    | ReportIrregularity
    | CallSupervisor
    | AnswerCall
    | ClaimHold
    | ReleaseHold
    | WithdrawReport
    | OpenFreeCoup
    | CancelFreeCoup
    | BurnCards
    | CorrectBurn
    | NoteCutCard
    | SetManualMode
    | DealCard
    | RecordCard
    | AmendRound
    | CheckSoftware
    | ApproveSoftware
    | ApplySettings
)
