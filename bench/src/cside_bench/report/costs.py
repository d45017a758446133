# SPDX-License-Identifier: Apache-2.0
"""Formats the section ``costs`` of a summary as rows of text, for the report and its page."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from cside_suite.subjects.groups import NOUNS

from cside_bench.results.starts import COUNTED

MISSING: Final = "—"
NONE: Final = "none"
FIRST: Final = {"idioms.noop": "noop", "codec.crc32": "crc32"}

Spread = Mapping[str, Any] | None


def number(value: float) -> str:
    """Format a number with three significant digits and no exponent."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def spread(found: Spread, divide: float = 1.0, *, interval: bool = True) -> str:
    """Format a median with its range; both are divided by ``divide``, to change the unit."""
    if found is None:
        return MISSING
    text = number(found["median"] / divide)
    low, high = number(found["low"] / divide), number(found["high"] / divide)
    return f"{text} ({low} to {high})" if interval and low != high else text


def size(nbytes: float | None) -> str:
    """Format bytes as B, KiB or MiB."""
    if nbytes is None:
        return MISSING
    for unit, scale in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if abs(nbytes) >= scale:
            return f"{number(nbytes / scale)} {unit}"
    return f"{nbytes:.0f} B"


def code_lines(binding: Mapping[str, Any], origin: str, nouns: Iterable[str] = COUNTED) -> int | None:
    """Return a binding's lines of code of one origin, in some nouns; None if lines were not counted."""
    if binding["lines"] is None:
        return None
    wanted = set(nouns)
    return sum(
        int(each["code_lines"]) for each in binding["lines"] if each["origin"] == origin and each["noun"] in wanted
    )


def left_out(binding: Mapping[str, Any]) -> list[str]:
    """List the nouns of which a binding has no lines, because it leaves them out; none if lines were not counted."""
    held = {each["noun"] for each in binding["lines"] or []}
    return [noun for noun in NOUNS if noun not in held] if held else []


