# SPDX-License-Identifier: Apache-2.0
"""Where a function of the contract stands: in C, in every binding, in the contract, in the tests and workloads."""
