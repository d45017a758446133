# SPDX-License-Identifier: Apache-2.0
"""The mistakes with ctypes. Each function makes one, and returns what a user of it would see."""

import ctypes
import os
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    Union,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)

import around
from around import Worker

lib = ctypes.CDLL(os.environ["HZ_LIBRARY"])
CALLBACK = CFUNCTYPE(c_int, c_int, c_void_p)


class Record(Structure):
    _fields_ = [("id", c_int), ("value", c_int)]


class Config(Structure):
    """As it was in version 1 of the library."""

    _fields_ = [("version", c_int32), ("limit", c_int32)]


class Label(Structure):
    _fields_ = [("text", c_char * 8), ("owner", c_char * 8)]


class As(Union):
    _fields_ = [("whole", c_int64), ("real", c_double)]


class Variant(Structure):
    _fields_ = [("kind", c_int), ("as_", As)]


lib.hz_kept_sum.restype = c_uint64
lib.hz_keep.argtypes = [c_void_p, c_size_t]
lib.hz_keep.restype = None
lib.hz_set_callback.argtypes = [CALLBACK, c_void_p]
lib.hz_set_callback.restype = None
lib.hz_find.restype = POINTER(Record)
lib.hz_low.argtypes = [c_uint32]
lib.hz_low.restype = c_uint32
lib.hz_value.argtypes = [c_void_p]
lib.hz_close.argtypes = [c_void_p]
lib.hz_close.restype = None
lib.hz_text_length.argtypes = [c_char_p]
lib.hz_text_length.restype = c_size_t
lib.hz_fill.argtypes = [c_char_p, c_size_t]
lib.hz_fill.restype = None
lib.hz_fill_int32.argtypes = [POINTER(c_int32), c_size_t]
lib.hz_fill_int32.restype = None
lib.hz_motto.restype = POINTER(c_char)
lib.hz_buffer_new.argtypes = [c_size_t]
lib.hz_buffer_new.restype = c_void_p
lib.hz_buffer_free.argtypes = [c_void_p]


def open_handle(value):
    lib.hz_open.restype = c_void_p
    return lib.hz_open(value)


def argument_types():
    lib.hz_scale.restype = c_double  # and no argtypes
    return lib.hz_scale(3, 2)


def pointer_cut():
    handle = lib.hz_open(42)  # no restype: an int
    return lib.hz_value(handle)


def buffer_freed():
    lib.hz_keep(ctypes.create_string_buffer(bytes(around.data()), around.NBYTES), around.NBYTES)
    around.go_on()
    return lib.hz_kept_sum()


def buffer_resized():
    data = around.data()
    lib.hz_keep((c_uint8 * len(data)).from_buffer(data), len(data))
    around.collect()
    data[:] = b""
    around.go_on()
    return lib.hz_kept_sum()


def callback_collected():
    lib.hz_set_callback(CALLBACK(lambda value, _: Worker().on_value(value)), None)
    around.collect()
    others = [CALLBACK(lambda value, _: Worker(3).on_value(value)) for _ in range(100)]
    return lib.hz_fire(21) if others else None


@CALLBACK
def failing(value, _):
    raise ValueError("the callback cannot go on")


def callback_exception():
    lib.hz_set_callback(failing, None)
    return lib.hz_fire(21)


def borrowed_reference():
    address = id(Worker())
    others = [Worker(3) for _ in range(100)]
    return ctypes.cast(address, ctypes.py_object).value.factor if others else None


def missing_incref():
    get_item = ctypes.pythonapi.PyList_GetItem  # returns a borrowed reference
    get_item.argtypes = [ctypes.py_object, ctypes.c_ssize_t]
    get_item.restype = ctypes.py_object  # is for a new one
    workers = [Worker()]
    for _ in range(100):
        get_item(workers, 0)
    around.collect()
    others = [Worker(3) for _ in range(100)]
    return workers[0].factor if others else None


def null_unchecked():
    return lib.hz_find(7).contents.value


def int_too_large():
    return lib.hz_low(2**40 + 5)


def struct_drifted():
    config = Config()
    lib.hz_config_get(ctypes.byref(config))
    return config.limit


def union_misread():
    variant = Variant()
    lib.hz_variant_get(ctypes.byref(variant))
    return variant.as_.whole


def calling_convention():
    return lib.hz_subtract(44, 2)  # CDLL, and the function is of another convention


def use_after_close():
    handle = open_handle(42)
    lib.hz_close(handle)
    return lib.hz_value(handle)


class Handle:
    def __init__(self):
        self.pointer = open_handle(42)

    def close(self):
        lib.hz_close(self.pointer)

    def __del__(self):
        self.close()


def double_close():
    handle = Handle()
    handle.close()
    del handle
    around.collect()
    return 42


def no_nul():
    label = Label()
    lib.hz_label_get(ctypes.byref(label))
    return label.text.decode()


def out_uninitialised():
    value = c_int()
    lib.hz_lookup(7, ctypes.byref(value))
    return value.value


def no_gil_in_thread():
    """Nothing can be left out: ctypes takes the GIL in every callback."""
    callback = CALLBACK(lambda value, _: Worker().on_value(value))
    lib.hz_set_callback(callback, None)
    return lib.hz_fire_in_thread(21)


def gil_held():
    held = ctypes.PyDLL(os.environ["HZ_LIBRARY"])
    return around.other_thread_runs_during(lambda: held.hz_sleep(300))


def gil_deadlock():
    held = ctypes.PyDLL(os.environ["HZ_LIBRARY"])
    callback = CALLBACK(lambda value, _: Worker().on_value(value))
    lib.hz_set_callback(callback, None)
    return held.hz_fire_in_thread(21)


def leak_on_error():
    buffer = lib.hz_buffer_new(around.PAYLOAD)
    try:
        number = int("not a number")
    except ValueError:
        return None
    lib.hz_buffer_free(buffer)
    return number


class Listener(Worker):
    def __init__(self):
        super().__init__()
        self.callback = CALLBACK(self.on_event)
        lib.hz_set_callback(self.callback, None)

    def on_event(self, value, _):
        return self.on_value(value)


def callback_cycle():
    Listener()


def fork():
    lib.hz_worker_start()
    return around.in_forked_process(lambda: lib.hz_worker_add(40, 2))


def subinterpreter():
    around.in_subinterpreter("import with_ctypes\nassert with_ctypes.lib.hz_low(42) == 42")
    return 42


def shutdown():
    global at_exit
    at_exit = CALLBACK(lambda value, _: Worker().on_value(value))
    lib.hz_set_callback(at_exit, None)
    lib.hz_fire_at_exit(21)


def embedded_nul():
    return lib.hz_text_length(b"ab\0de")


def size_wrong():
    outs = [(c_int32 * 16)() for _ in range(200)]
    lib.hz_fill_int32(outs[100], ctypes.sizeof(outs[100]))  # bytes, where the library counts elements
    return sum(any(out) for out in outs) - 1


def readonly_written():
    text = b"immutable"
    lib.hz_fill(text, len(text))
    return text.decode()


def const_dropped():
    lib.hz_motto()[0] = b"N"
    return lib.hz_motto()[0].decode()
