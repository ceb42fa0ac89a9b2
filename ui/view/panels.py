# SPDX-License-Identifier: GPL-3.0-or-later
"""What a panel shows: lines, fields, choices. What its keys do is ``ui.view.press``."""

from studio.game.cards import RANKS, SUITS, Card
from studio.game.irregularities import REPORTABLE
from studio.game.state import SoftwareStanding
from studio.words import told
from ui.view.acts import (
    label_of,
    more_commands,
    pit_commands,
    problem_commands,
    step_of,
    undo_of,
)
from ui.view.boxes import BUDGETS
from ui.view.choices import Pickable, form_choices
from ui.view.forms import (
    CARDS,
    CORRECT_VOID,
    HANDS,
    OTHER_ROUND,
    TYPED,
    Step,
    asides_of,
    command_tag,
    may_give,
    proposal_of,
    steps_of,
    unread_of,
)
from ui.view.holding import are_faces_asked, evidence_of
from ui.view.model import Choice, Entry, PanelView
from ui.view.picture import are_values_shown
from ui.view.seen import LogInRule, Panel, PanelKind, Seen
from ui.view.speech import Speech, fit

# So many choices are on a page.
ON_A_PAGE = 6
PICK = "pick:"
_OWN_ACTS = ("take_over", "rest", "language", "theme", "sound", "about")
_FREE = (Step.WORDS, Step.ROUND_ID)
_FIELDS = {Step.WORDS: "words-field", Step.ROUND_ID: "round-field"} | dict.fromkeys(
    HANDS, "cards-field"
)
# The unshifted top row of a French keyboard, where digits are typed with Shift.
_TOP_ROW = dict(zip("&é\"'(-è_çà", "1234567890", strict=True))
_PAD = {"/": "S", "*": "H", "-": "D", ".": "C"}


def card_of(text: str) -> Card | None:
    """The card that was typed or scanned: rank, then suit; ``10H`` is ``TH``."""
    code = "".join(_TOP_ROW.get(one, one) for one in text.strip()[:-1]).upper()
    suit = text.strip()[-1:].upper()
    suit = _PAD.get(suit, suit)
    rank = "T" if code in ("10", "0") else "A" if code == "1" else code
    is_card = len(rank) == 1 and rank in RANKS and len(suit) == 1 and suit in SUITS
    return Card(rank + suit) if is_card else None


def hand_typed(text: str) -> str | None:
    """The two or three cards of a hand that were typed, ``3H KC``; None if it is no hand."""
    codes = text.upper().replace("10", "T").split()
    if len(codes) == 1:
        codes = [codes[0][at : at + 2] for at in range(0, len(codes[0]), 2)]
    cards = [card_of(one) for one in codes]
    known = [one.value for one in cards if one is not None]
    return " ".join(known) if len(known) == len(cards) and 2 <= len(known) <= 3 else None


def digits_of(text: str) -> str | None:
    """The digits that were typed, on any keyboard; None if it is no number."""
    digits = "".join(_TOP_ROW.get(one, one) for one in text.strip())
    return digits if digits.isascii() and digits.isdigit() and len(digits) <= 3 else None


def pickables(panel: Panel, seen: Seen, speech: Speech) -> tuple[Pickable, ...]:
    """What can be picked in this panel now: value, words, detail."""
    match panel.kind:
        case PanelKind.PROBLEM:
            return _problems(seen, speech)
        case PanelKind.MORE:
            return _more(seen, speech)
        case PanelKind.FORM:
            return form_choices(panel, seen, speech)
        case _:
            return ()


def _problems(seen: Seen, speech: Speech) -> tuple[Pickable, ...]:
    words, state = speech.words, seen.state
    told_of = () if state is None else problem_commands(state)
    asides = () if state is None else asides_of(state, "enter_card")
    commands = [
        (
            tag,
            speech.words.console.panels["missing"]
            if tag == "enter_card" and not asides
            else label_of(tag, words),
            _way_back(tag, speech),
        )
        for tag in told_of
        if may_give(tag, seen)
    ]
    rows = [
        (f"report:{code}", fit(words.irregularities[code].what, "panel.choice"),
         words.irregularities[code].do)
        for code in REPORTABLE
    ]  # fmt: skip
    return (*commands, *rows)


