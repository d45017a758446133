# SPDX-License-Identifier: Apache-2.0
"""Machines that look for mistakes in C and in what binds it: sanitizers, memcheck, fuzzers, coverage, analyzers."""
