# SPDX-License-Identifier: Apache-2.0
"""Spellings that existing headers use, one at a time."""

import pytest
from conftest import Written
from cside_headers import compiler_check
from cside_headers.errors import HeaderError
from cside_headers.model import Role
from cside_headers.parse import Headers, parse

SIGN = """
CK_PKCS11_FUNCTION_INFO(C_Sign)
#ifdef CK_NEED_ARG_LIST
(
    CK_SESSION_HANDLE hSession,
    CK_BYTE_PTR pData,
    CK_ULONG ulDataLen,
    CK_BYTE_PTR pSignature,
    CK_ULONG_PTR pulSignatureLen
);
#endif
"""


def roles(headers: Headers, name: str = "C_Sign") -> list[str]:
    """Roles of the arguments of a function."""
    function = next(f for f in headers.model.functions if f.name == name)
    return [a.role.value for a in function.arguments]


def value(headers: Headers, name: str) -> int | str:
    """Value of a constant."""
    return next(c.value for c in headers.model.constants if c.name == name)


EXPECTED = ["scalar-in", "bytes-in", "length", "bytes-out", "length"]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends(written: Written, newline: str) -> None:
    """Line ends of every system are accepted."""
    assert roles(written(SIGN, newline=newline)) == EXPECTED


@pytest.mark.parametrize(
    "text",
    [
        "CK_PKCS11_FUNCTION_INFO (\tC_Sign )(CK_SESSION_HANDLE hSession,CK_BYTE_PTR pData,CK_ULONG ulDataLen,"
        "CK_BYTE_PTR pSignature,CK_ULONG_PTR pulSignatureLen) ;",
        "extern CK_DECLARE_FUNCTION( CK_RV , C_Sign ) ( CK_SESSION_HANDLE hSession , CK_BYTE CK_PTR pData ,\n"
        "  CK_ULONG ulDataLen , CK_BYTE * pSignature , CK_ULONG CK_PTR pulSignatureLen ) ;",
        "CK_RV CK_ENTRY C_Sign(CK_SESSION_HANDLE hSession, const CK_BYTE *pData, CK_ULONG ulDataLen,\n"
        "  CK_BYTE *pSignature, CK_ULONG *pulSignatureLen);",
        "extern CK_RV C_Sign(CK_SESSION_HANDLE/*session*/hSession, /* the data */ CK_BYTE_PTR // and its name\n"
        "  pData, CK_ULONG ulDataLen, CK_BYTE_PTR pSignature /* may be NULL */, CK_ULONG_PTR pulSignatureLen);",
        "_CK_DECLARE_FUNCTION (C_Sign, (CK_SESSION_HANDLE session, unsigned char *data, unsigned long data_len,\n"
        "  unsigned char *signature, unsigned long *signature_len));",
        "CK_PKCS11_FUNCTION_INFO(C_Sign)(CK_SESSION_HANDLE hSession, CK_BYTE CK_CONST_PTR pData,\n"
        "  CK_ULONG ulDataLen, CK_BYTE_PTR pSignature, CK_ULONG_PTR pulSignatureLen,);",
        "CK_PKCS11_FUNCTION_INFO(C_Sign)(CK_SESSION_HANDLE hSession, CK_BYTE pData[], CK_ULONG ulDataLen,\n"
        "  CK_BYTE_PTR pSignature, CK_ULONG_PTR pulSignatureLen);",
        "__declspec(dllexport) CK_RV __cdecl C_Sign(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pData,\n"
        "  CK_ULONG ulDataLen, CK_BYTE_PTR pSignature, CK_ULONG_PTR pulSignatureLen)\n"
        "  __attribute__((nonnull(4), deprecated(\"x\")));",
        "typedef CK_RV (CK_PTR CK_C_Sign)(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pData, CK_ULONG ulDataLen,\n"
        "  CK_BYTE_PTR pSignature, CK_ULONG_PTR pulSignatureLen);\n"
        "struct CK_FUNCTION_LIST { struct CK_VERSION { CK_BYTE major, minor; } version; CK_C_Sign C_Sign; };",
        "struct CK_FUNCTION_LIST { CK_RV (*C_Sign)(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pData, CK_ULONG ulDataLen,\n"
        "  CK_BYTE_PTR pSignature, CK_ULONG_PTR pulSignatureLen); };",
    ],
    ids=[
        "tight", "spaced", "calling-convention", "comments-between", "one-file", "trailing-comma", "array",
        "attributes", "typedef-and-list", "inline-list",
    ],
)  # fmt: skip
def test_spellings_of_a_function(written: Written, text: str) -> None:
    """Every way to declare a function gives the same function."""
    headers = written(text)
    assert [f.name for f in headers.model.functions] == ["C_Sign"]
    assert roles(headers) == EXPECTED
    assert not any(c.name.startswith("CK_C_") for c in headers.model.callbacks)


