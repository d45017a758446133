/* SPDX-License-Identifier: Apache-2.0
 *
 * module.h - the parts of the module `_core`: for each group, a function that adds its functions, types and constants.
 */
#ifndef CSIDE_CEXT_MODULE_H
#define CSIDE_CEXT_MODULE_H

#include "interpreter.h"

/* setup.py builds the variants from the same files with other macros: CORE_KNOBS_ONLY leaves out all functions that a
 * variant does not need, Py_LIMITED_API selects the stable ABI, and CORE_PACKAGE is the package of the module. */
#if !defined(CORE_PACKAGE)
#define CORE_PACKAGE "cside_cext"
#endif

/* Each returns 0, or -1 with an exception set. What follows core_add_ is the name of the file that defines it. */
int core_add_idioms_scalars(PyObject *module);
int core_add_idioms_buffers(PyObject *module);
int core_add_idioms_text(PyObject *module);
int core_add_idioms_structs(PyObject *module);
int core_add_idioms_arrays(PyObject *module);
int core_add_idioms_callbacks(PyObject *module);
int core_add_idioms_handles(PyObject *module);
int core_add_idioms_errors(PyObject *module);
int core_add_idioms_values(PyObject *module);
int core_add_idioms_threads(PyObject *module);
int core_add_idioms_trace(PyObject *module);
int core_add_codec_errors(PyObject *module);
int core_add_codec_constants(PyObject *module);
int core_add_codec_checksums(PyObject *module);
int core_add_codec_oneshot(PyObject *module);
int core_add_codec_compress(PyObject *module);
int core_add_codec_decompress(PyObject *module);
int core_add_pkcs11_module(PyObject *module);

#endif
