# SPDX-License-Identifier: Apache-2.0
"""From the raw files of a run to summary.json, one module per section, and to evidence.json."""
