# SPDX-License-Identifier: Apache-2.0
"""The C extension with format strings, as in tutorials: ``METH_VARARGS``, ``PyArg_ParseTuple``, ``Py_BuildValue``."""

from cside_cext import features, gaps

__all__ = ["features", "gaps", "partial", "unavailable"]

partial = True
"""This variant has only the functions that every variant has. Its features and gaps are those of the whole binding."""

unavailable: str | None = None
"""Why the running interpreter cannot have this variant; None if it can."""
