# SPDX-License-Identifier: Apache-2.0
# cython: language_level=3
"""The mistakes with Cython. Each function makes one, and returns what a user of it would see."""

from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

import around
from around import Worker

cdef extern from "hz.h":
    double hz_scale(int value, int by)  # the first is a double
    int hz_subtract(int left, int right)  # without its calling convention
    ctypedef struct hz_config:  # without the member `flags`
        int32_t version
        int32_t limit
    void hz_config_get(hz_config *config)

    uint32_t hz_low(uint32_t value)
    size_t hz_text_length(const char *text)
    void hz_keep(const uint8_t *data, size_t data_nbytes)
    uint64_t hz_kept_sum()
    void hz_fill(uint8_t *out, size_t n)
    void hz_fill_int32(int32_t *out, size_t n)
    uint8_t *hz_buffer_new(size_t nbytes)
    void hz_buffer_free(uint8_t *buffer)
    ctypedef struct hz_handle:
        pass
    ctypedef int (*hz_callback)(int value, void *user) noexcept
    hz_handle *hz_open(int value)
    int hz_value(const hz_handle *handle)
    void hz_close(hz_handle *handle)
    void hz_set_callback(hz_callback callback, void *user)
    int hz_fire(int value)
    int hz_fire_in_thread(int value) nogil
    void hz_fire_at_exit(int value)
    ctypedef struct hz_record:
        int id
        int value
    hz_record *hz_find(int id)
    int hz_lookup(int id, int *value)
    ctypedef union hz_as "union { int64_t whole; double real; }":
        int64_t whole
        double real
    ctypedef struct hz_variant:
        int kind
        hz_as as_ "as"
    void hz_variant_get(hz_variant *variant)
    ctypedef struct hz_label:
        char text[8]
        char owner[8]
    void hz_label_get(hz_label *label)
    const char *hz_motto()
    void hz_sleep(int ms)
    void hz_worker_start()
    int hz_worker_add(int left, int right)


cdef extern from "hz.h":
    int hz_fire_in_thread_with_gil "hz_fire_in_thread"(int value)  # `nogil` is forgotten


cdef int on_event(int value, void *user) noexcept with gil:
    return (<object>user).on_value(value)


cdef int on_event_without_gil(int value, void *user) noexcept:
    return (<object>user).on_value(value)


def argument_types():
    return hz_scale(3, 2)


def pointer_cut():
    import _alone_cython_pointer_cut

    return _alone_cython_pointer_cut.value_of_opened(42)


def keep(const uint8_t[::1] data):
    hz_keep(&data[0], <size_t>data.shape[0])  # and the view, which holds the buffer, ends here


def buffer_freed():
    keep(bytes(around.data()))
    around.go_on()
    return hz_kept_sum()


def buffer_resized():
    data = around.data()
    keep(data)
    around.collect()
    data[:] = b""
    around.go_on()
    return hz_kept_sum()


def set_callback(worker):
    hz_set_callback(on_event, <void *>worker)


def callback_collected():
    set_callback(Worker())
    around.collect()
    others = [Worker(3) for _ in range(100)]
    return hz_fire(21) if others else None


class Failing:
    def on_value(self, value):
        raise ValueError("the callback cannot go on")


def callback_exception():
    failing = Failing()
    set_callback(failing)
    return hz_fire(21)


def borrowed_reference():
    workers = [Worker()]
    cdef PyObject *first = <PyObject *>workers[0]  # a pointer, which does not count
    del workers[0]
    around.collect()
    others = [Worker(3) for _ in range(100)]
    return (<object>first).factor if others else None


def missing_incref():
    worker = Worker()
    cdef tuple pair
    for _ in range(100):
        pair = PyTuple_New(1)
        PyTuple_SET_ITEM(pair, 0, worker)  # takes the reference over, and needs Py_INCREF(worker) before
        pair = None
    around.collect()
    others = [Worker(3) for _ in range(100)]
    return worker.factor if others else None


def null_unchecked():
    return hz_find(7).value


def int_too_large():
    return low(2**40 + 5)


def struct_drifted():
    cdef hz_config config
    hz_config_get(&config)
    return config.limit


def union_misread():
    cdef hz_variant variant
    hz_variant_get(&variant)
    return variant.as_.whole


def calling_convention():
    return hz_subtract(44, 2)


def use_after_close():
    cdef hz_handle *handle = hz_open(42)
    hz_close(handle)
    return hz_value(handle)


cdef class Handle:
    cdef hz_handle *pointer

    def __cinit__(self):
        self.pointer = hz_open(42)

    def close(self):
        hz_close(self.pointer)  # and the pointer stays

    def __dealloc__(self):
        hz_close(self.pointer)


def double_close():
    handle = Handle()
    handle.close()
    del handle
    around.collect()
    return 42


def no_nul():
    cdef hz_label label
    hz_label_get(&label)
    cdef bytes text = label.text
    return text.decode()


def out_uninitialised():
    cdef int value
    hz_lookup(7, &value)
    return value


def no_gil_in_thread():
    worker = Worker()
    hz_set_callback(on_event_without_gil, <void *>worker)
    cdef int answer
    with nogil:
        answer = hz_fire_in_thread(21)
    return answer


def gil_held():
    return around.other_thread_runs_during(lambda: hz_sleep(300))


def gil_deadlock():
    worker = Worker()
    set_callback(worker)
    return hz_fire_in_thread_with_gil(21)


def leak_on_error():
    try:
        return parsed(b"not a number")
    except ValueError:
        return None


cdef int parsed(bytes text) except? -1:
    cdef uint8_t *buffer = hz_buffer_new(around.PAYLOAD)
    cdef int number = int(text)
    hz_buffer_free(buffer)
    return number


cdef class Subscription:
    cdef void *listener

    def __cinit__(self, listener):
        self.listener = <void *>listener
        Py_INCREF(listener)  # which the garbage collector does not see
        hz_set_callback(on_event, self.listener)

    def __dealloc__(self):
        Py_DECREF(<object>self.listener)


class Listener(Worker):
    def __init__(self):
        super().__init__()
        self.subscription = Subscription(self)


def callback_cycle():
    Listener()


def fork():
    hz_worker_start()
    return around.in_forked_process(lambda: hz_worker_add(40, 2))


def low(value):
    return hz_low(value)


def subinterpreter():
    around.in_subinterpreter("import with_cython\nassert with_cython.low(42) == 42")
    return 42


def shutdown():
    global at_exit
    at_exit = Worker()
    set_callback(at_exit)
    hz_fire_at_exit(21)


def embedded_nul():
    return hz_text_length(b"ab\0de")


def size_wrong():
    cdef int32_t *outs[200]
    for i in range(200):
        outs[i] = <int32_t *>malloc(16 * sizeof(int32_t))
        for j in range(16):
            outs[i][j] = 0
    hz_fill_int32(outs[100], 16 * sizeof(int32_t))  # bytes, where the library counts elements
    wrong = 0
    for i in range(200):
        wrong += i != 100 and any(outs[i][j] for j in range(16))
    for i in range(200):
        free(outs[i])
    return wrong


def readonly_written():
    cdef bytes text = b"immutable"
    hz_fill(<uint8_t *><char *>text, len(text))
    return text.decode()


def const_dropped():
    import _alone_cython_const_dropped

    return _alone_cython_const_dropped.written()
