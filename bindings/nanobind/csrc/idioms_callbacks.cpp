/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_callbacks.cpp - callbacks into Python, also from a thread of the library, and a table of functions.
 */
#include "idioms_callbacks.hpp"
#include "arguments.hpp"
#include "docstrings.h"
#include "gil.hpp"
#include "groups.hpp"
#include "limited_api.hpp"
#include "scalars.hpp"
#include "status.hpp"

#include <cside/idioms.h>

#include <optional>

namespace cside
{

int64_t each(void *user, int32_t value)
{
    nb::object argument = nb::steal(PyLong_FromLong(value));
    int32_t result = 0;

    if (!argument.is_valid()) {
        return CS_EACH_STOP;
    }
    /* Calling an nb::handle would throw what the callable raises, through the frames of the library, which is C. */
    nb::object returned =
        nb::steal(run_python([&] { return call_one(static_cast<PyObject *>(user), argument.ptr()); }));
    if (!returned.is_valid() || !convert(returned, result)) {
        return CS_EACH_STOP;
    }
    return result;
}

namespace
{

nb::object each_call(nb::handle times, nb::handle callback)
{
    uint32_t count = 0;
    int64_t sum = 0;

    if (!convert(times, count) || !check_callable(callback)) {
        return nb::object();
    }
    cs_status status = cs_each_call(count, each, callback.ptr(), &sum);
    if (status < 0) {
        return PyErr_Occurred() ? nb::object() : fail_status(status);
    }
    return nb::cast(sum);
}

/* ---- callbacks from a thread of the library --------------------------------------------------- */

/* nb::gil_scoped_acquire in each callback would be simpler. It deletes the thread state at its end, and the thread's
 * threading.local with it, so that these would be made again for each callback. Therefore the first callback makes a
 * thread state and the last one, known by its position, deletes it: only its own thread can delete a thread state. PyPy
 * keeps the state of a thread by itself. */
struct foreign_call {
    nb::handle callable;
    std::optional<nb::python_error> raised;
#if !defined(PYPY_VERSION)
    PyInterpreterState *interpreter;
    PyThreadState *thread;
    int32_t last;
    bool no_memory;
#endif

    /** Call the callable, and keep what it raises. */
    int64_t run(int32_t value)
    {
        int64_t outcome = each(callable.ptr(), value);

        if (outcome == CS_EACH_STOP) {
            raised.emplace();
        }
        return outcome;
    }
};

int64_t foreign_each(void *user, int32_t value)
{
    foreign_call *call = static_cast<foreign_call *>(user);

#if defined(PYPY_VERSION)
    nb::gil_scoped_acquire gil;

    return call->run(value);
#else
    if (call->thread == nullptr) {
        call->thread = PyThreadState_New(call->interpreter);
        if (call->thread == nullptr) {
            call->no_memory = true;
            return CS_EACH_STOP;
        }
    }
    PyEval_RestoreThread(call->thread);
    int64_t outcome = call->run(value);
    if (outcome == CS_EACH_STOP || value == call->last) {
        PyThreadState_Clear(call->thread);
        call->thread = nullptr;
        end_thread();
    } else {
        (void)PyEval_SaveThread();
    }
    return outcome;
#endif
}

nb::object thread_call(nb::handle times, nb::handle callback)
{
    foreign_call call = {};
    uint32_t count = 0;
    int64_t sum = 0;
    cs_status status = CS_OK;

    if (!convert(times, count) || !check_callable(callback)) {
        return nb::object();
    }
    call.callable = callback;
#if !defined(PYPY_VERSION)
    call.interpreter = PyInterpreterState_Get();
    call.last = static_cast<int32_t>(count - 1); /* the library refuses more than INT32_MAX calls */
#endif
    {
        gil_released released;

        status = cs_thread_call(count, foreign_each, &call, &sum);
    }
    if (call.raised.has_value()) {
        call.raised->restore();
        return nb::object();
    }
#if !defined(PYPY_VERSION)
    if (call.no_memory) {
        return nb::steal(PyErr_NoMemory());
    }
#endif
    return status < 0 ? fail_status(status) : nb::cast(sum);
}

/* ---- functions in a table of the library ------------------------------------------------------ */

const cs_ops *ops = nullptr; /* fetched once; the library never frees it */

int32_t ops_add(int32_t a, int32_t b)
{
    return ops->add(a, b);
}

int32_t ops_multiply(int32_t a, int32_t b)
{
    return ops->multiply(a, b);
}

} // namespace

void bind_idioms_callbacks(nb::module_ &m)
{
    ops = cs_ops_get();
    m.def("each_call", each_call, DOC_each_call);
    m.def("thread_call", thread_call, DOC_thread_call);
    m.def("ops_add", scalar_call<ops_add>::call, DOC_ops_add);
    m.def("ops_multiply", scalar_call<ops_multiply>::call, DOC_ops_multiply);
}

} // namespace cside
