# SPDX-License-Identifier: Apache-2.0
"""sabot: the table service of a live-dealer Punto Banco studio."""
