/* SPDX-License-Identifier: Apache-2.0
 *
 * The variants cside_swig.default and cside_swig.fastproxy: a part of the binding, once more, built with other options
 * of SWIG. Typemaps and headers are those of the whole binding. Of the files that name the functions of a group, a
 * variant leaves out what stands between `#ifndef CSIDE_PARTIAL` and `#endif`.
 */
%module core
#define CSIDE_PARTIAL

/* SWIG reads all that the headers declare, and wraps only what a %rename names. */
%rename("$ignore") "";
%rename("%s") cs_box::cs_box;
%rename("%s") cs_box::~cs_box;

%include "docstrings.i"
%include "preamble.i"

%include "idioms_errors.i"
%include "idioms_scalars.i"
%include "idioms_buffers.i"
%include "idioms_text.i"
%include "idioms_structs.i"
%include "idioms_callbacks.i"
%include "codec_checksums.i"

#pragma SWIG nowarn=314 /* cs_variant, which is ignored, has a field `as`, which is a keyword of Python's */
%include <cside/idioms.h>

%include "classes.i"
