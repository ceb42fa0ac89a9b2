# SPDX-License-Identifier: Apache-2.0
"""Badges and secrets, asked of a person at the command line.

A secret is typed at a terminal, unseen, or comes on standard input; never as an argument, where
others on the machine could read it.
"""

import getpass
import socket
import sys

import typer

from studio.cli.exits import CommandFailed, Exit


class Asking:
    """Asks for names and secrets: at the terminal, or the secrets from standard input."""

    def __init__(self, *, pin_stdin: bool) -> None:
        self._pin_stdin = pin_stdin

    def text(self, said: str | None, question: str, usual: str | None = None) -> str:
        """What was said as an option, or else the answer at the terminal; Enter for the usual."""
        if said is not None:
            return said
        if self._pin_stdin or not sys.stdin.isatty():
            raise CommandFailed(f"{question}: say it as an option", Exit.BAD_SETTINGS)
        return str(typer.prompt(question, default=usual)).strip()

    def secret(self, question: str) -> str:
        """A secret that is there already."""
        if self._pin_stdin:
            line = sys.stdin.readline()
            if not line:
                raise CommandFailed(f"{question}: no line left on standard input")
            return line.rstrip("\r\n")
        if not sys.stdin.isatty():
            raise CommandFailed(
                f"{question}: no terminal to type it at; say --pin-stdin to read it from standard "
                "input",
                Exit.BAD_SETTINGS,
            )
        return getpass.getpass(f"{question}: ")

    def new_secret(self, question: str) -> str:
        """A secret to be kept; at a terminal it is typed twice."""
        secret = self.secret(question)
        if not self._pin_stdin and secret != getpass.getpass(f"{question}, again: "):
            raise CommandFailed("these two are not the same; nothing was changed")
        return secret


def here() -> str:
    """Where a call comes from, for the record."""
    return socket.gethostname()[:120]
