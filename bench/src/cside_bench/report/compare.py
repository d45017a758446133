# SPDX-License-Identifier: Apache-2.0
"""Shows a comparison of two runs, on the terminal and as Markdown, from its plain data alone."""

from typing import Any, Final

import jinja2
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cside_bench.compare.agreement import VERDICTS
from cside_bench.results.evidence import MARKS
from cside_bench.results.selection import is_binding

EXTREMES: Final = 8
"""Number of cells shown of those that slowed down most, and of those that sped up most."""
OVER_SHOWN: Final = 40
"""Number of cells over the limit that the terminal shows; Markdown and JSON have all of them."""
OTHERS: Final = "references, controls"
"""Name of the row for all subjects that are no bindings."""
ROWS_SHOWN: Final = 24
"""Number of differing conditions that the terminal shows."""

HOW: Final = (
    "Intervals in brackets and stars (* p < 0.05, ** < 0.01, *** < 0.001) are adjusted over all selected comparisons "
    "of their kind on one interpreter. A verdict needs the whole adjusted interval to be beyond or within the margin. "
    "Choose --only and --binding before you look at the numbers, not after."
)
"""Note on intervals, stars and verdicts at the end of a comparison."""


def percent(ratio: float | None) -> str:
    """Format a ratio as a signed change in percent, or as a factor from ten on."""
    if ratio is None:
        return "—"
    if ratio >= 10:
        return "> 1000x" if ratio > 1000 else f"{ratio:.3g}x"
    return f"{(ratio - 1) * 100:+.1f} %"


def share(value: float) -> str:
    """Format a number in percent with three digits."""
    return f"{value * 100:.3g} %"


