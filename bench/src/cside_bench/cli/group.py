# SPDX-License-Identifier: Apache-2.0
"""The group of all commands. A command's module is imported when the command is used, so that ``cside --help`` and the
completion of names stay fast: some modules import scipy and altair, which takes seconds.

cloup lists the commands in sections, and click does the rest.
"""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import cloup

from cside_bench.cli.exit_codes import EXIT_CODE_FILE, EXIT_INTERRUPTED


class Later(click.Command):
    """A command of which only the name and the short help are known until it is used."""

    def __init__(self, name: str, short_help: str, load: Callable[[], click.Command] | None = None) -> None:
        super().__init__(name, short_help=short_help)
        self.load = load or self._import

    def _import(self) -> click.Command:
        command = import_module(f"cside_bench.cli.commands.{self.name}").command
        assert isinstance(command, click.Command)
        return command

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        """Import the command; click then runs, helps or completes the command of this context."""
        return self.load().make_context(*args, **options)


class Program(cloup.Group):
    """The group of all commands, as the program ``cside``."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the sections; click would sort them."""
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Ctrl-C ends it with exit code 130."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(EXIT_INTERRUPTED)

    def main(self, *args: Any, **options: Any) -> Any:
        """Run the program. Where :data:`EXIT_CODE_FILE` names a file, write the exit code into it."""
        file = os.environ.pop(EXIT_CODE_FILE, None)  # not for a program that a command starts
        try:
            return super().main(*args, **options)
        except SystemExit as end:
            if file is not None:
                Path(file).write_text(str(end.code if isinstance(end.code, int) else int(end.code is not None)))
            raise
