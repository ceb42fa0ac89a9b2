# SPDX-License-Identifier: Apache-2.0
"""A studio that a front-end is put through before it takes a bet: scripts, sockets, judgement."""
