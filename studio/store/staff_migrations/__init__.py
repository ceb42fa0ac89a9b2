# SPDX-License-Identifier: Apache-2.0
"""The migrations of the staff's database, run by ``studio.store.staff_schema`` alone."""
