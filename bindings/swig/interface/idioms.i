/* SPDX-License-Identifier: Apache-2.0
 *
 * The catalogue. SWIG reads cside/idioms.h itself; what stands here is where Python's shape differs from C's.
 */

/* ---- seen by C only ---------------------------------------------------------------------------------------------- */

%ignore CS_BLOB_MAX_NBYTES;
%ignore CS_RUNS_FIRST_NBYTES;
%ignore CS_LABEL_NBYTES;
%ignore CS_ATTR_MAX_TYPE;
%ignore CS_EACH_STOP;
%ignore CS_VARARGS_MAX;
%ignore CS_TRACE_BUCKETS;
%ignore CS_COLOR_INVALID;
%ignore CS_VARIANT_INTEGER;
%ignore CS_VARIANT_REAL;
%ignore CS_VARIANT_BYTES;
%ignore cs_attr;
%ignore cs_ops;
%ignore cs_variant;
%ignore cs_variant::as;
%ignore cs_variant_as; /* SWIG's own name for the union inside */
%ignore cs_bits;
%ignore cs_config;
%ignore cs_config_view;
%ignore cs_trace_record;
%ignore cs_string_free;
%ignore cs_trace_read_thread;

/* ---- outputs of unknown size ------------------------------------------------------------------------------------- */

%asks_size(cs_blob_get, 2)
%grows(cs_runs_expand, 3, 4, CS_RUNS_FIRST_NBYTES)

/* ---- structs ----------------------------------------------------------------------------------------------------- */

%rename(Point) cs_point;
%nodefaultctor cs_point;

%may_lack_memory(cs_point::cs_point)

%extend cs_point {
    cs_point(double x, double y)
    {
        cs_point *point = malloc(sizeof *point);
        if (point != NULL) {
            point->x = x;
            point->y = y;
        }
        return point;
    }
}

%include "idioms/boxes.i"

/* ---- opaque handle: a class around the number -------------------------------------------------------------------- */

%ignore cs_counter_open;
%ignore cs_counter_add;
%ignore cs_counter_each;
%ignore cs_counter_close;

%{
typedef struct Counter {
    cs_counter handle; /* 0, which is never a handle, once it is closed */
} Counter;
%}

%raises_itself(Counter::Counter)
%calls_back(Counter::each)

/* The object itself, which the wrapper of a method has at hand. */
%typemap(out) Counter *__enter__ {
    (void)$1;
#ifdef SWIGPYTHON_BUILTIN
    $result = Py_NewRef(self);
#else
    $result = Py_NewRef(swig_obj[0]);
#endif
}

typedef struct Counter {
    %extend {
        Counter(int64_t start = 0)
        {
            Counter *counter = malloc(sizeof *counter);
            cs_status status = counter != NULL ? cs_counter_open(start, &counter->handle) : CS_E_MEMORY;
            if (status < 0) {
                free(counter);
                cside_raise_status(status);
                return NULL;
            }
            return counter;
        }
        ~Counter()
        {
            if ($self->handle != 0)
                cs_counter_close($self->handle);
            free($self);
        }
        cs_status add(int64_t n, int64_t *out_total)
        {
            return cs_counter_add($self->handle, n, out_total);
        }
        cs_status each(uint32_t times, cs_each_fn fn, void *user, int64_t *out_sum)
        {
            return cs_counter_each($self->handle, times, fn, user, out_sum);
        }
        cs_status close(void)
        {
            cs_status status = CS_OK;
            if ($self->handle != 0 && (status = cs_counter_close($self->handle)) == CS_OK)
                $self->handle = 0;
            return status;
        }
        Counter *__enter__(void)
        {
            return $self;
        }
        cs_status __exit__(PyObject *type = NULL, PyObject *value = NULL, PyObject *traceback = NULL)
        {
            (void)type, (void)value, (void)traceback;
            return Counter_close($self);
        }
    }
} Counter;

/* ---- function-pointer table -------------------------------------------------------------------------------------- */

%ignore cs_ops_get;

