# SPDX-License-Identifier: Apache-2.0
"""The rules of ``examples/`` fit the libraries that this machine has: each binds at least 80 % of the functions."""

from pathlib import Path

import pytest
from cside_wrap.errors import WrapError
from cside_wrap.project.reading import read
from cside_wrap.roles.vocabulary import State
from repository import ROOT

EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/cside.toml"))


@pytest.mark.parametrize("folder", EXAMPLES, ids=[folder.name for folder in EXAMPLES])
def test_examples(folder: Path) -> None:
    """With at most 60 lines, each of which meets something, and nothing that the compiler does not confirm."""
    try:
        found = read(folder)
    except WrapError as error:
        if "there is no" in error.message:
            pytest.skip(error.message)
        raise
    assert found.overrides.lines <= 60
    assert found.notes == []
    assert found.proof.refuted == []
    states = found.states()
    assert states[State.BOUND] >= 0.8 * sum(states.values())


def test_there_are_examples() -> None:
    """None found would test nothing."""
    assert len(EXAMPLES) == 6
