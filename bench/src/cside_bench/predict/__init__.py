# SPDX-License-Identifier: Apache-2.0
"""Prices a C function with every approach, from its prototype and the costs that a run fitted to the shape of calls.

:mod:`.prototype` reads the declaration, :mod:`.roles` says what each argument is for, :mod:`.price` multiplies.
"""
