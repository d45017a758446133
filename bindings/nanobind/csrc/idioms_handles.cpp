/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_handles.cpp - an opaque handle of the library, owned by an object.
 */
#include "arguments.hpp"
#include "classes.hpp"
#include "docstrings.h"
#include "groups.hpp"
#include "idioms_callbacks.hpp"
#include "status.hpp"

#include <cside/idioms.h>

#include <atomic>
#include <new>

namespace cside
{

namespace
{

/** The owner of a handle. After close() the handle is 0, which the library never gives out. It is atomic for builds
 *  without a GIL. If two threads close the same counter, the library decides which of them is first. */
class counter
{
  public:
    explicit counter(cs_counter opened) : handle(opened)
    {
    }
    counter(const counter &) = delete;
    counter &operator=(const counter &) = delete;

    ~counter()
    {
        if (get() != 0) {
            (void)cs_counter_close(get()); /* it cannot be busy, since each() holds a reference */
        }
    }

    cs_counter get() const
    {
        return handle.load(std::memory_order_relaxed);
    }
    void forget()
    {
        handle.store(0, std::memory_order_relaxed);
    }

  private:
    std::atomic<cs_counter> handle;
};

nb::object counter_init(counter *self, nb::handle start)
{
    int64_t value = 0;
    cs_counter opened = 0;

    if (!convert(start, value)) {
        return nb::object();
    }
    cs_status status = cs_counter_open(value, &opened);
    if (status < 0) {
        return fail_status(status);
    }
    new (self) counter(opened);
    return nb::none();
}

nb::object counter_add(const counter &self, nb::handle n)
{
    int64_t value = 0;
    int64_t total = 0;

    if (!convert(n, value)) {
        return nb::object();
    }
    cs_status status = cs_counter_add(self.get(), value, &total);
    return status < 0 ? fail_status(status) : nb::cast(total);
}

nb::object counter_each(const counter &self, nb::handle times, nb::handle callback)
{
    uint32_t count = 0;
    int64_t sum = 0;

    if (!convert(times, count) || !check_callable(callback)) {
        return nb::object();
    }
    cs_status status = cs_counter_each(self.get(), count, each, callback.ptr(), &sum);
    if (status < 0) {
        return PyErr_Occurred() ? nb::object() : fail_status(status);
    }
    return nb::cast(sum);
}

nb::object counter_close(counter &self)
{
    cs_counter handle = self.get();

    if (handle != 0) {
        cs_status status = cs_counter_close(handle);

        if (status < 0 && status != CS_E_CLOSED) {
            return fail_status(status);
        }
        self.forget();
    }
    return nb::none();
}

nb::handle counter_enter(nb::handle self)
{
    return self;
}

nb::object counter_exit(counter &self, nb::args)
{
    return counter_close(self);
}

} // namespace

void bind_idioms_handles(nb::module_ &m)
{
    nb::class_<counter>(m, "Counter", nb::is_final(), DOC_Counter)
        .def("__init__", counter_init, nb::arg() = 0, "__init__($self, start=0, /)\n--\n\nOpen the counter.")
        .def("__reduce__", refuse_pickle)
        .def("add", counter_add, DOC_Counter_add)
        .def("each", counter_each, DOC_Counter_each)
        .def("close", counter_close, DOC_Counter_close)
        .def("__enter__", counter_enter, DOC_Counter___enter__)
        .def("__exit__", counter_exit, DOC_Counter___exit__);
}

} // namespace cside
