# SPDX-License-Identifier: Apache-2.0
"""Rewrites the links of a Markdown page of the checkout for the place that the page has on the site."""

import os
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final

LINK: Final = re.compile(r"(?P<image>!?)\[(?P<text>[^\[\]]*)\]\((?P<target>[^()\s]+)\)")
"""A link or an image in one line, as ``[text](target)``."""
FENCE: Final = re.compile(r"\s*(```|~~~)")
ELSEWHERE: Final = re.compile(r"[a-z]+:|#")
"""Beginnings of targets that are the same wherever the page stands."""


class BrokenLink(Exception):
    """A page links to a file that the checkout does not have."""


def rewritten(text: str, page: Path, root: Path, places: Mapping[Path, str]) -> str:
    """Return the text of ``page`` with the links of its place on the site.

    ``places`` has the site's name of each page, by the page's path in the checkout. A link to a page leads to that
    page. A link to another file or folder of the checkout, which the site does not have, becomes its text and its path.
    Links in fenced code stay as they are.

    Raises :class:`BrokenLink` if the checkout has no such file.
    """
    lines, inside = [], False
    for line in text.splitlines():
        if FENCE.match(line):
            inside = not inside
        lines.append(line if inside else LINK.sub(lambda link: _replaced(link, page, root, places), line))
    return "\n".join(lines) + "\n"


def _replaced(link: re.Match[str], page: Path, root: Path, places: Mapping[Path, str]) -> str:
    if ELSEWHERE.match(link["target"]):
        return link[0]
    address, mark, anchor = link["target"].partition("#")
    path = Path(os.path.normpath(page.parent / address))
    if not path.exists():
        raise BrokenLink(f"{page.relative_to(root)} links to {link['target']}, which is not there")
    if link["image"]:
        return f"![{link['text']}]({_from(places[page], path.relative_to(root / 'docs').as_posix())})"
    if path in places:
        return f"[{link['text']}]({_from(places[page], places[path] + '.md')}{mark}{anchor})"
    name = path.relative_to(root).as_posix()
    return link["text"] if name in link["text"] or path.name in link["text"] else f"{link['text']} (`{name}`)"


def _from(place: str, target: str) -> str:
    """Return the address of a file of the site relative to a page."""
    return PurePosixPath(os.path.relpath(target, PurePosixPath(place).parent)).as_posix()
