# SPDX-License-Identifier: Apache-2.0
"""The migrations of a record, run by ``studio.store.schema`` and by nothing else."""
