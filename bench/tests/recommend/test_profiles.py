# SPDX-License-Identifier: Apache-2.0
"""Profiles that ship, and profiles that users write."""

from dataclasses import replace
from pathlib import Path

import pytest
from cside_bench.recommend import profile_text, profiles
from cside_bench.recommend.profiles import ProfileError
from profiles_of_tests import RULES, SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_a_profile_survives_being_written(name: str, tmp_path: Path) -> None:
    """What --save writes is read as what was asked."""
    path = tmp_path / f"{name}.toml"
    path.write_text(profile_text.text_of(SHIPPED[name]), encoding="utf-8")
    found = profiles.read(path, RULES)
    assert found.plain() == SHIPPED[name].plain()
    assert (found.title, found.text) == (SHIPPED[name].title, SHIPPED[name].text)


def test_an_empty_profile_has_the_defaults() -> None:
    """Nothing has to be said."""
    assert profiles.parse({}, RULES, "mine").plain() == profiles.default(RULES).plain()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[platfor]", "there is no key 'platfor'; did you mean 'platform'?"),
        ("[load]\ncalls = 3", "did you mean 'calls_per_second'?"),
        ("[load]\ncalls_per_second = -1", "calls_per_second is -1; it has to be from 0.001"),
        ("[load]\ncalls_per_second = nan", "it has to be a number"),
        ('[load]\nbytes_per_call = "many"', "bytes_per_call is 'many'; it has to be a number"),
        ("[load]\nidioms = { scalar = 1 }", "there is no kind of call 'scalar'; did you mean 'scalars'?"),
        ("[load]\nidioms = { scalars = 0 }", "all shares of kinds of call are 0"),
        ("[load]\nidioms = { scalars = -1 }", "it has to be a number from 0 on"),
        ('[platform]\nwheels = "some"', "wheels is 'some'; did you mean 'one'?"),
        ('[platform]\ninterpreters = ["cpyton"]', "there is no interpreter 'cpyton'; did you mean 'cpython'?"),
        ("[platform]\ninterpreters = 3", "they have to be a table of names and shares, or a list of names"),
        ("[platform]\nplatforms = []", "platforms is empty"),
        ('[team]\nknows = ["cyton"]', "there is no skill 'cyton'; did you mean 'cython'?"),
        ('[team]\nmaintained_by = "nobody"', "valid: one, team, changing"),
        ("[weights]\nspeed = 1", "valid: time, effort"),
        ("[weights]\ntime = -1", "the weight of time is -1"),
        ("[weights]\n" + "\n".join(f"{name}=0" for name in RULES.criteria), "all weights are 0"),
        (
            '[interface]\nlibrary = "vendored"',
            "library is 'vendored'; did you mean 'bundled'? valid: system, bundled, same-repository",
        ),
        ("[load]\nelements_per_loop = 0", "elements_per_loop is 0; it has to be from 1"),
        ("platform = 3", "platform is 3; it has to be a table"),
        ("title = 3", "title is 3; it has to be text"),
        ("[load", "is not valid TOML"),
    ],
)
def test_a_profile_that_cannot_be_understood_says_what_and_what_would_be_valid(
    text: str, told: str, tmp_path: Path
) -> None:
    """The message names the file, the key and the nearest valid name."""
    path = tmp_path / "profile.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProfileError) as raised:
        profiles.read(path, RULES)
    assert told in str(raised.value)
    assert str(path) in str(raised.value)


def test_lines_of_generated_bindings_are_written_and_read(tmp_path: Path) -> None:
    """As a recommendation for a project has them; a number of lines below 0 is refused."""
    path = tmp_path / "ours.toml"
    profile = replace(profiles.default(RULES), id="ours", kept_lines=58.0, functions_by_hand=3.0)
    path.write_text(profile_text.text_of(profile), encoding="utf-8")
    assert profiles.read(path, RULES) == profile
    path.write_text("[interface]\nkept_lines = -1\n", encoding="utf-8")
    with pytest.raises(ProfileError, match="kept_lines is -1"):
        profiles.read(path, RULES)
