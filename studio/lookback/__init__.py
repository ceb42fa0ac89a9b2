# SPDX-License-Identifier: Apache-2.0
"""Looking back: a round as its table saw it, and rounds found by what is known of them."""
