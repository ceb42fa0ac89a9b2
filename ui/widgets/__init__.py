# SPDX-License-Identifier: GPL-3.0-or-later
"""What a window is made of: one widget a file. They draw a view and decide nothing."""
