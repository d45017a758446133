# SPDX-License-Identifier: Apache-2.0
"""Installations: which library a build asks for, and what the user's process loads."""

import ast
import runpy
import shutil
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

from provision import packages, paths
from provision.release import call_all, installs
from provision.tests.wheel_files import make_wheel

BACKENDS = [each for each in packages.bindings() if (each.folder / "build_backend.py").exists()]
HOOKS = [f"get_requires_for_build_{what}" for what in ("wheel", "editable", "sdist")]

backends = pytest.mark.parametrize("package", BACKENDS, ids=[each.name for each in BACKENDS])


def required(folder: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What the hooks of a build backend ask for beside what the backend asks for that it extends."""
    for name in extended(folder):
        stand_in(name, monkeypatch)
    defined = runpy.run_path(str(folder / "build_backend.py"))
    return {requirement for hook in HOOKS for requirement in defined[hook]({})}


def extended(folder: Path) -> list[str]:
    """The modules of others that a build backend imports: those of the backend that it extends."""
    tree = ast.parse((folder / "build_backend.py").read_text(encoding="utf-8"))
    named = {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return sorted(name for name in named if name.partition(".")[0] not in sys.stdlib_module_names)


def stand_in(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace a module of a backend, which need not be installed, by one whose hooks ask for nothing."""
    made = types.ModuleType(name)
    for hook in HOOKS:
        setattr(made, hook, lambda settings=None: [])
    monkeypatch.setitem(sys.modules, name, made)
    package, _, own = name.rpartition(".")
    if package:
        if package not in sys.modules:
            stand_in(package, monkeypatch)
        monkeypatch.setattr(sys.modules[package], own, made, raising=False)


@backends
def test_a_build_in_a_checkout_asks_for_its_library(
    package: packages.Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a file URL, for which pip asks no index."""
    checkout = tmp_path / "with a space"
    for one in (packages.native(), package):
        one.copy_to(checkout / one.folder.relative_to(paths.ROOT))
    native = (checkout.resolve() / "native").as_uri()
    assert required(checkout / "bindings" / package.name, monkeypatch) == {f"cside-native @ {native}"}


@backends
def test_a_build_elsewhere_asks_for_the_distribution(
    package: packages.Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As from a source distribution, also if another folder is called native."""
    (tmp_path / "native").mkdir()
    package.copy_to(tmp_path / "sources" / "unpacked")
    assert required(tmp_path / "sources" / "unpacked", monkeypatch) == {"cside-native"}


@backends
def test_a_source_distribution_does_not_look_around(
    package: packages.Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pip unpacks it in the folder for temporary files, where anybody may have put a folder called native."""
    packages.native().copy_to(tmp_path / "native")
    unpacked = tmp_path / "pip-install-1" / package.distribution
    package.copy_to(unpacked)
    (unpacked / "PKG-INFO").write_text(
        f"Metadata-Version: 2.4\nName: {package.distribution}\nVersion: 1.2.3\n", encoding="utf-8"
    )
    assert required(unpacked, monkeypatch) == {"cside-native==1.2.3"}


def test_all_build_backends_that_extend_the_same_are_the_same() -> None:
    """Each has to be inside its package; what is mended in one is mended in all."""
    by_extended: dict[tuple[str, ...], set[bytes]] = {}
    for each in BACKENDS:
        by_extended.setdefault(tuple(extended(each.folder)), set()).add((each.folder / "build_backend.py").read_bytes())
    assert {names: len(texts) for names, texts in by_extended.items() if len(texts) > 1} == {}


@pytest.fixture
def native(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., types.ModuleType]:
    """The Python package of the library, installed in one folder or, as an editable one, in two."""

    def load(*names: str, built: str = "one") -> types.ModuleType:
        shutil.copytree(packages.native().folder / "python" / "cside_native", tmp_path / "one" / "cside_native")
        for name in names:
            file = tmp_path / built / "cside_native" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
        monkeypatch.syspath_prepend(str(tmp_path / "one"))
        for name in [name for name in sys.modules if name.partition(".")[0] == "cside_native"]:
            monkeypatch.delitem(sys.modules, name)
        module = __import__("cside_native")
        monkeypatch.setitem(sys.modules, "cside_native", module)
        module.__path__ = [str(tmp_path / folder / "cside_native") for folder in dict.fromkeys([built, "one"])]
        return module

    return load


@pytest.mark.parametrize(
    ("platform", "names"),
    [
        ("linux", ("libcside.so", "libcside_floor.so", "libcside_token.so")),
        ("darwin", ("libcside.dylib", "libcside_floor.dylib", "libcside_token.dylib")),
        ("win32", ("cside.dll", "cside_floor.dll", "cside_token.dll")),
        ("win32", ("libcside.dll", "libcside_floor.dll", "libcside_token.dll")),
    ],
)
def test_libraries_have_the_names_of_their_system(
    native: Callable[..., types.ModuleType],
    monkeypatch: pytest.MonkeyPatch,
    platform: str,
    names: tuple[str, ...],
) -> None:
    """Windows' compilers have two."""
    module = native(*(f"lib/{name}" for name in names))
    monkeypatch.setattr(sys, "platform", platform)
    found = (module.library(), module.floor_library(), module.token_library())
    assert tuple(path.name for path in found) == names


def test_a_library_of_another_system_is_not_taken(
    native: Callable[..., types.ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the file that is missing."""
    module = native("lib/libcside.so")
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(FileNotFoundError, match=r"libcside\.dylib is missing; reinstall cside-native"):
        module.library()


def test_an_editable_native_package_is_in_two_folders(native: Callable[..., types.ModuleType]) -> None:
    """The sources are in the checkout, the library where the build installed it."""
    module = native("lib/libcside.so", "build_info.json", "include/cside/status.h", built="site")
    assert module.library().parts[-4:] == ("site", "cside_native", "lib", "libcside.so")
    assert module.include_dir().parts[-3:] == ("site", "cside_native", "include")


def test_a_requirement_of_others_is_told_from_ours(tmp_path: Path) -> None:
    """Only others' come from the index when the wheels are tried."""
    metadata = "Metadata-Version: 2.4\nName: x\nRequires-Dist: cside-native==0.1.0\nRequires-Dist: cffi>=2.1\n"
    wheel = make_wheel(tmp_path, "cside-x", {"cside_x-0.1.0.dist-info/METADATA": metadata})
    assert installs.requirements([wheel.path]) == ["cffi>=2.1"]


def test_a_second_copy_of_the_library_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the memory map of the process: `libcside` itself, not its neighbours."""
    maps = tmp_path / "maps"
    kept = ["/a/lib/libcside.so", "/b b/libcside-1a2b.so", "/a/lib/libcside_token.so", "[heap]"]
    maps.write_text("".join(f"7f00-7f01 r-xp 00000000 08:01 42   {name}\n" for name in kept))
    monkeypatch.setattr(call_all, "Path", lambda _: maps)
    assert call_all.mapped() == {"/a/lib/libcside.so", "/b b/libcside-1a2b.so"}
