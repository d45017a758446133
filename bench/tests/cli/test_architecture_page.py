# SPDX-License-Identifier: Apache-2.0
"""The generated parts of ``docs/architecture.md``."""

import pytest
from cside_bench.cli import architecture_page
from repository import ROOT


def test_the_page_has_the_name_of_every_contract() -> None:
    """Each contract of import-linter is one item of the list."""
    written = (ROOT / architecture_page.PAGE).read_text(encoding="utf-8")
    assert architecture_page.contracts(ROOT) in written


def test_the_page_is_as_generated() -> None:
    """Rooms and arrows are those of today's imports."""
    pytest.importorskip("grimp", reason="drawing the arrows needs grimp, of the extra `documents` of cside-bench")
    assert architecture_page.page(ROOT) == (ROOT / architecture_page.PAGE).read_text(encoding="utf-8")
