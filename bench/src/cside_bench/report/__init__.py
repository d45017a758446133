# SPDX-License-Identifier: Apache-2.0
"""Shows a run to a reader: report.md, tables on the terminal, report.html and exports."""
