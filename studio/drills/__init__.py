# SPDX-License-Identifier: Apache-2.0
"""Drills: what goes wrong at a table, what its people then do, and what must come of it."""
