# SPDX-License-Identifier: Apache-2.0
"""Answers become rules, which settle exactly the question's places."""

from collections.abc import Callable

import pytest
from cside_wrap.errors import WrapError
from cside_wrap.project import overrides
from cside_wrap.project.reading import Project
from cside_wrap.review.answers import rule_of, suggestion
from cside_wrap.review.questions import Question, questions
from cside_wrap.roles.vocabulary import State


def asked(found: Project, function: str) -> Question:
    """The first question of a function."""
    return next(one for one in questions(found.described) if function in {name for name, _ in one.places})


def answered(found: Project, box: Callable[..., Project], function: str, answer: str) -> Project:
    """The project after an answer."""
    rule = rule_of(asked(found, function), answer, found.described)
    assert rule is not None
    path = found.folder / overrides.NAME
    overrides.add(path, [rule])
    return box(path.read_text(encoding="utf-8"))


def test_yes_confirms_the_draft(box: Callable[..., Project]) -> None:
    """And no other function changes."""
    before = box()
    after = answered(before, box, "box_fill", "yes")
    changed = {name for name, one in after.described.items() if one.state != before.described[name].state}
    assert changed == {"box_fill"}


def test_the_suggestion_is_an_answer(box: Callable[..., Project]) -> None:
    """What is printed can be typed."""
    before = box()
    after = answered(before, box, "box_digest", suggestion(asked(before, "box_digest")))
    assert after.described["box_digest"].state == State.BOUND


def test_another_answer(box: Callable[..., Project]) -> None:
    """A comma within parentheses separates nothing."""
    after = answered(box(), box, "box_key", "role=bytes-in,size=max(BOX_KEYBYTES, 1),nullable=false")
    assert after.described["box_key"].arguments[0].get("size") == "max(BOX_KEYBYTES, 1)"


def test_refusing_and_skipping(box: Callable[..., Project]) -> None:
    """Skip is no rule."""
    found = box()
    assert rule_of(asked(found, "box_key"), "skip", found.described) is None
    assert answered(found, box, "box_key", "refuse").described["box_key"].state == State.REFUSED


@pytest.mark.parametrize(
    ("answer", "said"), [("yes", "not how many"), ("maybe", "is no answer"), ("nullable=perhaps", "true or false")]
)
def test_what_is_no_answer_is_told(box: Callable[..., Project], answer: str, said: str) -> None:
    """With the answers that there are."""
    found = box()
    with pytest.raises(WrapError, match=said):
        rule_of(asked(found, "box_key"), answer, found.described)
