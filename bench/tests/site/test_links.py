# SPDX-License-Identifier: Apache-2.0
"""Links of a page of the checkout, rewritten for the page's place on the site."""

from pathlib import Path

import pytest
from cside_bench.site.links import BrokenLink, rewritten


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with two pages of documentation, a README, a picture and a folder."""
    for name in ("docs/one.md", "docs/deep/two.md", "part/README.md", "docs/picture.png", "part/data.toml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    return tmp_path


def written(checkout: Path, page: str, text: str) -> str:
    """The text of a page, rewritten."""
    places = {
        checkout / "docs/one.md": "one",
        checkout / "docs/deep/two.md": "deep/two",
        checkout / "part/README.md": "project/part",
    }
    return rewritten(text, checkout / page, checkout, places).rstrip("\n")


@pytest.mark.parametrize(
    ("page", "text", "expected"),
    [
        ("docs/one.md", "[a](deep/two.md#x) b", "[a](deep/two.md#x) b"),
        ("docs/one.md", "[a](../part/README.md)", "[a](project/part.md)"),
        ("part/README.md", "[a](../docs/one.md#x), [b](../docs/deep/two.md)", "[a](../one.md#x), [b](../deep/two.md)"),
        ("docs/one.md", "[all of it](https://example.org), [here](#x)", "[all of it](https://example.org), [here](#x)"),
        ("docs/one.md", "[the data](../part/data.toml)", "the data (`part/data.toml`)"),
        ("docs/one.md", "[`data.toml`](../part/data.toml)", "`data.toml`"),
        ("part/README.md", "![seen](../docs/picture.png)", "![seen](../picture.png)"),
        ("docs/one.md", "```\n[a](nowhere.md)\n```", "```\n[a](nowhere.md)\n```"),
    ],
)
def test_a_link_leads_where_it_led(checkout: Path, page: str, text: str, expected: str) -> None:
    """To the page in its new place; what is no page becomes its text and its path; code stays as it is."""
    assert written(checkout, page, text) == expected


def test_a_link_to_nothing_is_refused(checkout: Path) -> None:
    """The message names the page and the link."""
    with pytest.raises(BrokenLink, match=r"one.md links to gone.md"):
        written(checkout, "docs/one.md", "[a](gone.md)")