def test_three_files(written: Written) -> None:
    """pkcs11f.h is included several times, the last times as the body of a struct; reading it once gives all
    declarations.
    """
    headers = written(
        {
            "pkcs11.h": """
                typedef struct CK_VERSION { CK_BYTE major; CK_BYTE minor; } CK_VERSION;
                #define __PASTE(x,y) x##y
                #define CK_NEED_ARG_LIST 1
                #define CK_PKCS11_FUNCTION_INFO(name) \\
                  extern CK_DECLARE_FUNCTION(CK_RV, name)
                #include "pkcs11f.h"
                #undef CK_NEED_ARG_LIST
                #undef CK_PKCS11_FUNCTION_INFO
                #define CK_PKCS11_FUNCTION_INFO(name) \\
                  __PASTE(CK_,name) name;
                struct CK_FUNCTION_LIST_3_0 {
                  CK_VERSION version;
                #include "pkcs11f.h"
                };
                #define CK_PKCS11_2_0_ONLY 1
                struct CK_FUNCTION_LIST {
                  CK_VERSION version;
                #include "pkcs11f.h"
                };
            """,
            "pkcs11f.h": SIGN + "#if defined(CK_PKCS11_3_0) && !defined (CK_PKCS11_2_0_ONLY)\n"
            "CK_PKCS11_FUNCTION_INFO(C_SessionCancel)\n#ifdef CK_NEED_ARG_LIST\n"
            "(CK_SESSION_HANDLE hSession, CK_FLAGS flags);\n#endif\n#endif\n",
        }
    )
    assert [(f.name, f.version) for f in headers.model.functions] == [("C_Sign", (2, 40)), ("C_SessionCancel", (3, 0))]
    assert headers.lists == {"CK_FUNCTION_LIST_3_0": ("C_Sign", "C_SessionCancel"), "CK_FUNCTION_LIST": ("C_Sign",)}


