// SPDX-License-Identifier: Apache-2.0
//
// codec_lock.hpp - the lock of a stream, and access to what its properties read.
#pragma once

#include "gil.hpp"
#include "zeroed.hpp"

#include <mutex>

/** What all streams have: a lock, so that calls of several threads take turns. */
class locked_stream : public zeroed
{
  public:
    locked_stream() = default;
    locked_stream(const locked_stream &) = delete;
    locked_stream &operator=(const locked_stream &) = delete;

    mutable std::mutex lock;
#if defined(Py_GIL_DISABLED)
    mutable std::mutex fields;
#endif
};

/** Holds the lock of a stream. A method takes it before it releases the GIL, and keeps it while the engine works. No
 *  Python code may run meanwhile, because that code could try to take the same lock. So exceptions are thrown, and
 *  buffers of other objects are got, while it is not held. */
class turn
{
  public:
    /** Throws TypeError for an object that no constructor has made. */
    explicit turn(const locked_stream &stream) : lock_(made(stream), std::try_to_lock)
    {
        if (!lock_.owns_lock()) {
            const released_gil released;
            lock_.lock();
        }
    }

  private:
    static std::mutex &made(const locked_stream &stream)
    {
        stream.check_made();
        return stream.lock;
    }

    std::unique_lock<std::mutex> lock_;
};

/** Protects the fields that properties read without the lock, for as long as a pointer is copied. The GIL does so where
 *  there is one. */
class brief_access
{
  public:
#if defined(Py_GIL_DISABLED)
    explicit brief_access(const locked_stream &stream) : guard_(stream.fields)
    {
    }

  private:
    std::lock_guard<std::mutex> guard_;
#else
    explicit brief_access(const locked_stream &)
    {
    }
#endif
};

/** Replace a field that properties read. The old object is released afterwards. */
inline void replace(const locked_stream &stream, py::object &field, py::object value)
{
    const brief_access access(stream);

    std::swap(field, value);
}

/** Read such a field. */
inline py::object read(const locked_stream &stream, const py::object &field)
{
    const brief_access access(stream);

    return field;
}
