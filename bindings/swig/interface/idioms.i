/* SPDX-License-Identifier: Apache-2.0
 *
 * The idioms. The header of the library declares the functions, and SWIG reads it last, because its directives act on
 * the declarations that follow them. Each file before it names the functions of one group and holds what SWIG is told
 * about them.
 */
%include "idioms_errors.i" /* defines cside_raise_status(), which the code of other groups calls */
%include "idioms_scalars.i"
%include "idioms_buffers.i"
%include "idioms_text.i"
%include "idioms_structs.i"
%include "idioms_arrays.i"
%include "idioms_callbacks.i"
%include "idioms_handles.i"
%include "idioms_values.i"
%include "idioms_threads.i"
%include "idioms_trace.i"

#pragma SWIG nowarn=314 /* cs_variant, which is ignored, has a field `as`, which is a keyword of Python's */
%include <cside/idioms.h>

%clear uint32_t count; /* it is the number of arguments in varargs_sum alone */
