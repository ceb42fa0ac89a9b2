# SPDX-License-Identifier: GPL-3.0-or-later
"""What a dealer's console shows and what its keys do: pure, without Qt, clock or wire.

``whole.view_of(seen, speech)`` makes the picture; ``press.pressed`` and ``press.typed`` say what a
key or a text does: a change of the console's own, something to send, or nothing.
"""
