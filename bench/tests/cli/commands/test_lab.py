# SPDX-License-Identifier: Apache-2.0
"""``cside lab`` without its extra."""

import click
import pytest
from cside_bench.cli.commands import lab


def test_without_dask_the_command_says_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver's ordinary environment lacks it: wrong usage, and the command that helps."""
    monkeypatch.setattr(lab, "find_spec", lambda name: None)
    with pytest.raises(click.UsageError, match="pip install distributed"):
        lab.command.main(["--local", "2"], standalone_mode=False)
    with pytest.raises(click.UsageError, match=r"--scheduler ADDRESS.*--local N"):
        lab.command.main([], standalone_mode=False)
