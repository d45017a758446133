# SPDX-License-Identifier: Apache-2.0
"""Writes what an answer assumes: checks that failed, the form for the stable ABI, loops, C++, code made at run time."""

from collections.abc import Sequence

from cside_bench.recommend.doubts import bias
from cside_bench.recommend.flips import significant
from cside_bench.recommend.packaging import from_sources, with_gil
from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.scoring import Scoring
from cside_bench.recommend.wording import listed


def language(scoring: Scoring, profile: Profile) -> list[str]:
    """Return the sentence that an answer on an interface in C++ has to have; nothing for others."""
    if profile.choices["language"] != "c++":
        return []
    rules, measured = scoring.rules, scoring.facts.run.bindings
    made_for = [it.title for name, it in rules.techniques.items() if it.needs_c_plus_plus and name not in measured]
    told = "The interface is C++"
    if made_for:
        verb, who = ("are", "they are") if len(made_for) > 1 else ("is", "it is")
        told += (
            f", for which {listed(made_for)} {verb} made: {who} outside what was measured, and to be tried beside this"
        )
    counted = [rules.title(it) for it in measured if rules.technique(it).needs_c_plus_plus]
    if counted:
        told += (
            f". Lines of {listed(counted)} were counted on an interface in C; classes of C++ take fewer, which no run "
            "of cside measures"
        )
    layered = [it for it in scoring.subjects if scoring.layer(it, profile)]
    if layered:
        told += (
            f". {listed([rules.title(it) for it in layered])} are counted with a layer in C, "
            f"which has to be written first ({rules.scale.layer_lines:g} lines of C++ a function), and compiled for "
            "each platform"
        )
    return [f"{told}."]


def untrusted(scoring: Scoring) -> list[str]:
    """Return the sentence that an answer has to have that rests on an interpreter which failed checks of the run."""
    off = {label: bias(scoring.facts.run, label) for label in scoring.shares}
    told = [f"{label} may be off by {100 * by:.0f} %" for label, by in off.items() if by > 0]
    if not told:
        return []
    return [f"Times of {listed(told)}, as checks of the run found; the draws are wider by that."]


def stable_forms(scoring: Scoring, profile: Profile, subjects: Sequence[str]) -> list[str]:
    """Return a sentence for each of the ``subjects`` that is taken in its form for the stable ABI, with its price."""
    taken, found = scoring.stable(profile), []
    for subject in subjects:
        if not taken[scoring.subjects.index(subject)]:
            continue
        prices = {it: scoring.facts.releases.price(it, subject) for it in scoring.shares if with_gil(it)}
        told = [
            f"{factor:.2f} times as long on {it} ({cells} cells)" for it, (factor, cells) in prices.items() if cells
        ]
        variant = scoring.rules.technique(subject).one_binary_variant
        price = f"calls take {listed(told)}" if told else "what that costs was not measured"
        title = scoring.rules.title(subject)
        found.append(f"{title} is taken as one wheel per platform for the stable ABI ({variant}): {price}.")
    return found


def assumed(scoring: Scoring, profile: Profile, led: Sequence[str]) -> list[str]:
    """Return the notes on what an answer that leads with ``led`` assumes."""
    rules, found = scoring.rules, stable_forms(scoring, profile, led)
    loop = profile.numbers["elements_per_loop"]
    if loop > 1:
        inside = [rules.title(it) for it in scoring.subjects if rules.technique(it).takes_loops]
        found.append(
            f"{listed(inside)} are taken to move the loop over {significant(loop)} elements into the binding and to "
            "pay their overhead once for each loop; the others pay it for each element, and the interpreter's loop "
            "too. If the library has a function for whole arrays, or one is written in C, state the calls of that "
            "function instead: it makes all alike."
        )
    if profile.choices["language"] == "c-layer":
        found.append("The layer in C is part of the library here: its own lines are not counted.")
    if profile.choices["library"] == "system":
        found += _found_at_run_time(scoring, profile, led)
    making = [it for it in led if rules.technique(it).run_time_code]
    if "callbacks" in profile.idioms and making:
        found.append(
            f"Callbacks of {listed([rules.title(it) for it in making])} may need code that is made at run time, which "
            "some hardened systems refuse; where that matters, state run_time_code = “no”."
        )
    return found


def _found_at_run_time(scoring: Scoring, profile: Profile, led: Sequence[str]) -> list[str]:
    """Return what has to be done about a library that is the user's, by approaches that link to it and that load it."""
    titles = scoring.rules.title
    compiled = {it: scoring.release(it, profile).compiled for it in led}
    linking, loading = ([titles(it) for it in compiled if compiled[it] is one] for one in (True, False))
    found = []
    if linking and not from_sources(profile):
        found.append(
            f"The library is the user's, and a wheel of {listed(linking)} that links to it needs its file under one "
            "name on every machine, which auditwheel refuses on Linux: load it by dlopen() and a table of its "
            "functions, or bundle it."
        )
    if loading:
        found.append(
            f"The library is the user's, and {listed(loading)} finds it by its name at run time: another version or "
            "another library may be loaded. Compare its version before the first call."
        )
    return found
