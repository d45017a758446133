/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_threads.cpp - calls with the GIL held and released, and state of the process and of a thread.
 */
#include "arguments.hpp"
#include "docstrings.h"
#include "gil.hpp"
#include "groups.hpp"
#include "scalars.hpp"
#include "status.hpp"

#include <cside/idioms.h>

namespace cside
{

namespace
{

uint64_t spin_released(uint64_t iterations)
{
    gil_released released;

    return cs_spin(iterations);
}

nb::object state_init(nb::handle seed)
{
    int64_t value = 0;

    if (!convert(seed, value)) {
        return nb::object();
    }
    cs_status status = cs_state_init(value);
    return status < 0 ? fail_status(status) : nb::none();
}

nb::object state_next()
{
    int64_t value = 0;
    cs_status status = cs_state_next(&value);

    return status < 0 ? fail_status(status) : nb::cast(value);
}

nb::object state_fini()
{
    cs_status status = cs_state_fini();

    return status < 0 ? fail_status(status) : nb::none();
}

nb::object tls_set(nb::handle value)
{
    int64_t number = 0;

    if (!convert(value, number)) {
        return nb::object();
    }
    cs_tls_set(number);
    return nb::none();
}

} // namespace

void bind_idioms_threads(nb::module_ &m)
{
    m.def("spin_held", scalar_call<cs_spin>::call, DOC_spin_held);
    m.def("spin_released", scalar_call<spin_released>::call, DOC_spin_released);
    m.def("state_init", state_init, DOC_state_init);
    m.def("state_next", state_next, DOC_state_next);
    m.def("state_fini", state_fini, DOC_state_fini);
    m.def("tls_set", tls_set, DOC_tls_set);
    m.def("tls_get", cs_tls_get, DOC_tls_get);
}

} // namespace cside
