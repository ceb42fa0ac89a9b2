# SPDX-License-Identifier: Apache-2.0
"""The widgets draw every view without clipping or covering a text, and can be touched."""

import msgspec
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QColor

from studio.game.cards import Card
from tests.ui import samples
from tests.ui.looking import SIZES, faults_of, painted
from tests.ui.test_view_prompts import PROMPTS
from tests.ui.view_texts import seen_of, speech
from ui.console.surface import Surface
from ui.theme import DARK, LIGHT, MONO, contrast, font
from ui.view import model as m
from ui.view.boxes import BUDGETS
from ui.view.whole import view_of
from ui.widgets.cards import paint_card


def full(box: str) -> str:
    """A text as long as its box allows, of words as long as ours are."""
    words = "Wort carta mesa dealer banque piocher tableau mostrar "
    return (words * 5)[: BUDGETS[box]].strip()


def fullest() -> m.View:
    """A view in which every text is as long as it may be."""
    view = samples.view()
    hand = samples.hand("player", "TH QD 9C", "9", full("hand.told"), is_winner=True)
    places = (*hand.places[:2], samples.place("P3", face=m.Face.NEXT, label="weiterhin"))
    header = msgspec.structs.replace(
        view.header, house=full("header.house"), limits=full("header.limits"),
        round=full("header.round"), dealer=full("header.person"),
        supervisor=full("header.person"), badges=(full("header.badge"),) * 4,
        lamps=(m.LampView("SCHLITTEN", m.Lamp.BAD, full("header.lamp_word")),) * 2,
    )  # fmt: skip
    band = m.Band(
        code="x", role=m.BandRole.STOP, do=full("band.do").upper(), say=full("band.say"),
        why=full("band.why"), note=full("band.note"), act="main", key="Space",
        key_label=full("band.key_label"), help=full("band.help"), since="12:34",
    )  # fmt: skip
    key = msgspec.structs.replace(
        samples.KEYS[0], label=full("key.label"), key_text=full("key.text")
    )
    return msgspec.structs.replace(
        view,
        header=header,
        band=band,
        hands=m.Hands(hand, msgspec.structs.replace(hand, side="banker", places=places),
                      result=full("hand.result").upper(), outcome="tie"),
        shoe=m.ShoeDepth(part=0.5, cut_part=0.9, drawn=full("shoe.text"),
                         burned=full("shoe.text"), cut=full("shoe.text"), is_cut_seen=True),
        keys=(key,) * 8,
        foot=m.Foot(full("foot.refusal"), "", full("foot.software"), ""),
    )  # fmt: skip


def panels() -> dict[str, m.PanelView]:
    """A panel of each form, as full as may be."""
    choice = m.Choice("pick:x", full("panel.choice"), full("panel.detail"), is_chosen=False)
    chosen = msgspec.structs.replace(choice, is_chosen=True)
    field = m.Entry(full("panel.field"), "123456", is_secret=False, is_current=True)
    secret = m.Entry(full("panel.field"), "123456", is_secret=True, is_current=False)
    title, line = full("panel.title"), full("panel.line")
    return {
        "lines": m.PanelView(kind="why", title=title, lines=(line,) * 3),
        "evidence": m.PanelView(
            kind="why", title=title, lines=(line,) * 3, evidence=held().evidence
        ),
        "choices": m.PanelView(
            kind="problem", title=title, choices=(chosen, *(choice,) * 5), page="1/3"
        ),
        "numbers": m.PanelView(
            kind="log_in", title=title, lines=(line,), fields=(field, secret),
            has_number_pad=True, fault=line,
        ),
        "cards": m.PanelView(
            kind="form", title=title, lines=(line,), fields=(field,), has_card_pad=True
        ),
    }  # fmt: skip


def held() -> m.Held:
    """A hold in which every text is as long as it may be."""
    one = samples.held()
    found = ((full("held.what"), full("held.do")),)
    move = msgspec.structs.replace(one.moves[0], text=full("held.move"))
    proposal = msgspec.structs.replace(
        one.proposals[0], name=full("held.proposal"), consequence=full("held.consequence"),
        details=(full("held.detail"),),
    )  # fmt: skip
    read = m.ReadView(6, "10♥", full("held.laid_in"), full("held.facts"), "21:47:08", samples.RAW)
    return msgspec.structs.replace(
        one, evidence=(read,) * 7, title=full("held.title"), leave=full("held.leave"),
        found=found * 2,
        laid_title=full("held.laid"), must_title=full("held.section"),
        moves=(move, move), proposals=(proposal, proposal),
        proposals_title=full("held.section"), aside_title="bei Seite",
        aside=(samples.place("", "4S"),),
    )  # fmt: skip


