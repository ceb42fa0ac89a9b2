# SPDX-License-Identifier: Apache-2.0
"""Every row of the catalogue of irregularities, at every place where it can happen, as data."""
