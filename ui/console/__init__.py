# SPDX-License-Identifier: GPL-3.0-or-later
"""The dealer's window: where things stand on it, what keys and touches mean, and its panels."""