%{
static const cs_ops *cside_ops; /* for ever valid; fetched once, in %init */
%}
%init %{
cside_ops = cs_ops_get();
%}
%inline %{
static int32_t ops_add(int32_t a, int32_t b)
{
    return cside_ops->add(a, b);
}
static int32_t ops_multiply(int32_t a, int32_t b)
{
    return cside_ops->multiply(a, b);
}
%}

/* ---- callbacks --------------------------------------------------------------------------------------------------- */

%calls_back(cs_each_call)

%exception cs_thread_call {
    Py_BEGIN_ALLOW_THREADS
    $action
    Py_END_ALLOW_THREADS
    if (result == CS_E_ABORTED && carrier2.type) {
        PyErr_Restore(carrier2.type, carrier2.value, carrier2.traceback);
        SWIG_fail;
    }
}
/* Declared here with names that the typemap for foreign threads knows; the header's is then redundant. */
cs_status cs_thread_call(uint32_t times, cs_each_fn foreign_fn, void *foreign_user, int64_t *out_sum);

/* ---- errors ------------------------------------------------------------------------------------------------------ */

%rename(status_raise) cs_status_return;

%rename(errno_raise) cs_errno_fail;
%exception cs_errno_fail {
    $action
    if (result < 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        SWIG_fail;
    }
}
%typemap(out) int32_t cs_errno_fail "$result = SWIG_Py_Void();"

/* ---- enum and bit-fields ----------------------------------------------------------------------------------------- */

%exception cs_color_next {
    $action
    if (result == CS_COLOR_INVALID)
        SWIG_exception_fail(SWIG_ValueError, "not a color");
}

%ignore cs_bits_pack;
%inline %{
static uint32_t bits_pack(unsigned mode, unsigned level, signed delta, unsigned flag)
{
    const cs_bits bits = {.mode = mode, .level = level, .delta = delta, .flag = flag};
    return cs_bits_pack(&bits);
}
%}

/* ---- varargs: eight are passed, `count` says how many of them count ---------------------------------------------- */

%varargs(8, int64_t value = 0) cs_varargs_sum;
%typemap(in, numinputs=0) uint32_t count "$1 = (uint32_t)PyTuple_GET_SIZE(args);"

/* ---- constants and macros ---------------------------------------------------------------------------------------- */

%ignore CS_CONST_CHAR;
%constant int CONST_CHAR = CS_CONST_CHAR; /* SWIG's own would be a str */
%ignore CS_CONST_CAST;
%constant unsigned long CONST_CAST = CS_CONST_CAST;
%ignore CS_CONFIG_NBYTES;
%constant unsigned long CONFIG_NBYTES = CS_CONFIG_NBYTES;
%ignore CS_CONFIG_V1_NBYTES;
%constant unsigned long CONFIG_V1_NBYTES = CS_CONFIG_V1_NBYTES;

%inline %{
/** `x` limited to [lo, hi]. Binding: there is no symbol to call. */
static int32_t macro_clamp(int32_t x, int32_t lo, int32_t hi)
{
    return CS_MACRO_CLAMP(x, lo, hi);
}
%}

/* SWIG would give it the comment of the macro before it. */
%feature("docstring") cs_inline_rotl "`value` rotated left by `bits` modulo 32.";

/* ---- the GIL: one function under two names ----------------------------------------------------------------------- */

%rename(spin_held) cs_spin;
%long(spin_released)
%inline %{
static uint64_t spin_released(uint64_t iterations)
{
    return cs_spin(iterations);
}
%}

/* ---- struct with a size field ------------------------------------------------------------------------------------ */

%ignore cs_config_read;
%inline %{
static cs_status config_read(uint32_t retries, double timeout_s, uint32_t flags, size_t struct_nbytes,
                             cs_config_view *out_view)
{
    const cs_config config = {
        .struct_nbytes = struct_nbytes, .retries = retries, .timeout_s = timeout_s, .flags = flags};
    return cs_config_read(&config, out_view);
}
%}

/* Of an ignored struct, a field `as`, which is a word of Python's. */
#pragma SWIG nowarn=314
%include <cside/idioms.h>
%include <cside/trace.h>
