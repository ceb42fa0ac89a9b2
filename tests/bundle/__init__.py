# SPDX-License-Identifier: Apache-2.0
"""The bundle for an auditor, and the file in it that checks a record by itself."""