def test_order_is_that_of_the_list(written: Written) -> None:
    """A single header may declare functions in any order; the model has the order of the function list."""
    headers = written(
        """
        _CK_DECLARE_FUNCTION (C_Logout, (CK_SESSION_HANDLE session));
        _CK_DECLARE_FUNCTION (C_CloseSession, (CK_SESSION_HANDLE session));
        _CK_DECLARE_FUNCTION (C_SessionCancel, (CK_SESSION_HANDLE session, CK_FLAGS flags));
        struct ck_version { unsigned char major; unsigned char minor; };
        struct ck_function_list { struct ck_version version; CK_C_CloseSession C_CloseSession; CK_C_Logout C_Logout; };
        struct ck_function_list_3_0 { struct ck_version version; CK_C_CloseSession C_CloseSession; CK_C_Logout C_Logout;
          CK_C_SessionCancel C_SessionCancel; };
        """
    )
    assert [(f.name, f.version) for f in headers.model.functions] == [
        ("C_CloseSession", (2, 40)),
        ("C_Logout", (2, 40)),
        ("C_SessionCancel", (3, 0)),
    ]


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("#define CKM_X 0x80000001UL", 0x80000001),
        ("# define\tCKM_X\t( 1ul << 31 ) /* many\n lines */", 1 << 31),
        ("#define CKM_V 0x80000000\n#define CKM_X (CKM_V | 0x1UL)", 0x80000001),
        ("#define CKM_X (CKM_Y+1)\n#define CKM_Y (CKM_V|0x0010)\n#define CKM_V 0x80000000UL", 0x80000011),
        ("#define CKM_X CKM_V + 5 // no brackets\n#define CKM_V 0x100", 0x105),
        ("#define CKM_V 1 + 2\n#define CKM_X CKM_V * 3", 7),
        ("#define CKM_X \\\n  ((CK_ULONG) \\\n   -1)", (1 << 64) - 1),
        ("#define CKM_X (~0UL)", (1 << 64) - 1),
        ("#define CKM_X ((unsigned long)-1L)", (1 << 64) - 1),
        ("#define CKM_X ((CK_BYTE)0x1FF)", 0xFF),
        ("#define CKM_V 9\n#define CKM_X (CKM_V) - 1", 8),
        ("#define CKM_X 017", 15),
        ("#define CKM_X ('N' << 8 | 'S')", 0x4E53),
        ("#define CKM_VENDOR(n) (0x80000000UL | (n))\n#define CKM_X CKM_VENDOR(1 << 4)", 0x80000010),
        ('#define CKM_X "PKCS" " 11"', "PKCS 11"),
        ("#define CKM_X 1\n#undef CKM_X\n#define CKM_X 2", 2),
        ("#ifndef CKM_X\n#define CKM_X 3\n#endif", 3),
        ("#if defined(_WIN32) || defined ( CK_NOWHERE )\n#define CKM_X 1\n#elif 2 > 1 && !UNKNOWN\n#define CKM_X 4\n"
         "#else\n#define CKM_X 5\n#endif", 4),
        ("#if 0\n it's no code \" at all\n#else\n#define CKM_X 6\n#endif", 6),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("compiled")
def test_spellings_of_a_constant(written: Written, text: str, worth: int | str) -> None:
    """The computed value equals that of the compiler."""
    headers = written(text)
    assert value(headers, "CKM_X") == worth
    assert compiler_check.prove(headers)[0].mismatches == []


def test_last_definition_wins_and_is_reported(written: Written) -> None:
    """The last definition of a macro counts, and a note names the place."""
    headers = written("#define CKM_X 1UL\n#define CKM_Y (CKM_X | 0x10)\n#define CKM_X 2UL\n")
    assert (value(headers, "CKM_X"), value(headers, "CKM_Y")) == (2, 0x12)
    assert len(headers.notes) == 1
    assert "CKM_X is defined again" in headers.notes[0] and "pkcs11.h:" in headers.notes[0]


def test_macros_that_are_no_constants(written: Written) -> None:
    """Include guards, values that a program may choose, renames and function-like macros are no constants."""
    headers = written(
        """
        #ifndef PKCS11_H
        #define PKCS11_H 1
        #ifndef NULL_PTR
        #define NULL_PTR 0
        #endif
        #define CK_ENTRY
        #define CK_SPEC __declspec(dllexport)
        #define CKM_REAL 1
        #endif
        """
    )
    assert [c.name for c in headers.model.constants] == ["CKM_REAL"]


def test_renaming_macros(written: Written) -> None:
    """A ``#define`` that renames takes effect until ``#undef``, also in chains."""
    headers = written(
        """
        #define ck_first second
        #define second CK_FIRST
        #define value_len ulValueLen
        struct ck_first { void *value; unsigned long value_len; };
        #undef value_len
        struct other { unsigned long value_len; };
        typedef struct ck_first *CK_FIRST_PTR;
        """
    )
    assert [(s.name, s.fields[-1].name) for s in headers.model.structs] == [
        ("CK_FIRST", "ulValueLen"),
        ("other", "value_len"),
    ]
    assert (headers.model.typedefs[-1].target, headers.model.typedefs[-1].pointers) == ("CK_FIRST", 1)


