# SPDX-License-Identifier: Apache-2.0
"""Tests of ``idioms``, one module for each group of functions."""
