# SPDX-License-Identifier: Apache-2.0
"""``make mutants``: whether the tests notice when the rules are changed, one change at a time.

Not done with a library: mutmut leaves alone what stands outside functions (the tableau, the
catalogue) and functions with a decorator; cosmic-ray writes each mutant over its source, and starts
a process for each. Neither knows a list of survivors with reasons.
"""
