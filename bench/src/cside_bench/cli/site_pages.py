# SPDX-License-Identifier: Apache-2.0
"""The sources of the documentation site: ``python -m cside_bench.cli.site_pages FOLDER``; `nox -s docs` builds it."""

from pathlib import Path

import click

from cside_bench.cli import generated
from cside_bench.site import idioms, links, staging


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def command(folder: Path) -> None:
    """Write the pages that Sphinx reads into FOLDER, anew."""
    try:
        count = staging.stage(generated.root(), folder)
    except (links.BrokenLink, idioms.NothingFound) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"wrote {count} pages")


if __name__ == "__main__":
    command()
