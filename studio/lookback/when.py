# SPDX-License-Identifier: Apache-2.0
"""A day or a time as a person types it, in the studio's time zone. Pure."""

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo

FORMS = "a day as in 2026-11-29, a time as in 2026-11-29T21:30, or 21:30 for today"

_BEYOND = "{} is beyond what can be reckoned"
_DAY = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})")
_CLOCK = re.compile(r"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?")


class NoTime(ValueError):
    """A text that is neither a day nor a time."""


def begin_of(text: str, zone: tzinfo, now: datetime) -> datetime:
    """The first moment that ``--from`` lets in, in UTC; of a day its midnight. Raises NoTime."""
    day = _day_in(text)
    if day is None:
        return _utc(_time_in(text, zone, now))
    return _utc(datetime.combine(day, time(), zone))


def end_of(text: str, zone: tzinfo, now: datetime) -> datetime:
    """The first moment that ``--to`` leaves out, in UTC; of a day the next midnight. Raises NoTime.

    Of an hour that the clocks have twice, the later one is meant.
    """
    day = _day_in(text)
    if day is None:
        return _utc(_time_in(text, zone, now).replace(fold=1))
    if day == date.max:
        raise NoTime(_BEYOND.format(day))
    return _utc(datetime.combine(day + timedelta(days=1), time(fold=1), zone))


def _utc(at: datetime) -> datetime:
    try:
        return at.astimezone(UTC)
    except OverflowError:
        raise NoTime(_BEYOND.format(at)) from None


def _day_in(text: str) -> date | None:
    match = _DAY.fullmatch(text.strip())
    if match is None:
        return None
    try:
        return date(*(int(part) for part in match.groups()))
    except ValueError:
        raise NoTime(f'"{text}" is no day') from None


def _time_in(text: str, zone: tzinfo, now: datetime) -> datetime:
    """A time, with the zone that it names or the studio's."""
    told = text.strip()
    if _CLOCK.fullmatch(told):
        told = f"{now.astimezone(zone).date().isoformat()}T{told:0>5}"
    try:
        read = datetime.fromisoformat(told)
    except ValueError:
        raise NoTime(f'"{text}" is no time: give {FORMS}') from None
    return read if read.tzinfo is not None else read.replace(tzinfo=zone)
