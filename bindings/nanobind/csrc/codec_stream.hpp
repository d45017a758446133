/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_stream.hpp - what the three types of streams share: their lock, and how an object is made.
 */
#ifndef CSIDE_NANOBIND_CODEC_STREAM_HPP
#define CSIDE_NANOBIND_CODEC_STREAM_HPP

#include "gil.hpp"

#include <nanobind/nanobind.h>

#include <mutex>
#include <new>

namespace nb = nanobind;

namespace cside
{

/** Holds the lock of a stream. A method takes it before it releases the GIL, and keeps it while the engine works; a
 *  thread waits for it with the GIL released. No Python code may run while it is held, because that code could try to
 *  take the same lock. So exceptions are raised, and buffers of other objects are got, while it is not held.
 *
 *  It is no nb::ft_mutex, which does nothing in a build with a GIL: here the GIL is released meanwhile. */
class stream_guard
{
  public:
    explicit stream_guard(std::mutex &mutex) : lock(mutex, std::try_to_lock)
    {
        if (!lock.owns_lock()) {
            gil_released released;

            lock.lock();
        }
    }

  private:
    std::unique_lock<std::mutex> lock;
};

/** The slot tp_new of types whose objects only functions of this module make, by make_stream(), with the message of
 *  CPython for such types: nanobind's own is another. */
inline PyObject *refuse_creation(PyTypeObject *type, PyObject *, PyObject *)
{
    /* In 3.11 the tp_name of nanobind's types lacks the module. */
    nb::object module = nb::steal(PyObject_GetAttrString(reinterpret_cast<PyObject *>(type), "__module__"));
    nb::object name = nb::steal(PyObject_GetAttrString(reinterpret_cast<PyObject *>(type), "__qualname__"));

    if (module.is_valid() && name.is_valid()) {
        PyErr_Format(PyExc_TypeError, "cannot create '%U.%U' instances", module.ptr(), name.ptr());
    }
    return nullptr;
}

/** Make a Python object of a bound type that has no constructor in Python. The C++ object is in the Python object, whose
 *  address does not change, as the library demands of a stream. */
template <typename Stream> Stream &make_stream(nb::object &object)
{
    object = nb::inst_alloc(nb::type<Stream>());
    Stream *stream = new (nb::inst_ptr<Stream>(object)) Stream();
    nb::inst_mark_ready(object);
    return *stream;
}

} // namespace cside

#endif
