# SPDX-License-Identifier: Apache-2.0
"""Answers to questions, and the rules that they become."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cside_wrap.errors import WrapError
from cside_wrap.review.questions import Question, functions_of
from cside_wrap.roles.vocabulary import ATTRIBUTES, Described

__all__ = ["SKIP", "rule_of", "suggestion"]

SKIP = "skip"
HELP = (
    "Answers: yes (the draft is right), skip (not now), refuse (never bind these functions), "
    "or what is right, as role=bytes-out,room=dstCapacity,filled=result"
)


def suggestion(question: Question) -> str:
    """The draft as an answer: ``role=bytes-out,room=dstCapacity``."""
    words = [f"role={question.draft.role}"]
    words += [f"{name}={_text(value)}" for name, value in question.draft.attributes.items()]
    return ",".join(words)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def rule_of(question: Question, answer: str, described: Mapping[str, Described]) -> dict[str, Any] | None:
    """The rule that an answer becomes; None for ``skip``. Raises `WrapError` for an answer that is none."""
    said = answer.strip()
    if said.lower() in ("", "s", SKIP):
        return None
    rule: dict[str, Any] = {
        "functions": functions_of(question.places, described, question.draft.type.written),
        "argument": question.names[0],
        "type": question.draft.type.written,
    }
    if said.lower() == "refuse":
        return {**rule, "refuse": "the user refused it in the review", "why": "refused in the review"}
    if said.lower() in ("y", "yes"):
        if not question.complete:
            raise WrapError(
                f"question {question.id}: the draft says {question.draft.role}, and not how many bytes", HELP
            )
        return {**rule, "role": str(question.draft.role), **question.draft.attributes, "why": "the draft, confirmed"}
    given: dict[str, Any] = {}
    for part in re.split(r",(?![^()]*\))", said):
        name, equals, value = (each.strip() for each in part.partition("="))
        if not equals or name not in {"role", "why", *ATTRIBUTES}:
            raise WrapError(f"question {question.id}: {part.strip()!r} is no answer", HELP)
        kind = ATTRIBUTES.get(name, str)
        if kind is bool and value not in ("true", "false"):
            raise WrapError(f"question {question.id}: {name} is true or false")
        if kind is dict:
            raise WrapError(f"question {question.id}: {name} is a table: write the rule into overrides.toml")
        given[name] = value == "true" if kind is bool else value
    return {**rule, "role": given.pop("role", str(question.draft.role)), **given}