def _more(seen: Seen, speech: Speech) -> tuple[Pickable, ...]:
    state, words = seen.state, speech.words
    if state is not None and seen.is_pit:
        own_acts = pit_commands(seen, state)
        return tuple((tag, label_of(tag, words), _way_back(tag, speech)) for tag in own_acts)
    tags = () if state is None else more_commands(state)
    commands = [
        (tag, label_of(tag, words), _way_back(tag, speech))
        for tag in tags
        if may_give(command_tag(tag), seen)
    ]
    is_open = seen.log_in is LogInRule.OPEN
    own = [one for one in _OWN_ACTS if not (is_open and one in ("take_over", "rest"))]
    return (*commands, *((one, words.console.acts[one], "") for one in own))


def _way_back(act: str, speech: Speech) -> str:
    undo = undo_of(act, speech.words)
    return speech.fact("undo", undo=undo) if undo else ""


def _tail(text: str, step: Step) -> str:
    """The end of what is typed, where the cursor is; of words there is room for more."""
    most = BUDGETS["panel.words" if step in _FREE else "panel.field"]
    return text if len(text) <= most else "…" + text[1 - most :]


def panel_of(seen: Seen, speech: Speech) -> PanelView | None:
    """The open panel, if one is."""
    panel = seen.own.panel
    if panel is None:
        return None
    panels = speech.words.console.panels
    fault = panels[panel.fault] if panel.fault else ""
    match panel.kind:
        case PanelKind.WHY:
            return PanelView(
                kind="why",
                title=panels["why-now"],
                lines=_why_lines(seen, speech),
                evidence=evidence_of(seen, speech),
            )
        case PanelKind.ABOUT:
            return PanelView(kind="about", title=panels["about"], lines=_about(seen, speech))
        case PanelKind.REST:
            return PanelView(kind="rest", title=panels["rest"], lines=(panels["rest-line"],))
        case PanelKind.LOG_IN | PanelKind.TAKE_OVER | PanelKind.SECOND:
            return _door(panel, speech, fault)
        case PanelKind.MORE | PanelKind.PROBLEM:
            return _list(panel, seen, speech, panels[panel.kind.value])
        case PanelKind.FORM:
            return _form(panel, seen, speech, fault)


def _why_lines(seen: Seen, speech: Speech) -> tuple[str, ...]:
    """What is asked, in full, and the row of the tableau."""
    state, words = seen.state, speech.words
    if state is None:
        return ()
    do = told(words, state.prompt)
    lines = [do.do]
    if state.hold is not None:
        lines = [words.irregularities[one.code].what for one in state.hold.raised]
        lines += [words.irregularities[one.code].do for one in state.hold.raised]
    if state.reason is not None and are_values_shown(state):
        lines.append(words.console.rows[state.reason.code].format_map(state.reason.words))
    if do.note:
        lines.append(do.note)
    return tuple(dict.fromkeys(lines))


def _about(seen: Seen, speech: Speech) -> tuple[str, ...]:
    if seen.state is None:
        return ()
    software = seen.state.public.software
    return (
        speech.fact("software", version=software.version, digest=software.digest[:12]),
        speech.fact("digest", digest=software.digest),
        *_files(seen.state.software, speech),
        speech.fact("table", table=seen.table),
    )


def _files(software: SoftwareStanding, speech: Speech) -> tuple[str, ...]:
    """Which files are approved, and when they were last found to be so."""
    if software.approved is None:
        return (speech.fact("nothing-approved"),)
    at = "-" if software.checked_at is None else f"{software.checked_at:%Y-%m-%d %H:%M} UTC"
    known = speech.fact("approved", digest=software.approved)
    return (known, speech.fact("checked", at=at, count=software.count))


