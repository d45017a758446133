# SPDX-License-Identifier: Apache-2.0
"""``cside headers``: look into PKCS #11 headers, prove what was read, compare versions, generate code."""

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

from cside_headers import generate as generation
from cside_headers import jsonform
from cside_headers import probe as probing
from cside_headers.diff import NOTICED, Change, Kind, compare
from cside_headers.errors import HeaderError
from cside_headers.model import Callback, Constant, Function, Role, Struct
from cside_headers.parse import Headers, parse
from cside_headers.roles import Overrides

EXIT_DIFFERENT: Final = 1
EXIT_UNREADABLE: Final = 3

P = ParamSpec("P")
R = TypeVar("R")

Item = Function | Callback | Struct | Constant

FILE = click.Path(path_type=Path)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def headers() -> None:
    """Read PKCS #11 headers: yours, a vendor's, the system's.

    \b
    FILES are C headers in one of two conventions, as they come:
      pkcs11.h             the standard's three files; pkcs11f.h and pkcs11t.h beside it are found
      pkcs11.h pkcs11n.h   the same with a vendor's additions, which merge in
      p11-kit/pkcs11.h     the single header of p11-kit, OpenSC and GnuTLS

    \b
    Examples:
      cside headers show --only Sign /usr/include/p11-kit-1/p11-kit/pkcs11.h
      cside headers diff v2.40/pkcs11.h v3.2/pkcs11.h

    Exit codes: 0 done, and all as it should be; 1 a difference was found; 2 wrong usage; 3 a header makes no sense.
    """  # noqa: D301 - \b is what click leaves lines alone by


def reading(command: Callable[P, R]) -> Callable[P, R]:
    """Errors of headers as messages, with their exit code; and the options that all commands have."""

    @wraps(command)
    def told(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except HeaderError as error:
            click.echo(f"error: {error}", err=True)
            sys.exit(EXIT_UNREADABLE)

    for option in (
        click.option(
            "--overrides", multiple=True, type=FILE, help="TOML file with what names do not say (repeatable)."
        ),
        click.option("-D", "--define", multiple=True, metavar="NAME[=VALUE]", help="As for a C compiler (repeatable)."),
    ):
        told = option(told)
    return told


def read(files: tuple[Path, ...], overrides: tuple[Path, ...], define: tuple[str, ...], quiet: bool = False) -> Headers:
    """Parse, and say on stderr what is worth knowing."""
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
    """Print what the headers say: functions with the role of each argument, structs, constants.

    \b
    Examples:
      cside headers show /usr/include/nss/pkcs11.h
      cside headers show --only Sign /usr/include/p11-kit-1/p11-kit/pkcs11.h
      cside headers show --json pkcs11.h | jq '.constants[] | select(.name == "CKM_AES_GCM")'
    """  # noqa: D301 - \b is what click leaves lines alone by
    found = read(files, overrides, define)
    model = found.model
    if as_json:
        click.echo(jsonform.dumps(model))
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
    """One function, callback, struct or constant as a few lines."""
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
@click.option("--root", type=click.Path(exists=True, file_okay=False, path_type=Path), help="The repository.")
@click.option("--check", is_flag=True, help="Write nothing; fail with a diff where a file is not as it would be.")
@click.option("--json", "as_json", is_flag=True, help="Print which files changed, or would, as JSON.")
@reading
def generate(
    files: tuple[Path, ...],
    root: Path | None,
    check: bool,
    as_json: bool,
    overrides: tuple[Path, ...],
    define: tuple[str, ...],
) -> None:
    """Render the templates of the repository over FILES (its own pkcs11.h by default).

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
        click.echo(f"left over: {path.relative_to(top)} says it is generated, but no template makes it", err=True)
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
            click.echo(f"{count} are not as generated; to write them: cside headers generate", err=True)
            sys.exit(EXIT_DIFFERENT)
        click.echo(f"{len(rendered)} generated files are as they should be")
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
    """Whether a file is there, as it would be written."""
    return item.path.is_file() and item.path.read_text(encoding="utf-8") == item.text


def write(item: generation.Rendered) -> None:
    """Write a file, in a folder that need not be there."""
    item.path.parent.mkdir(parents=True, exist_ok=True)
    item.path.write_text(item.text, encoding="utf-8")


def repository() -> Path:
    """The nearest folder upwards that has bindings and a native library."""
    for folder in (Path.cwd(), *Path.cwd().parents):
        if (folder / "bindings").is_dir() and (folder / "native" / "include").is_dir():
            return folder
    raise click.UsageError("not inside the repository: name it with --root")


@headers.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("-I", "--include", multiple=True, type=FILE, help="Folder of headers that FILES include (repeatable).")
@click.option("--json", "as_json", is_flag=True, help="Print counts and mismatches as JSON.")
@click.option("--program", is_flag=True, help="Print the C program that would be run, and stop.")
@reading
def check(
    files: tuple[Path, ...],
    include: tuple[Path, ...],
    as_json: bool,
    program: bool,
    overrides: tuple[Path, ...],
    define: tuple[str, ...],
) -> None:
    """Prove with a C compiler ($CC, cc, gcc or clang) that the model says what FILES say.

    A program that includes the real headers is compiled and run three times: as the compiler lays structs out, packed
    to one byte, and with the widths and packing of 64-bit Windows. Every size, offset, constant and prototype of the
    model is compared.

    \b
    Examples:
      cside headers check /usr/include/nss/pkcs11.h
      CC=clang cside headers check -I /opt/nspr/include pkcs11.h pkcs11n.h
    """  # noqa: D301 - \b is what click leaves lines alone by
    found = read(files, overrides, define, quiet=as_json)
    if program:
        click.echo(probing.program(found, include), nl=False)
        return
    proofs = probing.prove(found, include)
    if as_json:
        facts = [{"layout": p.data.name, "compared": p.counts, "mismatches": p.mismatches} for p in proofs]
        click.echo(json.dumps({"sources": found.model.sources, "proofs": facts}, indent=1))
    else:
        click.echo(f"{', '.join(found.model.sources)}, compiled by {' '.join(probing.compiler())}")
        for proof in proofs:
            counts = ", ".join(f"{number} {kind}" for kind, number in proof.counts.items())
            verdict = "proved" if not proof.mismatches else f"{len(proof.mismatches)} wrong"
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
    """Say what changed from OLD to NEW, and which way of binding would notice: at build, at import, at call, or never.

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
    """One change on one line; long ones on three."""
    if not change.before or not change.after:
        return f"{change.name} {change.before or change.after}".rstrip()
    if len(change.before) + len(change.after) < 60:
        return f"{change.name}: {change.before} -> {change.after}"
    return f"{change.name}\n      - {change.before}\n      + {change.after}"
