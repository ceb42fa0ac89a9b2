# SPDX-License-Identifier: Apache-2.0
"""``studio command``: one staff command to a running table."""

from typing import Annotated, Any, get_args

import msgspec
import typer

from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.log_in import Badge, PinStdin, SecondBadge, StaffId, giver
from studio.cli.output import console, write_json
from studio.cli.site import Config, TableName, table_settings
from studio.cli.staff import Console, StaffRequests
from studio.feed.staff import RefusalAnswer
from studio.game.coup import Outcome
from studio.game.event_words import Trust
from studio.game.holds import Proposal
from studio.game.inputs import Command
from studio.game.state import Phase
from studio.settings import LogIn, site_of
from studio.wording import BASE, Wording, load_wording, told

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

COMMANDS = {str(one.__struct_config__.tag): one for one in get_args(Command)}


def _listed() -> str:
    """Every command with its options and the first line of what it does."""
    lines = []
    for tag, one in COMMANDS.items():
        options = " ".join(
            f"--{field.name.replace('_', '-')}" if field.required else rf"\[--{_flag(field.name)}]"
            for field in msgspec.structs.fields(one)
            if field.name != "by"
        )
        purpose = (one.__doc__ or "").partition("\n")[0].replace("``", "")
        lines.append(f"[b]{tag}[/b] {options}\n    {purpose}")
    return "\b\n" + "\n".join(lines)


def _flag(name: str) -> str:
    return name.replace("_", "-")


_HELP = taught(
    "Tell a running table one thing, as its dealer would, and print the answer as JSON.",
    "Status 0 when it was carried out, 1 when the table refused.",
    "Where staff log in, say --badge and type your PIN: the log-in lasts for this call and is kept "
    "nowhere. It ends a log-in that the same dealer has at a console.",
    _listed(),
    ("studio command", "what the table waits for, and what it takes now"),
    ("studio command open_table --dealer Anna --badge 500", "a supervisor opens the table"),
    ("studio command open_bets", "a round begins"),
    (
        'studio command void_round --reason "card fell"',
        "the round under way; with --round only if it is that one",
    ),
    (
        'studio command rule_hold --remedy reconstruct --reason "surplus card"',
        "a ruling on the hold as it stands; `studio command` alone lists what may be ruled",
    ),
    (
        'studio command rule_hold --remedy reconstruct --faces-unseen --reason "surplus card"',
        "the same, where it asks whether players saw the face: nobody did, the card is carried",
    ),
    (
        "studio command note_card --number 5 --at banker",
        "the fifth card of the coup lies in Banker's box",
    ),
    (
        "studio command enter_card --number 3 --card 5D --badge 100 --second-badge 500",
        "the third card was not read: two people say what it is, each with a PIN",
    ),
    (
        'studio command amend_round --round ID --player "9H KS" --banker "TC 7D" --reason video',
        "a round that has a result had other cards",
    ),
    ("""studio command '{"command":"open_bets"}'""", "the same as JSON, for scripts"),
)


