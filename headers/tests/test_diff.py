# SPDX-License-Identifier: Apache-2.0
"""Each kind of change, made in a copy of the project's own headers, is found, and no other change is."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import OWN
from cside_headers.diff import NOTICED, TECHNIQUES, Change, Kind, Moment, compare
from cside_headers.parse import Headers, parse


@pytest.fixture
def mutated(tmp_path: Path, own: Headers) -> Callable[[str, str, str], list[Change]]:
    """The changes that replacing a piece of text in one of the three files makes."""

    def changes(name: str, old: str, new: str) -> list[Change]:
        for file in ("pkcs11.h", "pkcs11f.h", "pkcs11t.h"):
            text = OWN.with_name(file).read_text(encoding="utf-8")
            if file == name:
                assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
                text = text.replace(old, new)
            (tmp_path / file).write_text(text, encoding="utf-8")
        return compare(own.model, parse([tmp_path / "pkcs11.h"]).model)

    return changes


Mutated = Callable[[str, str, str], list[Change]]

INIT_PIN = "CK_PKCS11_FUNCTION_INFO(C_InitPIN)\n#ifdef CK_NEED_ARG_LIST\n(\n    CK_SESSION_HANDLE hSession,"
DATE = "    CK_CHAR month[2];\n    CK_CHAR day[2];"


@pytest.mark.parametrize(
    ("file", "old", "new", "kind", "name"),
    [
        ("pkcs11f.h", INIT_PIN, f"{INIT_PIN}\n    CK_FLAGS flags,", Kind.FUNCTION_CHANGED, "C_InitPIN"),
        ("pkcs11t.h", DATE, f"    CK_CHAR era[2];\n{DATE}", Kind.STRUCT_LAYOUT, "CK_DATE"),
        ("pkcs11t.h", DATE, "    CK_CHAR month[2];", Kind.STRUCT_LAYOUT, "CK_DATE"),
        ("pkcs11t.h", DATE, "    CK_CHAR moon[2];\n    CK_CHAR day[2];", Kind.STRUCT_RENAMED, "CK_DATE"),
        ("pkcs11t.h", "    CK_BBOOL phFlag;", "    CK_ULONG phFlag;", Kind.STRUCT_LAYOUT, "CK_EDDSA_PARAMS"),
        ("pkcs11t.h", "typedef CK_ULONG CK_TRUST;", "typedef CK_BYTE CK_TRUST;", Kind.TYPE_CHANGED, "CK_TRUST"),
        ("pkcs11t.h", "typedef CK_ULONG CK_TRUST;", "", Kind.TYPE_REMOVED, "CK_TRUST"),
        ("pkcs11t.h", "typedef CK_ULONG CK_TRUST;", "typedef CK_ULONG CK_TRUST, CK_MORE;", Kind.TYPE_ADDED, "CK_MORE"),
        ("pkcs11t.h", "typedef CK_ULONG CK_TRUST;", "typedef CK_ULONG CK_TRUST; struct CK_M { CK_BYTE b; };",
         Kind.STRUCT_ADDED, "CK_M"),
        ("pkcs11t.h", "(CK_VOID_PTR_PTR ppMutex)", "(CK_VOID_PTR_PTR ppMutex, CK_FLAGS flags)",
         Kind.CALLBACK_CHANGED, "CK_CREATEMUTEX"),
        ("pkcs11t.h", "#define CKN_OTP_CHANGED                                1UL", "#define CKN_OTP_CHANGED 9UL",
         Kind.CONSTANT_CHANGED, "CKN_OTP_CHANGED"),
        ("pkcs11t.h", "#define CKN_OTP_CHANGED                                1UL", "", Kind.CONSTANT_REMOVED,
         "CKN_OTP_CHANGED"),
        ("pkcs11t.h", "#define CKN_SURRENDER                                  0UL", "#define CKN_SURRENDER 0UL\n"
         "#define CKN_MORE 5UL", Kind.CONSTANT_ADDED, "CKN_MORE"),
    ],
)  # fmt: skip
def test_one_change_is_one_difference(mutated: Mutated, file: str, old: str, new: str, kind: Kind, name: str) -> None:
    """The change is reported under its name, and nothing else is."""
    assert [(change.kind, change.name) for change in mutated(file, old, new)] == [(kind, name)]


def test_function_removed_moves_the_others(mutated: Mutated) -> None:
    """Without C_CancelFunction, all functions after it have another position in the list."""
    text = OWN.with_name("pkcs11f.h").read_text(encoding="utf-8")
    start = text.index("CK_PKCS11_FUNCTION_INFO(C_CancelFunction)")
    piece = text[start : text.index("#endif", start) + len("#endif")]
    changes = mutated("pkcs11f.h", piece, "")
    assert [c.name for c in changes if c.kind is Kind.FUNCTION_REMOVED] == ["C_CancelFunction"]
    moved = [c for c in changes if c.kind is Kind.FUNCTION_MOVED]
    assert len(moved) == 104 - 67
    assert (moved[0].name, moved[0].before, moved[0].after) == (
        "C_WaitForSlotEvent",
        "entry 68, list of 2.40",
        "entry 67, list of 2.40",
    )


def test_function_in_another_list(mutated: Mutated) -> None:
    """A function that is in an earlier list than before has moved."""
    piece = "/** Cancel the operations that the flags name. */"
    changes = mutated("pkcs11f.h", piece, "#ifndef CK_PKCS11_3_0_ONLY\n#endif\n")
    assert changes == []
    text = OWN.with_name("pkcs11f.h").read_text(encoding="utf-8")
    start = text.index("CK_PKCS11_FUNCTION_INFO(C_SessionCancel)")
    piece = text[start : text.index("#endif", start) + len("#endif")]
    changes = mutated("pkcs11f.h", piece, f"#ifndef CK_PKCS11_3_0_ONLY\n{piece}\n#endif\n")
    assert [(c.kind, c.name, c.after) for c in changes] == [
        (Kind.FUNCTION_MOVED, "C_SessionCancel", "entry 72, list of 3.2")
    ]


def test_spelling_is_no_change(mutated: Mutated) -> None:
    """Another name for a type or an argument is no change."""
    assert mutated("pkcs11f.h", INIT_PIN, INIT_PIN.replace("CK_SESSION_HANDLE hSession", "CK_ULONG hSitzung")) == []
    assert mutated("pkcs11t.h", "typedef CK_ULONG CK_TRUST;", "typedef unsigned long CK_TRUST;") == []


def test_functions_of_later_versions_are_additions(own: Headers, p11_kit: Headers) -> None:
    """From 2.40 to 3.2: 36 functions more, none moved, none changed."""
    kinds = [change.kind for change in compare(p11_kit.model, own.model) if "functions" in change.kind.value]
    assert kinds == [Kind.FUNCTION_ADDED] * 36


def test_rules_are_complete() -> None:
    """For every kind of change and way of binding there is a moment and a reason."""
    assert set(NOTICED) == set(Kind)
    for rules in NOTICED.values():
        assert list(rules) == list(TECHNIQUES)
        assert all(isinstance(moment, Moment) and reason for moment, reason in rules.values())


def test_copies_notice_nothing_before_a_call() -> None:
    """Declarations that were copied by hand are never compared with the header before a call."""
    moments = {rules["declarations copied, no compiler"][0] for rules in NOTICED.values()}
    assert moments <= {Moment.CALL, Moment.NEVER}
