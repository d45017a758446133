# SPDX-License-Identifier: Apache-2.0
"""The pages of idioms side by side, made from the sources of the checkout and from what ships with cside.

``idioms.toml`` beside this module says which functions a page has. Code, declarations, contract and tests are found by
:mod:`cside_bench.source`, so that nothing of them is written twice.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import jinja2
from cside_suite.subjects.groups import GROUPS, stem_of
from pygments.lexers import find_lexer_class_for_filename

from cside_bench.machine import checkout
from cside_bench.report.hazards import rows as outcomes
from cside_bench.results import hazards, shipped_run
from cside_bench.results.evidence import Run
from cside_bench.site import costs
from cside_bench.source.code import Code
from cside_bench.source.places import Place, bindings, files, places

FOLDER: Final = "idioms"
"""The folder of the pages on the site."""
LISTING: Final = "<!-- pages: the build of the site lists them here -->"
"""The line of ``docs/idioms.md`` whose place the list of pages takes."""
TESTS: Final = 2
"""Number of conformance tests of a function that a page shows; of others it gives the places."""


class NothingFound(Exception):
    """A page lacks one of its parts, because the checkout or what ships with cside has nothing of that name."""


@dataclass(frozen=True, slots=True)
class Page:
    """An entry of ``idioms.toml``, which explains the fields."""

    name: str
    title: str
    about: str
    functions: list[str]
    prefer: list[str]
    hazards: list[str]
    alike: str = ""
    whole: str = ""
    workloads: dict[str, list[str]] = field(default_factory=dict)


def pages() -> list[Page]:
    """Return the pages in the order of the site."""
    text = Path(__file__).with_name("idioms.toml").read_text(encoding="utf-8")
    return [Page(**entry) for entry in tomllib.loads(text)["page"]]


def listing() -> str:
    """Return the table of the pages, and the directive that puts them into the site's contents."""
    return _template("idioms.md.j2").render(pages=pages())


def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("cside_bench.site"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    return environment.get_template(name)


def texts(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the Markdown of each page. Raises :class:`NothingFound` if a part of one is nowhere."""
    run = shipped_run.load()
    template = _template("idiom.md.j2")
    for page in pages():
        functions = [function(root, run, page, name) for name in page.functions]
        text = template.render(
            page=page,
            functions=functions,
            whole=whole(root, page) if page.whole else [],
            run=shipped_run.provenance(run),
            mistakes=mistakes(page),
        )
        yield f"{FOLDER}/{page.name}", text


def function(root: Path, run: Run, page: Page, name: str) -> dict[str, Any]:
    """Return all parts of a function that a page shows. Raises :class:`NothingFound` if one is missing."""
    found = places(root, name)
    stem = stem_of(name)
    noun = stem.partition("_")[0]
    tests = _of(found, "test")
    tests.sort(key=lambda it: (it.path.stem != f"test_{stem}", it.last - it.first))
    parts: dict[str, Any] = {
        "name": name,
        "declaration": [_shown(root, it) for it in _of(found, "C declaration")],
        "contract": [_shown(root, it) for it in _of(found, "contract")],
        "tests": [_shown(root, it) for it in tests[:TESTS]],
    }
    for what, pieces in parts.items():
        if not pieces:
            raise NothingFound(f"page {page.name!r}: the checkout has no {what} of {name}")
    sides, lacking = _sides(root, page, found, noun, name)
    return parts | {
        "sides": sides,
        "lacking": lacking,
        "other_tests": [_where(root, it) for it in tests[TESTS:]],
        "costs": costs.table(root, run, name, noun, page.workloads.get(name, [])),
    }


def _of(found: list[Place], what: str) -> list[Code]:
    return [each.code for each in found if each.what == what]


def _sides(
    root: Path, page: Page, found: list[Place], noun: str, name: str
) -> tuple[list[tuple[str, list[dict[str, str]]]], list[str]]:
    """Return the code of each binding, without its partial variants, and the bindings that have no such noun."""
    knobs = {tuple(each.split(".")) for each, told in checkout.declared().items() if told["partial"]}
    sides, lacking = [], []
    for binding in bindings(root):
        own = [
            each.code
            for each in found
            if each.what.split()[0] == binding and not any((binding, word) in knobs for word in each.what.split()[1:])
        ]
        if own:
            sides.append((binding, [_shown(root, it) for it in own]))
        elif files(root, binding, f"{noun}_"):
            raise NothingFound(f"page {page.name!r}: bindings/{binding} has no code of {name}")
        else:
            lacking.append(binding)
    return sides, lacking


def whole(root: Path, page: Page) -> list[tuple[str, list[dict[str, str]]]]:
    """Return each binding's whole files that have the page's stem. Raises :class:`NothingFound` if one has none."""
    found = []
    for binding in bindings(root):
        own = [path for path in files(root, binding, page.whole) if "variants" not in path.parts]
        if own:
            lines = [(path, len(path.read_text(encoding="utf-8").splitlines())) for path in own]
            found.append((binding, [_shown(root, Code(path, 1, last)) for path, last in lines]))
        elif files(root, binding, f"{page.whole.partition('_')[0]}_"):
            raise NothingFound(f"page {page.name!r}: bindings/{binding} has no file {page.whole}")
    return found


def mistakes(page: Page) -> dict[str, Any]:
    """Return the mistakes of a page with the outcome of each approach on each interpreter.

    Raises :class:`NothingFound` if the shipped outcomes have no such mistake.
    """
    told = hazards.reference()
    known = {each["id"]: each for each in told["hazards"]}
    if unknown := [name for name in page.hazards if name not in known]:
        raise NothingFound(f"page {page.name!r}: there is no mistake {', '.join(unknown)}")
    tables = []
    for each in told["interpreters"]:
        rows = [(known[name], words) for name, words in outcomes(told, each["label"]) if name in page.hazards]
        tables.append((each["label"], rows))
    return {"approaches": [told["titles"][name] for name in told["approaches"]], "tables": tables}


def left_out() -> list[str]:
    """Return the functions of idioms that no page has and that no page names as being like one of its own."""
    known = pages()
    shown = {name for page in known for name in page.functions}
    alike = {name for page in known for name in page.alike.replace("`", "").replace(",", " ").split()}
    return [
        name
        for stem, names in GROUPS.items()
        if stem.startswith("idioms")
        for name in names
        if name not in shown | alike
    ]


def _shown(root: Path, found: Code) -> dict[str, str]:
    return {
        "place": _where(root, found),
        "lexer": _language(found.path),
        "code": _without_indent(found.text()),
    }


def _language(path: Path) -> str:
    """Return the name by which Pygments knows the language of a file; of a header it is C."""
    lexer = find_lexer_class_for_filename(path.with_suffix(".c").name if path.suffix == ".h" else path.name)
    return str(lexer.aliases[0]) if lexer is not None else "text"


def _where(root: Path, found: Code) -> str:
    return f"{found.path.relative_to(root).as_posix()}:{found.first}"


def _without_indent(text: str) -> str:
    """Return the lines without the spaces that all of them begin with, and tabs as four spaces."""
    lines = text.expandtabs(4).splitlines()
    spaces = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[spaces:] for line in lines)
