# SPDX-License-Identifier: Apache-2.0
"""overrides.toml: rules are appended one a line, and the user's text stays."""

from pathlib import Path

import pytest
from cside_wrap.errors import WrapError
from cside_wrap.project.overrides import EMPTY, NAME, add, read


def test_a_new_file_has_nothing(tmp_path: Path) -> None:
    """Neither has one that is not there."""
    assert read(tmp_path / NAME).rules == []
    (tmp_path / NAME).write_text(EMPTY, encoding="utf-8")
    assert (read(tmp_path / NAME).rules, read(tmp_path / NAME).recipes) == ([], [])


def test_rules_are_added_below_the_users_own(tmp_path: Path) -> None:
    """Comments and order stay, and a rule takes one line."""
    path = tmp_path / NAME
    path.write_text('# mine\nrules = [\n  # why\n  { argument = "a", role = "address" },\n]\n', encoding="utf-8")
    before = read(path).lines
    add(path, [{"functions": ["f", "g"], "argument": "b", "role": "bytes-in", "size": "4", "nullable": True}])
    text = path.read_text(encoding="utf-8")
    assert text.startswith('# mine\nrules = [\n  # why\n  { argument = "a", role = "address" },\n')
    found = read(path)
    assert found.lines == before + 1
    assert [one.argument for one in found.rules] == ["a", "b"]
    assert found.rules[1].functions == ("f", "g") and found.rules[1].attributes == {"size": "4", "nullable": True}
    assert list(tmp_path.iterdir()) == [path]


def test_a_wrong_rule_changes_nothing(tmp_path: Path) -> None:
    """The file stays as it was."""
    path = tmp_path / NAME
    path.write_text(EMPTY, encoding="utf-8")
    with pytest.raises(WrapError, match="no role"):
        add(path, [{"argument": "a", "role": "nonsense"}])
    assert path.read_text(encoding="utf-8") == EMPTY


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rules = [", "is no TOML"),
        ("rule = []", "rule; it may have"),
        ("rules = [1]", "list of tables"),
        ("recipes = [{ make = 'f()' }]", "either type or argument"),
        ("recipes = [{ type = 'a', argument = 'b', make = 'f()' }]", "either type or argument"),
        ("recipes = [{ type = 'a', make = [1] }]", "make has to be"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, text: str, said: str) -> None:
    """Each with what is wrong."""
    (tmp_path / NAME).write_text(text, encoding="utf-8")
    with pytest.raises(WrapError, match=said):
        read(tmp_path / NAME)
