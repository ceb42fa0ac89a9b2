# SPDX-License-Identifier: Apache-2.0
"""The game and what can go wrong in it. Pure: no clock, no I/O, no random source."""
