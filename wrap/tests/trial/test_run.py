# SPDX-License-Identifier: Apache-2.0
"""Trials tell what ran, what failed and what crashed, and the process that runs them stays alive."""

import sys
from collections.abc import Callable

import pytest
from cside_wrap.errors import WrapError
from cside_wrap.project.reading import Project
from cside_wrap.trial import run as running
from cside_wrap.trial.run import Outcome, Trial, run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="trials need fork")

RULES = """rules = [
  { argument = "dst", role = "bytes-out", room = "dstCapacity", filled = "result", why = "documented" },
  { functions = "box_move", argument = "p", role = "struct", direction = "inout", why = "one" },
  { functions = "box_open", argument = "made", role = "handle-out", owner = "box_free", why = "documented" },
  { functions = "box_query", argument = "out", role = "bytes-out", room = "ROOM", filled = "outlen", why = "so" },
  { functions = "box_query", argument = "return", role = "status", ok = "result == 0", why = "documented" },
  { functions = "box_key", argument = "k", role = "bytes-in", size = "KEY", why = "documented" },
  { functions = "box_check", argument = "return", role = "status", ok = "result >= 0", why = "documented" },
  { functions = "box_digest", argument = "out", role = "bytes-out", room = "DIGEST", why = "documented" },
  { functions = "box_view_size", argument = "v", role = "struct", buffers = { data = "used" }, why = "documented" },
]
recipes = [
RECIPES]
"""


def tried(
    box: Callable[..., Project], name: str, key: int = 16, digest: int = 16, room: int = 8, recipes: str = ""
) -> Trial:
    """The trial of one function, with sizes that are right or wrong."""
    numbers = {"KEY": key, "DIGEST": digest, "ROOM": room, "RECIPES": recipes}
    text = RULES
    for word, value in numbers.items():
        text = text.replace(f'"{word}"', f'"{value}"').replace(f"{word}]", f"{value}]")
    found = box(text)
    (trial,) = run(found.form(), found.libraries, found.overrides.recipes, name.__eq__)
    return trial


@pytest.mark.parametrize(
    "name",
    [
        "box_new",
        "box_free",
        "box_name",
        "box_open",
        "box_sum",
        "box_apart",
        "box_fill",
        "box_key",
        "box_digest",
        "box_query",
        "box_split",
        "box_area",
        "box_move",
        "box_view_size",
        "box_each",
        "box_state_update",
        "box_state_final",
        "box_next",
    ],
)
def test_what_is_right_runs(box: Callable[..., Project], name: str) -> None:
    """With objects made where they are needed, and set up where the binding allocates them."""
    trial = tried(box, name)
    assert (trial.outcome, trial.said) == (Outcome.RAN, "")


def test_reading_past_an_input_crashes(box: Callable[..., Project]) -> None:
    """One byte past the end, at every size, also none."""
    trial = tried(box, "box_overrun")
    assert trial.outcome == Outcome.CRASHED and "SIGSEGV" in trial.said
    assert set(trial.sizes.values()) == {"crashed"}


def test_writing_to_an_input_crashes(box: Callable[..., Project]) -> None:
    """Const is a promise: inputs are read-only. Without a byte there is nothing to write to."""
    assert tried(box, "box_constant").sizes == {0: "ran", 1: "crashed", 4096: "crashed"}


def test_a_wrong_size_crashes(box: Callable[..., Project]) -> None:
    """An input that is said to be shorter than it is, and an output."""
    assert tried(box, "box_key", key=15).outcome == Outcome.CRASHED
    assert tried(box, "box_digest", digest=15).outcome == Outcome.CRASHED


def test_a_status_is_a_failure(box: Callable[..., Project]) -> None:
    """The process ends in peace."""
    trial = tried(box, "box_check")
    assert (trial.outcome, trial.said, trial.worked) == (Outcome.FAILED, "status -3", False)
    assert tried(box, "box_query", room=2).outcome == Outcome.FAILED


def test_a_kept_pointer_is_found(box: Callable[..., Project]) -> None:
    """The first call passes; the second touches the first one's input, which is freed."""
    trial = tried(box, "box_keep")
    assert trial.outcome == Outcome.KEEPS and trial.sizes[0] == "ran"


def test_a_kept_pointer_that_nothing_keeps_alive_is_a_crash(box: Callable[..., Project]) -> None:
    """A rule says that the input is needed during the call only, and that is wrong."""
    found = box('rules = [{ functions = "box_keep", argument = "data", keep = "call", why = "a mistake" }]')
    (trial,) = run(found.form(), found.libraries, [], "box_keep".__eq__)
    assert trial.outcome == Outcome.CRASHED and "nothing keeps data alive" in trial.said


def test_recipes(box: Callable[..., Project]) -> None:
    """For one argument, and for an object, with steps after it is made."""
    assert tried(box, "box_check", recipes='{ argument = "number", make = "0" },').outcome == Outcome.RAN
    steps = '{ type = "box", make = ["box_new(\'a\')", "box_keep(it, bytes(5))"] },'
    assert tried(box, "box_kept", recipes=steps).outcome == Outcome.RAN


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        ('{ type = "bocks", make = "box_new()" },', "of which no bound function"),
        ('{ argument = "number", make = "open(1)" },', "no bound function"),
        ('{ argument = "number", make = "(" },', "is no expression"),
        ('{ argument = "number", make = "box_sum()" },', "takes 1 values"),
    ],
)
def test_wrong_recipes_are_told(box: Callable[..., Project], recipe: str, said: str) -> None:
    """They are the user's mistake, no outcome."""
    with pytest.raises(WrapError, match=said):
        tried(box, "box_check", recipes=recipe)


def test_a_call_that_does_not_return_is_ended(
    other: Callable[[str, str], Project], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After some seconds; here less."""
    monkeypatch.setattr(running, "PATIENCE_S", 0.5)
    found = other("int spin(int n);", "int spin(int n) { for (volatile int i = n; i;) ; return n; }")
    (trial,) = run(found.form(), found.libraries, [])
    assert trial.outcome == Outcome.HUNG


def test_what_a_library_prints_as_it_ends_is_told(other: Callable[[str, str], Project]) -> None:
    """An assertion's text, and an exit."""
    found = other(
        "int fail(int n);\nint leave(int n);",
        "#include <assert.h>\n#include <stdlib.h>\n"
        "int fail(int n) { assert(n == 77); return n; }\nint leave(int n) { exit(n + 3); }",
    )
    said = {one.function: one for one in run(found.form(), found.libraries, [])}
    assert said["fail"].outcome == Outcome.CRASHED and "n == 77" in said["fail"].said
    assert said["leave"].outcome == Outcome.CRASHED and "exit code 4" in said["leave"].said


def test_nothing_to_pass_is_told(other: Callable[[str, str], Project]) -> None:
    """An object that no function makes."""
    found = other("typedef struct o o;\nint use(o *it);", "int use(o *it) { return it != 0; }")
    (trial,) = run(found.form(), found.libraries, [])
    assert trial.outcome == Outcome.NO_VALUE and "nothing makes" in trial.said
