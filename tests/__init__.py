# SPDX-License-Identifier: Apache-2.0
"""The tests; they mirror the tree. ``system/`` starts processes, everything else is fast."""
