# SPDX-License-Identifier: Apache-2.0
"""Tests of the idioms, one module per group."""
