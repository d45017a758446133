# SPDX-License-Identifier: Apache-2.0
"""The measuring processes: a block of rounds, a start, threads, counted instructions."""
