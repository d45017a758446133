# SPDX-License-Identifier: Apache-2.0
"""Makes a run: computes the plan and runs its processes one after the other, which write the raw files."""
