# SPDX-License-Identifier: Apache-2.0
"""Public messages as lines for a person to read. Pure: a message in, one line out."""

from datetime import tzinfo

from rich.style import Style
from rich.text import Text

from studio.feed import messages as m
from studio.feed.wire import Message
from studio.game.cards import Card
from studio.game.coup import Side
from studio.terminal_cards import short

_DIM = Style(dim=True)
_BOLD = Style(bold=True)
_SIDES = {
    "player": Style(color="bright_blue", bold=True),
    "banker": Style(color="bright_red", bold=True),
    "tie": Style(color="bright_green", bold=True),
}


def line_of(message: Message, zone: tzinfo | None = None) -> Text:
    """``23:59:59  0214  card P1 9H♥ ...``; the time is UTC unless a zone is given."""
    at = message.at if zone is None else message.at.astimezone(zone)
    line = Text(no_wrap=True)
    line.append(f"{at:%H:%M:%S}  ", _DIM)
    number = "" if message.round is None else message.round.rpartition("-")[2]
    line.append(f"{number:<6}", _DIM)
    return line.append_text(words_of(message))


def words_of(message: Message) -> Text:
    """What a message says, without its time and round."""
    match message.data:
        case m.CardDealt() as dealt:
            return _card(dealt)
        case m.ResultAmended() as result:
            return Text("result amended: ", _BOLD).append_text(_result(result))
        case m.Result() as result:
            return _result(result)
        case m.BetsOpened() as opened:
            return Text(f"place your bets: {opened.seconds:g} s")
        case m.BetsClosed():
            return Text("no more bets")
        case m.RoundClosed():
            return Text("round closed", _DIM)
        case m.RoundVoided() as voided:
            return Text(f"round void, stakes are returned ({voided.reason})", _BOLD)
        case m.RoundHeld() as held:
            return Text(f"round held ({held.reason})", _BOLD)
        case m.RoundReleased():
            return Text("round goes on")
        case m.RoundReconstructed() as rebuilt:
            return Text("cards put right: ").append_text(_hands(rebuilt.player, rebuilt.banker))
        case _:
            return _table(message)


def _table(message: Message) -> Text:
    """What is said of the table and its shoe, not of a round."""
    match message.data:
        case m.TableOpened() as opened:
            text = f"table {message.table} open: {opened.house}, {opened.decks} decks"
            return Text(f"{text}, {opened.environment}, dealer {opened.dealer}", _BOLD)
        case m.TableClosed() as closed:
            return Text(f"table closed ({closed.reason})", _BOLD)
        case m.TableSuspended() as suspended:
            return Text(f"suspended, no bets ({suspended.reason})", _BOLD)
        case m.TableResumed():
            return Text("resumed", _BOLD)
        case m.DealerChanged() as changed:
            return Text(f"dealer {changed.dealer}")
        case m.ShoeLoaded() as loaded:
            return Text(f"new shoe {message.shoe}, {loaded.decks} decks")
        case m.ShoeEnded() as ended:
            counts = f"{ended.rounds} rounds, {ended.burned} burned, {ended.left} left"
            return Text(f"shoe ended: {counts}")
        case m.CutCardSeen() as cut:
            return Text(f"cut card: the last coup is {cut.last_coup}")
        case m.ManualMode() as manual:
            return Text(f"cards entered by hand: {'yes' if manual.on else 'no'}", _BOLD)
        case m.Heartbeat() as beat:
            return Text(f"heartbeat{'' if beat.suspended is None else ', suspended'}", _DIM)
        case _:
            return Text(message.type)


def _card(dealt: m.CardDealt) -> Text:
    side = dealt.position.side
    line = Text("card ").append(dealt.position.value, _SIDES[side.value])
    line.append(" ").append_text(short(dealt.card)).append("   ")
    for each, total in ((Side.PLAYER, dealt.player_total), (Side.BANKER, dealt.banker_total)):
        line.append(f"  {each.value} ")
        line.append("-" if total is None else str(total), _SIDES[each.value])
    return line


def _result(result: m.Result) -> Text:
    word = "tie" if result.outcome.value == "tie" else f"{result.outcome.value} wins"
    line = Text().append(word.upper(), _SIDES[result.outcome.value])
    line.append(f"  {result.player_total} - {result.banker_total}  ", _BOLD)
    line.append_text(_hands(result.player, result.banker))
    if result.natural:
        line.append("  natural")
    for side, is_pair in (("player", result.pairs.player), ("banker", result.pairs.banker)):
        if is_pair:
            line.append(f"  {side} pair")
    return line


def _hands(player: tuple[Card, ...], banker: tuple[Card, ...]) -> Text:
    line = Text()
    for name, cards in (("P", player), ("B", banker)):
        line.append("  " if line else "").append(name)
        for card in cards:
            line.append(" ").append_text(short(card))
    return line
