# SPDX-License-Identifier: Apache-2.0
"""The command: what it prints, and its exit codes."""

import json
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import OWN
from cside_headers import model_json
from cside_headers.cli import headers
from cside_headers.parse import Headers


def run(*arguments: str | Path) -> Result:
    """The command, run in this process."""
    return CliRunner().invoke(headers, [str(argument) for argument in arguments])


@pytest.mark.parametrize("command", ["", "show", "check", "diff", "generate"])
def test_help_teaches(command: str) -> None:
    """The help of every command has examples."""
    result = run(*([command] if command else []), "--help")
    assert result.exit_code == 0
    assert ("  pkcs11.h  " if not command else f"\n    cside headers {command}") in result.output


def test_show() -> None:
    """`show` prints counts, function lists, and the role of every argument."""
    result = run("show", OWN)
    assert result.exit_code == 0
    assert "PKCS #11 3.2 from pkcs11.h, pkcs11f.h, pkcs11t.h: 104 functions" in result.output
    assert "CK_FUNCTION_LIST_3_0: 92 functions" in result.output
    assert "    CK_BYTE_PTR pSignature: bytes-out, counted by pulSignatureLen\n" in result.output
    assert "CKM_AES_GCM" not in result.output


def test_show_only() -> None:
    """`show --only` prints what has the text in its name, including constants."""
    result = run("show", "--only", "aes_gcm", OWN)
    assert "struct CK_AES_GCM_PARAMS\n" in result.output
    assert "CKM_AES_GCM = 0x1087\n" in result.output
    assert "C_Sign" not in result.output


def test_show_json(own: Headers) -> None:
    """`show --json` prints the model as JSON, and nothing else."""
    assert model_json.loads(run("show", "--json", OWN).output) == own.model


@pytest.mark.usefixtures("compiled")
def test_check() -> None:
    """`check` prints the number of compared facts for each layout."""
    result = run("check", OWN)
    assert result.exit_code == 0
    assert result.output.count(": agrees: 97 structs") == 3
    facts = json.loads(run("check", "--json", OWN).output)
    assert [proof["mismatches"] for proof in facts["proofs"]] == [[], [], []]


def test_check_without_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a compiler, the message says what to install."""
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", "")
    result = run("check", OWN)
    assert result.exit_code == 3
    assert "no C compiler: set CC, or install gcc or clang" in result.output


def test_check_program() -> None:
    """`check --program` prints the C program."""
    assert '#include "pkcs11.h"' in run("check", "--program", OWN).output


def test_diff(tmp_path: Path) -> None:
    """`diff` prints changes by kind, and for each kind which way of binding would notice."""
    for name in ("pkcs11.h", "pkcs11f.h", "pkcs11t.h"):
        text = OWN.with_name(name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace("CKR_PIN_TOO_WEAK ", "CKR_PIN_WEAK "), encoding="utf-8")
    assert run("diff", OWN, OWN).output == "no difference\n"
    result = run("diff", OWN, tmp_path / "pkcs11.h")
    assert result.exit_code == 1
    assert "1 constants removed\n  CKR_PIN_TOO_WEAK 0x1b8\n    at build   C that includes the header: " in result.output
    assert "never      declarations copied, no compiler: it keeps the number" in result.output
    changes = json.loads(run("diff", "--json", OWN, tmp_path / "pkcs11.h").output)
    assert [change["name"] for change in changes] == ["CKR_PIN_WEAK", "CKR_PIN_TOO_WEAK"]


def test_errors_have_an_exit_code(tmp_path: Path) -> None:
    """An error of a header has exit code 3 and a message on stderr."""
    (tmp_path / "broken.h").write_text("typedef ;", encoding="utf-8")
    result = run("show", tmp_path / "broken.h")
    assert result.exit_code == 3
    assert "broken.h:1:9: expected" in result.stderr
    assert run("show").exit_code == 2


def test_generate(tmp_path: Path) -> None:
    """`generate` writes files; `--check` then finds no difference, and shows one after a file was edited."""
    template = tmp_path / "bindings/one/templates/src/PACKAGE/names.py.j2"
    template.parent.mkdir(parents=True)
    (tmp_path / "bindings/one/pyproject.toml").touch()
    template.write_text("# {{ marker }}\n{{ model.functions | length }}\n", encoding="utf-8")
    first = run("generate", "--root", tmp_path, OWN)
    assert first.exit_code == 0 and "wrote bindings/one/src/cside_one/" in first.output
    assert "are up to date" in run("generate", "--check", "--root", tmp_path, OWN).output
    written = tmp_path / "bindings/one/src/cside_one/names.py"
    written.write_text(written.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    result = run("generate", "--check", "--root", tmp_path, OWN)
    assert result.exit_code == 1
    assert "-# edited\n" in result.output and "to write them: cside headers generate" in result.stderr


def test_definitions_reach_the_header(tmp_path: Path) -> None:
    """A macro that -D defines selects a branch of a condition."""
    (tmp_path / "x.h").write_text("#ifdef CK_WIDE\n#define CKM_X 2\n#else\n#define CKM_X 1\n#endif\n", encoding="utf-8")
    assert "CKM_X = 0x1" in run("show", "--only", "ckm", tmp_path / "x.h").output
    assert "CKM_X = 0x2" in run("show", "--only", "ckm", "-D", "CK_WIDE", tmp_path / "x.h").output


def test_runs_as_a_module() -> None:
    """``python -m cside_headers`` works. The test prints its time, which should stay under three seconds."""
    begin = time.perf_counter()
    command = [sys.executable, "-m", "cside_headers", "show", str(OWN)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    print(f"show, with the interpreter's start: {time.perf_counter() - begin:.2f} s")
    assert result.returncode == 0, result.stderr


def test_entry_point() -> None:
    """The entry point through which ``cside`` finds the command loads it."""
    try:
        version("cside-headers")
    except PackageNotFoundError:
        pytest.skip("not installed, but on the path")
    (entry,) = entry_points(group="cside.commands", name="headers")
    assert entry.load() is headers
