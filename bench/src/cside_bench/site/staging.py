# SPDX-License-Identifier: Apache-2.0
"""Writes the folder that the documentation site is built from.

It has the pages of ``docs/`` under their own names; ``CONTRIBUTING.md``, ``CHANGELOG.md`` and each package's
``README.md`` in ``project/``; and what is made for the site alone: the idioms side by side, and a page for each package
of the reference. A comment of ``docs/index.md`` for each part of the site names the part's pages:
``<!-- part: Tutorial: tutorial workshop/* -->``, in which ``*`` stands for all pages of a folder.
"""

import fnmatch
import re
import shutil
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from cside_bench.site import api, idioms
from cside_bench.site.links import rewritten

DOCS: Final = "docs"
AT_TOP: Final = ("CONTRIBUTING.md", "CHANGELOG.md")
PACKAGES: Final = ("bindings/*", "headers", "native", "native/token", "wrap")
"""Folders whose ``README.md`` is a page."""
PART: Final = re.compile(r"<!-- part: (?P<title>[^:]+): (?P<pages>.+) -->")
COPIED: Final = frozenset({".png", ".svg"})
"""Suffixes of the files of ``docs/`` that pages show."""


def places(root: Path) -> dict[Path, str]:
    """Return the site's name of each page of the checkout, without suffix, by the page's path."""
    docs = root / DOCS
    found = {path: path.relative_to(docs).with_suffix("").as_posix() for path in sorted(docs.rglob("*.md"))}
    found |= {root / name: f"project/{Path(name).stem.lower()}" for name in AT_TOP}
    for folder in (path for pattern in PACKAGES for path in sorted(root.glob(pattern))):
        if (readme := folder / "README.md").is_file():
            found[readme] = f"project/{'-'.join(folder.relative_to(root).parts)}"
    return found


def texts(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page of the site.

    Raises :class:`~cside_bench.site.links.BrokenLink` if a page links to what is not there, and
    :class:`~cside_bench.site.idioms.NothingFound` if a page of idioms lacks one of its parts.
    """
    known = places(root)
    for path, name in known.items():
        text = rewritten(path.read_text(encoding="utf-8"), path, root, known)
        yield f"{name}.md", with_parts(text, known.values()).replace(idioms.LISTING, idioms.listing())
    yield "project/bindings.md", bindings(root)
    for name, text in [*idioms.texts(root), *api.texts(root)]:
        yield f"{name}.md", text


def with_parts(text: str, known: Iterable[str]) -> str:
    """Return the text with a directive for Sphinx's contents in the place of each comment that names a part."""

    def directive(part: re.Match[str]) -> str:
        pages = [
            name for each in part["pages"].split() for name in (fnmatch.filter(known, each) if "*" in each else [each])
        ]
        return "\n".join(["```{toctree}", f":caption: {part['title']}", ":hidden:", "", *pages, "```", ""])

    return PART.sub(directive, text)


def bindings(root: Path) -> str:
    """Return the page that lists the bindings, each of which has a page of its own."""
    told = {
        path.parent.name: tomllib.loads(path.read_text(encoding="utf-8"))["project"]["description"]
        for path in sorted((root / "bindings").glob("*/pyproject.toml"))
    }
    rows = [f"| [{name}](bindings-{name}.md) | {description} |" for name, description in told.items()]
    toctree = ["```{toctree}", ":hidden:", "", *(f"bindings-{name}" for name in told), "```"]
    about = "Each page says how its technique wraps a function, what was tuned, and what to look out for."
    return "\n".join(["# Bindings", "", about, "", "| binding | technique |", "|---|---|", *rows, "", *toctree, ""])


def stage(root: Path, into: Path) -> int:
    """Write the folder anew, and return the number of its pages. What the site was built from before is removed."""
    pages = list(texts(root))
    shutil.rmtree(into, ignore_errors=True)
    for name, text in pages:
        page = into / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    docs = root / DOCS
    for path in docs.rglob("*"):
        if path.suffix in COPIED:
            copy = into / path.relative_to(docs)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    return len(pages)
