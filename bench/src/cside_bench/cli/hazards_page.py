# SPDX-License-Identifier: Apache-2.0
"""Parts of ``docs/hazards.md`` that are generated: ``python -m cside_bench.cli.hazards_page [--check]``.

``tables``    the outcomes that ship with cside
``mistakes``  a paragraph for each mistake

Each stands between two comments, as in ``docs/architecture.md``.
"""

from pathlib import Path
from typing import Final

import click

from cside_bench.cli import generated
from cside_bench.report.hazards import markdown, paragraphs
from cside_bench.results import hazards

PAGE: Final = "docs/hazards.md"


def page(root: Path) -> str:
    """The whole page, with its generated parts made anew."""
    told = hazards.reference()
    return generated.filled(root, PAGE, {"tables": markdown(told), "mistakes": paragraphs(told)})


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; fail where the page is not as it would be.")
def command(check: bool) -> None:
    """Write the generated parts of docs/hazards.md."""
    root = generated.root()
    generated.write(root, {root / PAGE: page(root)}, check=check)


if __name__ == "__main__":
    command()
