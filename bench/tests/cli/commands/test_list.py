# SPDX-License-Identifier: Apache-2.0
"""``cside list`` prints what is installed, declared and measured."""

import json
import sys
from pathlib import Path

import pytest
from command import cside
from cside_bench.cli import list_rows
from cside_bench.machine import checkout
from repository import ROOT


def test_list_tells_of_bindings_and_workloads_by_asking_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """This environment has all of them; the driver's has none, so that another process answers."""
    monkeypatch.setattr(checkout, "environments", lambda: {"cpython-here": Path(sys.executable)})
    bindings = {row["name"]: row for row in json.loads(cside("list", "bindings", "--json").stdout)}
    for name in checkout.declared():
        assert bindings[name]["technique"]
    whole = [row for row in bindings.values() if not row["partial"]]
    for row in whole:
        told = row["interpreters"]["cpython-here"]
        assert {*told["features"], *told["gaps"]} == {it["name"] for it in list_rows.features()}
    rows = {row["name"]: row for row in json.loads(cside("list", "workloads", "--json").stdout)}
    small, large = rows["codec.crc32[16]"], rows["codec.crc32[1048576]"]
    assert (small["noun"], small["gil"], large["gil"]) == ("codec", "held", "released")
    assert rows["codec.compress[0-1]"]["skipped_by"] == ["quick", "default"]
    assert rows["idioms.point_add"]["needs"] == ["struct-by-value"]


def test_list_before_anything_is_built_tells_what_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bindings of the checkout have names and descriptions; workloads end with 1 and the command that builds."""
    monkeypatch.setattr(checkout, "environments", dict)
    monkeypatch.chdir(ROOT)
    rows = json.loads(cside("list", "bindings", "--json").stdout)
    assert {row["name"] for row in rows} == set(checkout.declared())
    assert all(row["technique"] and row["interpreters"] == {} for row in rows)
    done = cside("list", "workloads")
    assert done.exit_code == 1
    assert "cside bench" in done.stderr


@pytest.mark.parametrize("topic", ["features", "profiles", "claims", "runs", "interpreters"])
def test_list_prints_tables_and_json(tree: Path, topic: str) -> None:
    """The names in the table are those of the document."""
    rows = json.loads(cside("list", topic, "--json").stdout)
    table = cside("list", topic).stdout
    assert rows
    for row in rows:
        assert str(row.get("name") or row["label"]) in table
