# SPDX-License-Identifier: GPL-3.0-or-later
"""The windows of the studio: separate processes that reach a table over the wire only."""
