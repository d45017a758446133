# SPDX-License-Identifier: Apache-2.0
"""``cside completion``: print click's script, by which a shell completes commands, options and their values."""

import click
from click.shell_completion import get_completion_class

PROGRAM = "cside"
VARIABLE = "_CSIDE_COMPLETE"


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print a script by which a shell completes `cside`.

    The shell then completes commands, options, and names of runs, workloads, bindings, interpreters, profiles and
    claims of the checkout that it is in. It has to find a program called cside on the PATH. nox builds that program in
    .cside/envs/driver/bin; link to it from a folder of the PATH.

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
        raise click.UsageError(f"click has no completion for {shell}")
    root = context.find_root().command
    click.echo(kind(root, {}, PROGRAM, VARIABLE).source().strip())
