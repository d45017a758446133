# SPDX-License-Identifier: Apache-2.0
"""``cside completion``: the script that lets a shell complete commands, options and their values."""

import click
from click.shell_completion import get_completion_class

PROGRAM = "cside"
VARIABLE = "_CSIDE_COMPLETE"


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print a script for the shell that completes `cside`.

    Beside commands and options it completes names of runs, workloads, bindings, interpreters, profiles and claims, from
    the checkout that the shell is in. The shell has to find a program called cside: nox builds one in
    .cside/envs/driver/bin, which can be linked to from a folder of the PATH.

    \b
    Examples:
      ln -s "$PWD/.cside/envs/driver/bin/cside" ~/.local/bin/cside
      cside completion bash > ~/.local/share/bash-completion/completions/cside
      cside completion zsh > "${fpath[1]}/_cside"
      cside completion fish > ~/.config/fish/completions/cside.fish

    Exit codes: 0 printed; 2 wrong usage.
    """  # click's \b is the character itself
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"click completes nothing in {shell}")
    root = context.find_root().command
    click.echo(kind(root, {}, PROGRAM, VARIABLE).source().strip())
