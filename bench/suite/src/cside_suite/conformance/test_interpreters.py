# SPDX-License-Identifier: Apache-2.0
"""Bindings work in several interpreters of one process, and in an interpreter without a GIL."""

import importlib.util
import sys
import sysconfig

import pytest

from cside_suite.conformance.isolation import run_fresh
from cside_suite.subjects.bindings import Implementation

SUBINTERPRETERS = """
import sys
package = sys.argv[1]
if sys.version_info >= (3, 14):
    from concurrent import interpreters
    create, Failed = interpreters.create, interpreters.ExecutionFailed
    run = lambda one, source: one.exec(source)
    close = lambda one: one.close()
else:
    import _interpreters
    create = lambda: _interpreters.create("isolated")
    def run(one, source):
        failure = _interpreters.exec(one, source)
        if failure is not None:
            raise RuntimeError(failure.formatted)
    close = _interpreters.destroy
source = f'''
import importlib
idioms = importlib.import_module({package + ".idioms"!r})
codec = importlib.import_module({package + ".codec"!r})
assert idioms.i32_add(1, 2) == 3
assert idioms.each_call(3, lambda value: value) == 3
point = idioms.point_add(idioms.Point(1, 2), idioms.Point(3, 4))
assert (point.x, point.y) == (4.0, 6.0)
with idioms.Counter(1) as counter:
    assert counter.add(1) == 2
try:
    idioms.status_raise(-106)
except idioms.StatusError as error:
    assert error.status == -106
else:
    raise AssertionError("no StatusError")
assert codec.decompress(codec.compress(bytes(100000))) == bytes(100000)
stream = codec.compressobj()
assert codec.decompress(stream.compress(b"data") + stream.flush()) == b"data"
try:
    codec.decompress(b"bad")
except codec.error:
    pass
kept = idioms.Counter(5), codec.compressobj(), codec.decompressobj()
'''
exec(source)
others = [create() for _ in range(3)]
for other in others:
    run(other, source)
for other in others:
    run(other, source)
close(others.pop())
import threading
wrong = []
def work(other):
    try:
        for _ in range(20):
            run(other, source)
    except BaseException as error:
        wrong.append(error)
threads = [threading.Thread(target=work, args=(other,)) for other in others]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not wrong, wrong
for other in others:
    close(other)
exec(source)
print("done")
"""

KEPT_IN_THE_MODULE = """
import gc, importlib, importlib.machinery, importlib.util, sys, weakref
package = sys.argv[1]
loaded = importlib.import_module(package + "._core")
makers = {
    "Point": lambda module: module.Point(1.0, 2.0),
    "Box": lambda module: module.Box(),
    "Counter": lambda module: module.Counter(),
    "compressobj": lambda module: module.compressobj(),
    "decompressobj": lambda module: module.decompressobj(),
    "_ZlibDecompressor": lambda module: module._ZlibDecompressor(),
}
if "pkcs11" in importlib.import_module(package).features:
    importlib.import_module(package + ".pkcs11")
    makers["load"] = lambda module: module.load()
def make():
    loader = importlib.machinery.ExtensionFileLoader(loaded.__name__, loaded.__file__)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loaded.__name__, loader))
    loader.exec_module(module)
    return module
for name, maker in makers.items():
    module = make()
    assert module is not loaded
    try:
        module.kept = maker(module)
    except OSError:
        continue  # no token to load
    alive = weakref.ref(module)
    del module
    gc.collect()
    assert alive() is None, f"an object made by {name} keeps its module alive"
print("done")
"""

REFUSED = """
import sys
package = sys.argv[1]
if sys.version_info >= (3, 14):
    from concurrent import interpreters
    def run(source):
        one = interpreters.create()
        try:
            one.exec(source)
        except interpreters.ExecutionFailed as error:
            return str(error)
        finally:
            one.close()
else:
    import _interpreters
    def run(source):
        one = _interpreters.create("isolated")
        failure = _interpreters.exec(one, source)
        _interpreters.destroy(one)
        return None if failure is None else failure.formatted
import importlib
importlib.import_module(package + ".idioms").noop()
print(run(f"import importlib; importlib.import_module({package + '.idioms'!r}).noop()"))
"""

