# SPDX-License-Identifier: Apache-2.0
"""Commands to an Angel Eye II-EX. Built in engineering mode only: a table never sends one.

    STX(02)  'O' 'P'  type(2 ASCII)  data(2 ASCII digits)  ETX(03)  BCC(2 ASCII hex digits)

The shoe is mostly wired to another system as well, which a command of ours would disturb.
An answer is due within ``ANSWER_SECONDS``. The maker's text and its own example disagree on whether
the BCC covers STX: after NAK 02 (wrong BCC) send the frame of ``with_other_scope`` once.
"""

from drivers.angel_eye_iiex import ETX, STX, AngelEyeSettings, CheckScope
from drivers.framing import xor_of

ANSWER_SECONDS = 3.0


class EngineeringModeOff(Exception):
    """A command was asked for while the settings say that the shoe is only listened to."""


def lock_command(settings: AngelEyeSettings, *, locked: bool) -> bytes:
    """``LK``: turn the lock."""
    return _command(settings, b"LK", 2 if locked else 1)


def cancel_error_command(settings: AngelEyeSettings, code: int) -> bytes:
    """``EC``: cancel the error of that code, 1 to 99 (ValueError otherwise)."""
    if not 1 <= code <= 99:
        raise ValueError(f"error code {code} does not fit the two digits of the command: 1 to 99")
    return _command(settings, b"EC", code)


def confirm_game_command(settings: AngelEyeSettings) -> bytes:
    """``GP``: confirm the game process."""
    return _command(settings, b"GP", 0)


def with_other_scope(frame: bytes) -> bytes:
    """The same command with its BCC reckoned over the other choice of bytes."""
    return frame[:-2] + b"%02X" % (int(frame[-2:], 16) ^ STX)


def _command(settings: AngelEyeSettings, kind: bytes, data: int) -> bytes:
    if not settings.engineering:
        raise EngineeringModeOff(
            "the shoe is read-only: set engineering = true in its settings to send commands"
        )
    body = b"OP%s%02d%c" % (kind, data, ETX)
    is_included = settings.command_check is CheckScope.INCLUDE_START
    check = xor_of(body) ^ (STX if is_included else 0)
    return b"%c%s%02X" % (STX, body, check)
