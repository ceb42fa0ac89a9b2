# SPDX-License-Identifier: Apache-2.0
"""A report on pages: PDF, the same bytes for the same report. The only importer of reportlab."""

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    LongTable,
    PageTemplate,
    Paragraph,
    Spacer,
    TableStyle,
)

from studio.evidence.form import Evidence
from studio.evidence.report import Cell, Part, parts_of
from studio.words import Wording

_MONO_FILE = Path(__file__).parents[2] / "ui" / "fonts" / "IBMPlexMono-Regular.ttf"
_MONO, _PLAIN, _BOLD = "IBM Plex Mono", "Helvetica", "Helvetica-Bold"
_INK, _QUIET, _LINE, _SHADE = map(HexColor, ("#111820", "#5b6672", "#c9d0d6", "#f1f4f6"))
_RED = "#b3261e"
_SUITS = {"S": "\u2660", "H": "\u2665", "D": "\u2666", "C": "\u2663"}
_SIDE, _TOP, _FOOT = 16 * mm, 24 * mm, 18 * mm
_WIDTH = A4[0] - 2 * _SIDE

_style = ParagraphStyle("text", fontName=_PLAIN, fontSize=8, leading=10.5, textColor=_INK)
_title = ParagraphStyle("title", _style, fontName=_BOLD, fontSize=20, leading=25)
_for_whom = ParagraphStyle("for", _style, fontSize=9.5, leading=13, textColor=_QUIET, spaceAfter=8)
_heading = ParagraphStyle("heading", _style, fontName=_BOLD, fontSize=12, leading=16, spaceAfter=3)
_note = ParagraphStyle("note", _style, textColor=_QUIET, spaceAfter=4)
_column = ParagraphStyle("column", _style, fontName=_BOLD, fontSize=7, leading=9)
_cell = ParagraphStyle("cell", _style, fontName=_MONO, fontSize=6.6, leading=8.6, splitLongWords=1)
_TABLE = TableStyle(
    [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, _LINE),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
        ("LEFTPADDING", (0, 0), (-1, -1), 3),
        ("RIGHTPADDING", (0, 0), (-1, -1), 3),
    ]
)
_HEADED = [("BACKGROUND", (0, 0), (-1, 0), _SHADE)]


def pdf_of(evidence: Evidence, words: Wording, digest: str) -> bytes:
    """The report as PDF. ``digest``: SHA-256 of the evidence file that it is the report of."""
    _load_font()
    parts = parts_of(evidence, words, digest)
    pages = _built(evidence, words, parts, 0)[1]
    return _built(evidence, words, parts, pages)[0]


@cache
def _load_font() -> None:
    pdfmetrics.registerFont(TTFont(_MONO, str(_MONO_FILE)))


def _built(evidence: Evidence, words: Wording, parts: list[Part], pages: int) -> tuple[bytes, int]:
    """The document, which says on each page that it has ``pages``, and how many it has."""
    said, round_id = words.report, evidence.round.round
    for_whom = said[f"for_{evidence.made_for.value}"]

    def furnish(canvas: Any, document: Any) -> None:
        canvas.saveState()
        canvas.setFillColor(_INK)
        canvas.setFont(_MONO, 9)
        canvas.drawString(_SIDE, A4[1] - 14 * mm, round_id)
        canvas.setFillColor(_QUIET)
        canvas.setFont(_PLAIN, 8)
        canvas.drawRightString(A4[0] - _SIDE, A4[1] - 14 * mm, said[f"{evidence.made_for.value}"])
        number = said["page"].format(page=document.page, pages=pages)
        canvas.drawRightString(A4[0] - _SIDE, 10 * mm, number)
        canvas.drawString(_SIDE, 10 * mm, f"{said['title']} · {said['times']}")
        canvas.setStrokeColor(_LINE)
        canvas.line(_SIDE, A4[1] - 17 * mm, A4[0] - _SIDE, A4[1] - 17 * mm)
        canvas.restoreState()

    written = BytesIO()
    document = BaseDocTemplate(
        written,
        pagesize=A4,
        invariant=1,
        title=f"{said['title']} {round_id}",
        author="sabot",
        lang=words.language,
    )
    frame = Frame(_SIDE, _FOOT, _WIDTH, A4[1] - _TOP - _FOOT, 0, 0, 0, 0)
    document.addPageTemplates(PageTemplate("page", [frame], onPage=furnish))
    story: list[Flowable] = [Paragraph(escape(said["title"]), _title)]
    story.append(Paragraph(escape(for_whom), _for_whom))
    for part in parts:
        story += _drawn(part)
    document.build(story)
    return written.getvalue(), document.page


def _drawn(part: Part) -> Iterator[Flowable]:
    yield CondPageBreak(30 * mm)
    yield Paragraph(escape(part.title), _heading)
    if part.note:
        yield Paragraph(escape(part.note), _note)
    shares = part.shares
    widths = [_WIDTH * share / sum(shares) for share in shares]
    rows: list[list[Paragraph]] = []
    if part.columns:
        rows.append([Paragraph(escape(one), _column) for one in part.columns])
        rows += [[_paragraph(one) for one in row] for row in part.rows]
    else:
        for label, *values in part.rows:
            rows.append([Paragraph(_markup(label), _column), *map(_paragraph, values)])
    table = LongTable(rows, colWidths=widths, repeatRows=1 if part.columns else 0)
    table.setStyle(_TABLE)
    if part.columns:
        table.setStyle(TableStyle(_HEADED))
    yield table
    yield Spacer(1, 5 * mm)


def _paragraph(cell: Cell) -> Paragraph:
    return Paragraph(_markup(cell), _cell)


def _markup(cell: Cell) -> str:
    """A cell in the words of reportlab; a card is its code and the symbol of its suit."""
    if isinstance(cell, str):
        return escape(cell)
    return " ".join(map(_card, cell.cards))


def _card(code: str) -> str:
    symbol = f'<font name="ZapfDingbats">{_SUITS[code[1]]}</font>'
    marked = f"{code}{symbol}"
    return f'<font color="{_RED}">{marked}</font>' if code[1] in "HD" else marked