def test_long_bodies_cost_no_more_than_their_length(written: Written) -> None:
    """Matching a body that is nearly a rename takes linear, not exponential time."""
    name = "CK_" + "LONG_NAME_" * 20
    headers = written(f"#define {name}(x) x\n#define OTHER {name} ({name})\n#define CKM_X {name}(7)\n")
    assert value(headers, "CKM_X") == 7


@pytest.mark.usefixtures("compiled")
def test_structs_of_every_shape(written: Written) -> None:
    """Unions, nesting, arrays with computed sizes, callbacks and several names in one declaration."""
    headers = written(
        """
        #define CK_ROOM 4
        enum kinds { CK_FIRST_KIND = 7, CK_SECOND_KIND, };
        typedef enum { CK_A_KIND } CK_KIND;
        typedef union CK_EITHER { CK_ULONG number; CK_BYTE bytes[3 * CK_ROOM]; } CK_EITHER, *CK_EITHER_PTR;
        typedef struct {
            CK_BYTE first, *second, third[2][CK_ROOM];
            CK_EITHER either;
            union { short small; struct { CK_BYTE a; CK_ULONG b; } large; } inner;
            CK_RV (*callback)(CK_ULONG, void **ppContext);
            const CK_BYTE * const pText;
            struct CK_UNKNOWN *pLater;
            unsigned long long wide;
        } CK_MIXED;
        struct tagged { CK_MIXED mixed; CK_KIND kind; unsigned short end; };
        """
    )
    structs = {s.name: s for s in headers.model.structs}
    assert set(structs) == {"CK_EITHER", "CK_MIXED", "CK_MIXED.inner", "CK_MIXED.inner.large", "tagged"}
    assert structs["CK_EITHER"].union and structs["CK_EITHER"].fields[1].count == 12
    assert [f.count for f in structs["CK_MIXED"].fields][:3] == [None, None, 8]
    assert {c.name: c.value for c in headers.model.constants}["CK_SECOND_KIND"] == 8
    assert [proof.mismatches for proof in compiler_check.prove(headers)[:2]] == [[], []]


@pytest.mark.usefixtures("compiled")
def test_packing_by_the_header(written: Written) -> None:
    """The model has the packing of a header that packs on every platform."""
    headers = written(
        """
        #pragma pack(push, cryptoki, 1)
        typedef struct CK_TIGHT { CK_BYTE one; CK_ULONG two; } CK_TIGHT;
        #pragma pack(2)
        typedef struct CK_CLOSE { CK_BYTE one; CK_ULONG two; } CK_CLOSE;
        #pragma pack(pop, cryptoki)
        typedef struct CK_LOOSE { CK_BYTE one; CK_ULONG two; } CK_LOOSE;
        #ifdef _WIN32
        #pragma pack(push, 1)
        #endif
        typedef struct CK_ELSEWHERE { CK_BYTE one; CK_ULONG two; } CK_ELSEWHERE;
        """
    )
    assert [s.pack for s in headers.model.structs] == [1, 2, None, None]
    assert [proof.mismatches for proof in compiler_check.prove(headers)] == [[], [], []]


