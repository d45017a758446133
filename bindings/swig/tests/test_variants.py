# SPDX-License-Identifier: Apache-2.0
"""The variants with proxy classes: each has its own types and accepts its own boxes only, and none leaks references."""

import gc
import sys
from types import ModuleType
from typing import Any
from unittest import mock

import pytest
from cside_swig import idioms
from cside_swig.default import idioms as default
from cside_swig.fastproxy import idioms as fastproxy

PROXIES = [default, fastproxy]


def names(modules: list[ModuleType]) -> list[str]:
    """Names of the modules, as test ids."""
    return [module.__name__.split(".")[1] for module in modules]


def uses(module: Any, box: object) -> list[object]:
    """Calls of all functions that take a box."""
    return [lambda: module.box_area(box), lambda: module.box_unpack(box), lambda: module.box_fill(box, 1)]


@pytest.mark.parametrize("module", [idioms, *PROXIES], ids=names([idioms, *PROXIES]))
def test_boxes_of_another_module_are_refused(module: Any) -> None:
    """SWIG shares types by name between modules. Here each module has its own, and refuses objects of the others."""
    for other in (idioms, *PROXIES):
        for use in uses(module, other.Box()):
            if other is module:
                use()  # type: ignore[operator]
            else:
                with pytest.raises(TypeError):
                    use()  # type: ignore[operator]


@pytest.mark.parametrize("module", PROXIES, ids=names(PROXIES))
def test_what_only_looks_like_a_proxy_is_refused(module: Any) -> None:
    """SWIG takes the struct from ``this``. If there is none, or ``this`` leads to itself, `TypeError` is raised."""

    class Endless:
        this: object

    class Raising:
        @property
        def this(self) -> object:
            raise KeyError("this")

    class Unmade(module.Box):  # type: ignore[misc]
        def __init__(self) -> None:
            """Do not make a struct."""

    endless = Endless()
    endless.this = endless
    for object_ in (endless, Raising(), Unmade(), module.Box.__new__(module.Box), mock.MagicMock()):
        for use in uses(module, object_):
            with pytest.raises(TypeError):
                use()  # type: ignore[operator]


@pytest.mark.parametrize("module", PROXIES, ids=names(PROXIES))
def test_what_a_proxy_holds_cannot_be_appended_to_itself(module: Any) -> None:
    """SWIG's ``append`` would make ``repr`` of it recurse until the stack overflows."""
    inner = module.Box().this
    assert not {"append", "next"} & set(dir(inner))
    assert repr(inner)


@pytest.mark.parametrize("module", PROXIES, ids=names(PROXIES))
def test_a_subclass_of_a_proxy_is_a_box(module: Any) -> None:
    """An object of a class derived in Python is accepted like one of its base."""

    class Sub(module.Box):  # type: ignore[misc]
        pass

    sub = Sub()
    module.box_fill(sub, 3)
    assert module.box_unpack(sub) == (3.0, 4.0, 5.0, 7.0, 3)


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="PyPy counts no references")
@pytest.mark.parametrize("module", PROXIES, ids=names(PROXIES))
def test_a_box_is_freed_with_its_proxy(module: Any) -> None:
    """Making and deleting boxes leaks neither memory nor references."""

    def make() -> None:
        for _ in range(1000):
            module.Box()

    inner = type(module.Box().this)
    make()
    gc.collect()
    counts = sys.getrefcount(module.Box), sys.getrefcount(inner), sys.getallocatedblocks()
    make()
    gc.collect()
    after = sys.getrefcount(module.Box), sys.getrefcount(inner), sys.getallocatedblocks()
    assert all(abs(new - old) < 100 for new, old in zip(after, counts, strict=True))
