# SPDX-License-Identifier: Apache-2.0
"""Each function gets a wrapper of its own prototype, or a stub."""

import dataclasses
import platform
from collections.abc import Callable
from pathlib import Path

import pytest
from cside_wrap.errors import WrapError
from cside_wrap.header import compiler
from cside_wrap.profile.source import build
from cside_wrap.project.reading import Project


def test_refused_functions_are_counted_only(box: Callable[..., Project], tmp_path: Path) -> None:
    """Their prototypes are not relied on; inline functions are not the library's."""
    found = box()
    audit = build(found.described, found.header, found.settings.header_paths(found.folder), (), tmp_path)
    assert audit.path.exists() and list(audit.functions) == sorted(audit.functions)
    assert {"box_print", "box_stop"} <= set(audit.functions) - audit.timed
    assert {"box_sum", "box_apart", "box_area"} <= audit.timed
    assert "box_inline" not in audit.functions


def test_a_wrapper_that_the_compiler_refuses_becomes_a_stub(box: Callable[..., Project], tmp_path: Path) -> None:
    """So that one type that was read wrongly costs the times of one function."""
    found = box()
    one = found.described["box_check"]
    odd = dataclasses.replace(one.function.returns, written="no_such_type")
    one.function = dataclasses.replace(one.function, returns=odd)
    audit = build(found.described, found.header, found.settings.header_paths(found.folder), (), tmp_path)
    assert "box_check" in audit.functions and "box_check" not in audit.timed
    assert "box_sum" in audit.timed


def test_machines_without_a_stub_do_not_count_them(
    box: Callable[..., Project], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And say so; the wrappers are plain C."""
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    found = box()
    audit = build(found.described, found.header, found.settings.header_paths(found.folder), (), tmp_path)
    assert "box_print" in audit.uncounted and not audit.uncounted & audit.timed


def test_a_compiler_that_fails_is_told(
    box: Callable[..., Project], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its words."""
    found = box()
    monkeypatch.setattr(compiler, "command", lambda: ["false"])
    with pytest.raises(WrapError, match="does not compile"):
        build(found.described, found.header, [], (), tmp_path)
