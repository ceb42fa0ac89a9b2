# SPDX-License-Identifier: Apache-2.0
"""The public contract: schemas of all that goes over the public sockets, and integrators' page."""
