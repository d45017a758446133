# SPDX-License-Identifier: Apache-2.0
"""Computes ``summary.json`` and ``evidence.json`` from the raw files of a run, with one module per section.

``selftest`` and ``simulation`` pass simulated runs through these modules.
"""
