# SPDX-License-Identifier: Apache-2.0
"""Who may do what: accounts, roles, permissions, second persons, sessions. It knows no SQL."""
