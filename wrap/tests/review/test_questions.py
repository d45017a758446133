# SPDX-License-Identifier: Apache-2.0
"""Questions: alike ones are one, and each says what its answer settles."""

from collections.abc import Callable

from cside_wrap.project.reading import Project
from cside_wrap.review.questions import functions_of, questions


def test_every_open_argument_is_in_one_question(box: Callable[..., Project]) -> None:
    """None is lost, none is asked twice."""
    found = box()
    asked = [place for one in questions(found.described) for place in one.places]
    wanted = [(name, each.name) for name, one in found.described.items() if not one.refused for each in one.open]
    assert sorted(asked) == sorted(wanted)
    assert len({one.id for one in questions(found.described)}) == len(questions(found.described))


def test_alike_questions_are_one(other: Callable[[str, str], Project]) -> None:
    """Same draft, same name, same type; an answer settles both functions."""
    found = other(
        "int a_one(unsigned char *out, int outlen);\nint a_two(unsigned char *out, int outlen);",
        "int a_one(unsigned char *o, int n) { return o[n - 1]; }\n"
        "int a_two(unsigned char *o, int n) { return o[n - 1]; }",
    )
    (one,) = questions(found.described)
    assert (one.settles, one.places, one.complete) == (2, (("a_one", "out"), ("a_two", "out")), True)


def test_incomplete_drafts_are_told(box: Callable[..., Project]) -> None:
    """Yes is no answer to a question of a size, nor of a struct with pointers."""
    by_place = {place: one for one in questions(box().described) for place in one.places}
    assert not by_place["box_key", "k"].complete
    assert not by_place["box_view_size", "v"].complete
    assert by_place["box_fill", "dst"].complete


def test_a_pattern_meets_nothing_else(box: Callable[..., Project]) -> None:
    """Where a pattern would meet other functions too, their names are listed."""
    described = box().described
    places = [("box_state_init", "state"), ("box_state_update", "state"), ("box_state_final", "state")]
    written = described["box_state_init"].arguments[0].type.written
    assert functions_of(places, described, written) == "box_state_*"
    assert functions_of(places[:2], described, written) == ["box_state_init", "box_state_update"]
    assert functions_of(places[:1], described, written) == "box_state_init"
