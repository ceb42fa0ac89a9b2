# SPDX-License-Identifier: Apache-2.0
"""Views for tests of the widgets: made by hand, so that they can be as full as the boxes allow."""

import msgspec

from studio.game.cards import Card
from studio.game.roads import Counts, roads_of
from ui.view import model as m

MARKS = "PPBBTPBPPPBBBBTPBPBPPPPPPPBTBBPBPBBBPPTPBPPB"

KEYS = (
    m.KeyView(act="main", keys=("Space",), key_text="Space", label="Open bets", is_enabled=True,
              is_main=True, undo="Void round: stakes are returned."),
    m.KeyView(act="why", keys=("F1",), key_text="F1", label="Why", is_enabled=True, is_main=False,
              undo=""),
    m.KeyView(act="problem", keys=("F2",), key_text="F2", label="Problem", is_enabled=True,
              is_main=False, undo=""),
    m.KeyView(act="call_supervisor", keys=("F12",), key_text="F12",
              label="Call supervisor", is_enabled=True, is_main=False, undo=""),
    m.KeyView(act="more", keys=("F9",), key_text="F9", label="More", is_enabled=False,
              is_main=False, undo=""),
)  # fmt: skip


RAW = "05 31 44 81 b1 03 37 43"
EVIDENCE = tuple(
    m.ReadView(number, card, "Punto's box", "", f"21:47:0{number}", RAW)
    for number, card in enumerate(("6♦", "2♣", "K♣", "2♠", "5♥"), 1)
)


def place(position: str, card: str = "", face: m.Face | None = None, **more: object) -> m.PlaceView:
    """A place with a card, or as its face says."""
    is_card = face is None and card
    made = m.PlaceView(
        position=position,
        face=m.Face.UP if is_card else face or m.Face.EMPTY,
        card=Card(card) if card else None,
        spoken=f"{position} {card}",
    )
    return msgspec.structs.replace(made, **more)


def hand(side: str, cards: str, total: str = "", told: str = "", **more: object) -> m.HandView:
    """A box with these cards, in three places."""
    name = {"player": "PUNTO", "banker": "BANCO"}[side]
    letter = {"player": "P", "banker": "B"}[side]
    codes = cards.split()
    places = tuple(
        place(f"{letter}{number + 1}", codes[number] if number < len(codes) else "")
        for number in range(3)
    )
    made = m.HandView(side=side, name=name, total=total, told=told, is_winner=False, places=places)
    return msgspec.structs.replace(made, **more)


def roads(marks: str = MARKS) -> m.RoadsView:
    """The roads of a shoe with these results."""
    counts = Counts(
        rounds=len(marks), player=marks.count("P"), banker=marks.count("B"),
        tie=marks.count("T"), player_pair=3, banker_pair=2, naturals=9,
    )  # fmt: skip
    return m.RoadsView(
        roads=roads_of(marks),
        counts=counts,
        results=(),
        titles=("BEAD PLATE", "BIG ROAD", "BIG EYE BOY", "SMALL ROAD", "COCKROACH PIG",
                "THIS SHOE"),
        count_names=("Punto", "Banco", "Tie"),
        coup="coup 35",
    )  # fmt: skip


def view(**more: object) -> m.View:
    """A coup in the middle: Banco's third card is due."""
    next_place = place("B3", face=m.Face.NEXT, label="next")
    banker = hand("banker", "KC 5S", "5")
    made = m.View(
        header=m.Header(
            table="BAC-1", house="Venezia", limits="5-300 EUR", round="BAC-1-20261129-0214",
            dealer="Marco", supervisor="Anna", person="Marco", clock="21:47:08",
            lamps=(m.LampView("SHOE", m.Lamp.GOOD, "in game"),
                   m.LampView("FEED", m.Lamp.GOOD, "live")),
            badges=("TEST",),
        ),
        band=m.Band(
            code="deal-card", role=m.BandRole.MOVE, do="CARD TO BANCO", say="Card for Banker",
            why="Banco 5, Punto's third card 6: Banco draws.", key_label="pull the card",
            help="F2 problem · F1 why",
        ),
        hands=m.Hands(
            player=hand("player", "3H 2S 6D", "1", "drew on 5"),
            banker=msgspec.structs.replace(banker, places=(*banker.places[:2], next_place)),
        ),
        held=None,
        roads=roads(),
        shoe=m.ShoeDepth(part=0.42, cut_part=0.96, drawn="131 of 312 drawn", burned="5 burned",
                         cut="cut card not seen", is_cut_seen=False),
        panel=None,
        keys=KEYS,
        foot=m.Foot(refusal="", undo="Void round: stakes are returned.",
                    software="sabot 0.1.0 · 3f2a91bc", sending=""),
        is_locked=False,
        is_light=False,
    )  # fmt: skip
    return msgspec.structs.replace(made, **more)


def band(role: m.BandRole, do: str, **more: object) -> m.Band:
    """A band with a key."""
    made = m.Band(
        code="x", role=role, do=do, say="Place your bets", why="The table is ready.",
        act="main", key="Space", key_label="Space · Open bets", help="F2 problem · F1 why",
    )  # fmt: skip
    return msgspec.structs.replace(made, **more)


def held() -> m.Held:
    """Punto stood, and the fifth card lies in Punto's box."""
    laid_player = hand("player", "6D KC 5H", "")
    moved = msgspec.structs.replace(laid_player.places[2], mark=m.Mark.MOVES, number=5)
    laid = msgspec.structs.replace(laid_player, places=(*laid_player.places[:2], moved))
    must_banker = hand("banker", "2C 2S 5H", "9")
    arrives = msgspec.structs.replace(must_banker.places[2], mark=m.Mark.ARRIVES, number=5)
    must = msgspec.structs.replace(must_banker, places=(*must_banker.places[:2], arrives))
    return m.Held(
        title="HELD", leave="Leave every card where it lies. Do not call a result.",
        found=(("Player stands: the card in its box is Banker's third.",
                "Move it to Banker's box. Say to the table which box each card lay in."),),
        as_laid=(laid, hand("banker", "2C 2S")),
        as_must_be=(hand("player", "6D KC", "6"), must),
        laid_title="AS LAID", laid_note="", must_title="AS IT MUST BE · BANCO 9 - PUNTO 6",
        unknown_title="", unknown_box=(), aside=(), aside_title="ASIDE",
        moves=(m.MoveView(5, "Move 5♥ from Punto's box to Banco's third place", Card("5H"), "B3",
                          is_done=False, is_next=True),),
        proposals=(
            m.ProposalView("reconstruct", "Play on by the tableau", "Banco wins 9-6",
                           ("nothing is burned",), needs_second=False, is_first=True,
                           is_chosen=True),
            m.ProposalView("void", "Void the round", "All stakes are returned", (),
                           needs_second=True, is_first=False, is_chosen=False),
        ),
        proposals_title="WHAT MAY BE RULED", evidence=EVIDENCE, evidence_title="EVIDENCE",
        since="0:12",
    )  # fmt: skip
