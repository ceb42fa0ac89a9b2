# SPDX-License-Identifier: Apache-2.0
"""What a studio puts on the table in a dispute: all that is on record of one round, in one file."""
