# SPDX-License-Identifier: Apache-2.0
"""The mistakes with SWIG. Each function makes one, and returns what a user of it would see; see also hz_swig.i."""

import around
import hz_swig as lib
from around import Worker


def argument_types():
    return lib.hz_scale(3, 2)  # declared as taking two ints


def pointer_cut():
    import alone_swig_pointer_cut as own

    return own.hz_value(own.hz_open(42))


def buffer_freed():
    lib.hz_keep(bytes(around.data()))
    around.go_on()
    return lib.hz_kept_sum()


def buffer_resized():
    data = around.data()
    lib.hz_keep(data)
    around.collect()
    data[:] = b""
    around.go_on()
    return lib.hz_kept_sum()


def callback_collected():
    lib.hz_set_callback(Worker())  # the typemap keeps a pointer, and no reference
    around.collect()
    others = [Worker(3) for _ in range(100)]
    return lib.hz_fire(21) if others else None


class Failing:
    def on_value(self, value):
        raise ValueError("the callback cannot go on")


def callback_exception():
    failing = Failing()
    lib.hz_set_callback(failing)
    return lib.hz_fire(21)


def more_workers():
    around.collect()
    return [Worker(3) for _ in range(100)]


def borrowed_reference():
    return lib.factor_of_deleted([Worker()], more_workers)


def missing_incref():
    worker = Worker()
    lib.store(worker)
    for _ in range(100):
        lib.load()
    around.collect()
    others = [Worker(3) for _ in range(100)]
    return worker.factor if others else None


def null_unchecked():
    return lib.hz_find(7).value


def int_too_large():
    return lib.hz_low(2**40 + 5)


def struct_drifted():
    config = lib.hz_config()
    lib.hz_config_get(config)
    return config.limit


def union_misread():
    variant = lib.hz_variant()
    lib.hz_variant_get(variant)
    return variant._as.whole  # SWIG renames the Python keyword


def calling_convention():
    return lib.hz_subtract(44, 2)  # declared without its convention


def use_after_close():
    handle = lib.hz_open(42)
    lib.hz_close(handle)
    return lib.hz_value(handle)


def double_close():
    handle = lib.hz_open(42)
    lib.hz_close(handle)
    del handle  # %newobject made it the owner
    around.collect()
    return 42


def no_nul():
    label = lib.hz_label()
    lib.hz_label_get(label)
    return label.text


def out_uninitialised():
    _, value = lib.hz_lookup(7)
    return value


def no_gil_in_thread():
    return lib.fire_in_thread_without_gil(Worker(), 21)


def gil_held():
    return around.other_thread_runs_during(lambda: lib.hz_sleep(300))  # %module has no threads="1"


def gil_deadlock():
    worker = Worker()
    lib.hz_set_callback(worker)
    return lib.hz_fire_in_thread(21)  # %module has no threads="1"


def leak_on_error():
    try:
        return lib.parsed("not a number")
    except ValueError:
        return None


class Listener(Worker):
    def __init__(self):
        super().__init__()
        self.subscription = lib.Subscription()
        lib.subscribe(self.subscription, self)


def callback_cycle():
    Listener()


def fork():
    lib.hz_worker_start()
    return around.in_forked_process(lambda: lib.hz_worker_add(40, 2))


def subinterpreter():
    around.in_subinterpreter("import hz_swig\nassert hz_swig.hz_low(42) == 42")
    return 42


def shutdown():
    global at_exit
    at_exit = Worker()
    lib.hz_set_callback(at_exit)
    lib.hz_fire_at_exit(21)


def embedded_nul():
    return lib.hz_text_length("ab\0de")


def size_wrong():
    outs = [lib.new_int32s(16) for _ in range(200)]
    for out in outs:
        for i in range(16):
            lib.int32s_setitem(out, i, 0)
    lib.hz_fill_int32(outs[100], 16 * 4)  # bytes, where the library counts elements
    wrong = sum(any(lib.int32s_getitem(out, i) for i in range(16)) for out in outs) - 1
    for out in outs:
        lib.delete_int32s(out)
    return wrong


def readonly_written():
    text = b"immutable"
    lib.hz_fill(text)
    return text.decode()