def counted(number: int, noun: str) -> str:
    """Format a count with its noun: ``1 cell``, ``2 cells``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def interval(change: dict[str, Any] | None) -> str:
    """Format a change with its adjusted interval, the mark of its verdict and its stars."""
    if change is None:
        return "—"
    text = percent(change["value"])
    if change["adjusted_low"] is not None:
        text += f" ({percent(change['adjusted_low'])} to {percent(change['adjusted_high'])})"
    return " ".join(part for part in (text, MARKS.get(change["verdict"], ""), change["stars"]) if part)


class Page:
    """The texts and tables that show one comparison."""

    def __init__(self, plain: dict[str, Any]) -> None:
        self.plain = plain

    def warnings(self) -> list[str]:
        """Return the warnings that a reader has to know before the numbers."""
        plain, found = self.plain, []
        facts = ", ".join(plain["machine_told_by"])
        if plain["same_run"]:
            found.append("BASE and OTHER are the same run.")
        if plain["same_machine"]:
            found.append(f"The machines are taken to be the same, since {facts} are equal: times are compared as well.")
        else:
            found.append(
                f"The machines differ (in one of {facts}, or it is not recorded): ratios are compared, times are not."
            )
        for side in ("base", "other"):
            if not plain[side]["complete"]:
                found.append(f"{plain[side]['run']} was interrupted: only its finished parts are compared.")
        for entry in plain["interpreters"]:
            limit = plain["fail_over"]
            if limit is not None and entry["verdicts"] and limit < entry["margin"]:
                found.append(
                    f"{entry['label']}: the limit of {share(limit)} is below the margin of {share(entry['margin'])}: "
                    "a new memory layout of the same code may exceed it."
                )
            for side, doubts in entry["doubts"].items():
                name = plain[side]["run"]
                found += [f"{entry['label']}: no verdicts, since {name}: {doubt}." for doubt in doubts]
            if plain["same_machine"] and not entry["times_compared"]:
                found.append(f"{entry['label']}: only ratios are compared, since it is {entry['why_not']}.")
            if entry["shift"]:
                within = share(entry["shift"]["within"])
                found.append(
                    f"{entry['label']}: code that is the same in both runs ({entry['shift']['cells']} cells) "
                    f"moved by {percent(entry['shift']['median'])} at the median, 95 % of it within {within}; "
                    f"the margin for times is {share(entry['time_margin'])}, for ratios {share(entry['margin'])}."
                )
        for entry in plain["counted"]:
            if not entry["comparable"]:
                tools = " and ".join(entry["tools"].values())
                found.append(f"{entry['label']}: counted by {tools}: the counts are shown but not judged.")
        return found

    def tallies(self, entry: dict[str, Any]) -> list[dict[str, Any]]:
        """Count the cells with each verdict, by ratio and by time, per binding and for all other subjects together."""
        groups: dict[str, list[dict[str, Any]]] = {}
        for cell in sorted(entry["cells"], key=lambda it: (not is_binding(it["subject"]), it["subject"])):
            groups.setdefault(cell["subject"] if is_binding(cell["subject"]) else OTHERS, []).append(cell)
        rows = []
        for subject, cells in groups.items():
            row: dict[str, Any] = {"subject": subject, "cells": len(cells)}
            for kind in ("ratio", "time"):
                changes = [cell[kind] for cell in cells if cell[kind] is not None]
                row[kind] = {it: sum(change["verdict"] == it for change in changes) for it in VERDICTS}
                row[kind] |= {"found": sum(change["found"] for change in changes), "of": len(changes)}
            rows.append(row)
        return rows

    def extremes(self, entry: dict[str, Any], *, slower: bool) -> list[dict[str, Any]]:
        """Return the cells of bindings found to be slower, or faster, the most extreme first."""
        found = []
        for cell in entry["cells"]:
            change = cell["ratio"] or cell["time"]  # the reference has only a time
            found_one = change is not None and change["found"] and is_binding(cell["subject"])
            if found_one and (change["value"] > 1) == slower:
                found.append((change["value"], cell))
        return [cell for _, cell in sorted(found, key=lambda pair: pair[0], reverse=slower)]

    def note(self) -> list[str]:
        """Return the notes on the number of comparisons, per interpreter."""
        found = []
        for entry in self.plain["interpreters"]:
            for kind, called in (("ratio", "ratios"), ("time", "times")):
                facts = entry["comparisons"][kind]
                if facts["cells"]:
                    adjusted = (
                        f"adjusted ones in {facts['found_adjusted']}"
                        if facts["adjusted"]
                        else "and there are too few processes for adjusted ones"
                    )
                    found.append(
                        f"{entry['label']}, {called}: {facts['cells']} comparisons. Without adjustment, about "
                        f"{facts['expected_by_chance']:.0f} of them would differ by chance alone; unadjusted "
                        f"intervals exclude 1 in {facts['found_alone']}, {adjusted}."
                    )
        return found

    def over(self) -> list[dict[str, Any]]:
        """Return the cells over the limit, each with its change."""
        found = []
        for entry in self.plain["interpreters"]:
            cells = {(cell["workload"], cell["subject"]): cell for cell in entry["cells"]}
            for it in entry["over"] or []:
                change = cells[(it["workload"], it["subject"])][it["by"]]
                found.append({"interpreter": entry["label"], **it, "change": interval(change)})
        for entry in self.plain["counted"]:
            ratios = {(cell["workload"], cell["subject"]): cell["ratio"] for cell in entry["cells"]}
            for it in entry["over"] or []:
                found.append(
                    {"interpreter": entry["label"], **it, "change": percent(ratios[(it["workload"], it["subject"])])}
                )
        return found

    def absent(self) -> list[dict[str, str]]:
        """Return what only one of the runs has, one line each."""
        found = []
        for side, entries in self.plain["only_in"].items():
            run = self.plain[side]["run"]
            for entry in entries:
                if entry["subject"] is None:
                    text = f"{entry['interpreter']}"
                else:
                    names = entry["workloads"]
                    text = f"{entry['interpreter']} {entry['subject']}: {len(names)} ({', '.join(names)})"
                found.append({"run": run, "what": text})
        for counted in self.plain["counted"]:
            for side, keys in counted["only_in"].items():
                run = self.plain[side]["run"]
                found += [{"run": run, "what": f"{counted['label']} counted {key[1]}: {key[0]}"} for key in keys]
        return found

    def void(self) -> list[str]:
        """Return the cells that are void in one run or both, by reason."""
        reasons: dict[str, list[str]] = {}
        for entry in [*self.plain["interpreters"], *self.plain["counted"]]:
            for it in entry["void"]:
                text = "; ".join(f"{self.plain[side]['run']}: {it[side]}" for side in ("base", "other") if side in it)
                reasons.setdefault(f"{entry['label']} {it['subject']}: {text}", []).append(it["workload"])
        return [f"{reason} ({', '.join(names)})" for reason, names in sorted(reasons.items())]

    def counts_moved(self, entry: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the counted cells whose instructions changed, the largest change first."""
        return sorted((cell for cell in entry["cells"] if cell["ratio"] != 1), key=lambda it: -abs(it["ratio"] - 1))

    def markdown(self) -> str:
        """Return the complete comparison as Markdown."""
        environment = jinja2.Environment(
            loader=jinja2.PackageLoader("cside_bench.report"),
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
        )
        environment.filters |= {"interval": interval, "cell": lambda text: str(text).replace("|", "\\|")}
        return environment.get_template("compare.md.j2").render(page=self, plain=self.plain, verdicts=VERDICTS, how=HOW)

    def show(self, console: Console) -> None:
        """Print the comparison on the terminal: the summary, the largest changes, the agreement, the notes."""
        plain = self.plain
        console.print(
            f"{plain['base']['run']} (BASE, tier {plain['base']['tier']}) against "
            f"{plain['other']['run']} (OTHER, tier {plain['other']['tier']}); change = OTHER / BASE",
            highlight=False,
        )
        if plain["selection"]:
            console.print(f"only {plain['selection']}", highlight=False)
        self.show_differences(console)
        for warning in self.warnings():
            console.print(Text(f"! {warning}", style="yellow"))
        for entry in plain["interpreters"]:
            console.print(self.tally_table(entry))
            self.show_extremes(console, entry)
        if plain["interpreters"]:
            marks = ", ".join(f"{mark} {name}" for name, mark in MARKS.items())
            console.print(f"{marks}; found: the adjusted interval excludes 1", highlight=False)
        for entry in plain["counted"]:
            self.show_counts(console, entry)
        self.show_agreement(console)
        for title, lines in (
            ("In one run only", [f"{it['run']}: {it['what']}" for it in self.absent()]),
            ("Cells that are void or not steady, which are not compared", self.void()),
        ):
            if lines:
                console.print(f"{title}:", highlight=False)
            for line in lines:
                console.print(Text(f"  {line}", overflow="ellipsis", no_wrap=True))
        for line in self.note():
            console.print(Text(line))
        if plain["interpreters"]:
            console.print(Text(HOW))
        self.show_over(console)

    def show_differences(self, console: Console) -> None:
        """Print the recorded conditions that differ."""
        rows = self.plain["differences"]
        if not rows:
            console.print("no recorded condition differs", highlight=False)
            return
        table = Table(title="What differs", title_justify="left")
        table.add_column("", overflow="fold", max_width=34)
        table.add_column("BASE", overflow="fold")
        table.add_column("OTHER", overflow="fold")
        for row in rows[:ROWS_SHOWN]:
            table.add_row(*(Text(row[name]) for name in ("what", "base", "other")))
        console.print(table)
        if len(rows) > ROWS_SHOWN:
            console.print(f"and {len(rows) - ROWS_SHOWN} more (--markdown and --json have all)", highlight=False)

    def tally_table(self, entry: dict[str, Any]) -> Table:
        """Return the table of verdicts on one interpreter, per subject."""
        table = Table(title=f"{entry['label']}: verdicts on the change of ratios, and of times", title_justify="left")
        table.add_column("")
        kinds = ("ratio", "time") if entry["times_compared"] else ("ratio",)
        for kind in kinds:
            for verdict in VERDICTS:
                table.add_column(f"{kind}\n{MARKS[verdict]}", justify="right")
            table.add_column(f"{kind}\nfound", justify="right")
        for row in self.tallies(entry):
            numbers = []
            for kind in kinds:
                there = row[kind]["of"] > 0
                numbers += [str(row[kind][it]) if there else "" for it in (*VERDICTS, "found")]
            table.add_row(row["subject"], *numbers)
        return table

    def show_extremes(self, console: Console, entry: dict[str, Any]) -> None:
        """Print the largest changes that were found."""
        ways = {way: self.extremes(entry, slower=way == "slower") for way in ("slower", "faster")}
        if not any(ways.values()):
            few = not any(facts["adjusted"] for facts in entry["comparisons"].values())
            text = "too few processes to find any change" if few else "no cell of a binding is found to have changed"
            console.print(f"{entry['label']}: {text}", highlight=False)
            return
        table = Table(title=f"{entry['label']}: largest changes, adjusted 95 % intervals", title_justify="left")
        table.add_column("workload", overflow="fold")
        table.add_column("subject", overflow="fold")
        table.add_column("ratio", overflow="fold")
        if entry["times_compared"]:
            table.add_column("time", overflow="fold")
        for way, cells in ways.items():
            for cell in cells[:EXTREMES]:
                kinds = ("ratio", "time") if entry["times_compared"] else ("ratio",)
                table.add_row(cell["workload"], cell["subject"], *(interval(cell[kind]) for kind in kinds))
            if len(cells) > EXTREMES:
                table.add_row(f"and {len(cells) - EXTREMES} more that are {way}", "", *[""] * (len(table.columns) - 2))
            table.add_section()
        console.print(table)

    def show_counts(self, console: Console, entry: dict[str, Any]) -> None:
        """Print the instructions per call that differ."""
        moved = self.counts_moved(entry)
        title = f"{entry['label']}: {len(moved)} of {len(entry['cells'])} counted cells differ"
        if not moved:
            console.print(title, highlight=False)
            return
        table = Table(title=f"{title}; instructions per call", title_justify="left")
        for name in ("workload", "subject"):
            table.add_column(name, overflow="fold")
        for name in ("BASE", "OTHER", "change"):
            table.add_column(name, justify="right")
        for cell in moved[: 2 * EXTREMES]:
            doubt = "" if cell["stable"] else f" (unstable, ±{share(cell['spread'] or 0)})"
            numbers = (f"{cell[side]:,.0f}" for side in ("base", "other"))
            table.add_row(cell["workload"], cell["subject"], *numbers, f"{(cell['ratio'] - 1) * 100:+.2f} %{doubt}")
        console.print(table)

    def show_agreement(self, console: Console) -> None:
        """Print the verdicts in BASE x the verdicts in OTHER, for bindings, and the verdicts that were reversed."""
        own = self.plain["agreement"]["bindings"]
        if not own["cells"]:
            return
        table = Table(title=f"Do the runs agree? {own['cells']} cells of bindings", title_justify="left")
        table.add_column("BASE \\ OTHER")
        for verdict in VERDICTS:
            table.add_column(verdict, justify="right")
        for mine in VERDICTS:
            table.add_row(mine, *(str(own["counts"][mine][its]) for its in VERDICTS))
        console.print(table)
        console.print(self.agreement_text(), highlight=False)
        for cell in own["turned_cells"][:EXTREMES]:
            console.print(
                f"  reversed: {cell['interpreter']} {cell['workload']} {cell['subject']}: {cell['base']} "
                f"({cell['base_ratio']:.3g}), then {cell['other']} ({cell['other_ratio']:.3g})",
                highlight=False,
            )

    def agreement_text(self) -> str:
        """Return the agreement of the runs in a sentence."""
        own = self.plain["agreement"]["bindings"]
        if not own["directed"]:
            return "No cell is faster or slower in either run."
        return (
            f"Of {own['directed']} cells that are faster or slower in either run: {own['turned']} reversed "
            f"({share(own['share_turned'])}; the runs agree up to {share(self.plain['agreement']['largest_share'])}), "
            f"{own['retracted']} became equivalent, {own['undecided']} inconclusive; {own['kept']} kept their verdict."
        )

    def show_over(self, console: Console) -> None:
        """Print what ``--fail-over`` found."""
        limit = self.plain["fail_over"]
        if limit is None:
            return
        over = self.over()
        if not over:
            console.print(f"no cell of a binding is slower by more than {share(limit)}", highlight=False)
            return
        console.print(Text(f"slower by more than {share(limit)}: {counted(len(over), 'cell')}", style="red"))
        for it in over[:OVER_SHOWN]:
            text = f"  {it['interpreter']} {it['workload']} {it['subject']}: {it['by']} {it['change']}"
            console.print(Text(text, overflow="fold"))
        if len(over) > OVER_SHOWN:
            console.print(f"  and {len(over) - OVER_SHOWN} more (--markdown and --json have all)", highlight=False)
