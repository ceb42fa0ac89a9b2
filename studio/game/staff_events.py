# SPDX-License-Identifier: Apache-2.0
"""What only staff may know: burned cards, irregularities, rulings, the state of the shoe."""

from studio.game.cards import Card
from studio.game.coup import Outcome, Position, Side
from studio.game.event_words import EventBase, Trust
from studio.game.house import House
from studio.game.inputs import Origin, Report, TableFacts


class ServiceRestarted(EventBase, frozen=True, tag="service_restarted"):
    """The service came up with these facts."""

    facts: TableFacts


class EpochBegun(EventBase, frozen=True, tag="epoch_begun"):
    """Numbering begins anew, for what was recorded after the epoch before may be lost.

    Always the first event of its epoch. ``from_epoch`` to ``from_head``: where the record of the
    epoch before ended; ``from_hash`` and ``from_head`` in hex. ``lost``: how many rounds, shoes
    and revisions of a round may have been given since, and are on no record; ``rounds_given`` and
    ``shoes_given``: the highest numbers of the gaming day ``day`` that a person knows of.
    """

    reason: str
    by: str
    from_epoch: str
    from_seq: int
    from_hash: str
    from_public_seq: int
    from_head: str
    day: str
    lost: int
    rounds_given: int = 0
    shoes_given: int = 0


class RulesLoaded(EventBase, frozen=True, tag="rules_loaded"):
    """The house's rules, whole; a round under way ends by the rules that it began with."""

    house: House


class CardBurned(EventBase, frozen=True, tag="card_burned"):
    """A card left the shoe and is out of play. ``burn``: number due once it is known.

    ``by`` and ``second`` told of it where no shoe did.
    """

    card: Card | None
    burn: int | None
    origin: Origin | None = None
    by: str | None = None
    second: str | None = None


class BurnCompleted(EventBase, frozen=True, tag="burn_completed"):
    """The burn is done."""

    burned: int


class CardKept(EventBase, frozen=True, tag="card_kept"):
    """A card took its position but is not public yet.

    It was drawn within the close guard, or in a coup without bets. ``is_carried``: it left the
    shoe in the coup before. ``is_manual``: a person entered it.
    """

    position: Position
    card: Card
    is_carried: bool = False
    is_manual: bool = False
    origin: Origin | None = None


class GuardEnded(EventBase, frozen=True, tag="guard_ended"):
    """The close guard is over."""


class ResultDeclared(EventBase, frozen=True, tag="result_declared"):
    """The coup is complete by the tableau; the dealer has not confirmed it yet."""

    outcome: Outcome
    player_total: int
    banker_total: int


class CardHeld(EventBase, frozen=True, tag="card_held"):
    """A card left the shoe and has no position yet: it waits until a person rules.

    ``number`` is its number in the coup; None for a card outside any coup. ``early``: it was drawn
    while bets were open. ``by`` and ``second`` told of it where no shoe did.
    """

    card: Card | None
    number: int | None = None
    early: bool = False
    origin: Origin | None = None
    by: str | None = None
    second: str | None = None


class CardNoted(EventBase, frozen=True, tag="card_noted"):
    """A person saw how the coup's card ``number`` lay; None of ``at``: not said.

    ``early`` is not said when it is False; ``not_early`` takes back that it was said.
    """

    number: int
    at: Side | None
    early: bool
    face_up: bool
    stuck: bool
    unseen: bool
    by: str
    not_early: bool = False


class CardEntered(EventBase, frozen=True, tag="card_entered"):
    """A person gave a card that was not read its value; ``missing``: the shoe never told of it.

    ``is_aside``: it lies aside outside any coup, and is the ``number``-th of those.
    """

    number: int
    card: Card
    missing: bool
    by: str
    second: str
    is_aside: bool = False


class CardCorrected(EventBase, frozen=True, tag="card_corrected"):
    """The physical card is ``card``; the shoe had read ``read``, and that is kept.

    ``is_aside``: it lies aside outside any coup, and is the ``number``-th of those.
    """

    number: int
    card: Card
    read: Card
    by: str
    second: str
    is_aside: bool = False


class CardStruck(EventBase, frozen=True, tag="card_struck"):
    """Read ``number`` was no card of its own: what was read is kept here, and counts no more.

    ``is_aside``: it lay aside outside any coup, and is the ``number``-th of those.
    """

    number: int
    card: Card | None
    reason: str
    by: str
    second: str
    is_aside: bool = False


class BurnCorrected(EventBase, frozen=True, tag="burn_corrected"):
    """The ``number``-th card burned from this shoe is ``card``; the shoe had read ``read``.

    ``burn``: number due from now on, None while it is not known.
    """

    number: int
    card: Card
    read: Card | None
    burn: int | None
    by: str
    second: str


class VoidedCardCorrected(EventBase, frozen=True, tag="voided_card_corrected"):
    """The ``number``-th card of a void round is ``card``; the shoe had read ``read``.

    The round stays void: only the inventory of the shoe changes.
    """

    round: str
    number: int
    card: Card
    read: Card | None
    by: str
    second: str


class ShoeFoundEmpty(EventBase, frozen=True, tag="shoe_found_empty"):
    """The shoe is empty while the coup asks for a card."""

    by: str | None = None


