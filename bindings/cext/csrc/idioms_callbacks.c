/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_callbacks.c - calls through function pointers: Python callables that C calls, on the caller's thread or on a
 * thread of the library, and C functions in a table of the library.
 */
#include "idioms_callbacks.h"
#include "convert.h"
#include "docstrings.h"
#include "errors.h"
#include "limited_api.h"
#include "module.h"
#include "state.h"
#include "tables.h"

#include "cside/idioms.h"

#if !defined(CORE_KNOBS_ONLY)
#include "raised.h"
#endif

int64_t core_each(void *user, int32_t value)
{
    PyObject *argument = PyLong_FromLong(value);
    PyObject *returned = NULL;
    int32_t result = 0;
    int64_t outcome = CS_EACH_STOP;

    if (argument == NULL) {
        goto exit;
    }
    returned = core_call(user, argument);
    if (returned != NULL && core_as_int32(returned, &result) == 0) {
        outcome = result;
    }
exit:
    Py_XDECREF(returned);
    Py_XDECREF(argument);
    return outcome;
}

static PyObject *each_call(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    uint32_t times = 0;
    int64_t sum = 0;
    cs_status status = CS_OK;

    if (nargs != 2) {
        return core_bad_count("each_call", 2, nargs);
    }
    if (core_as_uint32(args[0], &times) < 0 || core_as_callable(args[1]) < 0) {
        return NULL;
    }
    status = cs_each_call(times, core_each, args[1], &sum);
    if (status < 0) {
        return PyErr_Occurred() ? NULL : core_raise(core_state_of(module), status);
    }
    return PyLong_FromLongLong(sum);
}

#if !defined(CORE_KNOBS_ONLY)

/* ---- callbacks from a thread of the library --------------------------------------------------- */

/* PyGILState_Ensure() would be simpler, but it works for the main interpreter only. Also, PyGILState_Release() deletes
 * the thread state, and the thread's threading.local with it, so that these would be made again for each callback.
 * Therefore the first callback makes a thread state for the interpreter of the caller and the last one, known by its
 * position, deletes it: only its own thread can delete a thread state. PyPy has a single interpreter and uses
 * PyGILState_Ensure(). */
typedef struct foreign_call {
    PyObject *callable;
    core_raised raised;
#if !defined(PYPY_VERSION)
    PyInterpreterState *interpreter;
    PyThreadState *thread;
    int32_t last;
    bool no_memory;
#endif
} foreign_call;

static int64_t foreign_each(void *user, int32_t value)
{
    foreign_call *call = user;
    int64_t outcome = CS_EACH_STOP;

#if defined(PYPY_VERSION)
    PyGILState_STATE gil = PyGILState_Ensure();

    outcome = core_each(call->callable, value);
    if (outcome == CS_EACH_STOP) {
        core_raised_take(&call->raised);
    }
    PyGILState_Release(gil);
#else
    if (call->thread == NULL) {
        call->thread = PyThreadState_New(call->interpreter);
        if (call->thread == NULL) {
            call->no_memory = true;
            return CS_EACH_STOP;
        }
    }
    PyEval_RestoreThread(call->thread);
    outcome = core_each(call->callable, value);
    if (outcome == CS_EACH_STOP) {
        core_raised_take(&call->raised);
    }
    if (outcome == CS_EACH_STOP || value == call->last) {
        PyThreadState_Clear(call->thread);
        call->thread = NULL;
        PyThreadState_DeleteCurrent(); /* this also releases the GIL */
    } else {
        (void)PyEval_SaveThread();
    }
#endif
    return outcome;
}

static PyObject *thread_call(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    foreign_call call = {0};
    uint32_t times = 0;
    int64_t sum = 0;
    cs_status status = CS_OK;

    if (nargs != 2) {
        return core_bad_count("thread_call", 2, nargs);
    }
    if (core_as_uint32(args[0], &times) < 0 || core_as_callable(args[1]) < 0) {
        return NULL;
    }
    call.callable = args[1];
#if !defined(PYPY_VERSION)
    call.interpreter = PyInterpreterState_Get();
    call.last = (int32_t)(times - 1); /* the library refuses more than INT32_MAX calls */
#endif
    Py_BEGIN_ALLOW_THREADS
    status = cs_thread_call(times, foreign_each, &call, &sum);
    Py_END_ALLOW_THREADS
    if (core_raised_give(&call.raised)) {
        return NULL;
    }
#if !defined(PYPY_VERSION)
    if (call.no_memory) {
        return PyErr_NoMemory();
    }
#endif
    if (status < 0) {
        return core_raise(core_state_of(module), status);
    }
    return PyLong_FromLongLong(sum);
}

/* ---- functions in a table of the library ------------------------------------------------------ */

static PyObject *ops_add(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    int32_t a = 0;
    int32_t b = 0;

    if (nargs != 2) {
        return core_bad_count("ops_add", 2, nargs);
    }
    if (core_as_int32(args[0], &a) < 0 || core_as_int32(args[1], &b) < 0) {
        return NULL;
    }
    return PyLong_FromLong(core_state_of(module)->ops->add(a, b));
}

static PyObject *ops_multiply(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    int32_t a = 0;
    int32_t b = 0;

    if (nargs != 2) {
        return core_bad_count("ops_multiply", 2, nargs);
    }
    if (core_as_int32(args[0], &a) < 0 || core_as_int32(args[1], &b) < 0) {
        return NULL;
    }
    return PyLong_FromLong(core_state_of(module)->ops->multiply(a, b));
}

#endif /* !CORE_KNOBS_ONLY */

static PyMethodDef methods[] = {
    {"each_call", CORE_FUNCTION(each_call), METH_FASTCALL, DOC_each_call},
#if !defined(CORE_KNOBS_ONLY)
    {"thread_call", CORE_FUNCTION(thread_call), METH_FASTCALL, DOC_thread_call},
    {"ops_add", CORE_FUNCTION(ops_add), METH_FASTCALL, DOC_ops_add},
    {"ops_multiply", CORE_FUNCTION(ops_multiply), METH_FASTCALL, DOC_ops_multiply},
#endif
    {NULL, NULL, 0, NULL},
};

int core_add_idioms_callbacks(PyObject *module)
{
#if !defined(CORE_KNOBS_ONLY)
    core_state_of(module)->ops = cs_ops_get();
#endif
    return PyModule_AddFunctions(module, methods);
}
