# SPDX-License-Identifier: Apache-2.0
"""All drills of a house, and the rows of the catalogue that none trains, each with the reason."""

from studio.drills import exposure, line, order, reader, results, supply
from studio.drills.words import Drill
from studio.game.house import House, ShoeMode
from studio.game.irregularities import IRREGULARITIES, RECORD_RESTORED, SeenBy


def drills_of(house: House) -> tuple[Drill, ...]:
    """Every drill, nearly in the order of the catalogue; what must come of it, by this house."""
    return (
        *order.drills(house),
        *exposure.drills(house),
        *supply.drills(house),
        *reader.drills(house),
        *results.drills(house),
        *line.drills(),
        # last, because every drill after it has its many cards to verify again
        *supply.long_drills(house),
    )


def undrilled(house: House) -> dict[str, str]:
    """Why a row of the catalogue has no drill in this house."""
    reasons = {
        code: row.why for code, row in IRREGULARITIES.items() if row.seen_by is SeenBy.NOBODY
    }
    reasons[RECORD_RESTORED] = "It is trained by a restore into an empty folder."
    if house.shoe_mode is ShoeMode.CONTINUOUS:
        reasons |= dict.fromkeys(
            ("cut-card-mid-round", "cut-card-first", "cut-card-missed"),
            "This house's shoe has no cut card.",
        )
    if house.face_up_card == "keep":
        reasons["said-otherwise"] = "No card is removed here by what a person says of it."
    return reasons
