# SPDX-License-Identifier: Apache-2.0
"""Checks a model by a C compiler: a program that includes the real headers prints sizes, offsets and values.

There are three programs: with the compiler's own layout of structs, with ``pack(1)``, and with the types of 64-bit
Windows. The last does not need Windows: ``#define long`` turns ``unsigned long`` into ``unsigned``, which has the 32
bits of a long there. Headers that contain ``long long``, which PKCS #11 does not, are not checked with the third
program.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cside_headers.errors import HeaderError, Source
from cside_headers.model import Struct
from cside_headers.parse import Headers
from cside_headers.struct_layouts import LLP64, DataModel, Layouts

__all__ = ["Proof", "compiler", "program", "prove"]

PLATFORM = {
    "CK_PTR": "CK_PTR *",
    "CK_DEFINE_FUNCTION": "CK_DEFINE_FUNCTION(returnType, name) returnType name",
    "CK_DECLARE_FUNCTION": "CK_DECLARE_FUNCTION(returnType, name) returnType name",
    "CK_DECLARE_FUNCTION_POINTER": "CK_DECLARE_FUNCTION_POINTER(returnType, name) returnType(*name)",
    "CK_CALLBACK_FUNCTION": "CK_CALLBACK_FUNCTION(returnType, name) returnType(*name)",
    "NULL_PTR": "NULL_PTR 0",
}
"""Macros that the including program has to define (PKCS #11, 2.1), unless a header defines them."""

PLACES = "abcdefghijklmnopqrstuvwxyz"
WORD = (1 << 64) - 1
TIMEOUT = 120


@dataclass
class Proof:
    """The result of one program: the number of compared facts of each kind, and the mismatches."""

    data: DataModel
    counts: dict[str, int] = field(default_factory=dict)
    mismatches: list[str] = field(default_factory=list)

    def compare(self, kind: str, name: str, modelled: object, compiled: object) -> None:
        """Count a comparison, and record a mismatch if the two values differ."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if modelled != compiled:
            self.mismatches.append(f"{name}: the model says {modelled}, the compiler {compiled}")


def compiler() -> list[str]:
    """The command of the C compiler: ``$CC``, or else cc, gcc or clang. Raise :class:`HeaderError` if there is none."""
    if chosen := os.environ.get("CC"):
        return shlex.split(chosen)
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return [name]
    raise HeaderError("no C compiler: set CC, or install gcc or clang")


def prove(headers: Headers, include: Sequence[Path] = ()) -> list[Proof]:
    """Compile and run the three programs. Raise :class:`HeaderError` if the headers do not compile."""
    with tempfile.TemporaryDirectory(prefix="cside-probe-") as folder:
        natural = _run(headers, include, Path(folder), "", "")
        widths = DataModel("", natural["width"]["long"][0], natural["width"]["pointer"][0])
        name = {(8, 8): "LP64", (4, 4): "ILP32", (4, 8): "LLP64"}.get((widths.long, widths.pointer), "this machine")
        host = DataModel(name, widths.long, widths.pointer)
        proofs = [_compared(headers, host, natural)]
        proofs.append(
            _compared(headers, host.packed(), _run(headers, include, Path(folder), "#pragma pack(push, 1)", ""))
        )
        if host.pointer == LLP64.pointer and not _long_long(headers):
            facts = _run(headers, include, Path(folder), "#pragma pack(push, 1)", "#define long")
            facts["value"] = {}  # integer literals still have this machine's types
            proofs.append(_compared(headers, LLP64, facts))
    return proofs


Facts = dict[str, dict[str, tuple[int, ...]]]


def _run(headers: Headers, include: Sequence[Path], folder: Path, pack: str, long: str) -> Facts:
    source, binary = folder / "probe.c", folder / "probe"
    source.write_text(program(headers, include, pack, long), encoding="utf-8")
    paths = (
        [path.parent for path in headers.paths] + list(include) + [path.parent for path in _foreign(headers, include)]
    )
    flags = [f"-I{path}" for path in dict.fromkeys(path.resolve() for path in paths)]
    command = [*compiler(), "-std=gnu11", "-w", "-O0", *flags, str(source), "-o", str(binary)]
    made = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT)
    if made.returncode:
        lines = "\n".join(f"    {line}" for line in made.stderr.splitlines()[:12])
        raise HeaderError(f"the headers do not compile with {shlex.join(compiler())}:\n{lines}")
    printed = subprocess.run([str(binary)], capture_output=True, text=True, check=True, timeout=TIMEOUT).stdout
    facts: Facts = {"width": {}, "struct": {}, "field": {}, "type": {}, "list": {}, "value": {}}
    for line in printed.splitlines():
        kind, name, *numbers = line.split()
        facts[kind][name] = tuple(int(number) for number in numbers)
    return facts


def _compared(headers: Headers, data: DataModel, facts: Facts) -> Proof:
    model, proof, layouts = headers.model, Proof(data), Layouts(headers.model, data)
    for name, layout in layouts.all().items():
        proof.compare(
            "structs", f"sizeof and alignment of {name}", (layout.size, layout.align), facts["struct"].get(name)
        )
        for member, (start, size) in layout.fields.items():
            key = f"{name}.{member}"
            proof.compare("fields", f"offset and size of {key}", (start, size), facts["field"].get(key))
    for typedef in model.typedefs:
        if typedef.name in facts["type"]:
            measured = layouts.measure(typedef.name)
            proof.compare("typedefs", f"sizeof {typedef.name}", measured and measured[:1], facts["type"][typedef.name])
    for tag, members in headers.lists.items():
        pointer = data.pointer
        first = 2 if data.pack == 1 else pointer  # after CK_VERSION
        for index, name in enumerate(members):
            offset = facts["list"].get(f"{tag}.{name}")
            proof.compare("entries of function lists", f"offset of {name} in {tag}", (first + index * pointer,), offset)
        proof.compare("function lists", f"sizeof {tag}", (first + len(members) * pointer,), facts["list"].get(tag))
    for constant in model.constants if facts["value"] else ():
        value = constant.value if isinstance(constant.value, int) else _text_value(constant.value)
        proof.compare("constants", constant.name, value & WORD, facts["value"].get(constant.name, (-1,))[0])
    proof.counts["prototypes"] = len(model.functions)  # the program compiled, so the prototypes agree
    return proof


def _text_value(text: str) -> int:
    """The number that the program prints for a string: its length and a sum over its bytes."""
    data = text.encode("latin-1", "replace")
    return sum((index + 1) * byte for index, byte in enumerate(data)) * 65536 + len(data)


def program(headers: Headers, include: Sequence[Path] = (), pack: str = "", long: str = "") -> str:
    """The text of the C program. `pack` and `long` are lines before the headers that are checked."""
    return "\n".join(_lines(headers, include, pack, long)) + "\n"


def _lines(headers: Headers, include: Sequence[Path], pack: str, long: str) -> Iterator[str]:
    model = headers.model
    yield from ("#include <stddef.h>", "#include <stdint.h>", "#include <stdio.h>")
    yield from (f'#include "{path.name}"' for path in _foreign(headers, include))
    yield from (f"#define {name} {body}" for name, body in headers.define.items())
    yield from (f"#define {text}" for name, text in PLATFORM.items() if name not in headers.macros)
    yield from (line for line in (pack, long) if line)
    lists = [path for path in headers.roots if _is_list(path)]
    yield from (f'#include "{path.name}"' for path in headers.roots if path not in lists)
    for path in lists:
        yield "#define CK_NEED_ARG_LIST 1"
        yield "#define CK_PKCS11_FUNCTION_INFO(name) extern CK_DECLARE_FUNCTION(CK_RV, name)"
        yield f'#include "{path.name}"'
    # A prototype that differs from the header's does not compile
    names = {typedef.name for typedef in model.typedefs}
    returned = next((name for name in ("CK_RV", "ck_rv_t") if name in names), "unsigned long")
    for function in model.functions:
        types = ", ".join(headers.spell(argument.type) for argument in function.arguments) or "void"
        kind = headers.entries.get(function.name)
        if kind is None:
            yield f"extern {returned} {function.name}({types});"
        elif "." not in kind:
            yield f"extern {kind} probe_{function.name};\nextern {returned} (*probe_{function.name})({types});"
    yield from (line for line, wanted in (("#undef long", long), ("#pragma pack(pop)", pack)) if wanted)
    structs = {struct.name: struct for struct in model.structs}
    yield from _table("struct", ((n, _sizes(headers, s)) for n, s in structs.items()), 2)
    fields = ((f"{s.name}.{f.name}", _field(headers, s, f.name)) for s in model.structs for f in s.fields)
    yield from _table("field", fields, 2)
    measured = Layouts(model, LLP64)
    named = ((t.name, f"sizeof({t.name})") for t in model.typedefs if measured.measure(t.name) and t.name != "void")
    yield from _table("type", named, 1)
    yield from _table("list", _entries(headers), 1)
    numbers = ((c.name, f"(unsigned long long)({c.name})") for c in model.constants if isinstance(c.value, int))
    yield from _table("value", numbers, 1)
    yield "static const struct { const char *name; const char *text; } texts[] = {"
    yield from (f'    {{"{c.name}", {c.name}}},' for c in model.constants if isinstance(c.value, str))
    yield '    {"", ""}};'
    yield "#define COUNT(table) (sizeof(table) / sizeof((table)[0]) - 1)"
    yield "int main(void)\n{\n    size_t i, j;"
    yield '    printf("width long %zu\\nwidth pointer %zu\\n", sizeof(long), sizeof(void *));'
    for table, columns in (("struct", 2), ("field", 2), ("type", 1), ("list", 1), ("value", 1)):
        words = " ".join(["%llu"] * columns)
        values = ", ".join(f"{table}_table[i].{letter}" for letter in PLACES[:columns])
        yield f"    for (i = 0; i < COUNT({table}_table); i++)"
        yield f'        printf("{table} %s {words}\\n", {table}_table[i].name, {values});'
    yield "    for (i = 0; i < COUNT(texts); i++) {"
    yield "        unsigned long long sum = 0;"
    yield "        for (j = 0; texts[i].text[j]; j++)"
    yield "            sum += (j + 1) * (unsigned char)texts[i].text[j];"
    yield '        printf("value %s %llu\\n", texts[i].name, sum * 65536 + j);'
    yield "    }\n    return 0;\n}"


def _table(kind: str, rows: Iterable[tuple[str, str]], numbers: int) -> Iterator[str]:
    letters = "; ".join(f"unsigned long long {letter}" for letter in PLACES[:numbers])
    yield f"static const struct {{ const char *name; {letters}; }} {kind}_table[] = {{"
    yield from (f'    {{"{name}", {values}}},' for name, values in rows)
    yield '    {"", 0}};'


def _type(headers: Headers, struct: Struct) -> str:
    outer, dot, inner = struct.name.partition(".")
    return f"__typeof__((({headers.spell(outer)} *)0)->{inner})" if dot else headers.spell(struct.name)


def _sizes(headers: Headers, struct: Struct) -> str:
    return f"sizeof({_type(headers, struct)}), _Alignof({_type(headers, struct)})"


def _field(headers: Headers, struct: Struct, name: str) -> str:
    spelled = _type(headers, struct)
    return f"offsetof({spelled}, {name}), sizeof((({spelled} *)0)->{name})"


def _entries(headers: Headers) -> Iterator[tuple[str, str]]:
    for tag, members in headers.lists.items():
        yield tag, f"sizeof(struct {tag})"
        yield from ((f"{tag}.{name}", f"offsetof(struct {tag}, {name})") for name in members)


def _long_long(headers: Headers) -> bool:
    """Whether a type contains ``long long``, both words of which ``#define long`` would remove."""
    types = [field.type for struct in headers.model.structs for field in struct.fields]
    return any(type_.split().count("long") > 1 for type_ in [*types, *(t.target for t in headers.model.typedefs)])


def _is_list(path: Path) -> bool:
    return re.search(r"^[ \t]*CK_PKCS11_FUNCTION_INFO", Source.read(path).text, re.MULTILINE) is not None


def _foreign(headers: Headers, include: Sequence[Path]) -> list[Path]:
    """Headers of other projects that these include, as NSS includes NSPR.

    They are searched for in `include` and in the folders beside their own.
    """
    found = []
    for source, name in headers.missing:
        folders = [*include, *sorted(folder for folder in source.resolve().parent.parent.iterdir() if folder.is_dir())]
        path = next((folder / name for folder in folders if (folder / name).is_file()), None)
        if path is not None and path not in found:
            found.append(path)
    return found
