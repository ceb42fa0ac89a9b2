# SPDX-License-Identifier: Apache-2.0
"""Exit statuses of every command, and how a command says that it failed."""

from enum import IntEnum

EPILOG = (
    "Exit status: 0 done; 1 the thing asked is not so, or failed; 2 bad settings or usage; "
    "3 the table cannot be reached; 130 stopped by Ctrl-C; 141 nobody reads the output."
)


# Examples longer than this have their purpose below them.
_BESIDE = 34


class Exit(IntEnum):
    """What a script can tell from a command's end."""

    DONE = 0
    FAILED = 1
    BAD_SETTINGS = 2
    UNREACHABLE = 3
    INTERRUPTED = 130
    NOBODY_READS = 141


class CommandFailed(Exception):
    """A command ends here; the text says what, where and what to do, without a trace."""

    def __init__(self, text: str, status: Exit = Exit.FAILED) -> None:
        super().__init__(text)
        self.status = status


def taught(*parts: str | tuple[str, str]) -> str:
    """Help in typer's rich markup: paragraphs, and examples as (command, what it does)."""
    paragraphs = [part for part in parts if isinstance(part, str)]
    examples = [part for part in parts if isinstance(part, tuple)]
    width = max((len(command) for command, _ in examples), default=0)
    lines = []
    for command, purpose in examples:
        escaped = command.replace("[", r"\[")
        if width > _BESIDE:
            lines.append(f"[b]{escaped}[/b]\n    {purpose}")
        else:
            lines.append(f"[b]{escaped}[/b]{' ' * (width - len(command))}  {purpose}")
    block = ["\b\n" + "\n".join(lines)] if lines else []
    return "\n\n".join([*paragraphs, *block])
