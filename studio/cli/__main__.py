# SPDX-License-Identifier: Apache-2.0
"""``python -m studio.cli``: the same as ``studio``."""

from studio.cli import main

main()
