# SPDX-License-Identifier: Apache-2.0
"""A record for an auditor who trusts nobody: a folder, and in it the file that checks it."""