def smaller(bindings: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each binding that leaves out a noun: its costs are those of the others."""
    return [
        f"{each['binding']} leaves out {' and '.join(left_out(each))}: "
        "its lines, builds, wheels, imports and memory are those of the other nouns."
        for each in bindings
        if left_out(each)
    ]


def languages(binding: Mapping[str, Any]) -> str:
    """List the languages that a binding is written in, with their lines; the largest share comes first."""
    sums: dict[str, int] = {}
    for each in binding["lines"] or []:
        if each["origin"] == "written" and each["noun"] in COUNTED:
            sums[each["language"]] = sums.get(each["language"], 0) + each["code_lines"]
    return ", ".join(f"{name} {lines:,}" for name, lines in sorted(sums.items(), key=lambda item: -item[1])) or MISSING


def whole(value: int | None) -> str:
    """Format a count."""
    return MISSING if value is None else f"{value:,}"


class Costs:
    """The rows and tables that show a section ``costs``."""

    def __init__(self, section: Mapping[str, Any]) -> None:
        self.section = section
        self.bindings: list[dict[str, Any]] = list(section["bindings"])

    @property
    def labels(self) -> list[str]:
        """The interpreters on which starts were measured."""
        return list(dict.fromkeys(entry["interpreter"] for entry in self.section["cold"]))

    def lines(self) -> list[list[str]]:
        """Return rows of: binding, lines by noun, their sum, languages, lines from headers, lines from tools."""
        rows = []
        for each in self.bindings:
            without = left_out(each)
            rows.append(
                [
                    each["binding"],
                    *(MISSING if noun in without else whole(code_lines(each, "written", [noun])) for noun in COUNTED),
                    whole(code_lines(each, "written")),
                    languages(each),
                    whole(code_lines(each, "generated")),
                    self._tools(each["written_by_tools"]),
                ]
            )
        return rows

    def builds(self) -> list[list[str]]:
        """Return rows of: binding, build (s, CPU s), rebuild (s, CPU s, file), four sizes, kinds and number of wheels.

        A rebuild is the build after an edit of ``file``.
        """
        rows = []
        for each in self.bindings:
            wheel = self._wheel(each)
            covered = each["coverage"]
            rows.append(
                [
                    each["binding"],
                    self._build(each["clean_build_s"]),
                    spread(each["clean_build_cpu_s"], interval=False),
                    self._build(each["rebuild_s"]),
                    spread(each["rebuild_cpu_s"], interval=False),
                    f"`{each['rebuild_edited']}`" if each["rebuild_edited"] else MISSING,
                    *(
                        NONE if wheel.get(what) == 0 else size(wheel.get(what))
                        for what in ("wheel_bytes", "unpacked_bytes", "compiled_bytes", "stripped_bytes")
                    ),
                    ", ".join(covered["kinds"]) if covered else MISSING,
                    self._coverage(covered),
                ]
            )
        return rows

    def with_variants(self) -> list[str]:
        """List the bindings whose builds also compiled modules of variants, with the number of modules."""
        found = [(each["binding"], each["build_variants_compiled"]) for each in self.bindings]
        return [f"{name} {number}" for name, number in found if number]

    def needs(self) -> list[list[str]]:
        """Return rows of: binding, requirements of its build, requirements at run time."""
        rows = []
        for each in self.bindings:
            needed = each["requirements"]
            if needed is not None:
                build = ", ".join([*(f"`{it}`" for it in needed["build"]), *needed["build_tools"]])
                run = ", ".join(f"`{it}`" for it in [*needed["run"], f"Python {needed['python']}"])
                rows.append([each["binding"], build, run])
        return rows

    def uncovered(self) -> list[str]:
        """List the wheels that are only assumed, and the interpreters for which a binding has no wheel."""
        found = []
        for each in self.bindings:
            rows = each["coverage"]["rows"] if each["coverage"] else []
            assumed = [row["interpreter"] for row in rows if row["evidence"] == "assumed"]
            if assumed:
                found.append(f"{each['binding']}: not built here, one wheel each is assumed: {', '.join(assumed)}")
            without: dict[str, list[str]] = {}
            for row in rows:
                if row["wheel"] is None:
                    without.setdefault(row["evidence"], []).append(row["interpreter"])
            found += [f"{each['binding']}: no wheel for {', '.join(names)}: {why}" for why, names in without.items()]
        return found

    def smaller(self) -> list[str]:
        """List sentences on the bindings that leave out nouns."""
        return smaller(self.bindings)

    def reasons(self) -> list[str]:
        """List the reasons for which costs are missing."""
        found = [self.section["static_reason"]] if self.section["static_reason"] else []
        for each in self.bindings:
            found += [f"{each['binding']}: {part}: {why}" for part, why in each["reasons"].items()]
        for entry in self.section["cold"]:
            who = f"{entry['subject'] or 'baseline'} on {entry['interpreter']}"
            found += [f"{who}: {why}" for why in [*entry["failed"], *entry["reasons"]]]
        return found

    def starts(self, label: str) -> list[list[str]]:
        """Return rows of: subject, imports in ms (by noun, all, CPU), memory (private, resident), modules, calls (µs).

        The calls are the first and the second call of the functions in :data:`FIRST`.
        """
        rows = []
        for entry in self._cold(label):
            first, second = entry["first_call_ns"], entry["second_call_ns"]
            rows.append(
                [
                    entry["subject"],
                    *(spread(entry["import_ns"].get(noun), 1e6) for noun in (*NOUNS, "together")),
                    spread(entry["import_cpu_ns"].get("together"), 1e6, interval=False),
                    size(self._median(entry["grown_private_bytes"].get("together"))),
                    size(self._median(entry["grown_resident_bytes"].get("together"))),
                    whole(self._median(entry["modules"].get("together"))),
                    *(f"{spread(first.get(call), 1e3)}; {spread(second.get(call), 1e3)}" for call in FIRST),
                ]
            )
        return rows

    def baseline(self, label: str) -> list[list[str]]:
        """Return rows of the imports without a binding: step, ms, memory, modules, first and second calls in µs."""
        rows = []
        for entry in self.section["cold"]:
            if entry["interpreter"] == label and not entry["subject"]:
                for step, took in entry["import_ns"].items():
                    memory = size(self._median(entry["grown_private_bytes"].get(step)))
                    calls = [
                        f"{spread(took, 1e3)}; {spread(entry['second_call_ns'].get(call), 1e3)}"
                        for call, took in entry["first_call_ns"].items()
                        if call.partition(".")[0] == step
                    ]
                    modules = whole(self._median(entry["modules"].get(step)))
                    rows.append([step, spread(took, 1e6), memory, modules, *(calls or [MISSING])])
        return rows

    def users_of(self, module: str, label: str) -> list[str]:
        """Return the subjects that import a module."""
        return [entry["subject"] for entry in self._cold(label) if module in entry["imported"]]

    def memory_source(self, label: str) -> str:
        """Return the sources of the memory numbers."""
        sources = {entry["memory_source"] for entry in self._cold(label)} - {None}
        return ", ".join(sorted(sources)) or "not measured: this system has no known source of these numbers"

    def _cold(self, label: str) -> list[dict[str, Any]]:
        return [entry for entry in self.section["cold"] if entry["interpreter"] == label and entry["subject"]]

    def _wheel(self, binding: Mapping[str, Any], label: str | None = None) -> dict[str, Any]:
        """Return the wheel for ``label``, or for the interpreter of the builds; empty if there is none."""
        wanted = label or self.section["build_interpreter"]
        return next((dict(wheel) for wheel in binding["wheels"] if wheel["interpreter"] == wanted), {})

    @staticmethod
    def _tools(files: list[dict[str, Any]] | None) -> str:
        if files is None:
            return MISSING
        lines, nbytes = sum(each["lines"] for each in files), sum(each["bytes"] for each in files)
        return f"{lines:,} ({size(nbytes)})" if files else NONE

    @staticmethod
    def _build(found: Spread) -> str:
        return f"{spread(found)}, n = {found['builds']}" if found is not None else MISSING

    @staticmethod
    def _coverage(covered: Mapping[str, Any] | None) -> str:
        if covered is None:
            return MISSING
        return f"{covered['wheels']} for {covered['interpreters']} of {covered['of_interpreters']}"

    @staticmethod
    def _median(found: Spread) -> Any:
        return None if found is None else round(found["median"])

    @staticmethod
    def _of(entry: Mapping[str, Any] | None, what: str, key: str, divide: float) -> str:
        return spread(entry[what].get(key), divide, interval=False) if entry is not None else ""
