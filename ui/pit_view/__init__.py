# SPDX-License-Identifier: GPL-3.0-or-later
"""What the pit's window shows and what its keys do: pure, without Qt, clock or wire.

A table is seen as its console sees it (``ui.view.seen.Seen``), one for each; what is typed for one
table stays with it. ``whole.pit_of(pit, speech)`` makes the picture, ``press.pressed`` says what
an act does.
"""
