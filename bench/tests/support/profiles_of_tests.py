# SPDX-License-Identifier: Apache-2.0
"""Profiles that tests ask for."""

from cside_bench.recommend import profiles, rules
from cside_bench.recommend.profiles import Profile

RULES = rules.load()


SHIPPED = profiles.shipped(RULES)


SEED = 3


def hot(**changes: float | str) -> Profile:
    """A profile in which time decides, with some inputs changed."""
    return changed(SHIPPED["hot-inner-loop"], **changes)


def changed(profile: Profile, **changes: float | str) -> Profile:
    """A profile with other numbers and choices."""
    for name, value in changes.items():
        if isinstance(value, str):
            profile = profile.with_choice(name, value)
            continue
        profile = profile.with_number(name, value)
    return profile
