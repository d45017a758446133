/* SPDX-License-Identifier: Apache-2.0
 *
 * gil.hpp - releases the GIL for a call of the library, takes it for a callback, and runs Python code in between.
 *
 * While CPython before 3.14 ends, it ends each daemon thread that asks for the GIL, by pthread_exit(). With glibc this
 * unwinds the thread's stack as a C++ exception does. Destructors would then change Python objects without the GIL, and
 * std::terminate() ends the whole process where it comes to a function that is noexcept, as destructors, nanobind's
 * guards of the GIL and its dispatcher are. So such a thread stays where it is until the process has ended, which is
 * what CPython 3.14 does itself. A module for the stable ABI may run on an older CPython than it was built with.
 */
#ifndef CSIDE_NANOBIND_GIL_HPP
#define CSIDE_NANOBIND_GIL_HPP

#include <nanobind/nanobind.h>

#include <chrono>
#include <thread>

namespace nb = nanobind;

namespace cside
{

#if defined(PYPY_VERSION) || (PY_VERSION_HEX >= 0x030E0000 && !defined(Py_LIMITED_API))

using gil_released = nb::gil_scoped_release;
using gil_taken = nb::gil_scoped_acquire;

template <typename Call> auto run_python(Call call)
{
    return call();
}

#else

/** Call something that may ask for the GIL and throws nothing. What arrives here is the end of the thread; it must not be
 *  left, because glibc aborts a process that stops this unwinding. */
template <typename Call> auto run_python(Call call)
{
    try {
        return call();
    } catch (...) {
        for (;;) {
            std::this_thread::sleep_for(std::chrono::hours(1));
        }
    }
}

/** As nb::gil_scoped_release. */
class gil_released
{
  public:
    gil_released() : state(PyEval_SaveThread())
    {
    }
    gil_released(const gil_released &) = delete;
    gil_released &operator=(const gil_released &) = delete;

    ~gil_released()
    {
        run_python([this] { PyEval_RestoreThread(state); });
    }

  private:
    PyThreadState *state;
};

/** As nb::gil_scoped_acquire. */
class gil_taken
{
  public:
    gil_taken() : state(run_python(PyGILState_Ensure))
    {
    }
    gil_taken(const gil_taken &) = delete;
    gil_taken &operator=(const gil_taken &) = delete;

    ~gil_taken()
    {
        PyGILState_Release(state);
    }

  private:
    PyGILState_STATE state;
};

#endif

} // namespace cside

#endif
