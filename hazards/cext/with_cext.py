# SPDX-License-Identifier: Apache-2.0
"""The mistakes with the C API of Python. Each makes one, and returns what a user of it would see; see _hz_cext.c."""

import _hz_cext as lib
import around
from around import Worker


def argument_types():
    return lib.argument_types(3, 2)


def pointer_cut():
    return lib.pointer_cut()


def buffer_freed():
    lib.keep(bytes(around.data()))
    around.go_on()
    return lib.kept_sum()


def buffer_resized():
    data = around.data()
    lib.keep(data)
    around.collect()
    data[:] = b""
    around.go_on()
    return lib.kept_sum()


def callback_collected():
    lib.set_callback(Worker())
    around.collect()
    others = [Worker(3) for _ in range(100)]
    return lib.fire() if others else None


class Failing:
    def on_value(self, value):
        raise ValueError("the callback cannot go on")


def callback_exception():
    failing = Failing()
    lib.set_callback(failing)
    return lib.fire()


def more_workers():
    around.collect()
    return [Worker(3) for _ in range(100)]


def borrowed_reference():
    return lib.borrowed_reference([Worker()], more_workers)


def missing_incref():
    worker = Worker()
    lib.store(worker)
    for _ in range(100):
        lib.load()
    around.collect()
    others = [Worker(3) for _ in range(100)]
    return worker.factor if others else None


def null_unchecked():
    return lib.null_unchecked()


def int_too_large():
    return lib.int_too_large(2**40 + 5)


def struct_drifted():
    import _alone_cext_struct_drifted

    return _alone_cext_struct_drifted.make()


def union_misread():
    return lib.union_misread()


def calling_convention():
    import _alone_cext_calling_convention

    return _alone_cext_calling_convention.make()


def use_after_close():
    return lib.use_after_close()


def double_close():
    handle = lib.open_handle()
    lib.close_handle(handle)
    del handle
    around.collect()
    return 42


def no_nul():
    return lib.no_nul()


def out_uninitialised():
    return lib.out_uninitialised()


def no_gil_in_thread():
    return lib.no_gil_in_thread(Worker())


def gil_held():
    return around.other_thread_runs_during(lib.gil_held)


def gil_deadlock():
    return lib.gil_deadlock(Worker())


def leak_on_error():
    try:
        return lib.leak_on_error(1)
    except TypeError:
        return None


class Listener(Worker):
    def __init__(self):
        super().__init__()
        self.subscription = lib.Subscription(self)


def callback_cycle():
    Listener()


def fork():
    lib.worker_start()
    return around.in_forked_process(lib.worker_add)


def subinterpreter():
    around.in_subinterpreter("import _hz_cext\nassert _hz_cext.int_too_large(42) == 42")
    return 42


def shutdown():
    global at_exit
    at_exit = Worker()
    lib.shutdown_later(at_exit)


def embedded_nul():
    return lib.embedded_nul("ab\0de")


def size_wrong():
    return lib.size_wrong()


def readonly_written():
    text = b"immutable"
    lib.readonly_written(text)
    return text.decode()


def const_dropped():
    return lib.const_dropped()
