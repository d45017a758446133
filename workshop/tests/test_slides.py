# SPDX-License-Identifier: Apache-2.0
"""The slides are rendered as a page that shows without a network."""

import re
import subprocess
import sys
from pathlib import Path

from workshop.labs import HERE

LOADED = re.compile(r"<(?:script|img|link|iframe)\b[^>]*?\b(?:src|href)=\"([^\"]+)\"", re.DOTALL)


def test_the_page_loads_nothing_but_files_beside_it(tmp_path: Path) -> None:
    """Every script, style and picture that it names was written with it."""
    tool = Path(sys.executable).with_name("mkslides")
    subprocess.run([tool, "build", HERE / "slides", "--site-dir", tmp_path / "site"], check=True, capture_output=True)
    pages = list((tmp_path / "site").glob("*.html"))
    assert pages
    shown = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert "One process proves nothing" in shown
    named = [name for page in pages for name in LOADED.findall(page.read_text(encoding="utf-8"))]
    assert len(named) >= 3
    for name in named:
        assert "//" not in name, name
        assert (tmp_path / "site" / name).exists(), name
