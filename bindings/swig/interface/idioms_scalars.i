/* SPDX-License-Identifier: Apache-2.0
 *
 * noop, i8_add to u64_add, f32_add, f64_add, bool_not, mixed_sum, varargs_sum.
 *
 * typemaps/numbers.i converts the arguments and results, by their C types.
 */
%rename(noop) cs_noop;
%rename(i32_add) cs_i32_add;
%rename(f64_add) cs_f64_add;
%rename(mixed_sum) cs_mixed_sum;

#ifndef CSIDE_PARTIAL
%rename(i8_add) cs_i8_add;
%rename(u8_add) cs_u8_add;
%rename(i16_add) cs_i16_add;
%rename(u16_add) cs_u16_add;
%rename(u32_add) cs_u32_add;
%rename(i64_add) cs_i64_add;
%rename(u64_add) cs_u64_add;
%rename(f32_add) cs_f32_add;
%rename(bool_not) cs_bool_not;

/* varargs_sum: the wrapper always passes eight arguments, and `count` says how many of them the caller gave. */
%rename(varargs_sum) cs_varargs_sum;
%varargs(8, int64_t value = 0) cs_varargs_sum;
%typemap(in, numinputs=0) uint32_t count "$1 = (uint32_t)PyTuple_GET_SIZE(args);"
%ignore CS_VARARGS_MAX;
#endif
