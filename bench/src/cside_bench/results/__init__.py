# SPDX-License-Identifier: Apache-2.0
"""The files of a run: their names, how they are read, and what was planned."""
