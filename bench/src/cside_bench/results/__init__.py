# SPDX-License-Identifier: Apache-2.0
"""Names, readers and schemas of the files of a run, and the plan of a run."""
