# SPDX-License-Identifier: Apache-2.0
"""Making a run: the plan, the processes one after the other, and the raw files that they leave."""
