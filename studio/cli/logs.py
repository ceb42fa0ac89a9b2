# SPDX-License-Identifier: Apache-2.0
"""Where logs go: standard error, one line each, in UTC."""

import logging
import sys

import structlog


def log_to_standard_error(level: str) -> None:
    """Set up both kinds of loggers, from ``level`` (``info``) on."""
    number = getattr(logging, level.upper())
    logging.basicConfig(
        stream=sys.stderr, level=number, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    is_terminal = sys.stderr.isatty()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.dev.ConsoleRenderer(colors=is_terminal)
            if is_terminal
            else structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"]),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
