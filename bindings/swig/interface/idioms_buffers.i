/* SPDX-License-Identifier: Apache-2.0
 *
 * bytes_sum, buffer_fill, blob_get, runs_expand.
 *
 * The typemaps for input also serve the codec and are in typemaps/buffers.i.
 */

/* Typemaps match by the names of parameters, and these are not the header's. SWIG keeps this declaration and skips the
 * header's. */
%rename(bytes_sum) cs_bytes_sum;
%buffer_in(brief, brief_nbytes, cside_view_briefly)
uint32_t cs_bytes_sum(const uint8_t *brief, size_t brief_nbytes);

/* buffer_fill: the function writes into the caller's object. */
%rename(buffer_fill) cs_buffer_fill;
%typemap(arginit) (uint8_t *out, size_t out_nbytes) "view$argnum.obj = NULL;"
%typemap(in) (uint8_t *out, size_t out_nbytes) (Py_buffer view) {
    if (!cside_view_writable($input, &view))
        SWIG_fail;
    $1 = ($1_ltype)view.buf;
    $2 = (size_t)view.len;
}
%typemap(freearg) (uint8_t *out, size_t out_nbytes) {
    if (view$argnum.obj)
        PyBuffer_Release(&view$argnum);
}

#ifndef CSIDE_PARTIAL
/* blob_get: the first call asks for the size, the second one writes into a new bytes object. The typemap allocates
 * nothing; %exception does, between the two calls. Parameter 2 is `out`. */
%rename(blob_get) cs_blob_get;
%ignore CS_BLOB_MAX_NBYTES;
%typemap(in, numinputs=0) (uint8_t *out, size_t *inout_nbytes) (PyObject *bytes, size_t room) {
    bytes = NULL;
    room = 0;
    $1 = NULL;
    $2 = &room;
}
%typemap(argout) (uint8_t *out, size_t *inout_nbytes) {
    %set_result(bytes$argnum)
    bytes$argnum = NULL;
}
%typemap(freearg) (uint8_t *out, size_t *inout_nbytes) "Py_XDECREF(bytes$argnum);"

%exception cs_blob_get {
    $action
    if (result >= 0) {
        if ((bytes2 = cside_bytes_new(room2)) == NULL)
            SWIG_fail;
        arg2 = cside_bytes_start(bytes2);
        $action
    }
}

/* runs_expand: the call is repeated with twice the room while the room is too small. Parameter 3 is `out`, parameter 4
 * is `out_capacity`. */
%rename(runs_expand) cs_runs_expand;
%ignore CS_RUNS_FIRST_NBYTES;
%typemap(in, numinputs=0) (uint8_t *out, size_t out_capacity, size_t *out_nbytes) (PyObject *bytes, size_t written) {
    bytes = NULL;
    written = 0;
    $3 = &written;
}
%typemap(argout) (uint8_t *out, size_t out_capacity, size_t *out_nbytes) {
    %set_result(cside_bytes_cut(bytes$argnum, written$argnum))
    bytes$argnum = NULL;
}
%typemap(freearg) (uint8_t *out, size_t out_capacity, size_t *out_nbytes) "Py_XDECREF(bytes$argnum);"

%exception cs_runs_expand {
    arg4 = CS_RUNS_FIRST_NBYTES;
    do {
        Py_XDECREF(bytes3);
        if ((bytes3 = cside_bytes_new(arg4)) == NULL)
            SWIG_fail;
        arg3 = cside_bytes_start(bytes3);
        $action
        arg4 *= 2;
    } while (result == CS_E_TOO_SMALL);
}
#endif
