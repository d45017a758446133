# SPDX-License-Identifier: Apache-2.0
"""What the pages show is what happens."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from cside_bench.cli import main
from documents import Command, follow, steps
from markdown_it import MarkdownIt

DOCS = Path(__file__).resolve().parents[1]
PAGES = [*sorted(DOCS.glob("*.md")), DOCS.parent / "README.md", DOCS.parent / "CONTRIBUTING.md"]
RUN = [page for page in PAGES if any(isinstance(step, Command) for step in steps(page.read_text(encoding="utf-8")))]
SESSIONS = {"bench", "drill", "hazards", "lab", "report", "verify"}
"""Sessions whose arguments are those of the command with their name."""


def test_there_are_pages_to_run() -> None:
    """Else the next test would be about nothing."""
    assert {"tutorial.md"} <= {page.name for page in RUN}


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_a_page_does_what_it_shows(page: Path, tmp_path: Path) -> None:
    """Its files and commands, in an empty folder, print what it shows."""
    folder = tmp_path / page.stem
    folder.mkdir()
    assert list(follow(page.read_text(encoding="utf-8"), folder)) == []


def commands(page: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the words of each command of cside in the shell blocks of a page."""
    for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
        if token.type == "fence" and token.info in ("sh", "yaml"):
            for line, text in enumerate(token.content.replace("\\\n", "  ").splitlines(), (token.map or [0])[0] + 2):
                for part in re.split(r"&&|;|\|", text.removeprefix("- run: ").strip()):
                    try:
                        words = shlex.split(part, comments=True)
                    except ValueError:
                        continue
                    if words[:1] == ["cside"]:
                        yield line, words[1:]
                    elif words[:3] == ["nox", "-s", "cside"]:
                        yield line, words[4:]
                    elif words[:2] == ["nox", "-s"] and len(words) > 2 and words[2] in SESSIONS:
                        yield line, [words[2], *words[4:]]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_and_option_exists(page: Path) -> None:
    """A page that names an option which the command does not have sends its reader into an error."""
    wrong = []
    for line, words in commands(page):
        if "…" in words or not words:
            continue
        command: click.Command = main
        try:
            while isinstance(command, click.Group) and words and not words[0].startswith("-"):
                found = command.get_command(click.Context(command), words[0])
                if found is None:
                    raise click.UsageError(f"no command {words[0]}")
                command, words = found.load() if hasattr(found, "load") else found, words[1:]
            if "--" in words and words.index("--") > 0:
                words = words[: words.index("--")]
            command.make_context("cside", list(words), resilient_parsing=True)
        except click.UsageError as error:
            wrong.append(f"{page.name}:{line}: {error.format_message()}")
    assert wrong == []
