/* SPDX-License-Identifier: Apache-2.0
 *
 * spin_held, spin_released, state_init, state_next, state_fini, tls_set, tls_get: the GIL, global and thread-local
 * state.
 */

/* spin_held and spin_released are one C function, called with the GIL and without it. */
%rename(spin_held) cs_spin;

%exception spin_released {
    Py_BEGIN_ALLOW_THREADS
    $action
    Py_END_ALLOW_THREADS
}
%inline %{
static uint64_t spin_released(uint64_t iterations)
{
    return cs_spin(iterations);
}
%}

%rename(state_init) cs_state_init;
%rename(state_next) cs_state_next;
%out_integer(int64_t, out_value, cside_long_from_i64)
%rename(state_fini) cs_state_fini;

%rename(tls_set) cs_tls_set;
%rename(tls_get) cs_tls_get;