WITHOUT_A_GIL = """
import importlib, sys, threading
package = sys.argv[1]
assert not sys._is_gil_enabled(), "the GIL was on before the import"
idioms = importlib.import_module(package + ".idioms")
codec = importlib.import_module(package + ".codec")
assert not sys._is_gil_enabled(), "the import switched the GIL on"
counter = idioms.Counter()
stream = codec.compressobj()
wrong = []
start = threading.Barrier(4)
def work():
    try:
        start.wait()
        for number in range(300):
            assert idioms.i32_add(number, 1) == number + 1
            assert idioms.each_call(5, lambda value: value) == 10
            counter.add(1)
            stream.compress(b"shared " * 100)
            assert codec.decompress(codec.compress(b"own" * number)) == b"own" * number
            data = bytearray(64)
            idioms.buffer_fill(data, 7)
            assert idioms.bytes_sum(data) == 448
            assert idioms.attrs_get([1, 2, 3])[1] == (2, b"\\2\\2")
            try:
                idioms.status_raise(-106)
            except idioms.StatusError as error:
                assert error.status == -106
            own = codec.decompressobj()
            assert own.decompress(codec.compress(b"x" * 100), 10) == b"x" * 10
    except BaseException as error:
        wrong.append(error)
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not wrong, wrong
assert counter.add(0) == 1200
assert not sys._is_gil_enabled()
print("done")
"""
OF_ANOTHER_INSTANCE = """
import importlib, importlib.machinery, importlib.util, sys
own = importlib.import_module(sys.argv[1] + "._core")
loader = importlib.machinery.ExtensionFileLoader(own.__name__, own.__file__)
other = importlib.util.module_from_spec(importlib.util.spec_from_loader(own.__name__, loader))
loader.exec_module(other)
assert other.Point is not own.Point and other.Box is not own.Box
point, foreign, box = own.Point(1.0, 2.0), other.Point(1.0, 2.0), other.Box()
other.box_fill(box, 7)
assert point != foreign
for call, arguments in (
    (own.point_add, (foreign, point)), (own.point_add, (point, foreign)), (own.point_add, (point, box)),
    (own.box_fill, (box, 8)), (own.box_area, (box,)), (own.box_unpack, (box,)),
    (own.box_fill, (point, 8)), (own.box_area, (point,)), (own.box_unpack, (point,)),
):
    try:
        result = call(*arguments)
    except TypeError:
        continue
    raise SystemExit(f"{call.__name__}{arguments} returned {result!r}")
assert other.box_unpack(box)[4] == 7
assert type(own.point_add(point, point)) is own.Point
print("done")
"""

subinterpreters = pytest.mark.skipif(
    sys.implementation.name != "cpython" or sys.version_info < (3, 13),
    reason="Python code can make interpreters with a GIL of their own on CPython 3.13 and newer only",
)


@subinterpreters
@pytest.mark.needs("subinterpreters")
def test_works_in_subinterpreters(implementation: Implementation) -> None:
    """The binding can be imported and used in several interpreters with a GIL of their own at the same time."""
    assert run_fresh(implementation, SUBINTERPRETERS).stdout.splitlines()[-1] == "done"


@pytest.mark.needs("subinterpreters")
@pytest.mark.needs("second-copy")
def test_an_object_stored_in_its_module_does_not_keep_it_alive(implementation: Implementation) -> None:
    """The compiled module of an interpreter that ends is freed, also if an object of each type is stored in it."""
    if importlib.util.find_spec(f"{implementation.target}._core") is None:
        pytest.skip("the binding has no compiled module")
    assert run_fresh(implementation, KEPT_IN_THE_MODULE).stdout.splitlines()[-1] == "done"


@pytest.mark.needs("subinterpreters")
@pytest.mark.needs("second-copy")
def test_structs_of_another_instance_of_the_module_are_refused(implementation: Implementation) -> None:
    """A module takes only the points and boxes that it has made, and not those of a second instance of itself."""
    if importlib.util.find_spec(f"{implementation.target}._core") is None:
        pytest.skip("the binding has no compiled module")
    assert run_fresh(implementation, OF_ANOTHER_INSTANCE).stdout.splitlines()[-1] == "done"


@subinterpreters
def test_import_fails_cleanly_in_a_subinterpreter_without_the_feature(implementation: Implementation) -> None:
    """Without the feature the import in a subinterpreter raises `ImportError`, or works; it never crashes."""
    if "subinterpreters" in implementation.features:
        pytest.skip("this binding works in subinterpreters")
    said = run_fresh(implementation, REFUSED).stdout.strip()
    assert said == "None" or "ImportError" in said or "RuntimeError" in said


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this interpreter is built with a GIL")
@pytest.mark.needs("free-threading")
def test_works_without_a_gil(implementation: Implementation) -> None:
    """Importing the binding leaves the GIL off, and several threads can use it and share its objects."""
    assert run_fresh(implementation, WITHOUT_A_GIL).stdout.splitlines()[-1] == "done"
