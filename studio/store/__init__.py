# SPDX-License-Identifier: Apache-2.0
"""The record: the only package that knows SQL."""
