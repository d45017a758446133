# SPDX-License-Identifier: Apache-2.0
"""Headers for the tests: the project's own, those of the system if they are installed, and ones that a test writes."""

import os
import shutil
import subprocess
import sys
import tarfile
import textwrap
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest
from cside_headers import compiler_check
from cside_headers.argument_roles import Overrides
from cside_headers.errors import HeaderError
from cside_headers.parse import Headers, parse

ROOT = Path(__file__).resolve().parents[2]
OWN = ROOT / "native" / "include" / "cside" / "pkcs11.h"
NSS = Path("/usr/include/nss/pkcs11.h")
P11_KIT = Path("/usr/include/p11-kit-1/p11-kit/pkcs11.h")

OASIS_PACKAGE = "python-pkcs11==0.10.1"
"""Its source distribution has the standard's own three files. The tests read them from the download and copy
nothing."""

SINGLE_PACKAGE = "PyKCS11==1.5.20"
"""Its source distribution has the single header of 3.2 that OpenSC and the crate cryptoki-sys ship, too."""

OASIS_FOLDER = "CSIDE_OASIS_HEADERS"
SINGLE_FOLDER = "CSIDE_SINGLE_HEADER"
"""Environment variables that name a folder for each download, which is used again if it is there."""

BASE = """
#define CK_PTR *
#define CK_CALLBACK_FUNCTION(returnType, name) returnType (CK_PTR name)
#define CK_DECLARE_FUNCTION(returnType, name) returnType name
#define CK_DECLARE_FUNCTION_POINTER(returnType, name) returnType (CK_PTR name)
typedef unsigned char CK_BYTE;
typedef CK_BYTE CK_UTF8CHAR;
typedef CK_BYTE CK_BBOOL;
typedef unsigned long int CK_ULONG;
typedef CK_ULONG CK_FLAGS;
typedef CK_ULONG CK_RV;
typedef CK_ULONG CK_SESSION_HANDLE;
typedef void CK_PTR CK_VOID_PTR;
typedef CK_BYTE CK_PTR CK_BYTE_PTR;
typedef CK_UTF8CHAR CK_PTR CK_UTF8CHAR_PTR;
typedef CK_ULONG CK_PTR CK_ULONG_PTR;
"""
"""Types that most snippets need, and the macros of the standard's convention."""

Written = Callable[..., Headers]


def installed(path: Path, package: str) -> Path:
    """A header of the system. Without it the test is skipped, or fails in CI, which installs it."""
    if path.is_file():
        return path
    reason = f"{path} does not exist; to install it: apt-get install {package}"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def own() -> Headers:
    """The project's own headers."""
    return parse([OWN])


@pytest.fixture(scope="session")
def nss() -> Headers:
    """NSS's three files, which include its vendor file."""
    return parse([installed(NSS, "libnss3-dev")])


@pytest.fixture(scope="session")
def p11_kit() -> Headers:
    """p11-kit's single header."""
    return parse([installed(P11_KIT, "libp11-kit-dev")])


def download(package: str, folder: Path) -> Path:
    """Download a source distribution by pip. Without pip or without a network the test is skipped."""
    pip = [sys.executable, "-m", "pip"] if find_spec("pip") else [shutil.which("pip") or shutil.which("pip3") or ""]
    if not pip[0]:
        pytest.skip(f"no pip to download {package} with")
    name = package.partition("==")[0]  # `:all:` would build what its build needs from sources too, for minutes
    wanted = ["--no-deps", "--no-binary", name, "--dest", str(folder), package]
    done = subprocess.run([*pip, "download", "--quiet", *wanted], capture_output=True, text=True, check=False)
    archives = list(folder.glob("*.tar.gz"))
    if not archives:
        pytest.skip(f"{package} cannot be downloaded: {done.stderr.strip()[-200:]}")
    return archives[0]


def unpacked(package: str, inside: str, kept: str | None, folder: Path) -> Path:
    """The header pkcs11.h in the folder `inside` of a source distribution, which may be kept from an earlier run."""
    folder = Path(kept) if kept else folder
    if not list(folder.rglob(f"{inside}/pkcs11.h")):
        with tarfile.open(download(package, folder)) as archive:
            wanted = [member for member in archive if f"/{inside}/" in member.name and member.isfile()]
            archive.extractall(folder, members=wanted)
    return next(iter(folder.rglob(f"{inside}/pkcs11.h")))


@pytest.fixture(scope="session")
def oasis(tmp_path_factory: pytest.TempPathFactory) -> Headers:
    """The standard's own three files, from a source distribution."""
    folder = tmp_path_factory.mktemp("oasis")
    return parse([unpacked(OASIS_PACKAGE, "extern", os.environ.get(OASIS_FOLDER), folder)])


@pytest.fixture(scope="session")
def single(tmp_path_factory: pytest.TempPathFactory) -> Headers:
    """The single header of 3.2 that declares types by macros and arguments without names, as OpenSC ships it."""
    folder = tmp_path_factory.mktemp("single")
    return parse([unpacked(SINGLE_PACKAGE, "opensc", os.environ.get(SINGLE_FOLDER), folder)])


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """A function that parses headers from a text, or from texts by file name, of which the first is parsed."""

    def parsed(
        texts: str | Mapping[str, str],
        base: bool = True,
        overrides: str | None = None,
        define: Mapping[str, str] | None = None,
        newline: str | None = None,
    ) -> Headers:
        files = {"pkcs11.h": texts} if isinstance(texts, str) else dict(texts)
        for number, (name, text) in enumerate(files.items()):
            whole = (BASE if base and number == 0 else "") + textwrap.dedent(text)
            (tmp_path / name).write_text(whole, encoding="utf-8", newline=newline)
        decisions = Overrides()
        if overrides is not None:
            (tmp_path / "overrides.toml").write_text(overrides, encoding="utf-8")
            decisions = Overrides(tmp_path / "overrides.toml")
        return parse([tmp_path / next(iter(files))], overrides=decisions, define=define)

    return parsed


@pytest.fixture(scope="session")
def compiled() -> None:
    """Skip the test without a C compiler, or fail in CI."""
    try:
        compiler_check.compiler()
    except HeaderError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))
