# SPDX-License-Identifier: Apache-2.0
"""Compares two runs with each other, and the runs of several machines."""
