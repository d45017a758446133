# SPDX-License-Identifier: Apache-2.0
"""The header: what libclang reads in it, what the library exports, and the proof of both by a compiler."""
