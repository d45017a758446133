// SPDX-License-Identifier: Apache-2.0
//
// idioms_callbacks.cpp - calls through function pointers: callables of Python that C calls, on the caller's thread or on
// a thread of the library, and C functions in a table of the library.
#include "idioms_callbacks.hpp"

#include "docstrings.hpp"
#include "gil.hpp"

#include <cside/idioms.h>

#include <optional>

// An exception of C++ must not pass through the library, which is C. So what a callable raises stays Python's current
// exception until the call of the library has returned, and only a result that is refused is caught here. Nothing else is
// caught: until 3.13 CPython unwinds the stack of a daemon thread that it ends, which must not be stopped.
std::int64_t call_python(void *user, std::int32_t value)
{
    const auto argument = py::reinterpret_steal<py::object>(PyLong_FromLong(value));

    if (!argument) {
        return CS_EACH_STOP;
    }
    const auto result = py::reinterpret_steal<py::object>(
        PyObject_CallFunctionObjArgs(static_cast<PyObject *>(user), argument.ptr(), nullptr));

    if (!result) {
        return CS_EACH_STOP;
    }
    try {
        return to<std::int32_t>(result);
    } catch (const python_error &) {
        return CS_EACH_STOP;
    }
}

namespace
{

std::int64_t each_call(u32 times, callable callback)
{
    std::int64_t sum = 0;
    const cs_status status = cs_each_call(times, call_python, callback.object, &sum);

    return sum_of_calls(status, sum);
}

/** The calls on one thread of the library. It gets a thread state of Python with the first call and loses it with the
 *  last one, so that what Python code keeps in a threading.local is there for all of them. */
class foreign_calls
{
  public:
    foreign_calls(PyObject *callable, std::uint32_t times) : callable_(callable), times_(times)
    {
    }

    std::int64_t make()
    {
        std::int64_t sum = 0;
        cs_status status = CS_OK;

        {
            const released_gil without_gil;

            status = cs_thread_call(times_, call, this, &sum);
        }
        if (raised_type_) {
            PyErr_Restore(raised_type_.release().ptr(), raised_.release().ptr(), raised_traceback_.release().ptr());
            throw_python_error();
        }
        check(status);
        return sum;
    }

  private:
    static std::int64_t call(void *user, std::int32_t value)
    {
        return static_cast<foreign_calls *>(user)->call(value);
    }

    std::int64_t call(std::int32_t value)
    {
        if (state_) {
            between_.reset();
        } else {
            state_.emplace();
        }
        const std::int64_t outcome = call_python(callable_, value);

        if (outcome == CS_EACH_STOP) {
            PyErr_Fetch(&raised_type_.ptr(), &raised_.ptr(), &raised_traceback_.ptr());
        }
        if (outcome == CS_EACH_STOP || static_cast<std::uint32_t>(value) == times_ - 1) {
            state_.reset();
        } else {
            between_.emplace();
        }
        return outcome;
    }

    PyObject *callable_;
    std::uint32_t times_;
    std::optional<py::gil_scoped_acquire> state_;
    std::optional<released_gil> between_;
    // what the callable has raised, which is the error of the library's thread and moves to the caller's
    py::object raised_type_;
    py::object raised_;
    py::object raised_traceback_;
};

std::int64_t thread_call(u32 times, callable callback)
{
    return foreign_calls(callback.object, times).make();
}

// ---- functions in a table of the library -------------------------------------------------------

// The table is fetched once and never freed.
const cs_ops *ops = nullptr;

std::int32_t ops_add(i32 a, i32 b)
{
    return ops->add(a, b);
}

std::int32_t ops_multiply(i32 a, i32 b)
{
    return ops->multiply(a, b);
}

} // namespace

void bind_idioms_callbacks(py::module_ &m)
{
    ops = cs_ops_get();
    m.def("each_call", each_call, DOC_each_call);
    m.def("thread_call", thread_call, DOC_thread_call);
    m.def("ops_add", ops_add, DOC_ops_add);
    m.def("ops_multiply", ops_multiply, DOC_ops_multiply);
}
