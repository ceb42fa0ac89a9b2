# SPDX-License-Identifier: Apache-2.0
"""What only staff may know: burned cards, irregularities, rulings, the state of the shoe."""

from studio.game.cards import Card
from studio.game.coup import Outcome, Position
from studio.game.event_words import EventBase, Trust
from studio.game.house import House
from studio.game.inputs import Origin, Report, TableFacts


class ServiceRestarted(EventBase, frozen=True, tag="service_restarted"):
    """The service came up with these facts."""

    facts: TableFacts


class RulesLoaded(EventBase, frozen=True, tag="rules_loaded"):
    """The house's rules, whole; a round under way ends by the rules that it began with."""

    house: House


class CardBurned(EventBase, frozen=True, tag="card_burned"):
    """A card left the shoe and is out of play. ``burn``: number due once it is known."""

    card: Card | None
    burn: int | None
    origin: Origin | None = None


class BurnCompleted(EventBase, frozen=True, tag="burn_completed"):
    """The burn is done."""

    burned: int


class CardKept(EventBase, frozen=True, tag="card_kept"):
    """A card took its position but is not public yet: it was drawn within the close guard."""

    position: Position
    card: Card
    origin: Origin | None = None


class GuardEnded(EventBase, frozen=True, tag="guard_ended"):
    """The close guard is over."""


class ResultDeclared(EventBase, frozen=True, tag="result_declared"):
    """The coup is complete by the tableau; the dealer has not confirmed it yet."""

    outcome: Outcome
    player_total: int
    banker_total: int


class CardHeld(EventBase, frozen=True, tag="card_held"):
    """A card left the shoe that has no position: it lies aside until a person rules."""

    card: Card | None
    origin: Origin | None = None


class IrregularityRaised(EventBase, frozen=True, tag="irregularity_raised"):
    """Something physical went wrong; ``code`` is a row of the catalogue."""

    code: str
    detail: str
    card: Card | None = None
    origin: Origin | None = None


class IrregularityResolved(EventBase, frozen=True, tag="irregularity_resolved"):
    """A person ruled: every open irregularity of the hold is mended by ``remedy``."""

    remedy: str
    reason: str
    by: str


class HeldCardBurned(EventBase, frozen=True, tag="held_card_burned"):
    """The cards that lay aside are burned."""

    cards: tuple[Card, ...]
    unread: int


class StreamChanged(EventBase, frozen=True, tag="stream_changed"):
    """The stream of the shoe became trusted, suspect or lost."""

    trust: Trust
    reason: str
    by: str | None = None
    origin: Origin | None = None


class ShoeNoted(EventBase, frozen=True, tag="shoe_noted"):
    """The shoe reported something that moves nothing; kept as evidence."""

    report: Report
    origin: Origin


class CallNoted(EventBase, frozen=True, tag="call_noted"):
    """The dealer called this winner."""

    outcome: Outcome
    by: str
