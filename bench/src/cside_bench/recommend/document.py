# SPDX-License-Identifier: Apache-2.0
"""Writes ``recommendations.json``, the answers to the shipped profiles. Schema: ``recommendations.schema.json``."""

import json
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from cside_suite.files import write_json

from cside_bench.recommend import profiles, rules
from cside_bench.recommend.answer import Advisor
from cside_bench.recommend.profiles import Profile
from cside_bench.results import shipped_run
from cside_bench.results.evidence import Run
from cside_bench.results.files import RECOMMENDATIONS_FILE

FORMAT: Final = 1
FILE: Final = RECOMMENDATIONS_FILE
SEED: Final = 20160101
"""Seed of the random draws, unless another is given; with it, the same run gives the same answer."""


def answers(run: Run, asked: Iterable[Profile] | None = None, *, seed: int = SEED) -> dict[str, Any]:
    """Return the document of a run for the profiles ``asked``, or for all shipped profiles if it is None."""
    known = rules.load()
    advisor = Advisor(run, known, seed)
    wanted = list(profiles.shipped(known).values()) if asked is None else list(asked)
    return {
        "format": FORMAT,
        "run": run.name,
        "machine": run.machine,
        "another_machine": shipped_run.told(run),
        "tier": run.tier,
        "seed": seed,
        "draws": known.deciding.draws,
        "answers": [advisor.answer(profile) for profile in wanted],
    }


def check(document: dict[str, Any]) -> None:
    """Raise ``jsonschema.ValidationError`` if a document does not match the schema."""
    import jsonschema  # its import takes longer than an answer, and only writing a file needs it

    schema = json.loads(files(__package__).joinpath("recommendations.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)


def write(run: Run) -> Path:
    """Write the file of a run, checked against the schema, and return its path."""
    document = answers(run)
    check(document)
    path = run.folder / FILE
    write_json(path, document, indent=1)
    return path
