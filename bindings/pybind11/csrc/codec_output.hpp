// SPDX-License-Identifier: Apache-2.0
//
// codec_output.hpp - the output of the codec: a bytes object that grows.
#pragma once

#include "errors.hpp"

#include <cside/codec.h>

#include <cstddef>

/** The bytes object that the library writes into. No other code has a reference to it before finish(). Its functions do
 *  not throw, because they are called while the lock of a stream is held: the caller throws later. */
class output
{
  public:
    output() = default;
    output(const output &) = delete;
    output &operator=(const output &) = delete;

    ~output()
    {
        Py_XDECREF(bytes_);
    }

    /** Make a bytes object of `first` bytes, at most `limit`, and let the stream write into it. False if there is no
     *  memory. */
    bool start(cs_stream &stream, std::size_t first, std::size_t limit) noexcept;

    enum class growth { grown, at_limit, no_memory };

    /** Double the size after the stream has filled the object. */
    growth grow(cs_stream &stream) noexcept;

    /** Return the bytes written so far; a null object if there is no memory. */
    py::object finish(const cs_stream &stream) noexcept;

  private:
    PyObject *bytes_ = nullptr;
    std::size_t room_ = 0;
    std::size_t limit_ = 0;
};

/** Throw the MemoryError for an output that could not be made or grow. */
[[noreturn]] void throw_no_room();