@app.command(help=_HELP)
def command(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME|JSON]", help="The command.", show_default=False)
    ] = None,
    config: Config = None,
    table: TableName = None,
    badge: Badge = None,
    second_badge: SecondBadge = None,
    pin_stdin: PinStdin = False,
    by: StaffId = None,
    dealer: Annotated[str | None, typer.Option(help="Screen name of the dealer.")] = None,
    reason: Annotated[str | None, typer.Option(help="Why, for the record.")] = None,
    round_id: Annotated[
        str | None,
        typer.Option("--round", help="The round: any to amend; to void, only the one under way."),
    ] = None,
    remedy: Annotated[
        str | None,
        typer.Option(
            help="What is ruled: release, reconstruct or void; between rounds also burn, "
            "next_burn, free_coup or carry."
        ),
    ] = None,
    faces_seen: Annotated[
        bool | None,
        typer.Option(
            "--faces-seen/--faces-unseen",
            help="Whether players saw the faces of the surplus cards, where the ruling asks.",
        ),
    ] = None,
    bound_to: Annotated[
        str | None,
        typer.Option(help="The digest of the proposal ruled on; else of the one that stands now."),
    ] = None,
    second: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Staff id of who approved, where nobody logs in."),
    ] = None,
    number: Annotated[
        int | None,
        typer.Option(help="A card of the coup (of the shoe: record_card), counted from 1."),
    ] = None,
    card: Annotated[
        str | None, typer.Option(help="A card: rank then suit, as in 9H or TC.")
    ] = None,
    at: Annotated[
        str | None, typer.Option(help="The box a card was laid in: player or banker.")
    ] = None,
    position: Annotated[
        str | None, typer.Option(help="Where a card lies: P1 B1 P2 B2 P3 or B3.")
    ] = None,
    early: Annotated[
        bool | None, typer.Option("--early/--not-early", help="Drawn while bets were open.")
    ] = None,
    face_up: Annotated[
        bool | None, typer.Option("--face-up/--not-face-up", help="Face up in the shoe.")
    ] = None,
    stuck: Annotated[
        bool | None,
        typer.Option("--stuck/--not-stuck", help="It left together with the card before it."),
    ] = None,
    unseen: Annotated[
        bool | None, typer.Option("--unseen/--seen", help="Nobody saw its face.")
    ] = None,
    missing: Annotated[
        bool, typer.Option("--missing", help="The shoe never told of this card.")
    ] = False,
    code: Annotated[str | None, typer.Option(help="What is reported, as in card-on-floor.")] = None,
    detail: Annotated[str | None, typer.Option(help="What was seen, for the record.")] = None,
    count: Annotated[int | None, typer.Option(help="How many cards are burned.")] = None,
    on: Annotated[
        bool | None, typer.Option("--on/--off", help="Cards are entered by people, or not.")
    ] = None,
    player: Annotated[str | None, typer.Option(help="Player's cards, as in '9H KS'.")] = None,
    banker: Annotated[str | None, typer.Option(help="Banker's cards, as in 'TC 7D'.")] = None,
    outcome: Annotated[
        str | None, typer.Option(help="The winner as called: player, banker or tie.")
    ] = None,
    left: Annotated[int | None, typer.Option(help="Cards counted in the shoe.")] = None,
    accept_mismatch: Annotated[
        bool,
        typer.Option("--accept-mismatch", help="The count does not make the decks, and stands."),
    ] = False,
    take_over: Annotated[
        bool, typer.Option("--take-over", help="Claim what another person has claimed.")
    ] = False,
    language: Annotated[str, typer.Option(help="In which the prompt is told.")] = BASE,
    staff_requests: StaffRequests = None,
) -> None:
    """Send the command and print the answer."""
    given: dict[str, Any] = {
        "dealer": dealer,
        "reason": reason,
        "round": round_id,
        "remedy": remedy,
        "faces_seen": faces_seen,
        "outcome": outcome,
        "left": left,
        "accept_mismatch": accept_mismatch or None,
        "take_over": take_over or None,
        "bound_to": bound_to,
        "second": second,
        "number": number,
        "card": card,
        "at": at,
        "position": position,
        "early": early,
        "face_up": face_up,
        "stuck": stuck,
        "unseen": unseen,
        "missing": missing or None,
        "code": code,
        "detail": detail,
        "count": count,
        "on": on,
        "player": None if player is None else player.split(),
        "banker": None if banker is None else banker.split(),
    }
    settings = table_settings(config, table)
    with Console.of(settings, staff_requests) as desk:
        if name is None:
            _tell_prompt(desk, load_wording(language, site_of(settings.file)))
            return
        if name == "void_round" and round_id is None:
            given["round"] = _round_under_way(desk)
        if name == "claim_hold" and round_id is None:
            given["round"] = desk.snapshot()[1].public.round
        if name == "rule_hold" and bound_to is None:
            given["bound_to"] = _bound_to(desk, remedy, faces_seen)
        is_open = settings.log_in is LogIn.OPEN
        asked = command_from(name, by or "staff", given, says_second=is_open)
        with giver(desk, settings, by, badge, second_badge, pin_stdin=pin_stdin) as giving:
            answer = giving.tell(asked)
    write_json(answer)
    if isinstance(answer, RefusalAnswer):
        raise typer.Exit(Exit.FAILED)


