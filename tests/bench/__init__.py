# SPDX-License-Identifier: Apache-2.0
"""The figures of the table, each beside a floor measured in the same run; ``make bench``."""
