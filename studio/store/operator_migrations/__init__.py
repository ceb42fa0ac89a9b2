# SPDX-License-Identifier: Apache-2.0
"""The migrations of the operators' database, run by ``studio.store.operator_book`` alone."""
