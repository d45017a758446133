# SPDX-License-Identifier: Apache-2.0
"""The programs that run in a measuring process: rounds of a block, start-up, threads, counted instructions."""
