# SPDX-License-Identifier: Apache-2.0
"""A simulated shoe as a process: says where it can be reached, lives until it is told to stop."""

import argparse
import signal
import sys
from collections.abc import Sequence
from types import FrameType

import msgspec

from drivers.sim.options import Burn, BurnRule, SimOptions, faults_of
from drivers.sim.server import Simulator

BAD_OPTIONS = 2
STOPPED_BY = (signal.SIGTERM, signal.SIGINT)


def run(options: SimOptions) -> int:
    """Simulate a shoe until SIGTERM, SIGINT or ``stop`` on its control line; return exit status.

    Prints one line of JSON with the endpoints on standard output once it can be reached. Faults
    of the options or endpoints go to standard error, all of them at once, with status 2.
    """
    faults = faults_of(options)
    for fault in faults:
        sys.stderr.write(f"{fault}\n")
    if faults:
        return BAD_OPTIONS
    # A signal that comes before the handlers are in place must not leave the link behind.
    unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPED_BY)
    try:
        simulator = Simulator(options)
    except (OSError, ValueError) as error:
        signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
        sys.stderr.write(f"the simulated shoe cannot be reached: {error}\n")
        return BAD_OPTIONS

    def stop(_signal: int, _frame: FrameType | None) -> None:
        simulator.stop()

    before = {number: signal.signal(number, stop) for number in STOPPED_BY}
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
        sys.stdout.write(msgspec.json.encode(simulator.endpoints).decode() + "\n")
        sys.stdout.flush()
        simulator.serve()
    finally:
        simulator.close()
        for number, handler in before.items():
            signal.signal(number, handler)
    return 0


def options_from(arguments: Sequence[str]) -> SimOptions:
    """Options from command-line arguments; ``--burn`` reads ``fixed:3`` or ``first_card:11``."""
    defaults = SimOptions()
    parser = argparse.ArgumentParser(prog="drivers.sim.run", description=__doc__)
    parser.add_argument("--pty", help="path of the link that names the pseudo-terminal")
    parser.add_argument("--tcp", help="host:port to listen on, port 0 for a free one")
    parser.add_argument("--control", default=defaults.control)
    parser.add_argument("--decks", type=int, default=defaults.decks)
    parser.add_argument("--seed", type=int, default=defaults.seed)
    parser.add_argument("--script", default="", help="card codes: 9H,TC,...")
    parser.add_argument("--script-only", action="store_true")
    parser.add_argument("--cut-card-from-end", type=int, default=defaults.cut_card_from_end)
    parser.add_argument("--no-cut-card", action="store_true")
    parser.add_argument("--burn", type=burn_from, default=defaults.burn)
    parser.add_argument("--no-results", action="store_true")
    parser.add_argument("--baud", type=int, default=defaults.baud)
    parser.add_argument("--speed", type=float, default=defaults.speed)
    parser.add_argument("--repeats", type=int, default=defaults.repeats)
    parser.add_argument("--repeat-spacing", type=float, default=defaults.repeat_spacing_seconds)
    parser.add_argument("--alphabet", default=defaults.alphabet)
    parser.add_argument("--auto", action="store_true", help="deal coups by itself")
    parser.add_argument("--auto-card-seconds", type=float, default=defaults.auto_card_seconds)
    parser.add_argument("--auto-rest-seconds", type=float, default=defaults.auto_rest_seconds)
    said = parser.parse_args(arguments)
    return SimOptions(
        decks=said.decks,
        seed=said.seed,
        script=tuple(code for code in said.script.replace(",", " ").split()),
        script_only=said.script_only,
        cut_card_from_end=None if said.no_cut_card else said.cut_card_from_end,
        burn=said.burn,
        results=not said.no_results,
        baud=said.baud,
        speed=said.speed,
        repeats=said.repeats,
        repeat_spacing_seconds=said.repeat_spacing,
        alphabet=said.alphabet,
        pty=said.pty,
        tcp=said.tcp,
        control=said.control,
        auto=said.auto,
        auto_card_seconds=said.auto_card_seconds,
        auto_rest_seconds=said.auto_rest_seconds,
    )


def burn_from(text: str) -> Burn:
    """A burn from ``none``, ``fixed:3``, ``decks``, ``first_card`` or ``first_card:11``."""
    name, _, number = text.partition(":")
    rule = BurnRule(name)
    if rule is BurnRule.FIXED:
        return Burn(rule, cards=int(number))
    if rule is BurnRule.FIRST_CARD and number:
        return Burn(rule, ace=int(number))
    return Burn(rule)


if __name__ == "__main__":
    sys.exit(run(options_from(sys.argv[1:])))
