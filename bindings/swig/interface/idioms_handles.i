/* SPDX-License-Identifier: Apache-2.0
 *
 * Counter: a class around the library's handle, which is a number.
 *
 * The typemap for the callback of Counter.each is in typemaps/callbacks.i.
 */
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
%out_integer(int64_t, out_total, cside_long_from_i64)

/* __enter__ returns the Python object that it was called on. The wrapper of a method has it at hand. */
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
