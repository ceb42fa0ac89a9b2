# SPDX-License-Identifier: Apache-2.0
"""One module for each revision of the operators' schema, numbered in order."""
