# SPDX-License-Identifier: GPL-3.0-or-later
"""A ruling that may be given: what follows from it as its headline, below it what is done."""

from typing import Any

from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QPainter

from ui.theme import BODY, SMALL
from ui.view.model import ProposalView
from ui.view.press import RULE
from ui.widgets.text import BOLD, Style
from ui.widgets.touch import Touchable, TouchTarget

_HEADLINE = Style(BODY - 3, BOLD, least=0.5, lines=2)
_NAME = Style(SMALL - 1, least=0.55, lines=2)


def paint_proposal(
    widget: Touchable[Any], painter: QPainter, box: QRectF, one: ProposalView
) -> None:
    """Paint it in its box; a touch on it begins it."""
    u, theme = widget.unit, widget.theme
    edge = theme.accent if one.is_first or one.is_chosen else theme.line
    widget.box(painter, box, theme.raised, edge, 3 if one.is_first else 1, 10)
    widget.targets.append(TouchTarget(box, f"{RULE}{one.key}"))
    inner = box.adjusted(16 * u, 4 * u, -16 * u, -4 * u)
    upper, lower = QRectF(inner), QRectF(inner)
    upper.setBottom(inner.top() + inner.height() * 0.54)
    lower.setTop(upper.bottom())
    widget.put(painter, upper, one.consequence or one.name, theme.text, _HEADLINE)
    below = "  ·  ".join(part for part in (one.name, *one.details) if part)
    widget.put(painter, lower, below if one.consequence else "", theme.quiet, _NAME)
