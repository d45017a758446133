/* SPDX-License-Identifier: Apache-2.0
 *
 * buffers.hpp - the bytes of an argument, buffers to write into, and new bytes objects.
 */
#ifndef CSIDE_NANOBIND_BUFFERS_HPP
#define CSIDE_NANOBIND_BUFFERS_HPP

#include "limited_api.hpp"

#include <cstdint>

namespace nb = nanobind;

namespace cside
{

/** The bytes of an argument, without a copy. The destructor releases the buffer; the caller must hold the GIL then. */
class input
{
  public:
    input()
    {
        view.obj = nullptr;
    }
    input(const input &) = delete;
    input &operator=(const input &) = delete;

    ~input()
    {
        if (view.obj != nullptr) {
            PyBuffer_Release(&view);
        }
    }

    /** Open any contiguous buffer and hold it. An exact `bytes` is read without holding a buffer: it cannot change, and
     *  the caller has a reference to it. False with an exception set. */
    bool open(nb::handle object)
    {
        if (PyBytes_CheckExact(object.ptr())) {
            start = reinterpret_cast<const uint8_t *>(bytes_start(object));
            count = bytes_count(object);
            return true;
        }
        return open_buffer(object);
    }

    /** As open(), for a call that keeps the GIL and runs no Python code meanwhile. A `bytearray` cannot change during
     *  such a call, so an exact one is read without holding a buffer too. */
    bool open_briefly(nb::handle object)
    {
#if !defined(PYPY_VERSION) && !defined(Py_GIL_DISABLED)
        if (PyByteArray_CheckExact(object.ptr())) {
            start = reinterpret_cast<const uint8_t *>(bytearray_start(object));
            count = bytearray_count(object);
            return true;
        }
#endif
        return open(object);
    }

    /** Hold what open_briefly() opened, before the GIL is released after all. */
    bool hold(nb::handle object)
    {
        return view.obj != nullptr || open(object);
    }

    const uint8_t *data() const
    {
        return start;
    }
    size_t nbytes() const
    {
        return count;
    }

  private:
    bool open_buffer(nb::handle object);

    const uint8_t *start = nullptr;
    size_t count = 0;
    Py_buffer view; /* of which only `obj` is set as long as no buffer is held */
};

/** A contiguous buffer of the caller to write into, which is held. */
class output
{
  public:
    output()
    {
        view.obj = nullptr;
    }
    output(const output &) = delete;
    output &operator=(const output &) = delete;

    ~output()
    {
        if (view.obj != nullptr) {
            PyBuffer_Release(&view);
        }
    }

    /** False with an exception set: BufferError if the object is not writable. */
    bool open(nb::handle object);

    uint8_t *data() const
    {
        return static_cast<uint8_t *>(view.buf);
    }
    size_t nbytes() const
    {
        return static_cast<size_t>(view.len);
    }

  private:
    Py_buffer view; /* of which only `obj` is set as long as no buffer is held */
};

/** A new bytes object of `nbytes` bytes, not initialised, to write into; null with MemoryError. */
nb::object new_bytes(size_t nbytes);

/** Where to write the bytes of new_bytes(). Even an empty one has room for one byte, so this is never null. */
inline uint8_t *bytes_data(nb::handle bytes)
{
    return reinterpret_cast<uint8_t *>(bytes_start(bytes));
}

/** Set the size of a bytes object of new_bytes() that nobody else refers to. On failure it becomes null, with
 *  MemoryError. */
inline void resize_bytes(nb::object &bytes, size_t nbytes)
{
    PyObject *resized = bytes.release().ptr();

    resize(resized, static_cast<Py_ssize_t>(nbytes));
    bytes = nb::steal(resized);
}

} // namespace cside

#endif