class ShoeStopped(EventBase, frozen=True, tag="shoe_stopped"):
    """No other coup is dealt from this shoe; ``code`` is the row of the catalogue that says so."""

    code: str
    by: str


class BurnOrdered(EventBase, frozen=True, tag="burn_ordered"):
    """Cards are burned in the middle of a shoe until ``burn`` are burned in all."""

    burn: int
    reason: str
    by: str


class SurplusCarried(EventBase, frozen=True, tag="surplus_carried"):
    """Cards that nobody saw go to the front of the next coup, in order."""

    cards: tuple[Card, ...]


class SurplusKeptForBurn(EventBase, frozen=True, tag="surplus_kept_for_burn"):
    """Cards that will be the next to be burned; ``in_order`` as for ``HeldCardBurned``."""

    cards: tuple[Card, ...]
    in_order: tuple[Card | None, ...] = ()


class FreeCoupDue(EventBase, frozen=True, tag="free_coup_due"):
    """Cards that players have seen: they are dealt out in a coup without bets."""

    cards: tuple[Card, ...]


class FreeCoupOpened(EventBase, frozen=True, tag="free_coup_opened"):
    """A coup without bets begins; its cards are not public.

    ``due``: how many of the cards that wait were to be dealt without bets; the others are carried.
    """

    by: str
    due: int | None = None


class FreeCoupCancelled(EventBase, frozen=True, tag="free_coup_cancelled"):
    """The coup without bets was opened by mistake: no card left the shoe for it.

    ``due`` wait for another one, ``carried`` for the next coup, both as before.
    """

    due: tuple[Card, ...]
    carried: tuple[Card, ...]
    by: str


class FreeCoupEnded(EventBase, frozen=True, tag="free_coup_ended"):
    """The coup without bets is over; its result counts for nothing. None: it was given up."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    outcome: Outcome | None
    by: str


class IrregularityRaised(EventBase, frozen=True, tag="irregularity_raised"):
    """Something physical went wrong; ``code`` is a row of the catalogue."""

    code: str
    detail: str
    card: Card | None = None
    number: int | None = None
    by: str | None = None
    origin: Origin | None = None


class ReportWithdrawn(EventBase, frozen=True, tag="report_withdrawn"):
    """A person had reported, noted or called ``code`` by mistake: it counts no more.

    ``call``: which of the coup's calls of the result it was, from 1; None for what was no call.
    """

    code: str
    reason: str
    by: str
    second: str | None = None
    call: int | None = None


class IrregularityResolved(EventBase, frozen=True, tag="irregularity_resolved"):
    """A person ruled: every open irregularity of the hold is mended by ``remedy``."""

    remedy: str
    reason: str
    by: str
    second: str | None = None


class HeldCardBurned(EventBase, frozen=True, tag="held_card_burned"):
    """The cards that lay aside are burned.

    ``in_order``: the same as they were drawn, None for one that was not read, which is how a burn
    correction counts them on. Empty in a record from when they could not be corrected.
    """

    cards: tuple[Card, ...]
    unread: int
    in_order: tuple[Card | None, ...] = ()


class StreamChanged(EventBase, frozen=True, tag="stream_changed"):
    """The stream of the shoe became trusted, suspect or lost.

    ``in_step``: the shoe counts the cards of the next coup, or of this one, as the table does.
    """

    trust: Trust
    reason: str
    by: str | None = None
    origin: Origin | None = None
    in_step: bool = False


class ReaderChanged(EventBase, frozen=True, tag="reader_changed"):
    """Another reader reads the same shoe: its cards and its id stay."""

    reason: str
    by: str


class ShoeNoted(EventBase, frozen=True, tag="shoe_noted"):
    """The shoe reported something that moves nothing; kept as evidence."""

    report: Report
    origin: Origin


class CallNoted(EventBase, frozen=True, tag="call_noted"):
    """The dealer called this winner."""

    outcome: Outcome
    by: str


class SupervisorCalled(EventBase, frozen=True, tag="supervisor_called"):
    """The table asks for a supervisor; play goes on.

    ``code``: the row of the catalogue that was reported, of the earlier round ``about``.
    """

    by: str
    code: str | None = None
    about: str | None = None
    detail: str = ""


class SupervisorCallEnded(EventBase, frozen=True, tag="supervisor_call_ended"):
    """The supervisor came, or whoever called took it back."""

    by: str


class HoldClaimed(EventBase, frozen=True, tag="hold_claimed"):
    """A person in the pit rules on this hold; ``taken_from``: who had claimed it before."""

    by: str
    taken_from: str | None = None


class HoldReleased(EventBase, frozen=True, tag="hold_released"):
    """Whoever had claimed the hold gave it back."""

    by: str


class ManagerRung(EventBase, frozen=True, tag="manager_rung"):
    """Nobody claimed the hold within the house's time: the manager is rung."""


class StaffNoted(EventBase, frozen=True, tag="staff_noted"):
    """Somebody tried something with badge, PIN, log-in or approval (``StaffTried``)."""

    act: str
    result: str
    by: str | None
    from_where: str
    about: str | None = None
    detail: str = ""
