// SPDX-License-Identifier: Apache-2.0
//
// buffers.hpp - arguments with the buffer protocol, which are not copied, and new bytes objects to write into.
//
// py::buffer and its request() are not used: they allocate a description of format, shape and strides, of which a call
// needs nothing but address and size.
#pragma once

#include "errors.hpp"

#include <cstddef>
#include <cstdint>

/** The bytes of any contiguous buffer, which is held until this is destroyed. Take it as `const input &`. */
class input
{
  public:
    input() = default;
    input(const input &) = delete;
    input &operator=(const input &) = delete;

    ~input()
    {
        release();
    }

    const std::uint8_t *data() const
    {
        return data_;
    }

    std::size_t nbytes() const
    {
        return nbytes_;
    }

    /** Hold the buffer of an object. An exact `bytes` needs no holding: it cannot change, and the caller has it. */
    void open(py::handle object)
    {
        if (PyBytes_CheckExact(object.ptr())) {
            data_ = reinterpret_cast<const std::uint8_t *>(PyBytes_AS_STRING(object.ptr()));
            nbytes_ = static_cast<std::size_t>(PyBytes_GET_SIZE(object.ptr()));
        } else {
            hold(object);
        }
    }

    /** Let go of the buffer before the destructor does. */
    void release()
    {
        if (view_.obj != nullptr) {
            PyBuffer_Release(&view_);
        }
    }

  private:
    void hold(py::handle object)
    {
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) < 0) {
            view_.obj = nullptr;
            throw_python_error();
        }
        data_ = static_cast<const std::uint8_t *>(view_.buf);
        nbytes_ = static_cast<std::size_t>(view_.len);
    }

    const std::uint8_t *data_ = nullptr;
    std::size_t nbytes_ = 0;
    Py_buffer view_{};
};

/** As `input`, for a call that keeps the GIL and runs no Python code. A `bytearray` cannot change during such a call, so
 *  that an exact one is not held either. Its address is read when all arguments have been converted, because the
 *  conversion of another one may run Python code. */
class brief_input
{
  public:
    const std::uint8_t *data() const
    {
        return resizable_ != nullptr ? reinterpret_cast<const std::uint8_t *>(PyByteArray_AS_STRING(resizable_))
                                     : held_.data();
    }

    std::size_t nbytes() const
    {
        return resizable_ != nullptr ? static_cast<std::size_t>(PyByteArray_GET_SIZE(resizable_)) : held_.nbytes();
    }

    void open(py::handle object)
    {
#if !defined(PYPY_VERSION) && !defined(Py_GIL_DISABLED)
        if (PyByteArray_CheckExact(object.ptr())) {
            resizable_ = object.ptr();
            return;
        }
#endif
        held_.open(object);
    }

    /** Hold a bytearray too, for a call that releases the GIL after all. */
    void hold()
    {
        if (resizable_ != nullptr) {
            held_.open(resizable_);
            resizable_ = nullptr;
        }
    }

  private:
    PyObject *resizable_ = nullptr;
    input held_;
};

/** The bytes of a buffer to write into, for a call that keeps the GIL and runs no Python code, as for `brief_input`.
 *  BufferError if it is read-only or not contiguous. Take it as `const brief_output &`. */
class brief_output
{
  public:
    brief_output() = default;
    brief_output(const brief_output &) = delete;
    brief_output &operator=(const brief_output &) = delete;

    ~brief_output()
    {
        if (view_.obj != nullptr) {
            PyBuffer_Release(&view_);
        }
    }

    std::uint8_t *data() const
    {
        return resizable_ != nullptr ? reinterpret_cast<std::uint8_t *>(PyByteArray_AS_STRING(resizable_))
                                     : static_cast<std::uint8_t *>(view_.buf);
    }

    std::size_t nbytes() const
    {
        return static_cast<std::size_t>(resizable_ != nullptr ? PyByteArray_GET_SIZE(resizable_) : view_.len);
    }

    void open(py::handle object);

  private:
    PyObject *resizable_ = nullptr;
    Py_buffer view_{};
};

/** A new bytes object of `nbytes` bytes, not initialised, to write into. MemoryError if there is no memory. */
py::bytes new_bytes(std::size_t nbytes);

/** Where to write the contents of a bytes object that no other code has seen. */
inline std::uint8_t *contents(const py::bytes &bytes)
{
    return reinterpret_cast<std::uint8_t *>(PyBytes_AS_STRING(bytes.ptr()));
}

/** Change the size of a bytes object that no other code has seen. MemoryError if there is no memory. */
void resize(py::bytes &bytes, std::size_t nbytes);

namespace pybind11::detail
{

template <typename T> struct buffer_caster {
    PYBIND11_TYPE_CASTER(T, const_name("collections.abc.Buffer"));

    bool load(handle source, bool)
    {
        value.open(source);
        return true;
    }
};

template <> struct type_caster<input> : buffer_caster<input> {};

template <> struct type_caster<brief_input> : buffer_caster<brief_input> {};

template <> struct type_caster<brief_output> : buffer_caster<brief_output> {};

} // namespace pybind11::detail
