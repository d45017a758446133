/* SPDX-License-Identifier: Apache-2.0
 *
 * each_call, thread_call, ops_add, ops_multiply: calls through function pointers, in either direction.
 *
 * The typemap for a callback that is called with the GIL also serves Counter.each and is in typemaps/callbacks.i.
 */
%{
/* The argument of a callback that is called without the GIL, on any thread. It carries an exception over to the thread
 * that waits. */
typedef struct cside_carrier {
    PyObject *callable;
    PyObject *type, *value, *traceback;
} cside_carrier;

SWIGINTERN int64_t cside_each_foreign(void *user, int32_t position)
{
    cside_carrier *carrier = user;
    PyGILState_STATE state = PyGILState_Ensure();
    int64_t value = cside_each(carrier->callable, position);

    if (value == CS_EACH_STOP)
        PyErr_Fetch(&carrier->type, &carrier->value, &carrier->traceback);
    PyGILState_Release(state);
    return value;
}
%}

%rename(each_call) cs_each_call;
%calls_back(cs_each_call)
%ignore CS_EACH_STOP;

#ifndef CSIDE_PARTIAL
/* ---- thread_call: the callback comes from a thread that Python has never seen ------------------------------------ */

%rename(thread_call) cs_thread_call;
%typemap(in) (cs_each_fn foreign_fn, void *foreign_user) (cside_carrier carrier) {
    if (!cside_callable($input))
        SWIG_fail;
    memset(&carrier, 0, sizeof carrier);
    carrier.callable = $input;
    $1 = cside_each_foreign;
    $2 = &carrier;
}

%exception cs_thread_call {
    Py_BEGIN_ALLOW_THREADS
    $action
    Py_END_ALLOW_THREADS
    if (result == CS_E_ABORTED && carrier2.type) {
        PyErr_Restore(carrier2.type, carrier2.value, carrier2.traceback);
        SWIG_fail;
    }
}
/* Typemaps match by the names of parameters, and the header names these as it does those of each_call. SWIG keeps this
 * declaration and skips the header's. */
cs_status cs_thread_call(uint32_t times, cs_each_fn foreign_fn, void *foreign_user, int64_t *out_sum);

/* ---- ops_add, ops_multiply: through the library's table of function pointers ------------------------------------- */

%ignore cs_ops;
%ignore cs_ops_get;

%{
static const cs_ops *cside_ops; /* fetched once, at import: the library keeps it valid */
%}
%init %{
cside_ops = cs_ops_get();
%}
%inline %{
static int32_t ops_add(int32_t a, int32_t b)
{
    return cside_ops->add(a, b);
}
static int32_t ops_multiply(int32_t a, int32_t b)
{
    return cside_ops->multiply(a, b);
}
%}
#endif
