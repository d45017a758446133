// SPDX-License-Identifier: Apache-2.0
//
// idioms_handles.cpp - Counter, the owner of an opaque handle.
#include "arguments.hpp"
#include "docstrings.hpp"
#include "idioms_callbacks.hpp"
#include "zeroed.hpp"

#include <cside/idioms.h>

#include <atomic>

namespace
{

/** After close() the handle is 0, which the library never gives out; so is that of an object without a constructor. It
 *  is atomic for builds without a GIL. If two threads close the same counter, the library decides which is first. */
class counter : public zeroed
{
  public:
    explicit counter(i64 start)
    {
        cs_counter handle = 0;

        check(cs_counter_open(start, &handle));
        handle_ = handle;
    }

    ~counter()
    {
        if (const cs_counter handle = handle_) {
            (void)cs_counter_close(handle); // it cannot be busy, since the caller of each() has a reference
        }
    }

    counter(const counter &) = delete;
    counter &operator=(const counter &) = delete;

    std::int64_t add(i64 n) const
    {
        std::int64_t total = 0;

        check(cs_counter_add(handle_, n, &total));
        return total;
    }

    std::int64_t each(u32 times, callable callback) const
    {
        std::int64_t sum = 0;
        const cs_status status = cs_counter_each(handle_, times, call_python, callback.object, &sum);

        return sum_of_calls(status, sum);
    }

    void close()
    {
        if (const cs_counter handle = handle_) {
            const cs_status status = cs_counter_close(handle);

            if (status != CS_E_CLOSED) {
                check(status);
            }
            handle_ = 0;
        }
    }

    counter &enter()
    {
        return *this;
    }

    void exit(const py::args &)
    {
        close();
    }

  private:
    std::atomic<cs_counter> handle_{0};
};

} // namespace

void bind_idioms_handles(py::module_ &m)
{
    py::class_<counter>(m, "Counter", py::is_final(), DOC_Counter)
        .def(py::init<i64>(), py::arg("start") = 0, py::pos_only())
        .def("add", &counter::add, DOC_Counter_add)
        .def("each", &counter::each, DOC_Counter_each)
        .def("close", &counter::close, DOC_Counter_close)
        .def("__enter__", &counter::enter, py::return_value_policy::reference, DOC_Counter___enter__)
        .def("__exit__", &counter::exit, DOC_Counter___exit__)
        .def("__reduce__", refuse_pickle, "__reduce__(self, /)\n--\n\nRaise `TypeError`.");
}
