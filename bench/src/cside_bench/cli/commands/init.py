# SPDX-License-Identifier: Apache-2.0
"""``cside init``: read the header of a C library, prove it, and draft how to bind it."""

from collections import Counter
from pathlib import Path

import click
from cside_wrap.errors import WrapError
from cside_wrap.project import lock, overrides, reading, settings
from cside_wrap.roles.vocabulary import State

from cside_bench.cli.console import make_console, shown
from cside_bench.cli.options import project_argument


@click.command("init")
@click.option("--header", "headers", multiple=True, metavar="FILE", help="The header; repeatable, in order.")
@click.option(
    "--library", "libraries", multiple=True, metavar="NAME", help="As after -l, or the path of the file; repeatable."
)
@click.option("--pkg-config", metavar="NAME", default="", help="The package that pkg-config takes the folders from.")
@click.option("--include", multiple=True, metavar="FOLDER", help="A folder of headers; repeatable.")
@click.option("--define", multiple=True, metavar="NAME[=VALUE]", help="A macro that the header expects; repeatable.")
@click.option("--update", is_flag=True, help="Read an existing project again, and write its lock file anew.")
@project_argument(None)
def command(
    headers: tuple[str, ...],
    libraries: tuple[str, ...],
    pkg_config: str,
    include: tuple[str, ...],
    define: tuple[str, ...],
    update: bool,
    folder: Path | None,
) -> None:
    """Read the header of a C library, and draft how to bind it.

    libclang reads the header, and the C compiler proves every prototype, size, offset and constant that was read. Each
    argument of each function that the library exports gets a role: what it is for. The folder DIR, by default named
    like the library, gets cside.toml (what is bound), overrides.toml (what you decide) and cside.lock (what was read).

    \b
    Examples:
      cside init --header zstd.h --library zstd
      cside init --header zstd.h --library zstd --pkg-config libzstd bindings/zstd
      cside init --header ./include/ours.h --library ./build/libours.so --define OURS_API= ours
      cside init --update ours          after a change of the header or of cside.toml

    Exit codes: 0 done; 2 no such header or library, a header that does not parse, or wrong usage.
    """
    try:
        place, its = _asked(headers, libraries, pkg_config, include, define, update, folder)
        found = reading.read(place, its)
        before = lock.read(place) if update and (place / lock.NAME).exists() else None
        now = found.lock()
        changed = lock.changes(before, now) if before is not None else []
        place.mkdir(parents=True, exist_ok=True)
        if not update:
            settings.write(place, its)
        if not (place / overrides.NAME).exists():
            (place / overrides.NAME).write_text(overrides.EMPTY, encoding="utf-8")
        lock.write(place, now)
    except WrapError as error:
        raise click.UsageError(str(error)) from error
    for line in changed:
        click.echo(f"changed: {line}")
    _tell(found)
    asked = found.states()[State.ASKED]
    click.echo(f"\nWritten to {shown(place)}: {settings.NAME}, {overrides.NAME}, {lock.NAME}")
    click.echo(f"Next: cside {'review' if asked else 'try'} {shown(place)}")


def _asked(
    headers: tuple[str, ...],
    libraries: tuple[str, ...],
    pkg_config: str,
    include: tuple[str, ...],
    define: tuple[str, ...],
    update: bool,
    folder: Path | None,
) -> tuple[Path, settings.Settings]:
    """The project's folder and its settings. Paths of the command line are made absolute where they are of files."""
    if update:
        if headers or libraries or pkg_config or include or define:
            raise click.UsageError("--update reads cside.toml: edit that, and give --update alone")
        place = folder or Path()
        return place, settings.read(place)
    if not headers or not libraries:
        raise click.UsageError("give --header and --library: cside init --header zstd.h --library zstd")
    name = Path(libraries[0]).name.removeprefix("lib").partition(".")[0]
    place = folder or Path(name)
    if (place / settings.NAME).exists():
        raise click.UsageError(
            f"{place / settings.NAME} exists, and nothing was changed; to read the header again: "
            f"cside init --update {place}"
        )
    absolute = [str(Path(one).resolve()) if Path(one).exists() else one for one in (*headers, *libraries)]
    its = settings.Settings(
        name,
        tuple(absolute[: len(headers)]),
        tuple(absolute[len(headers) :]),
        pkg_config,
        tuple(str(Path(one).resolve()) for one in include),
        define,
    )
    return place, its


def _tell(found: reading.Project) -> None:
    """Print what was found."""
    console = make_console()
    states = found.states()
    total = sum(states.values())
    lines = [
        f"{', '.join(path.name for path in found.libraries)}: {total} functions, "
        f"{states[State.BOUND]} bound, {states[State.ASKED]} asked, {states[State.REFUSED]} refused",
    ]
    if found.not_exported:
        lines.append(f"{found.not_exported} more are declared and not exported")
    kinds = Counter("text" if isinstance(one.value, str) else "number" for one in found.header.constants.values())
    lines.append(
        f"{len(found.header.constants)} constants ({kinds['number']} numbers, {kinds['text']} texts), "
        f"{len(found.header.structs)} structs"
    )
    proven = ", ".join(f"{count} {kind}s" for kind, count in found.proof.proven.items())
    lines.append(f"proven by the compiler: {proven}; not confirmed: {len(found.proof.refuted)}")
    lines += [f"  {fact.kind} of {fact.name}: {why}" for fact, why in found.proof.refuted[:10]]
    for reason, count in Counter(one.refused for one in found.described.values() if one.refused).most_common(12):
        names = [name for name, one in found.described.items() if one.refused == reason]
        more = f" and {count - 3} more" if count > 3 else ""
        lines.append(f"refused, since it {reason}: {', '.join(names[:3])}{more}")
    lines += [f"note: {note}" for note in found.notes]
    lines.append(f"{found.seconds:.1f} s")
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)
