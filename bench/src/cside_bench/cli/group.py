# SPDX-License-Identifier: Apache-2.0
"""A group of commands that are imported when they are run and not before, so that ``cside --help`` is at once.

It also keeps two promises for all of them: Ctrl-C ends with exit code 130, and the exit code reaches ``cside bench``
through nox, which itself knows only success and failure.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from cside_bench.cli.completion import complete
from cside_bench.cli.options import EXIT_INTERRUPTED

EXIT_CODE_FILE: Final = "CSIDE_EXIT_CODE_FILE"
"""Environment variable: a file that takes the exit code."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A command that is not imported yet."""

    module: str
    short_help: str
    """For the list of commands; that of the command itself, as a test checks."""
    attribute: str = "command"

    def load(self) -> click.Command:
        """Import it."""
        command = getattr(import_module(self.module), self.attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{self.module}:{self.attribute} is no command")
        return command


class LazyGroup(click.Group):
    """Commands by section, as they are to be listed, and those that other packages add by entry points."""

    def __init__(
        self,
        *args: Any,
        sections: Mapping[str, Mapping[str, Entry]],
        points: Sequence[EntryPoint] = (),
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.sections = sections
        self.points = {point.name: point for point in points}

    @property
    def entries(self) -> dict[str, Entry]:
        """Commands of this package, by name."""
        return {name: entry for section in self.sections.values() for name, entry in section.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the sections."""
        return [*self.entries, *self.points]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now. What it cannot import is an error, and hides no other command."""
        if cmd_name in self.entries:
            return complete(self.entries[cmd_name].load())
        if cmd_name in self.points:
            found = self.points[cmd_name].load()
            return found if isinstance(found, click.Command) else None
        return None

    def short_helps(self) -> dict[str, dict[str, str]]:
        """By section, what each command does, without importing it."""
        found = {
            section: {name: it.short_help for name, it in table.items()} for section, table in self.sections.items()
        }
        last = found.setdefault(next(reversed(found)), {}) if found else {}
        for name, point in self.points.items():
            last[name] = (point.dist.metadata["Summary"] if point.dist is not None else "") or ""
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in ``--help``."""
        for section, table in self.short_helps().items():
            room = formatter.width - 6 - max(map(len, self.list_commands(ctx)))
            rows = [(name, _cut(text, room)) for name, text in table.items()]
            with formatter.section(section):
                formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Names of commands, and the group's own options."""
        found = [
            CompletionItem(name, help=text)
            for table in self.short_helps().values()
            for name, text in table.items()
            if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; Ctrl-C ends it with exit code 130."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(EXIT_INTERRUPTED)

    def main(self, *args: Any, **options: Any) -> Any:
        """As a program; leaves the exit code in the file that :data:`EXIT_CODE_FILE` names, where it names one."""
        file = os.environ.pop(EXIT_CODE_FILE, None)  # a program that this one starts has another
        try:
            return super().main(*args, **options)
        except SystemExit as end:
            if file is not None:
                Path(file).write_text(str(end.code if isinstance(end.code, int) else int(end.code is not None)))
            raise


def _cut(text: str, room: int) -> str:
    """The first sentence or so, on one line."""
    text = text.partition(": ")[0] if len(text) > room else text
    return text if len(text) <= room else text[: max(room - 1, 0)] + "…"
