# SPDX-License-Identifier: Apache-2.0
"""The command ``cside headers``: show PKCS #11 headers, check the parsed model, compare versions, generate code."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import wraps
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

import click

from cside_headers import compiler_check, model_json
from cside_headers import generate as generation
from cside_headers.argument_roles import Overrides
from cside_headers.diff import NOTICED, Change, Kind, compare
from cside_headers.errors import HeaderError
from cside_headers.model import Callback, Constant, Function, Role, Struct
from cside_headers.parse import Headers, parse

EXIT_DIFFERENT: Final = 1
EXIT_UNREADABLE: Final = 3

P = ParamSpec("P")
R = TypeVar("R")

Item = Function | Callback | Struct | Constant

FILE = click.Path(path_type=Path)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def headers() -> None:
    """Read PKCS #11 headers: your own, a vendor's, or the system's.

    \b
    FILES are C headers in one of two conventions, without any changes to them:
      pkcs11.h             the standard's three files; the other two are found in the same folder
      pkcs11.h pkcs11n.h   the same with a vendor's additions, which are merged
      p11-kit/pkcs11.h     the single header of p11-kit, OpenSC and GnuTLS

    \b
    Examples:
      cside headers show --only Sign /usr/include/p11-kit-1/p11-kit/pkcs11.h
      cside headers diff v2.40/pkcs11.h v3.2/pkcs11.h

    Exit codes: 0 success; 1 a difference was found; 2 wrong usage; 3 a header cannot be read.
    """  # noqa: D301 - \b is what click leaves lines alone by


def reading(command: Callable[P, R]) -> Callable[P, R]:
    """Add the options that all commands have, and turn an error of a header into a message and an exit code."""

    @wraps(command)
    def told(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except HeaderError as error:
            click.echo(f"error: {error}", err=True)
            sys.exit(EXIT_UNREADABLE)

    for option in (
        click.option(
            "--overrides",
            multiple=True,
            type=FILE,
            help="TOML file with roles and lengths that do not follow from names (repeatable).",
        ),
        click.option(
            "-D",
            "--define",
            multiple=True,
            metavar="NAME[=VALUE]",
            help="Define a macro, as for a C compiler (repeatable).",
        ),
    ):
        told = option(told)
    return told


def read(files: tuple[Path, ...], overrides: tuple[Path, ...], define: tuple[str, ...], quiet: bool = False) -> Headers:
    """Parse the headers, and write notes about them to stderr."""
    macros = {name: value or "1" for name, _, value in (text.partition("=") for text in define)}
    found = parse(files, overrides=Overrides(*overrides), define=macros)
    for note in () if quiet else found.notes:
        click.echo(f"note: {note}", err=True)
    return found


@headers.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("--json", "as_json", is_flag=True, help="Print the whole model as JSON.")
@click.option("--only", metavar="TEXT", help="Only functions, structs and constants with TEXT in their names.")
@reading
def show(
    files: tuple[Path, ...], as_json: bool, only: str | None, overrides: tuple[Path, ...], define: tuple[str, ...]
) -> None:
    """Print functions with the role of each argument, structs and constants.

    \b
    Examples:
      cside headers show /usr/include/nss/pkcs11.h
      cside headers show --only Sign /usr/include/p11-kit-1/p11-kit/pkcs11.h
      cside headers show --json pkcs11.h | jq '.constants[] | select(.name == "CKM_AES_GCM")'
    """  # noqa: D301 - \b is what click leaves lines alone by
    found = read(files, overrides, define)
    model = found.model
    if as_json:
        click.echo(model_json.dumps(model))
        return
    wanted = (only or "").lower()
    if not wanted:
        click.echo(
            f"PKCS #11 {model.version[0]}.{model.version[1]} from {', '.join(model.sources)}: "
            f"{len(model.functions)} functions, {len(model.structs)} structs, {len(model.typedefs)} typedefs, "
            f"{len(model.callbacks)} callbacks, {len(model.constants)} constants"
        )
        for tag, members in found.lists.items():
            click.echo(f"{tag}: {len(members)} functions")
    everything: list[Item] = [*model.functions, *model.callbacks, *model.structs, *model.constants]
    for item in everything:
        if wanted in item.name.lower() and (wanted or not isinstance(item, Constant)):
            click.echo(described(item))


def described(item: Item) -> str:
    """The text for one function, callback, struct or constant, of one line or more."""
    if isinstance(item, Constant):
        return f"{item.name} = {item.value:#x}" if isinstance(item.value, int) else f"{item.name} = {item.value!r}"
    if isinstance(item, Struct):
        lines = [f"{'union' if item.union else 'struct'} {item.name}" + (f", pack({item.pack})" if item.pack else "")]
        for field in item.fields:
            count = "" if field.count is None else f"[{field.count}]"
            lines.append(
                f"    {field.type} {field.name}{count}" + (f"  counted by {field.length}" if field.length else "")
            )
        return "\n".join(lines)
    version = f"  ({item.version[0]}.{item.version[1]})" if isinstance(item, Function) else "  (callback)"
    lines = [f"{item.name}{version}"]
    for argument in item.arguments:
        extra = "".join(
            f", {word} {value}"
            for word, value in (("counted by", argument.length), ("room", argument.limit), ("width", argument.width))
            if value is not None
        )
        optional = ", may be declined" if argument.optional else ""
        role = "a count" if argument.role is Role.LENGTH else argument.role.value
        lines.append(f"    {argument.type} {argument.name}: {role}{extra}{optional}")
    return "\n".join(lines)


@headers.command()
@click.argument("files", nargs=-1, type=FILE)
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of the repository; by default the one that you are in.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Write nothing; print a diff for each file that is out of date, and exit with 1 if there is one.",
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON which files changed, or would change.")
@reading
def generate(
    files: tuple[Path, ...],
    root: Path | None,
    check: bool,
    as_json: bool,
    overrides: tuple[Path, ...],
    define: tuple[str, ...],
) -> None:
    """Render the templates of the repository with the model of FILES (its own pkcs11.h by default).

    \b
    native/templates/PATH.j2         becomes native/PATH
    bench/templates/PATH.j2          becomes bench/PATH
    bindings/<x>/templates/PATH.j2   becomes bindings/<x>/PATH

    \b
    Examples:
      cside headers generate
      cside headers generate --check
      cside headers generate --check --json | jq -r '.changed[]'
    """  # noqa: D301 - \b is what click leaves lines alone by
    begin = time.perf_counter()
    top = (root or repository()).resolve()
    found = read(files or (top / "native" / "include" / "cside" / "pkcs11.h",), overrides, define)
    rendered = generation.render(found.model, top)
    leftover = generation.stale(rendered, top)
    for path in leftover:
        click.echo(
            f"left over: {path.relative_to(top)} is marked as generated, but no template makes it; remove it", err=True
        )
    different = generation.outdated(rendered, top)
    changed = [item.path for item in rendered if not is_written(item)]
    if as_json:
        for item in () if check else rendered:
            if item.path in changed:
                write(item)
        told = {
            "written": not check,
            "files": len(rendered),
            "changed": [path.relative_to(top).as_posix() for path in changed],
            "left_over": [path.relative_to(top).as_posix() for path in leftover],
        }
        click.echo(json.dumps(told, indent=1))
        sys.exit(EXIT_DIFFERENT if leftover or (check and changed) else 0)
    if check:
        for diff in different:
            click.echo(diff, nl=False)
        if different or leftover:
            count = f"{len(different)} of {len(rendered)} files"
            click.echo(f"{count} are out of date; to write them: cside headers generate", err=True)
            sys.exit(EXIT_DIFFERENT)
        click.echo(f"{len(rendered)} generated files are up to date")
        return
    for item in rendered:
        if item.path in changed:
            write(item)
            click.echo(f"wrote {item.path.relative_to(top)}")
    seconds = time.perf_counter() - begin
    click.echo(
        f"{len(rendered)} files from {', '.join(found.model.sources)}; {len(different)} changed; {seconds:.1f} s"
    )
    sys.exit(EXIT_DIFFERENT if leftover else 0)


def is_written(item: generation.Rendered) -> bool:
    """Whether the file exists with these contents."""
    return item.path.is_file() and item.path.read_text(encoding="utf-8") == item.text


def write(item: generation.Rendered) -> None:
    """Write a file; its folder is made if it does not exist."""
    item.path.parent.mkdir(parents=True, exist_ok=True)
    item.path.write_text(item.text, encoding="utf-8")


def repository() -> Path:
    """The nearest folder, upwards from the working folder, that has ``bindings`` and ``native/include``."""
    for folder in (Path.cwd(), *Path.cwd().parents):
        if (folder / "bindings").is_dir() and (folder / "native" / "include").is_dir():
            return folder
    raise click.UsageError("the working folder is not in the repository; name its folder with --root")


@headers.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("-I", "--include", multiple=True, type=FILE, help="Folder of headers that FILES include (repeatable).")
@click.option("--json", "as_json", is_flag=True, help="Print counts and mismatches as JSON.")
@click.option("--program", is_flag=True, help="Print the C program, and do not run it.")
@reading
def check(
    files: tuple[Path, ...],
    include: tuple[Path, ...],
    as_json: bool,
    program: bool,
    overrides: tuple[Path, ...],
    define: tuple[str, ...],
) -> None:
    """Check with a C compiler ($CC, cc, gcc or clang) that the model agrees with FILES.

    A program that includes the real headers is compiled and run three times: with the compiler's own layout of structs,
    with structs packed to one byte, and with the types and packing of 64-bit Windows. Every size, offset, constant and
    prototype of the model is compared.

    \b
    Examples:
      cside headers check /usr/include/nss/pkcs11.h
      CC=clang cside headers check -I /opt/nspr/include pkcs11.h pkcs11n.h
    """  # noqa: D301 - \b is what click leaves lines alone by
    found = read(files, overrides, define, quiet=as_json)
    if program:
        click.echo(compiler_check.program(found, include), nl=False)
        return
    proofs = compiler_check.prove(found, include)
    if as_json:
        facts = [{"layout": p.data.name, "compared": p.counts, "mismatches": p.mismatches} for p in proofs]
        click.echo(json.dumps({"sources": found.model.sources, "proofs": facts}, indent=1))
    else:
        click.echo(f"{', '.join(found.model.sources)}, compiled by {' '.join(compiler_check.compiler())}")
        for proof in proofs:
            counts = ", ".join(f"{number} {kind}" for kind, number in proof.counts.items())
            verdict = "agrees" if not proof.mismatches else f"{len(proof.mismatches)} mismatches"
            click.echo(f"  {proof.data.name}: {verdict}: {counts}")
            for mismatch in proof.mismatches:
                click.echo(f"    {mismatch}")
    sys.exit(EXIT_DIFFERENT if any(proof.mismatches for proof in proofs) else 0)


@headers.command()
@click.argument("old", type=FILE)
@click.argument("new", type=FILE)
@click.option("--with-old", multiple=True, type=FILE, help="Another header that belongs to OLD (repeatable).")
@click.option("--with-new", multiple=True, type=FILE, help="Another header that belongs to NEW (repeatable).")
@click.option("--json", "as_json", is_flag=True, help="Print the changes as JSON.")
@reading
def diff(
    old: Path,
    new: Path,
    with_old: tuple[Path, ...],
    with_new: tuple[Path, ...],
    as_json: bool,
    overrides: tuple[Path, ...],
    define: tuple[str, ...],
) -> None:
    """Print the changes from OLD to NEW, and when each way of binding would notice them.

    A change is noticed at build, at import, at a call, or never.

    \b
    Examples:
      cside headers diff v2.40/pkcs11.h v3.2/pkcs11.h
      cside headers diff --with-new pkcs11n.h pkcs11.h /usr/include/nss/pkcs11.h
    """  # noqa: D301 - \b is what click leaves lines alone by
    models = [
        read((first, *more), overrides, define, quiet=True).model for first, more in ((old, with_old), (new, with_new))
    ]
    changes = compare(models[0], models[1])
    if as_json:
        click.echo(
            json.dumps(
                [
                    {**asdict(change), "noticed": {how: when for how, (when, _) in NOTICED[change.kind].items()}}
                    for change in changes
                ],
                indent=1,
            )
        )
        sys.exit(EXIT_DIFFERENT if changes else 0)
    for kind in Kind:
        group = [change for change in changes if change.kind is kind]
        if not group:
            continue
        click.echo(f"{len(group)} {kind.value}")
        for change in group:
            click.echo("  " + shown_change(change))
        for how, (when, why) in NOTICED[kind].items():
            click.echo(f"    {when.value:9}  {how}: {why}")
    if not changes:
        click.echo("no difference")
    sys.exit(EXIT_DIFFERENT if changes else 0)


def shown_change(change: Change) -> str:
    """The text for one change: one line, or three if it is long."""
    if not change.before or not change.after:
        return f"{change.name} {change.before or change.after}".rstrip()
    if len(change.before) + len(change.after) < 60:
        return f"{change.name}: {change.before} -> {change.after}"
    return f"{change.name}\n      - {change.before}\n      + {change.after}"
