/* SWIG: an interface file, from which the wrapper is generated. */
%module with_swig
%{
#include "cside/idioms.h"
%}
%include <stdint.i>

%rename(f64_add) cs_f64_add;
double cs_f64_add(double a, double b);

/* TODO: int32_t cs_i32_add(int32_t a, int32_t b) */
