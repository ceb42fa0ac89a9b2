# SPDX-License-Identifier: GPL-3.0-or-later
"""The window of the pit: all tables at a glance, what is held, and who rules on it."""
