# SPDX-License-Identifier: Apache-2.0
"""The folder that the documentation site is built from."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from cside_bench.site import api, idioms, staging
from repository import ROOT


@pytest.fixture
def without_idioms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the pages that take long; they have tests of their own."""

    def nothing(root: Path) -> Iterator[tuple[str, str]]:
        yield "idioms/scalars", "# Scalars\n"

    monkeypatch.setattr(idioms, "texts", nothing)


@pytest.mark.usefixtures("without_idioms")
def test_the_folder_has_every_page_and_nothing_of_before(tmp_path: Path) -> None:
    """Pages of docs/ under their own names, those of packages in project/, and the pictures."""
    (tmp_path / "old.md").write_text("gone", encoding="utf-8")
    count = staging.stage(ROOT, tmp_path)
    found = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.md")}
    assert count == len(found)
    assert {"index.md", "method.md", "project/contributing.md", "project/native-token.md", "api/index.md"} <= found
    assert "old.md" not in found
    assert (tmp_path / "report-desktop-light.png").is_file()
    listing = (tmp_path / "idioms.md").read_text(encoding="utf-8")
    assert all(f"(idioms/{page.name}.md)" in listing for page in idioms.pages())


def test_every_page_is_in_one_part() -> None:
    """`docs/index.md` names each page of docs/ once; pages in folders may be named by a pattern."""
    named = [
        name
        for part in staging.PART.finditer((ROOT / "docs" / "index.md").read_text())
        for name in part["pages"].split()
    ]
    assert len(named) == len(set(named))
    pages = {name for name in staging.places(ROOT).values() if "/" not in name and name != "index"}
    assert {name for name in named if "/" not in name} == pages


def test_a_part_becomes_contents() -> None:
    """A pattern stands for the pages of a folder, of which there may be none."""
    text = staging.with_parts("<!-- part: Tutorial: one labs/* none/* -->", ["one", "labs/a", "labs/b", "two"])
    assert text.splitlines() == ["```{toctree}", ":caption: Tutorial", ":hidden:", "", "one", "labs/a", "labs/b", "```"]


def test_every_binding_is_listed() -> None:
    """Bindings are found by their folders."""
    text = staging.bindings(ROOT)
    for path in (ROOT / "bindings").glob("*/pyproject.toml"):
        assert f"[{path.parent.name}](bindings-{path.parent.name}.md)" in text


def test_the_modules_of_the_reference_exist() -> None:
    """Each page of a package names at least one module."""
    assert all(api.modules(ROOT, shown) for shown in api.PACKAGES)