def surface_of(qtbot, view: m.View, size: tuple[int, int] = (1920, 1080)) -> Surface:
    surface = Surface(view)
    qtbot.addWidget(surface)
    surface.resize(*size)
    surface.show()
    return surface


VIEWS = {
    "held, evidence": samples.view(
        held=msgspec.structs.replace(held(), moves=(), aside=(), laid_note=full("held.section"))
    ),
    "a coup": samples.view(),
    "everything full": fullest(),
    "held": samples.view(held=samples.held()),
    "held, full": msgspec.structs.replace(fullest(), held=held()),
    **{f"panel of {name}": samples.view(panel=one) for name, one in panels().items()},
    "light": msgspec.structs.replace(fullest(), is_light=True),
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", VIEWS)
def test_no_text_is_clipped_or_lies_on_another(qtbot, name, size):
    assert faults_of(surface_of(qtbot, VIEWS[name], size)) == []


def test_a_text_that_is_too_long_for_its_place_is_found(qtbot):
    band = samples.band(m.BandRole.MOVE, "WORD " * 80)
    assert faults_of(surface_of(qtbot, samples.view(band=band)))


def test_texts_on_one_another_are_found(qtbot):
    surface = surface_of(qtbot, samples.view())
    surface.foot.setGeometry(surface.keys.geometry())
    assert any("lies on" in fault for fault in faults_of(surface))


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_texts_stand_out_by_four_and_a_half_and_marks_by_three(theme):
    texts = ("text", "quiet", "accent", "player", "banker", "tie", "good", "alarm")
    low = [
        (ink, ground) for ink in texts for ground in ("panel", "ground", "raised")
        if contrast(theme.colour(ink), theme.colour(ground)) < 4.5
    ]  # fmt: skip
    low += [(role, "band") for role, pair in theme.bands.items()
            if contrast(pair.fill, pair.ink) < 4.5]  # fmt: skip
    low += [(side, "on it") for side in ("player", "banker", "tie")
            if contrast(theme.side(side), theme.on_mark) < 4.5]  # fmt: skip
    low += [(ink, "card") for ink in ("card_red", "card_black")
            if contrast(theme.colour(ink), theme.card) < 4.5]  # fmt: skip
    low += [("glow", "accent")] * (contrast(theme.glow, theme.accent) < 4.5)
    assert low == []


def test_parts_keep_their_places_in_every_state(qtbot):
    surface = surface_of(qtbot, samples.view())
    places = [part.geometry() for part in surface.parts]
    for view in VIEWS.values():
        surface.show_view(view)
        assert [part.geometry() for part in surface.parts] == places


def test_each_card_to_move_has_an_arrow_from_where_it_lies_to_where_it_belongs(qtbot):
    surface = surface_of(qtbot, samples.view(held=samples.held()))
    surface.grab()
    ends = surface.held.ends
    start, end = ends[m.Mark.MOVES, 5], ends[m.Mark.ARRIVES, 5]
    picture = surface.held.grab().toImage()
    accent = QColor(DARK.accent).rgb()
    below = [picture.pixel(int(end.center().x()), y) for y in range(int(end.bottom()) + 9,
             int(end.bottom()) + 20)]  # fmt: skip
    assert accent in below
    middle = int((start.center().x() + end.center().x()) / 2)
    lane = [picture.pixel(middle, y) for y in range(int(end.bottom()), int(end.bottom()) + 90)]
    assert accent in lane


def test_raw_bytes_are_in_a_face_of_equal_widths(qtbot):
    from PyQt6.QtGui import QFontInfo

    surface_of(qtbot, samples.view())
    assert QFontInfo(font(16, is_mono=True)).fixedPitch()
    assert QFontInfo(font(16, is_mono=True)).family() == MONO


def test_standing_keys_keep_their_places_whatever_the_prompt_asks_for(qtbot):
    def places(seen, size):
        surface = surface_of(qtbot, view_of(seen, speech()), size)
        surface.grab()
        rooms = {one.act: one.room for one in surface.keys.targets}
        return [rooms[act] for act in ("why", "problem", "call_supervisor", "more", "lock")]

    quiet, asked = seen_of(PROMPTS["deal-card"]()), seen_of(PROMPTS["held"]())
    for size in SIZES:
        assert places(quiet, size) == places(asked, size)


def test_the_place_that_is_next_glows(qtbot):
    surface = surface_of(qtbot, samples.view())
    accent = QColor(DARK.accent).rgb()
    picture = surface.hands.grab().toImage()
    right = [picture.pixel(x, picture.height() // 2) for x in range(picture.width() * 4 // 5,
             picture.width())]  # fmt: skip
    assert accent in right
    assert "P1 3H" in surface.hands.accessibleName()


def test_a_view_that_is_the_same_is_not_drawn_again(qtbot):
    surface = surface_of(qtbot, samples.view())
    qtbot.waitExposed(surface)
    qtbot.wait(50)
    surface.hands.placed = []
    surface.show_view(samples.view())
    qtbot.wait(20)
    assert surface.hands.placed == []


@pytest.mark.parametrize("scale", [1, 4])
def test_a_card_is_as_crisp_at_any_size(qtbot, scale):
    from PyQt6.QtCore import QRectF
    from PyQt6.QtGui import QImage, QPainter

    width, height = 100 * scale, 140 * scale
    image = QImage(width, height, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_card(painter, QRectF(0, 0, width, height), Card("9H"), DARK)
    painter.end()
    inks = [image.pixelColor(x, int(height * 0.75)).name() for x in range(width)]
    solid = inks.count(DARK.card_red) + inks.count(DARK.card)
    # only edges are mixed, and they are as thin on a large card as on a small one
    assert len(inks) - solid < 14 + 2 * scale
    assert inks.count(DARK.card_red) > width * 0.25


def test_a_touch_is_a_press_and_its_release_on_the_same_target(qtbot):
    surface = surface_of(qtbot, samples.view())
    surface.grab()
    told: list[str] = []
    surface.touched.connect(told.append)
    first, second = (target.room.center().toPoint() for target in surface.keys.targets[1:3])
    qtbot.mouseClick(surface.keys, Qt.MouseButton.LeftButton, pos=first)
    assert told == ["why"]
    qtbot.mousePress(surface.keys, Qt.MouseButton.LeftButton, pos=first)
    qtbot.mouseRelease(surface.keys, Qt.MouseButton.LeftButton, pos=second)
    off = surface.keys.targets[4].room.center().toPoint()
    qtbot.mouseClick(surface.keys, Qt.MouseButton.LeftButton, pos=off)
    beside = QPoint(surface.keys.width() - 2, 2)
    qtbot.mouseClick(surface.keys, Qt.MouseButton.LeftButton, pos=beside)
    assert told == ["why"]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_target_is_fifteen_millimetres_at_least(qtbot, size):
    least = 15 / 25.4 * 96
    for view in VIEWS.values():
        surface = surface_of(qtbot, view, size)
        surface.grab()
        for part in (surface.keys, surface.panel):
            if part.isHidden():
                continue
            small = [one for one in part.targets
                     if min(one.room.width(), one.room.height()) < least - 1]  # fmt: skip
            assert small == []


def test_every_widget_on_screen_has_a_name_for_a_screen_reader(qtbot):
    for view in VIEWS.values():
        surface = surface_of(qtbot, view)
        nameless = [type(part).__name__ for part in surface.parts
                    if not part.isHidden() and not part.accessibleName()]  # fmt: skip
        assert nameless == []


def test_no_widget_takes_the_focus(qtbot):
    surface = surface_of(qtbot, samples.view())
    assert {part.focusPolicy() for part in surface.parts} == {Qt.FocusPolicy.NoFocus}


def test_a_secret_is_drawn_as_dots_and_not_told_to_a_reader(qtbot):
    field = m.Entry("PIN", "4711", is_secret=True, is_current=True)
    panel = m.PanelView(kind="log_in", title="Log in", has_number_pad=True, fields=(field,))
    surface = surface_of(qtbot, samples.view(panel=panel))
    texts = [placed.text for _, placed, _ in painted(surface)]
    assert "●●●●" in texts
    assert not any("4711" in text for text in [*texts, surface.panel.accessibleName()])
