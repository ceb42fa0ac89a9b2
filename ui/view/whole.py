# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole console, from what was seen."""

from ui.view.acts import key_views, label_of, undo_of
from ui.view.band import band_of
from ui.view.holding import held_of
from ui.view.model import View
from ui.view.panels import panel_of
from ui.view.picture import foot_of, hands_of, header_of, roads_of, shoe_of
from ui.view.seen import LinkState, Seen
from ui.view.speech import Speech


def view_of(seen: Seen, speech: Speech) -> View:
    """What a console shows at this moment. Never raises for a state that a table can be in."""
    band = band_of(seen, speech)
    sending = ""
    if seen.sending is not None:
        sending = speech.fact("sending", act=label_of(seen.sending, speech.words))
    undo = undo_of(band.act, speech.words)
    is_live = seen.link is LinkState.LIVE
    return View(
        header=header_of(seen, speech),
        band=band,
        hands=hands_of(seen, speech),
        held=held_of(seen, speech) if is_live else None,
        roads=roads_of(seen, speech),
        shoe=shoe_of(seen, speech),
        panel=panel_of(seen, speech),
        keys=key_views(seen, speech.words, speech.keys),
        foot=foot_of(seen, speech, undo, sending),
        is_locked=seen.is_locked,
        is_light=seen.is_light,
    )
