// SPDX-License-Identifier: Apache-2.0
//
// gil.hpp - a scope without the GIL.
//
// py::gil_scoped_release is not used for two reasons. It looks up pybind11's internals at each call. And until 3.13
// CPython ends a daemon thread that wants the GIL back while the interpreter ends: it unwinds the thread's stack, which in
// a destructor is the end of the process.
#pragma once

#include "_core.hpp"

#if !defined(PYPY_VERSION) && PY_VERSION_HEX < 0x030E0000 && defined(__GLIBCXX__)
#include <cxxabi.h>
#include <unistd.h>
#define CSIDE_ENDS_THREADS
#endif

/** Releases the GIL, and takes it again when this is destroyed. */
class released_gil
{
  public:
    released_gil() : thread_(PyEval_SaveThread())
    {
    }

    released_gil(const released_gil &) = delete;
    released_gil &operator=(const released_gil &) = delete;

    ~released_gil()
    {
        take();
    }

    /** Take the GIL for a callback that runs on the thread that has released it. */
    void take()
    {
#if defined(CSIDE_ENDS_THREADS)
        try {
            PyEval_RestoreThread(thread_);
        } catch (abi::__forced_unwind &) {
            // The thread waits for the end of the process, as CPython lets it do from 3.14 on.
            for (;;) {
                pause();
            }
        }
#else
        PyEval_RestoreThread(thread_);
#endif
    }

    /** Release it again after the callback. */
    void give()
    {
        thread_ = PyEval_SaveThread();
    }

  private:
    PyThreadState *thread_;
};

#undef CSIDE_ENDS_THREADS
