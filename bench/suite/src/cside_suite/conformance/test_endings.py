# SPDX-License-Identifier: Apache-2.0
"""A signal in a call ends it in order, and a process ends well while objects, callbacks and threads are in use."""

import sys
from typing import Final

import pytest

from cside_suite.conformance import isolation
from cside_suite.conformance.pkcs11.pkcs11_modules import available
from cside_suite.subjects.bindings import Implementation

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it sends signals to itself")

INTERRUPTED: Final = """
import importlib, os, signal, sys, threading

idioms, codec = (importlib.import_module(f"{sys.argv[1]}.{noun}") for noun in ("idioms", "codec"))
features = importlib.import_module(sys.argv[1]).features
data = bytes(range(256)) * 4096
packed = codec.compress(data)
packer, unpacker, counter = codec.compressobj(9), codec.decompressobj(), idioms.Counter(0)
calls = {
    "compress": lambda: codec.compress(data, 9),
    "decompress": lambda: codec.decompress(packed),
    "compressobj": lambda: packer.compress(data),
    "decompressobj": lambda: codec.decompressobj().decompress(packed),
    "spin_released": lambda: idioms.spin_released(2**20),
    "noop": lambda: idioms.noop(),
}
if "callbacks" in features:
    calls |= {
        "each_call": lambda: idioms.each_call(1000, lambda value: value),
        "Counter.each": lambda: counter.each(1000, lambda value: 1),
        "compress_progress": lambda: codec.compress_progress(data, lambda taken, made: None),
    }
awaited = False


def stop(number, frame):
    global awaited
    if awaited:
        awaited = False
        raise KeyboardInterrupt


signal.signal(signal.SIGINT, stop)
for name, call in calls.items():
    over = threading.Event()

    def send():
        while not over.wait(0.02):
            os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        while True:
            awaited = True
            call()
    except KeyboardInterrupt:
        pass
    except RecursionError as error:  # of a technique that loses what is raised when a callback begins
        assert "before its first line" in str(error), name
    over.set()
    sender.join()
    assert codec.decompress(codec.compress(data)) == data, name
    print(name, flush=True)
    if name == "compressobj":
        packer.flush()
assert type(counter.add(1)) is int
print("done", flush=True)
"""


def test_a_signal_ends_calls_in_order(implementation: Implementation) -> None:
    """``KeyboardInterrupt`` comes out of a loop of any call, callbacks too, and what it interrupted works again."""
    done = isolation.run_fresh(implementation, INTERRUPTED)
    assert done.stdout.splitlines()[-1] == "done"


AT_EXIT: Final = """
import importlib, sys, threading, time

idioms, codec = (importlib.import_module(f"{sys.argv[1]}.{noun}") for noun in ("idioms", "codec"))
features = importlib.import_module(sys.argv[1]).features


class Late:
    # its finaliser runs while the interpreter takes its modules down, and uses objects of the binding then
    def __init__(self, *calls):
        self.calls = calls
        self.itself = self

    def __del__(self):
        for call in self.calls:
            try:
                call()
            except BaseException:
                pass


packer, unpacker, counter, point = codec.compressobj(), codec.decompressobj(), idioms.Counter(5), idioms.Point(1, 2)
packer.compress(b"data" * 50000)
unpacker.decompress(codec.compress(b"data" * 50000), 100)
calls = [
    packer.flush, lambda: unpacker.decompress(unpacker.unconsumed_tail), lambda: counter.add(1), counter.close,
    lambda: idioms.point_add(point, point), lambda: codec.compress(b"late"),
    lambda: codec.decompress(b"bad"), lambda: idioms.status_raise(-106), packer.copy,
]
if "pkcs11" in features:
    module = importlib.import_module(f"{sys.argv[1]}.pkcs11").load(sys.argv[2])
    module.C_Initialize()
    calls += [module.C_GetInfo, module.C_Finalize]
if "callbacks" in features:
    calls += [lambda: idioms.each_call(3, lambda value: value), lambda: counter.each(3, lambda value: 1)]
if "callbacks-from-foreign-threads" in features:
    calls.append(lambda: idioms.thread_call(3, lambda value: value))
sys.late = Late(*calls)  # freed late, when the binding's modules may be empty already
late = Late(*calls)


def work():
    own = codec.compressobj()
    while True:
        idioms.spin_released(2**14)
        own.compress(b"data" * 5000)
        codec.decompress(codec.compress(b"data" * 5000))


for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.05)
print("done", flush=True)
"""


def test_a_process_ends_well_while_everything_is_in_use(implementation: Implementation) -> None:
    """Open streams, handles and modules, threads in calls, and finalisers that call the binding, harm no exit."""
    token = str(available("token")) if "pkcs11" in implementation.nouns else ""
    done = isolation.run_fresh(implementation, AT_EXIT, token, timeout_s=60)
    assert done.stdout.splitlines() == ["done"]
