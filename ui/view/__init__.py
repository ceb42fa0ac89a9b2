# SPDX-License-Identifier: GPL-3.0-or-later
"""What a dealer's console shows and what its keys do: pure, without Qt, clock or wire.

``view_of(seen, words, call_words, keys)`` makes the picture; ``pressed`` and ``typed`` say what a
key or a text does: a change of the console's own, something to send, or nothing.
"""
