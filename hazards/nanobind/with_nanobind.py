# SPDX-License-Identifier: Apache-2.0
"""The mistakes with nanobind. Each makes one, and returns what a user of it would see; see also _hz_nanobind.cpp."""

from array import array

import _hz_nanobind as lib
import around
from around import Worker


def argument_types():
    return lib.scale(3, 2)  # declared as taking two ints


def pointer_cut():
    import _alone_nanobind_pointer_cut

    return _alone_nanobind_pointer_cut.value_of_opened(42)


def buffer_freed():
    lib.keep(bytes(around.data()))
    around.go_on()
    return lib.kept_sum()


def buffer_resized():
    data = around.data()
    lib.keep_array(data)
    around.collect()
    data[:] = b""
    around.go_on()
    return lib.kept_sum()


def callback_collected():
    lib.set_callback(Worker())
    around.collect()
    others = [Worker(3) for _ in range(100)]
    return lib.fire(21) if others else None


class Failing:
    def on_value(self, value):
        raise ValueError("the callback cannot go on")


def callback_exception():
    failing = Failing()
    lib.set_callback(failing)
    return lib.fire(21)


def more_workers():
    around.collect()
    return [Worker(3) for _ in range(100)]


def borrowed_reference():
    return lib.factor_of_cleared([Worker()], more_workers)


def missing_incref():
    worker = Worker()
    lib.store(worker)
    for _ in range(100):
        lib.load()
    around.collect()
    others = [Worker(3) for _ in range(100)]
    return worker.factor if others else None


def null_unchecked():
    return lib.find(7).value


def int_too_large():
    return lib.low(2**40 + 5)


def struct_drifted():
    import _alone_nanobind_struct_drifted

    return _alone_nanobind_struct_drifted.limit()


def union_misread():
    return lib.variant_get().whole


def calling_convention():
    import _alone_nanobind_calling_convention

    return _alone_nanobind_calling_convention.subtract(44, 2)


def use_after_close():
    handle = lib.Handle(42)
    handle.close()
    return handle.value()


def double_close():
    handle = lib.Handle(42)
    handle.close()
    del handle
    around.collect()
    return 42


def no_nul():
    return lib.label_get().text


def out_uninitialised():
    return lib.lookup(7)


def no_gil_in_thread():
    return lib.fire_in_thread_without_gil(Worker(), 21)


def gil_held():
    return around.other_thread_runs_during(lambda: lib.sleep(300))


def gil_deadlock():
    worker = Worker()
    lib.set_callback(worker)
    return lib.fire_in_thread(21)


def leak_on_error():
    try:
        return lib.parsed("not a number")
    except ValueError:
        return None


class Listener(Worker):
    def __init__(self):
        super().__init__()
        self.subscription = lib.Subscription(self)


def callback_cycle():
    Listener()


def fork():
    lib.worker_start()
    return around.in_forked_process(lambda: lib.worker_add(40, 2))


def subinterpreter():
    around.in_subinterpreter("import _hz_nanobind\nassert _hz_nanobind.low(42) == 42")
    return 42


def shutdown():
    global at_exit
    at_exit = Worker()
    lib.set_callback(at_exit)
    lib.fire_at_exit(21)


def embedded_nul():
    return lib.text_length("ab\0de")


def size_wrong():
    outs = [array("i", bytes(64)) for _ in range(200)]
    lib.fill_int32(outs[100])
    return sum(any(out) for out in outs) - 1


def readonly_written():
    text = b"immutable"
    lib.fill(text)
    return text.decode()


def const_dropped():
    import _alone_nanobind_const_dropped

    return _alone_nanobind_const_dropped.written()
