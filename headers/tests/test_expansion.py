# SPDX-License-Identifier: Apache-2.0
"""Function-like macros in the code of a header, and arguments without names."""

from pathlib import Path

import pytest
from conftest import Written
from cside_headers.declarations import standard_names
from cside_headers.errors import HeaderError, Source
from cside_headers.parse import Headers
from cside_headers.preprocess import Preprocessor


def code(tmp_path: Path, text: str) -> str:
    """The code that is left of a header, with single blanks."""
    path = tmp_path / "small.h"
    path.write_text(text, encoding="utf-8")
    processor = Preprocessor({}, lambda source, name: None)
    return " ".join(processor.read(Source.read(path)).text.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define T(n) typedef long n; typedef n * n ## _PTR\nT(A);", "typedef long A; typedef A * A_PTR;"),
        (
            "#define F(t, n) t n\nstruct s { F(long, a); F(struct { int x; }, b); };",
            "struct s { long a; struct { int x; } b; };",
        ),
        ("#define P(a, b) a b\nP((x, y), z)", "(x, y) z"),
        ("#define P(a, b) <a|b>\nP(, z) P(y,) P(,)", "<|z> <y|> <|>"),
        ("#define E() nothing\nE() E( ) E", "nothing nothing E"),
        ("#define A(x) B(x) A\n#define B(y) y y\nA(1)", "1 1 A"),
        ("#define A(x) [x]\nA(A(1))", "[[1]]"),
        ("#define A(x) [x A(x)]\nA(1)", "[1 A(1)]"),
        ("#define N A\n#define A(x) [x]\nN(1)", "[1]"),
        ("#define S(x) #x\nS(a  +  \"b\\n\" 'c') S()", '"a + \\"b\\\\n\\" \'c\'" ""'),
        ("#define C(a, b) a##b\n#define one two\nC(o, ne) C(one, one) C(, x) C(x, ) C(,)", "two oneone x x"),
        ("#define C(a, b) a ## b ## 3\nC(x, 2)", "x23"),
        ("#define D(a) a\n#define one two\nD(one)", "two"),
        ("#define M(a, b) a + \\\n  b\nM(1, /* why */\n  2)\nint after;", "1 + 2 int after;"),
        ('#define Q(a) a\nQ("a, b)" ")")', '"a, b)" ")"'),
        ("#define T(n) [n]\nint T; T (x) T", "int T; [x] T"),
        ("#define T(n) [n]\n#undef T\nT(x)", "T(x)"),
        ("T(x)\n#define T(n) [n]\nT(x)", "T(x) [x]"),
        ("#if 0\nT(\n#endif\n#define T(n) [n]\nT(x)", "[x]"),
        ("#define W(...) x\nint y;", "int y;"),
    ],
)
def test_expansion(tmp_path: Path, text: str, expected: str) -> None:
    """Arguments, ``#``, ``##`` and rescanning are those of C11, 6.10.3."""
    assert code(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#define V(...) x\n\n V(1)", r"small\.h:3:2: V takes any number of arguments.*\n.* V\(1\)\n.*\^\n.*-D"),
        ("#define V(a, ...) x\nV(1, 2)", r"small\.h:2:1: V takes any number of arguments"),
        ("#define V(rest...) x\nV(1, 2)", r"small\.h:2:1: V takes any number of arguments"),
        ("#define T(n) n\nT(1, 2)", r"small\.h:2:1: T takes 1 argument, not 2"),
        ("#define T(n, m) n\nT()", r"small\.h:2:1: T takes 2 arguments, not 1"),
        ("#define F(t, n) t n\nF(struct { int x, y; }, b)", r"small\.h:2:1: F takes 2 arguments, not 3"),
        ("#define T() n\nT(1)", r"small\.h:2:1: T takes 0 arguments, not 1"),
        ("#define T(n) n\nint x; T(1", r'small\.h:2:8: expected "\)", the end of the arguments of T'),
        ("#define T(n) n\nT(1\n#define U\n)", r'small\.h:2:1: expected "\)"'),
        ("#define T(n) # m\nT(1)", r"small\.h:1:14: # is not before a parameter of T"),
        ("#define T(n) n ##\nT(1)", r"small\.h:1:14: ## is at the beginning or end of T"),
        ("#define T(n) ## n\nT(1)", r"small\.h:1:14: ## is at the beginning or end of T"),
        ("#define T(n) ( ## n\nT(1)", r"small\.h:1:14: ## in T joins '\(' and '1', which is not one word"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """What C does not allow, and macros with any number of arguments, are errors that name the place."""
    with pytest.raises(HeaderError, match=message):
        code(tmp_path, text)


def test_declarations_by_macros(written: Written) -> None:
    """Types, structs and constants of a header that declares them by nested macros of many lines are in the model."""
    model = written(
        """
        #define POINTER(name) typedef name * name ## _PTR
        #define TYPE(name, of) \\
            typedef of name; \\
            POINTER(name)
        #define FIELD(kind, name) kind name
        TYPE(CK_COLOUR, CK_ULONG); /* a type */
        struct CK_PAINT { FIELD(CK_COLOUR, colour); FIELD(CK_BYTE, layers [2]); };
        TYPE(CK_PAINT, struct CK_PAINT);
        """
    ).model
    typedefs = {t.name: (t.target, t.pointers) for t in model.typedefs}
    assert typedefs["CK_COLOUR"] == ("CK_ULONG", 0)
    assert typedefs["CK_COLOUR_PTR"] == ("CK_COLOUR", 1)
    assert typedefs["CK_PAINT_PTR"] == ("CK_PAINT", 1)
    struct = next(s for s in model.structs if s.name == "CK_PAINT")
    assert [(f.name, f.type, f.count) for f in struct.fields] == [
        ("colour", "CK_COLOUR", None),
        ("layers", "CK_BYTE", 2),
    ]


def test_an_error_in_a_replacement_has_the_place_of_the_macro(written: Written) -> None:
    """The place is that of the use, in its line and column, and code after it keeps its own place."""
    with pytest.raises(HeaderError, match=r"pkcs11\.h:3:2: expected"):
        written("#define T(n) typedef n n n;\ntypedef int x;\n T(CK_A)\n", base=False)
    with pytest.raises(HeaderError, match=r":2:13: "):
        written("#define T(n) typedef long n;\nT(A) T(BCD) ]", base=False)


def test_names_of_arguments_are_those_of_our_headers(own: Headers) -> None:
    """The table for headers without names is what the standard's headers, and ours, say."""
    callables = [*own.model.functions, *own.model.callbacks]
    assert standard_names() == {c.name: [a.name for a in c.arguments] for c in callables if c.arguments}


def test_arguments_without_names(written: Written, own: Headers) -> None:
    """A function of the standard has the same roles if the header does not name its arguments, or only some."""
    model = written(
        "CK_RV C_GenerateRandom(CK_ULONG, CK_BYTE *, CK_ULONG);\nCK_RV C_Finalize(void *);\n"
        "CK_RV C_SeedRandom(CK_ULONG session, CK_BYTE *, CK_ULONG);"
    ).model
    known = {f.name: f for f in own.model.functions}
    for function in model.functions:
        assert [a.role for a in function.arguments] == [a.role for a in known[function.name].arguments]
    with pytest.raises(HeaderError, match="argument1"):
        written("CK_RV C_Vendor(void *);")
