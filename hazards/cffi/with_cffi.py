# SPDX-License-Identifier: Apache-2.0
"""The mistakes with cffi's API mode. Each function makes one, and returns what a user of it would see."""

import around
from _hz_cffi import ffi, lib
from around import Worker


@ffi.def_extern()
def on_event(value, user):
    return ffi.from_handle(user).on_value(value)


def argument_types():
    return lib.hz_scale(3, 2)  # declared as taking two ints


def pointer_cut():
    from _alone_cffi_pointer_cut import ffi as own_ffi
    from _alone_cffi_pointer_cut import lib as own

    handle = own.hz_open(42)
    return own.hz_value(own_ffi.cast("hz_handle *", handle))


def buffer_freed():
    lib.hz_keep(ffi.new("uint8_t[]", bytes(around.data())), around.NBYTES)
    around.go_on()
    return lib.hz_kept_sum()


def buffer_resized():
    data = around.data()
    lib.hz_keep(ffi.from_buffer(data), len(data))
    around.collect()
    data[:] = b""
    around.go_on()
    return lib.hz_kept_sum()


def callback_collected():
    lib.hz_set_callback(lib.on_event, ffi.new_handle(Worker()))
    around.collect()
    others = [ffi.new_handle(Worker(3)) for _ in range(100)]
    return lib.hz_fire(21) if others else None


class Failing:
    def on_value(self, value):
        raise ValueError("the callback cannot go on")


def callback_exception():
    handle = ffi.new_handle(Failing())
    lib.hz_set_callback(lib.on_event, handle)
    return lib.hz_fire(21)


def borrowed_reference():
    pointer = ffi.cast("void *", ffi.new_handle(Worker()))
    around.collect()
    others = [ffi.new_handle(Worker(3)) for _ in range(100)]
    return ffi.from_handle(pointer).factor if others else None


def null_unchecked():
    return lib.hz_find(7).value


def int_too_large():
    return lib.hz_low(2**40 + 5)


def struct_drifted():
    config = ffi.new("hz_config *")
    lib.hz_config_get(config)
    return config.limit


def union_misread():
    variant = ffi.new("hz_variant *")
    lib.hz_variant_get(variant)
    return getattr(variant, "as").whole


def calling_convention():
    return lib.hz_subtract(44, 2)  # declared without its convention


def use_after_close():
    handle = lib.hz_open(42)
    lib.hz_close(handle)
    return lib.hz_value(handle)


def double_close():
    handle = ffi.gc(lib.hz_open(42), lib.hz_close)
    lib.hz_close(handle)
    del handle
    around.collect()
    return 42


def no_nul():
    label = ffi.new("hz_label *")
    lib.hz_label_get(label)
    return ffi.string(label.text).decode()


def out_uninitialised():
    value = ffi.new("int *")
    lib.hz_lookup(7, value)
    return value[0]


def no_gil_in_thread():
    """Nothing can be left out: cffi takes the GIL in every callback."""
    handle = ffi.new_handle(Worker())
    lib.hz_set_callback(lib.on_event, handle)
    return lib.hz_fire_in_thread(21)


def gil_held():
    """Nothing can be left out: cffi releases the GIL around every call."""
    return around.other_thread_runs_during(lambda: lib.hz_sleep(300))


def gil_deadlock():
    """Nothing can be left out: cffi releases the GIL around every call."""
    handle = ffi.new_handle(Worker())
    lib.hz_set_callback(lib.on_event, handle)
    return lib.hz_fire_in_thread(21)


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
        self.handle = ffi.new_handle(self)
        lib.hz_set_callback(lib.on_event, self.handle)


def callback_cycle():
    Listener()


def fork():
    lib.hz_worker_start()
    return around.in_forked_process(lambda: lib.hz_worker_add(40, 2))


def subinterpreter():
    around.in_subinterpreter("import _hz_cffi\nassert _hz_cffi.lib.hz_low(42) == 42")
    return 42


def shutdown():
    global at_exit
    at_exit = ffi.new_handle(Worker())
    lib.hz_set_callback(lib.on_event, at_exit)
    lib.hz_fire_at_exit(21)


def embedded_nul():
    return lib.hz_text_length(b"ab\0de")


def size_wrong():
    outs = [ffi.new("int32_t[16]") for _ in range(200)]
    lib.hz_fill_int32(outs[100], ffi.sizeof(outs[100]))  # bytes, where the library counts elements
    return sum(any(out) for out in outs) - 1


def readonly_written():
    text = b"immutable"
    lib.hz_fill(text, len(text))
    return text.decode()


def const_dropped():
    motto = lib.hz_motto()
    motto[0] = b"N"
    return motto[0].decode()
