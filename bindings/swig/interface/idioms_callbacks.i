/* SPDX-License-Identifier: Apache-2.0
 *
 * each_call, thread_call, ops_add, ops_multiply: calls through function pointers, in either direction.
 *
 * The typemap for a callback that is called with the GIL also serves Counter.each and is in typemaps/callbacks.i.
 */
%{
/* The argument of a callback that is called without the GIL, on a thread that the library creates. It carries an
 * exception over to the thread that waits.
 *
 * A pair of PyGILState_Ensure() and PyGILState_Release() around each callback would make and delete a thread state for
 * each, and the thread's threading.local with it. Here the first callback makes the thread state, and the last one, or
 * the one that stops, deletes it. PyPy attaches a thread once and for all. */
typedef struct cside_carrier {
    PyObject *callable;
    PyObject *type, *value, *traceback;
#ifndef PYPY_VERSION
    PyThreadState *thread;
    int32_t last; /* the position of the last callback */
    bool no_memory;
#endif
} cside_carrier;

SWIGINTERN int64_t cside_each_foreign(void *user, int32_t position)
{
    cside_carrier *carrier = user;
    int64_t value;

#ifdef PYPY_VERSION
    PyGILState_STATE state = PyGILState_Ensure();
#else
    if (carrier->thread == NULL && (carrier->thread = PyThreadState_New(PyInterpreterState_Main())) == NULL) {
        carrier->no_memory = true;
        return CS_EACH_STOP;
    }
    PyEval_RestoreThread(carrier->thread);
#endif
    value = cside_each(carrier->callable, position);
    if (value == CS_EACH_STOP)
        PyErr_Fetch(&carrier->type, &carrier->value, &carrier->traceback);
#ifdef PYPY_VERSION
    PyGILState_Release(state);
#else
    if (value == CS_EACH_STOP || position == carrier->last) {
        PyThreadState_Clear(carrier->thread);
        carrier->thread = NULL;
        PyThreadState_DeleteCurrent(); /* releases the GIL too */
    } else {
        PyEval_SaveThread();
    }
#endif
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

/* Parameter 1 is `times`; the library refuses more than INT32_MAX. */
%exception cs_thread_call {
%#ifndef PYPY_VERSION
    carrier2.last = (int32_t)(arg1 - 1);
%#endif
    Py_BEGIN_ALLOW_THREADS
    $action
    Py_END_ALLOW_THREADS
    if (result == CS_E_ABORTED && carrier2.type) {
        PyErr_Restore(carrier2.type, carrier2.value, carrier2.traceback);
        SWIG_fail;
    }
%#ifndef PYPY_VERSION
    if (carrier2.no_memory) {
        PyErr_NoMemory();
        SWIG_fail;
    }
%#endif
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
