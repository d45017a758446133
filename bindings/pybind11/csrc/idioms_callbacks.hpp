// SPDX-License-Identifier: Apache-2.0
//
// idioms_callbacks.hpp - the C function that calls a callable of Python, for all functions that take a callback.
#pragma once

#include "arguments.hpp"

/** A cs_each_fn whose `user` is the callable. Needs the GIL. CS_EACH_STOP means that an exception is set. */
extern "C" std::int64_t call_python(void *user, std::int32_t value);

/** The sum, unless the status says that the call failed or a callback has raised an exception, which is thrown. */
inline std::int64_t sum_of_calls(cs_status status, const std::int64_t &sum)
{
    if (status < 0) {
        if (PyErr_Occurred() != nullptr) {
            throw_python_error();
        }
        throw_status(status);
    }
    return sum;
}
