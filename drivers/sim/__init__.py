# SPDX-License-Identifier: Apache-2.0
"""Simulated shoes, written from the protocol notes. They share no code with the drivers."""