def test_callbacks(written: Written) -> None:
    """Both ways to declare a pointer to a function of the application."""
    headers = written(
        """
        typedef CK_CALLBACK_FUNCTION(CK_RV, CK_NOTIFY)(
            CK_SESSION_HANDLE hSession, CK_ULONG event, CK_VOID_PTR pApplication);
        typedef CK_RV (CK_ENTRY *CK_OTHER)(void *pApplication);
        typedef char **(CK_PTR CK_THIRD)(CK_SESSION_HANDLE);
        CK_PKCS11_FUNCTION_INFO(C_Watch)(CK_NOTIFY Notify, CK_VOID_PTR pApplication);
        """
    )
    assert [(c.name, c.returns) for c in headers.model.callbacks] == [
        ("CK_NOTIFY", "CK_RV"),
        ("CK_OTHER", "CK_RV"),
        ("CK_THIRD", "char **"),
    ]
    assert roles(headers, "C_Watch") == ["callback", "user-data"]
    assert headers.model.callbacks[0].arguments[2].role is Role.USER_DATA


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("CK_PKCS11_FUNCTION_INFO(C_Sign)(CK_ULONG ulCount;", 1, 49, 'expected ")", "," or "["'),
        ("typedef CK_ULONG CK_COUNT\ntypedef CK_ULONG CK_SIZE;", 2, 1, '";"'),
        ("typedef struct CK_X {\n    CK_ULONG;\n    CK_ULONG 1;\n} CK_X;", 3, 14, "expected"),
        ("nonsense!", 1, 9, "expected"),
        ("/* never\nended", 1, 1, 'expected "*/"'),
        ("#if 1\nint;", 1, 1, "no #endif"),
        ("#endif", 1, 1, "#endif without #if"),
        ("#ifdef /* what */\n#endif", 1, 1, "#ifdef without a condition"),
        ("#define CKM_X 0x10 09", 1, 20, "expected"),
        ("#define CKM_X 009", 1, 15, "octal"),
        ("#error not on this machine", 1, 1, "the header says: not on this machine"),
        ("#define CKM_X (1 +", 1, 19, "expected a value"),
        ("#if defined(X) &&\n#endif", 1, 18, "expected a value"),
        ("#define CKM_X CKM_Y", 1, 15, "CKM_Y is not defined"),
        ("#define CKM_X CKM_Y\n#define CKM_Y CKM_X", 1, 15, "defined by itself"),
        ("#define CKM_X 1UL << 64", 1, 15, "a shift of 64 bits by 64"),
        ("#define CKM_X (1 / 0)", 1, 15, "division by zero"),
        ("#define CKM_X (CK_NOTHING)1", 1, 15, "neither a macro nor an integer type"),
        ("typedef unsigned char CK_ID[16];", 1, 23, "not supported"),
        ("struct CK_X { unsigned bits : 3; };", 1, 29, "expected"),
    ],
)
def test_errors_name_the_place(written: Written, text: str, line: int, column: int, message: str) -> None:
    """File, line, column, what was expected, and the line with a caret."""
    with pytest.raises(HeaderError) as caught:
        written(text, base=False)
    error = caught.value
    assert error.place is not None
    assert message in error.message
    assert (error.place.line, error.place.column) == (line, column)
    assert f"pkcs11.h:{line}:{column}: " in str(error)
    assert text.split("\n")[line - 1] in str(error) and str(error).rstrip().endswith("^")


def test_caret_stands_under_the_place(written: Written) -> None:
    """The caret is right after tabs, and if a macro made the code longer."""
    with pytest.raises(HeaderError) as caught:
        written("#define n ulVeryLongName\ntypedef struct CK_X {\n\tCK_ULONG n; CK_ULONG !;\n} CK_X;", base=False)
    code, caret = str(caught.value).split("\n")[1:3]
    assert code[caret.index("^")] == "!"


def test_an_include_whose_name_no_file_can_have(written: Written) -> None:
    """Such a file is missing, like any other that is not there."""
    headers = written('#include "' + "x" * 300 + '.h"\n#include "a\0b.h"\n' + SIGN)
    assert len(headers.missing) == 2 and roles(headers) == EXPECTED


def test_missing_file() -> None:
    """The error names a file that does not exist."""
    with pytest.raises(HeaderError, match=r"gone\.h: No such file"):
        parse(["gone.h"])
