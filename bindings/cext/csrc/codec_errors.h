/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_errors.h - exceptions of the codec.
 */
#ifndef CSIDE_CEXT_CODEC_ERRORS_H
#define CSIDE_CEXT_CODEC_ERRORS_H

#include "state.h"

#include "cside/codec.h"

/** Room for the longest message, such as "Error -3 while decompressing data: incorrect header check". */
#define CORE_ERROR_TEXT_NBYTES 320

/** Raise codec.error with the message for a status. `doing` is a phrase such as "while flushing"; `message` is the
 *  engine's text, or NULL. Returns NULL. */
PyObject *core_codec_raise(core_state *state, cs_status status, const char *doing, const char *message);

/** The method __reduce_ex__ of both stream types: raise TypeError. CPython refuses to pickle them by itself, PyPy does
 *  not. */
PyObject *core_codec_reduce(PyObject *stream, PyObject *protocol);

#endif
