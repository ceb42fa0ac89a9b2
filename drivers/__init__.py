# SPDX-License-Identifier: Apache-2.0
"""Card shoes and readers: bytes in, reports out. A driver never decides the game."""