def _tell_prompt(desk: Console, wording: Wording) -> None:
    """What the table waits for, in words, with the commands that it takes now."""
    _, state = desk.snapshot()
    prompt = state.prompt
    out = console()
    words = told(wording, prompt)
    out.print(words.do, style="bold", markup=False)
    if words.say:
        out.print(f'say: "{words.say}"', markup=False)
    if words.note:
        out.print(words.note, markup=False)
    for tag in prompt.commands:
        out.print(f"  studio command {tag}", markup=False)
    for proposal in state.proposals:
        ruled = proposal.remedy.value
        flag = _FACES[proposal.faces_seen]
        leads_to = _leads_to(proposal)
        out.print(f"    --remedy {ruled}{flag}: {wording.remedies[ruled]}{leads_to}", markup=False)
    if state.trust is Trust.SUSPECT and state.phase != Phase.NO_SHOE.value:
        out.print(
            f"The shoe's stream is suspect: {state.trust_reason}. A card may have been missed: "
            "compare the cards with the screen.",
            markup=False,
        )
        out.print("  studio command trust_stream", markup=False)


_FACES = {None: "", True: " --faces-seen", False: " --faces-unseen"}
_ENDS = {
    Outcome.PLAYER: "Player wins",
    Outcome.BANKER: "Banker wins",
    Outcome.TIE: "tie",
}


def _leads_to(proposal: Proposal) -> str:
    """Where a ruling leads, in a line: hands, what is due or who wins, and the surplus."""
    surplus = [f"{one.card.value if one.card else '?'} {one.remedy}" for one in proposal.surplus]
    if not proposal.player:
        return f" ({'; '.join(surplus)})" if surplus else ""
    hands = [" ".join(hand) or "-" for hand in (proposal.player, proposal.banker)]
    end = "not decided" if proposal.next is None else f"next {proposal.next.value}"
    if proposal.outcome is not None:
        end = _ENDS[proposal.outcome]
    return f" (Player {hands[0]}, Banker {hands[1]}: {'; '.join([end, *surplus])})"


def command_from(name: str, by: str, given: dict[str, Any], *, says_second: bool = True) -> Command:
    """The command of a name with options, or of a JSON object. Raises CommandFailed.

    Without ``says_second`` the one who approves is set by the service, and may be left out here.
    """
    said = {key: value for key, value in given.items() if value is not None}
    if name.lstrip().startswith("{"):
        try:
            body = msgspec.json.decode(name, type=dict[str, Any])
        except msgspec.MsgspecError as fault:
            raise CommandFailed(f"not a JSON object: {fault}", Exit.BAD_SETTINGS) from None
        said = {"by": by} | body | said
        name = str(said.get("command"))
    said = {"by": by} | said | {"command": name}
    if name not in COMMANDS:
        known = ", ".join(COMMANDS)
        raise CommandFailed(f'no command "{name}"; known: {known}', Exit.BAD_SETTINGS)
    fields = {field.name for field in msgspec.structs.fields(COMMANDS[name])} | {"command"}
    if not says_second and "second" in fields:
        said = {"second": ""} | said
    surplus = sorted(said.keys() - fields)
    if surplus:
        own = ", ".join(f"--{_flag(one)}" for one in sorted(fields - {"command"}))
        text = f"{name} takes no {', '.join(f'--{_flag(one)}' for one in surplus)}; it takes {own}"
        raise CommandFailed(text, Exit.BAD_SETTINGS)
    asked = msgspec.structs.fields(COMMANDS[name])
    missing = [one.name for one in asked if one.required and one.name not in said]
    if missing:
        text = f"{name} needs {', '.join(f'--{_flag(one)}' for one in missing)}"
        raise CommandFailed(text, Exit.BAD_SETTINGS)
    try:
        made: Command = msgspec.convert(said, COMMANDS[name])
    except msgspec.ValidationError as fault:
        text = f"{name}: {fault}; `studio command --help` lists what each command needs"
        raise CommandFailed(text, Exit.BAD_SETTINGS) from None
    return made


def _bound_to(desk: Console, remedy: str | None, faces_seen: bool | None) -> str:
    """The digest of this proposal as it stands; the table itself refuses one that is none."""
    _, state = desk.snapshot()
    fitting = (
        one.bound_to
        for one in state.proposals
        if (one.remedy.value, one.faces_seen) == (remedy, faces_seen)
    )
    return next(fitting, "")


def _round_under_way(desk: Console) -> str:
    _, state = desk.snapshot()
    if state.public.round is None:
        raise CommandFailed(
            "no round is under way that could be voided; amend_round puts right one of before"
        )
    return state.public.round
