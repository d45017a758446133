# SPDX-License-Identifier: Apache-2.0
"""What a reader sees of a run: report.md, the terminal's tables, report.html and exports."""
