# SPDX-License-Identifier: Apache-2.0
"""The generated parts of ``docs/architecture.md``."""

import tomllib

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


ROOMS = tuple(
    f"{package}.{folder.name}"
    for package, place in architecture_page.FOLDERS.items()
    for folder in sorted((ROOT / place / package).iterdir())
    if (folder / "__init__.py").exists()
)


def test_every_contract_of_a_room_names_all_rooms() -> None:
    """A room that a contract neither allows nor forbids could be imported without anyone noticing."""
    document = tomllib.loads((ROOT / "bench/importlinter.toml").read_text(encoding="utf-8"))
    seen = set()
    for contract in document["tool"]["importlinter"]["contracts"]:
        if contract["type"] != "forbidden":
            continue
        source = contract["source_modules"][0]
        room, imports, allowed = contract["name"].partition(" imports ")
        if not imports or len(contract["source_modules"]) > 1 or source.partition(".")[2] != room:
            continue
        named = set() if allowed == "no other room" else set(allowed.split(", "))
        half = source.partition(".")[0]
        halves = {half, "cside_suite"} if half == "cside_bench" else {half}
        known = {name for name in ROOMS if name.partition(".")[0] in halves}
        assert named | {one.partition(".")[2] for one in contract["forbidden_modules"] if one in ROOMS} | {room} == {
            name.partition(".")[2] for name in known
        }, contract["name"]
        seen.add(source)
    assert set(ROOMS) - seen == {"cside_bench.cli"}
