// SPDX-License-Identifier: Apache-2.0
//
// idioms_threads.cpp - calls with the GIL held and released, and state of the process and of a thread.
#include "arguments.hpp"
#include "docstrings.hpp"
#include "gil.hpp"

#include <cside/idioms.h>

static std::uint64_t spin(u64 iterations)
{
    return cs_spin(iterations);
}

static void state_init(i64 seed)
{
    check(cs_state_init(seed));
}

static std::int64_t state_next()
{
    std::int64_t value = 0;

    check(cs_state_next(&value));
    return value;
}

static void state_fini()
{
    check(cs_state_fini());
}

static void tls_set(i64 value)
{
    cs_tls_set(value);
}

void bind_idioms_threads(py::module_ &m)
{
    m.def("spin_held", spin, DOC_spin_held);
    m.def("spin_released", spin, py::call_guard<released_gil>(), DOC_spin_released);
    m.def("state_init", state_init, DOC_state_init);
    m.def("state_next", state_next, DOC_state_next);
    m.def("state_fini", state_fini, DOC_state_fini);
    m.def("tls_set", tls_set, DOC_tls_set);
    m.def("tls_get", cs_tls_get, DOC_tls_get);
}
