/* SPDX-License-Identifier: Apache-2.0
 *
 * color_next, flags_toggle, variant_double, bits_pack, bits_unpack, const_text, macro_clamp, inline_rotl; the constants
 * COLOR_*, FLAG_* and CONST_*, which SWIG takes from the header, under the names that the %rename in core.i makes.
 */

/* ---- enum -------------------------------------------------------------------------------------------------------- */

%rename(color_next) cs_color_next;
%ignore CS_COLOR_INVALID;
%ranged_integer(cs_color, INT32_MIN, INT32_MAX)
%exception cs_color_next {
    $action
    if (result == CS_COLOR_INVALID)
        SWIG_exception_fail(SWIG_ValueError, "not a color");
}

/* ---- flags ------------------------------------------------------------------------------------------------------- */

%rename(flags_toggle) cs_flags_toggle;
%out_integer(uint32_t, out_flags, PyLong_FromUnsignedLong)

/* ---- a tagged union: the type of the Python object is the tag ---------------------------------------------------- */

%rename(variant_double) cs_variant_double;
%ignore CS_VARIANT_INTEGER;
%ignore CS_VARIANT_REAL;
%ignore CS_VARIANT_BYTES;
%ignore cs_variant;
%ignore cs_variant::as;
%ignore cs_variant_as; /* SWIG's own name for the union inside */

%typemap(in) cs_variant *variant (cs_variant variant) {
    if (PyLong_Check($input)) {
        variant.kind = CS_VARIANT_INTEGER;
        if (!cside_as_i64($input, &variant.as.integer))
            SWIG_fail;
    } else if (PyFloat_Check($input)) {
        variant.kind = CS_VARIANT_REAL;
        variant.as.real = PyFloat_AS_DOUBLE($input);
    } else if (PyBytes_Check($input)) {
        variant.kind = CS_VARIANT_BYTES;
        if (PyBytes_GET_SIZE($input) != (Py_ssize_t)sizeof variant.as.bytes)
            SWIG_exception_fail(SWIG_ValueError, "need 8 bytes");
        memcpy(variant.as.bytes, PyBytes_AS_STRING($input), sizeof variant.as.bytes);
    } else {
        SWIG_exception_fail(SWIG_TypeError, "an int, a float or bytes is required");
    }
    $1 = &variant;
}
%typemap(argout) cs_variant *variant {
    %set_result($1->kind == CS_VARIANT_INTEGER ? cside_long_from_i64($1->as.integer)
                : $1->kind == CS_VARIANT_REAL  ? PyFloat_FromDouble($1->as.real)
                                               : PyBytes_FromStringAndSize((char *)$1->as.bytes, sizeof $1->as.bytes))
}

/* ---- bit-fields: the compiler's own rules say which values fit --------------------------------------------------- */

%ignore cs_bits;

%define %bit_field(TYPE, NAME)
%typemap(in) TYPE NAME {
    cs_bits probe;
    int64_t value;
    if (!cside_as_ranged($input, INT8_MIN, INT8_MAX, "bit-field NAME", &value))
        SWIG_fail;
    probe.NAME = ($1_ltype)value;
    if ((int64_t)probe.NAME != value) {
        cside_overflow("bit-field NAME");
        SWIG_fail;
    }
    $1 = ($1_ltype)value;
}
%enddef

%bit_field(unsigned, mode)
%bit_field(unsigned, level)
%bit_field(signed, delta)
%bit_field(unsigned, flag)

%ignore cs_bits_pack;
%inline %{
static uint32_t bits_pack(unsigned mode, unsigned level, signed delta, unsigned flag)
{
    const cs_bits bits = {.mode = mode, .level = level, .delta = delta, .flag = flag};
    return cs_bits_pack(&bits);
}
%}

%rename(bits_unpack) cs_bits_unpack;
%typemap(in, numinputs=0) cs_bits *out_bits (cs_bits bits) "$1 = &bits;"
%typemap(argout) cs_bits *out_bits {
    %set_result(cside_tuple(PyLong_FromLong($1->mode), PyLong_FromLong($1->level), PyLong_FromLong($1->delta),
                            PyLong_FromLong($1->flag)))
}

/* ---- constants --------------------------------------------------------------------------------------------------- */

%rename(const_text) cs_const_text;
%ignore CS_CONST_CHAR;
%constant int CONST_CHAR = CS_CONST_CHAR; /* SWIG's own would be a str */
%ignore CS_CONST_CAST;
%constant unsigned long CONST_CAST = CS_CONST_CAST; /* SWIG makes no constant of a macro with a cast */

/* ---- macro and static inline function ---------------------------------------------------------------------------- */

%inline %{
/* The library has a macro for this, and no function. */
static int32_t macro_clamp(int32_t x, int32_t lo, int32_t hi)
{
    return CS_MACRO_CLAMP(x, lo, hi);
}
%}

%rename(inline_rotl) cs_inline_rotl;