def _door(panel: Panel, speech: Speech, fault: str) -> PanelView:
    names = {PanelKind.LOG_IN: "log-in", PanelKind.TAKE_OVER: "take-over"}
    name = names.get(panel.kind, "second")
    panels = speech.words.console.panels
    is_badge = panel.badge is None
    lines = [panels[f"{name}-line"]]
    if panel.command is not None:
        tag = str(type(panel.command).__struct_config__.tag)
        lines.insert(0, label_of(tag, speech.words))
    return PanelView(
        kind=panel.kind.value,
        title=panels[name],
        lines=tuple(lines),
        fields=(
            Entry(
                speech.fact("badge-field"),
                fit(panel.text if is_badge else panel.badge or "", "panel.field"),
                is_secret=False,
                is_current=is_badge,
            ),
            Entry(
                speech.fact("pin-field"),
                "" if is_badge else fit("•" * len(panel.text), "panel.field"),
                is_secret=True,
                is_current=not is_badge,
            ),
        ),
        has_number_pad=True,
        fault=fault,
    )


def _list(
    panel: Panel, seen: Seen, speech: Speech, title: str, lines: tuple[str, ...] = ()
) -> PanelView:
    every = pickables(panel, seen, speech)
    if panel.kind is PanelKind.MORE and seen.is_pit:
        # a row has no room for every way back: that of the marked one is told
        undo = every[panel.chosen][2] if panel.chosen < len(every) else ""
        lines = (undo,) if undo else ()
        every = tuple((value, text, "") for value, text, _ in every)
    first = panel.chosen // ON_A_PAGE * ON_A_PAGE
    pages = max(-(-len(every) // ON_A_PAGE), 1)
    choices = tuple(
        Choice(PICK + value, text, detail, is_chosen=n == panel.chosen)
        for n, (value, text, detail) in enumerate(every)
        if first <= n < first + ON_A_PAGE
    )
    page = speech.fact("page", page=first // ON_A_PAGE + 1, pages=pages) if pages > 1 else ""
    kind = panel.kind.value
    return PanelView(kind=kind, title=title, lines=lines, choices=choices, page=page)


def _begun(panel: Panel, seen: Seen, speech: Speech) -> str:
    """What is being done, and what was picked for it so far."""
    told = [label_of(panel.act, speech.words)]
    for step, value in zip(steps_of(panel.act, seen, panel.values), panel.values, strict=False):
        if step is Step.ROUND and value != OTHER_ROUND:
            told.append(value)
        elif step is Step.RULING:
            chosen = proposal_of(seen.state, value)
            told += [] if chosen is None else [speech.words.remedies[chosen.remedy.value]]
    return " · ".join(told)


def _form(panel: Panel, seen: Seen, speech: Speech, fault: str) -> PanelView:
    step = step_of(panel, seen)
    panels = speech.words.console.panels
    if step is None:
        return PanelView(kind="form", title=label_of(panel.act, speech.words))
    if step is Step.MOVES:
        title = label_of(panel.act, speech.words)
        return PanelView(kind="moves", title=title, lines=(speech.words.console.whys["moves"],))
    title, begun = panels[step.value], fit(_begun(panel, seen, speech), "panel.line")
    if step is Step.RULING and are_faces_asked(seen.state):
        title = speech.fact("faces-asked")
    if step not in TYPED:
        if panel.act == "correct_burn":
            title = panels["pick-burned"]
        elif panel.act == CORRECT_VOID and step is Step.NUMBER:
            title = panels["pick-voided"]
        return _list(panel, seen, speech, title, (begun,))
    is_card = step in CARDS
    lines: tuple[str, ...] = ()
    if step in HANDS:
        lines = (panels["hand-line"],)
    elif is_card:
        unread = unread_of(seen.state, panel.act)
        lines = (panels["card-line"],)
        if step is Step.CARD_TOLD:
            lines = (*lines, panels["card-told-line"])
        if unread is not None:
            title = f"{speech.fact('card-number', number=unread)} · {title}"
    elif step is Step.COUNT_LEFT:
        lines = (panels["count-left-line"],)
    label = speech.fact(_FIELDS.get(step, "card-field" if is_card else "count-field"))
    return PanelView(
        kind="form",
        title=title,
        lines=(begun, *lines),
        fields=(Entry(label, _tail(panel.text, step), is_secret=False, is_current=True),),
        has_card_pad=is_card or step in HANDS,
        has_number_pad=not is_card and step not in (*HANDS, *_FREE),
        fault=fault,
    )
