# SPDX-License-Identifier: Apache-2.0
"""One module for each revision of the staff's schema, numbered in order."""
