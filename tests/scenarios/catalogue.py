# SPDX-License-Identifier: Apache-2.0
"""All rows of the catalogue with their scenarios."""

from tests.scenarios import faces, order, reader, reported, restored, results, supply, timing
from tests.scenarios.rows import Row

SCENARIOS: dict[str, Row] = {
    **order.ROWS,
    **timing.ROWS,
    **faces.ROWS,
    **supply.ROWS,
    **reader.ROWS,
    **results.ROWS,
    **reported.ROWS,
    **restored.ROWS,
}
