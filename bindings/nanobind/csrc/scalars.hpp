/* SPDX-License-Identifier: Apache-2.0
 *
 * scalars.hpp - binds a C function that takes and returns scalars.
 */
#ifndef CSIDE_NANOBIND_SCALARS_HPP
#define CSIDE_NANOBIND_SCALARS_HPP

#include "arguments.hpp"

#include <tuple>
#include <utility>

namespace cside
{

/** `scalar_call<cs_i32_add>::call` takes one handle for each argument of the C function, converts them in order, calls
 *  the function and converts its result. */
template <auto Function> struct scalar_call;

template <typename Result, typename... Arguments, Result (*Function)(Arguments...)> struct scalar_call<Function> {
    template <typename> using given = nb::handle;

    static nb::object call(given<Arguments>... objects)
    {
        return convert_and_call(std::index_sequence_for<Arguments...>(), objects...);
    }

  private:
    template <size_t... I> static nb::object convert_and_call(std::index_sequence<I...>, given<Arguments>... objects)
    {
        std::tuple<Arguments...> values;

        if (!(convert(objects, std::get<I>(values)) && ...)) {
            return nb::object();
        }
        return nb::cast(Function(std::get<I>(values)...));
    }
};

} // namespace cside

#endif
