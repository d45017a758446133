# SPDX-License-Identifier: Apache-2.0
"""The library is found by name or path, and its exported functions are those that a program can call."""

import subprocess
import sys
from pathlib import Path

import pytest
from cside_wrap.errors import WrapError
from cside_wrap.header import compiler, exports

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only ELF libraries are read")


def test_exports_are_functions_with_default_visibility(tmp_path: Path) -> None:
    """Static and hidden functions, variables and functions of other libraries are left out."""
    source = tmp_path / "a.c"
    source.write_text(
        '#include <stdlib.h>\nint seen(void) { return abs(-1) + atoi("1"); }\nint variable = 1;\n'
        'static int own(void) { return 1; }\n__attribute__((visibility("hidden"))) int hidden(void) { return own(); }\n'
    )
    library = tmp_path / "liba.so"
    command = [*compiler.command(), "-shared", "-fPIC", "-Wl,-soname,liba.so.3", "-o", str(library), str(source)]
    subprocess.run(command, check=True)
    assert exports.functions(library) & {"seen", "variable", "own", "hidden", "atoi"} == {"seen"}
    assert exports.soname(library) == "liba.so.3"
    assert exports.find("a", [str(tmp_path)]) == library.resolve()


def test_a_linker_script_is_followed(box_folder: Path, tmp_path: Path) -> None:
    """Some distributions install a text that names the library."""
    (tmp_path / "libscript.so").write_text(f"/* script */ GROUP ( {box_folder / 'libbox.so'} AS_NEEDED ( ) )")
    assert exports.find("script", [str(tmp_path)]) == (box_folder / "libbox.so").resolve()


def test_what_is_no_shared_library_is_told(tmp_path: Path) -> None:
    """No library, a static one, and another kind of file."""
    with pytest.raises(WrapError, match="no shared library gone"):
        exports.find("gone")
    for content, said in ((b"!<arch>\n", "static library"), (b"hello", "no shared library")):
        (tmp_path / "a.so").write_bytes(content)
        with pytest.raises(WrapError, match=said):
            exports.find(str(tmp_path / "a.so"))
    (tmp_path / "a.so").write_bytes(b"\x7fELF")
    with pytest.raises(WrapError, match="cannot be read"):
        exports.functions(tmp_path / "a.so")
