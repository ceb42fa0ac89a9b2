# SPDX-License-Identifier: Apache-2.0
"""The ZeroMQ feed: what is sent, who may ask, and how a subscriber follows."""
