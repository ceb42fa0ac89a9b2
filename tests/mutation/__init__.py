# SPDX-License-Identifier: Apache-2.0
"""``make mutants``: whether the tests notice when the rules are changed, one change at a time."""
