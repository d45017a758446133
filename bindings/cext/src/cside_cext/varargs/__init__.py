# SPDX-License-Identifier: Apache-2.0
"""The C extension as the tutorials teach it: ``METH_VARARGS``, ``PyArg_ParseTuple`` and ``Py_BuildValue``."""

from cside_cext import features, gaps

__all__ = ["features", "gaps", "partial", "unavailable"]

partial = True
"""A variant of a few functions. Features and gaps are those of the whole binding."""

unavailable: str | None = None
"""Why this interpreter cannot have it."""
