# SPDX-License-Identifier: Apache-2.0
"""What ``cside recommend`` takes from a project, and what it says of it beside the answer."""

from pathlib import Path
from typing import Any

import click
from cside_wrap.errors import WrapError
from cside_wrap.profile import document as counted
from cside_wrap.project import reading

from cside_bench.library.situation import Coverage, situation
from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.rules import Rules


def asked(folder: Path, base: Profile, rules: Rules) -> tuple[Profile, Coverage]:
    """Return ``base`` with the inputs that the project in ``folder`` has. Raises `click.UsageError`."""
    try:
        return situation(reading.read(folder), counted.read(folder), base, rules)
    except WrapError as error:
        raise click.UsageError(str(error)) from error


def tell(found: dict[str, Any], covered: Coverage) -> None:
    """Add the coverage to the document, and what a reader has to know of it to the notes of its answer."""
    found["project"] = covered.plain()
    for answer in found["answers"]:
        answer["notes"] = [
            *covered.says(),
            "The lines to keep are those of overrides.toml, from which all approaches are generated. What mistakes and "
            "changed headers do was tried on bindings that were written by hand.",
            *answer["notes"],
        ]
