# SPDX-License-Identifier: Apache-2.0
"""A studio's backup: what is in it, how it is taken during play, and how it is put back."""
