/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_errors.h - exceptions of the codec.
 */
#ifndef CSIDE_CEXT_CODEC_ERRORS_H
#define CSIDE_CEXT_CODEC_ERRORS_H

#include "state.h"

#include "cside/codec.h"

/** "Error -3 while decompressing data: incorrect header check" */
#define CORE_ERROR_TEXT_NBYTES 320

/** Raise the codec's error with the text for a status; returns NULL. */
PyObject *core_codec_raise(core_state *state, cs_status status, const char *doing, const char *message);

/** __reduce_ex__ of both streams: TypeError. CPython would find out by itself, PyPy would not. */
PyObject *core_codec_reduce(PyObject *stream, PyObject *protocol);

#endif
