# SPDX-License-Identifier: Apache-2.0
"""Finds the code of a function of the contract: in C, in every binding, in the contract, in tests and in workloads."""
