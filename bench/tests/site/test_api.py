# SPDX-License-Identifier: Apache-2.0
"""The pages of the reference of Python modules."""

from pathlib import Path

from cside_bench.site import api
from repository import ROOT


def test_a_page_has_each_public_module() -> None:
    """Private modules are left out, and packages without members of their own."""
    pages = dict(api.texts(ROOT))
    assert ".. automodule:: cside_bench.results.evidence" in pages["api/cside_bench-results"]
    assert ".. automodule:: cside_suite.contract.codec" in pages["api/cside_suite-contract"]
    assert "_pkcs11_functions" not in pages["api/cside_suite-contract"]
    assert all(name.removeprefix("api/") in pages["api/index"] for name in pages if name != "api/index")


def test_a_package_with_members_is_shown_itself(tmp_path: Path) -> None:
    """And one that holds a docstring alone is not."""
    for name, text in {"full": "def f(): ...\n", "bare": '"""Nothing."""\n'}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(text, encoding="utf-8")
        (tmp_path / name / "module.py").write_text("", encoding="utf-8")
    assert api.modules(tmp_path, api.Shown("full", ".", "", "")) == ["full", "full.module"]
    assert api.modules(tmp_path, api.Shown("bare", ".", "", "")) == ["bare.module"]
