# SPDX-License-Identifier: Apache-2.0
"""``recommendations.json`` of a run: its answers to the profiles that ship. Schema: ``recommendations.schema.json``."""

import json
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from cside_suite.files import write_json

from cside_bench.recommend import profiles, rules
from cside_bench.recommend.answer import Advisor
from cside_bench.recommend.profiles import Profile
from cside_bench.results.evidence import Run
from cside_bench.results.files import RECOMMENDATIONS_FILE

FORMAT: Final = 1
FILE: Final = RECOMMENDATIONS_FILE
SEED: Final = 20160101
"""Of the draws, unless another is asked for: the same run gives the same answer."""


def answers(run: Run, asked: Iterable[Profile] | None = None, *, seed: int = SEED) -> dict[str, Any]:
    """The document of a run, for the profiles ``asked``, or for all that ship."""
    known = rules.load()
    advisor = Advisor(run, known, seed)
    wanted = list(profiles.shipped(known).values()) if asked is None else list(asked)
    return {
        "format": FORMAT,
        "run": run.name,
        "machine": run.machine,
        "tier": run.tier,
        "seed": seed,
        "draws": known.deciding.draws,
        "answers": [advisor.answer(profile) for profile in wanted],
    }


def check(document: dict[str, Any]) -> None:
    """Raise ``jsonschema.ValidationError`` for a document that is not of the schema."""
    import jsonschema  # takes longer to import than an answer takes, and is only needed where a file is written

    schema = json.loads(files(__package__).joinpath("recommendations.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)


def write(run: Run) -> Path:
    """Write the run's file, checked against the schema."""
    document = answers(run)
    check(document)
    path = run.folder / FILE
    write_json(path, document, indent=1)
    return path
