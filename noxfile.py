# SPDX-License-Identifier: Apache-2.0
"""The sessions of cside. `nox -l` lists them; arguments after `--` go to the tool that a session runs."""

import functools
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Concatenate, ParamSpec

import nox
import nox.project

if sys.version_info < (3, 11):  # noqa: UP036  # nox itself runs on older ones, and a syntax error would not say this
    sys.exit("cside's sessions need nox to run on Python 3.11 or newer")

sys.path.insert(0, str(Path(__file__).resolve().parent))

from provision import (
    declared,
    freethreading,
    hygiene,
    interpreters,
    labs,
    packages,
    parallel,
    paths,
    protocols,
    toolchain,
    tools,
    words,
    workshop,
)
from provision import hazards as mistakes
from provision.commands import Problem, environment, settle
from provision.drill import asked, staging
from provision.release import asked as release_asked
from provision.release import installs, make
from provision.reliability import analysis, coverage, fuzzing, fuzzing_python, rows, sanitizers
from workshop import __main__ as participant

nox.needs_version = ">=2025.2.9"
nox.options.sessions = ["tests", "lint", "typing", "docs-test"]

# Every session has the backend "none": `provision` makes the environments, shares them between sessions and checks what
# they hold. With this backend nox ignores `python=[...]`, so the sessions of each interpreter are registered in loops.

PROJECT = nox.project.load_toml("pyproject.toml")
"""Versions of the linters and of the type checker stand there."""

P = ParamSpec("P")


def told(work: Callable[Concatenate[nox.Session, P], None]) -> Callable[Concatenate[nox.Session, P], None]:
    """Make a session that raises `Problem` fail with the problem's text and without a traceback."""

    @functools.wraps(work)
    def session(session: nox.Session, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            work(session, *args, **kwargs)
        except Problem as problem:
            session.error(str(problem))

    return session


def available(session: nox.Session, name: str) -> interpreters.Interpreter:
    """Return the interpreter of this name. Where there is none the session is skipped; with `CI=true` it fails."""
    found = workshop.interpreter(name)
    if isinstance(found, interpreters.Missing):
        session.skip(str(found))
    return found


def run(
    session: nox.Session,
    *command: str | Path,
    variables: dict[str, str] | None = None,
    patience_s: float = 30,
    silent: bool = False,
) -> str:
    """Run a program of one of our environments; with `silent`, return its standard output.

    After Ctrl-C the program has `patience_s` seconds to save what is finished before nox ends it. With `silent`, its
    standard output is shown only if it fails.
    """
    settle()
    printed = session.run(
        *map(str, command),
        env=environment() | (variables or {}),
        include_outer_env=False,
        external=True,
        silent=silent,
        stderr=None,  # nox would merge it into standard output, which may be read by the next program of a pipe
        interrupt_timeout=patience_s,
        terminate_timeout=5,
    )
    return str(printed)


def run_from_there(session: nox.Session, *command: str | Path, variables: dict[str, str] | None = None) -> None:
    """Run a program in the folder that nox was started in, so that the user's relative paths are right."""
    with session.chdir(session.invoked_from):
        run(session, *command, variables=variables)


@nox.session(venv_backend="none")
@told
def native(session: nox.Session) -> None:
    """Build libcside: its wheel, and its own tests, run by ctest."""
    session.log(f"wheel: {workshop.native_wheel().path}")
    workshop.native_tests()


@nox.session(venv_backend="none")
@nox.parametrize("binding", [nox.param(name, id=name) for name in packages.binding_names()])
def build(session: nox.Session, binding: str) -> None:
    """Build a binding's wheel for each interpreter of the matrix: `nox -s "build(cffi)"`; `nox -s build` builds all."""
    for name in interpreters.MATRIX:
        session.notify(f"build-{name}({binding})")


@nox.parametrize("binding", [nox.param(name, id=name) for name in packages.binding_names()])
@told
def build_for_one(session: nox.Session, binding: str) -> None:
    """Build one binding's wheel for one interpreter, install it and import it: `nox -s "build-3.13(cffi)"`."""
    python = available(session, session.name.removeprefix("build-").partition("(")[0])
    _, wheels = workshop.prepare([python], [binding], with_suite=False)[python.label]
    session.log(f"wheel: {wheels[-1].path}")


for name in interpreters.MATRIX:
    nox.session(name=f"build-{name}", venv_backend="none")(build_for_one)

TESTED = ("native", "bench", "page", "workshop", "install", *interpreters.MATRIX)
"""What `nox -s tests` tests, each in a session of its own: libcside, our tools, the page, labs, pip, all bindings."""


@nox.session(venv_backend="none")
def tests(session: nox.Session) -> None:
    """Test everything: run tests-native, -bench, -page, -workshop, -install, and tests-X for each interpreter X."""
    for part in TESTED:
        session.notify(f"tests-{part}")


BROWSER = "bench/tests/report/page/browser"
BY_PATH = "--import-mode=importlib"
"""For folders of tests in which two files may have the same name."""


def pytest(session: nox.Session, python: Path, *chosen: str, alone: tuple[str, ...] = (), **variables: str) -> None:
    """Run pytest in two processes side by side.

    Tests that are marked `alone` are run afterwards, one at a time; `alone` selects the files in which they are.
    """
    plugin = parallel.plugin(nox.project.dependency_groups(PROJECT, "tests"), python)
    tool = (python, "-m", "pytest", "-p", "no:cacheprovider")
    workers = ("-n", str(parallel.WORKERS), "--dist", "worksteal", "-m", "not alone")
    run(session, *tool, *workers, *chosen, variables={"PYTHONPATH": str(plugin), **variables})
    if alone:
        run(session, *tool, "-m", "alone", *alone, variables=variables)


GIL_STAYS_OFF = "error:The global interpreter lock:RuntimeWarning"
"""The interpreter warns when the import of a module that does not declare its support switches the GIL on."""


def without_gil(session: nox.Session, part: str) -> None:
    """Test the bindings that declare free threading: each test as elsewhere, and then in several threads at a time."""
    python = available(session, part)
    env, _ = workshop.prepare([python])[python.label]
    declared = freethreading.declared(env.python)
    plugin = parallel.plugin(nox.project.dependency_groups(PROJECT, "free-threading"), env.python)
    tool = (env.python, "-W", GIL_STAYS_OFF, "-m", "pytest", "-p", "no:cacheprovider", "--pyargs")
    chosen = list(session.posargs)
    if not words.limits(chosen).bindings:  # a binding that does not declare it would switch the GIL on
        chosen += [word for name in declared for word in ("--binding", name)]
    run(session, *tool, "cside_suite.conformance", "-m", "not alone", *chosen)
    in_threads = ("--parallel-threads", str(freethreading.THREADS), "-m", "not alone")
    nouns = ("cside_suite.conformance.idioms", "cside_suite.conformance.codec")
    run(session, *tool, *nouns, *in_threads, *chosen, variables={"PYTHONPATH": str(plugin)})


@told
def tests_of_one(session: nox.Session) -> None:
    """Test libcside (tests-native), our tools (-bench), the page, the labs, `pip install`, bindings (tests-3.13)."""
    part = session.name.removeprefix("tests-")
    if part == "native":
        workshop.native_tests()
    elif part == "bench":
        env, _ = workshop.workbench()
        pytest(session, env.python, "provision/tests", "headers/tests")
        mirrored = (BY_PATH, "bench/suite/tests", "bench/tests", "wrap/tests", f"--ignore={BROWSER}")
        pytest(session, env.python, *mirrored, alone=mirrored)
    elif part == "page":
        env, _ = workshop.workbench(nox.project.dependency_groups(PROJECT, "page"))
        pytest(session, env.python, BY_PATH, BROWSER, alone=(BY_PATH, f"{BROWSER}/test_size.py"))
    elif part == "workshop":
        env = labs.environment(nox.project.dependency_groups(PROJECT, "labs"))
        pytest(session, env.python, BY_PATH, "workshop/tests", "examples/programs/tests")
    elif part == "install":  # isolated builds are slow: one binding here, all in the session wheels
        chosen = packages.bindings(words.limits(session.posargs).bindings or [packages.reference()])
        installs.from_checkout(workshop.driver_interpreter(), chosen)
    elif re.fullmatch(r"\d+\.\d+t", part):
        without_gil(session, part)
    else:
        python = available(session, part)
        env, _ = workshop.prepare([python])[python.label]
        suite = ("--pyargs", "cside_suite.conformance")
        if session.posargs:
            run(session, env.python, "-m", "pytest", *suite, "-p", "no:cacheprovider", *session.posargs)
            return
        tool: tuple[str | Path, ...] = (env.python, "-m", "pytest", "-p", "no:cacheprovider")
        folders = ("idioms", "pkcs11")
        rest = [f"--ignore-glob=*/conformance/{folder}/*" for folder in folders]
        some = ("--pyargs", *(f"cside_suite.conformance.{folder}" for folder in folders))
        parts: list[tuple[str | Path, ...]] = [
            (*tool, "-m", "not alone", *suite, *rest),
            (*tool, "-m", "not alone", *some),
        ]
        parallel.run_side_by_side(parts, environment())
        watched = ("cside_suite.conformance.test_gil", "cside_suite.conformance.idioms.test_idioms_threads")
        run(session, *tool, "-m", "alone", "--pyargs", *watched)
        if own := packages.bindings_tests():
            run(session, *tool, BY_PATH, *own)


for name in (*TESTED, *interpreters.ON_REQUEST):
    nox.session(name=f"tests-{name}", venv_backend="none")(tests_of_one)


def built_site(session: nox.Session) -> Path:
    """Build the documentation site, any warning of which fails; its folder."""
    python = workshop.driver(["site"]).python
    site = paths.BUILD / "site"
    run(session, python, "-m", "cside_bench.cli.site_pages", site / "source")
    sphinx = (python, "-m", "sphinx", "--fail-on-warning", "--jobs", "2", "--conf-dir", "docs", "--doctree-dir")
    run(session, *sphinx, site / "doctrees", site / "source", site / "html")
    return site / "html"


@nox.session(venv_backend="none")
@told
def docs(session: nox.Session) -> None:
    """Build the documentation site from the pages, the sources and the shipped run; warnings are errors."""
    session.log(f"open {built_site(session) / 'index.html'}")


@nox.session(name="docs-test", venv_backend="none")
@told
def docs_test(session: nox.Session) -> None:
    """Build the site, test it in a browser, and run the commands that pages show: `nox -s docs-test -- -k tutorial`."""
    site = built_site(session)
    env, _ = workshop.workbench(nox.project.dependency_groups(PROJECT, "page"))
    pytest(session, env.python, BY_PATH, "docs/tests", *session.posargs, CSIDE_SITE=str(site))


@nox.session(venv_backend="none")
@told
def sanitize(session: nox.Session) -> None:
    """Test libcside and bindings with sanitizers of gcc and clang, and by valgrind; `nox -s sanitize -- address`."""
    tried = sanitizers.run(session.posargs)
    print(rows.table(tried, sanitizers.FINDS))
    if failed := [row for row in tried if row.failed]:
        raise Problem(f"{len(failed)} of {len(tried)} builds have tests that failed")


@nox.session(venv_backend="none")
@told
def fuzz(session: nox.Session) -> None:
    """Run the fuzz targets from their corpora: `nox -s fuzz -- --time 60`; `--target codec`, `--keep` new inputs."""
    asked = fuzzing.read(session.posargs, fuzzing_python.targets())
    tried = fuzzing.run(asked) + fuzzing_python.run(asked)
    print(fuzzing.table(tried))
    if found := [row for row in tried if row.findings]:
        raise Problem(f"{len(found)} of {len(tried)} targets have findings, in {fuzzing.FINDINGS}")


@nox.session(venv_backend="none")
@told
def branches(session: nox.Session) -> None:
    """Print which branches of libcside and of the token their own tests take, file by file."""
    env = workshop.analyzers(nox.project.dependency_groups(PROJECT, "analyzers"))
    for part, table in coverage.run(env.python.with_name("gcovr")).items():
        print(f"\n{part}\n{table}")


@nox.session(venv_backend="none")
@told
def analyze(session: nox.Session) -> None:
    """Let gcc -fanalyzer and clang-tidy read libcside and the token; what they find is an error."""
    env = workshop.analyzers(nox.project.dependency_groups(PROJECT, "analyzers"))
    print("\n".join(analysis.run(env.python.with_name("clang-tidy"))))


@nox.session(venv_backend="none")
@told
def bench(session: nox.Session) -> None:
    """Build what has changed, and measure all bindings under all interpreters: `nox -s bench -- --quick`."""
    driver = workshop.driver()
    limits = words.limits(session.posargs)
    tool: list[str | Path] = [driver.python, "-m", "cside_bench", "run"]
    if not limits.only_told:
        with session.chdir(session.invoked_from):  # a misspelt name is told before anything is built
            run(session, *tool, "--dry-run", *session.posargs, silent=True)
        bindings = [packages.reference()] if limits.project else packages.with_reference(limits.bindings)
        few = limits.quick and not limits.named_interpreters
        names = workshop.quick_interpreters() if few else limits.interpreters
        layouts = not (limits.quick or limits.project)
        staged = workshop.stage(names, bindings, asked=limits.named_interpreters, layouts=layouts)
        tool += ["--environments", staged]
    run_from_there(session, *tool, *session.posargs)


@nox.session(venv_backend="none")
@told
def verify(session: nox.Session) -> None:
    """Measure cells of the newest run again, each alone, or of another run: `nox -s verify -- RUN`."""
    tool: list[str | Path] = [workshop.driver().python, "-m", "cside_bench", "verify"]
    if not words.limits(session.posargs).only_told:
        with session.chdir(session.invoked_from):  # a misspelt name is told before anything is built
            needed = json.loads(run(session, *tool, "--dry-run", "--json", *session.posargs, silent=True))
        names = [interpreters.name_of(label) for label in needed["interpreters"]]
        tool += ["--environments", workshop.stage(names, packages.with_reference(needed["bindings"]), asked=True)]
    run_from_there(session, *tool, *session.posargs)


@nox.session(venv_backend="none")
@told
def report(session: nox.Session) -> None:
    """Draw the report of the newest run again, or of another: `nox -s report -- RUN`."""
    run_from_there(session, workshop.driver().python, "-m", "cside_bench", "report", *session.posargs)


@nox.session(venv_backend="none")
@told
def wheels(session: nox.Session) -> None:
    """Make, audit and try the wheels that a team publishes: `nox -s wheels`; `nox -s wheels -- --help` teaches it."""
    wanted = release_asked.read(session.posargs)
    env = workshop.publishing(nox.project.dependency_groups(PROJECT, "wheels"))
    rows = make.release(wanted.python or interpreters.MATRIX, wanted.binding or [], tools.scripts(env.folder))
    print(make.table(rows))
    print(f"\nThe wheels and source distributions are in {make.folder().relative_to(paths.ROOT)}.")
    if failed := [row for row in rows if "FAILED" in row.audit + row.tried]:
        raise Problem(f"{len(failed)} of {len(rows)} lines of the table have a failure")


@nox.session(venv_backend="none")
@told
def drill(session: nox.Session) -> None:
    """Change the library's headers, and record which binding notices, and when: `nox -s drill -- --binding cffi`."""
    with session.chdir(session.invoked_from):
        wanted = asked.read(session.posargs)
    driver = workshop.driver()
    prepared = () if wanted.help else ("--prepared", staging.stage(wanted))
    run_from_there(session, driver.python, "-m", "cside_bench", "drill", *prepared, *session.posargs)


@nox.session(venv_backend="none")
@told
def hazards(session: nox.Session) -> None:
    """Make classic mistakes with each approach, and record what happens: `nox -s hazards -- --only fork`."""
    wanted = mistakes.asked(session.posargs)
    driver = workshop.driver()
    prepared = () if wanted.help else ("--prepared", mistakes.stage(wanted))
    run(session, driver.python, "-m", "cside_bench", "hazards", *prepared, *session.posargs)


@nox.session(venv_backend="none")
@told
def lab(session: nox.Session) -> None:
    """Measure on several machines through dask, and draw one report: `nox -s lab -- --local 2 -- --quick`."""
    tool = (workshop.driver(["lab"]).python, "-m", "cside_bench", "lab")
    run(session, *tool, *session.posargs, patience_s=100)  # workers have a minute to keep what is finished


@nox.session(name="workshop", venv_backend="none")
@told
def labs_of_the_workshop(session: nox.Session) -> None:
    """Work on a lab: `nox -s workshop -- start 3`, `-- check 3`, `-- solve 3`, `-- list`; `-- prepare` fetches all."""
    asked_for = participant.parser().parse_args(session.posargs)  # what is misspelt is told before anything is built
    wanted = nox.project.dependency_groups(PROJECT, "labs", "notebook")
    if asked_for.action == "prepare":
        session.log(labs.prepare(wanted))
    python = labs.environment(wanted).python
    run_from_there(session, python, "-m", "workshop", *session.posargs, variables={"PYTHONPATH": str(paths.ROOT)})


@nox.session(venv_backend="none")
@told
def slides(session: nox.Session) -> None:
    """Render the workshop's slides to HTML that needs no network: `.cside/slides/index.html`."""
    python = labs.environment(nox.project.dependency_groups(PROJECT, "labs")).python
    target = paths.STATE / "slides"
    source = paths.ROOT / "workshop" / "slides"
    run(session, python.with_name("mkslides"), "build", source, "--site-dir", target)
    session.log(f"open {target.relative_to(paths.ROOT)}/index.html")


@nox.session(venv_backend="none")
@told
def cside(session: nox.Session) -> None:
    """Run the cside command: `nox -s cside -- --help`, `nox -s cside -- headers diff OLD NEW`."""
    run_from_there(session, workshop.driver().python, "-m", "cside_bench", *session.posargs)


@nox.session(venv_backend="none")
@told
def generate(session: nox.Session) -> None:
    """Write what is generated from PKCS #11 headers, the contract and --help; `-- --check` only compares it."""
    driver = workshop.driver(["documents"])
    run(session, driver.python, "-m", "cside_headers", "generate", *session.posargs)
    run(session, driver.python, "-m", "cside_bench.cli.docstrings", *session.posargs)
    run(session, driver.python, "-m", "cside_bench.cli.command_page", *session.posargs)
    run(session, driver.python, "-m", "cside_bench.cli.architecture_page", *session.posargs)
    run(session, driver.python, "-m", "cside_bench.cli.hazards_page", *session.posargs)
    run(session, driver.python, "-m", "cside_bench.cli.backtest_page", *session.posargs)


@nox.session(venv_backend="none")
@told
def lint(session: nox.Session) -> None:
    """Check style, spelling, imports between packages, generated files, and that no file has a path of this machine."""
    env = workshop.linters(nox.project.dependency_groups(PROJECT, "lint"))
    run(session, env.python, "-m", "ruff", "check", ".")
    run(session, env.python, "-m", "ruff", "format", "--check", ".")
    if hand_written := hygiene.c_files():
        run(session, env.python.with_name("clang-format"), "--dry-run", "--Werror", "--style=file", *hand_written)
    halves = (packages.suite(), packages.bench(), packages.wrap())
    rooms = {"PYTHONPATH": os.pathsep.join(str(each.folder / "src") for each in halves)}
    contracts = ("--config", "bench/importlinter.toml", "--no-cache", "--no-logo")
    run(session, env.python.with_name("lint-imports"), *contracts, variables=rooms)
    driver = workshop.driver(["documents"])
    run(session, driver.python, "-m", "cside_headers", "generate", "--check")
    run(session, driver.python, "-m", "cside_bench.cli.docstrings", "--check")
    run(session, driver.python, "-m", "cside_bench.cli.command_page", "--check")
    run(session, driver.python, "-m", "cside_bench.cli.architecture_page", "--check")
    run(session, driver.python, "-m", "cside_bench.cli.hazards_page", "--check")
    run(session, driver.python, "-m", "cside_bench.cli.backtest_page", "--check")
    files = hygiene.repository_files()
    run(session, env.python, "-m", "codespell_lib", "--toml", "pyproject.toml", *files)
    if found := hygiene.machine_paths(files, [Path.home(), paths.ROOT]):
        raise Problem("these lines contain a path of this machine:\n" + "\n".join(found))


@nox.session(venv_backend="none")
@told
def typing(session: nox.Session) -> None:
    """Check types: our Python, every binding against the contract, every compiled module against its stub."""
    toolchain.check()
    env, wheels = workshop.workbench(nox.project.dependency_groups(PROJECT, "typing", "page", "labs"))
    sources = [folder for folder in packages.python_sources() if any(folder.rglob("*.py"))]
    oldest = PROJECT["tool"]["ruff"]["target-version"].replace("py3", "3.")  # stubs are held to the running one instead
    mypy = (env.python, "-m", "mypy", "--strict", "--config-file", "pyproject.toml", "--python-version", oldest)
    run(session, *mypy, "noxfile.py", "provision")
    taught = [*sorted(paths.ROOT.glob("workshop/*.py")), *(paths.ROOT / "workshop" / "tests").glob("*.py")]
    taught += sorted(paths.ROOT.glob("examples/programs/**/*.py"))
    run(session, *mypy, *sources, *taught, variables={"MYPYPATH": os.pathsep.join(map(str, sources))})
    bound = declared.nouns(env.python, protocols.packages_of(wheels))
    check = paths.BUILD / "typing" / "bindings_keep_the_contract.py"
    check.parent.mkdir(parents=True, exist_ok=True)
    check.write_text(protocols.assignments(bound, packages.contract()), encoding="utf-8")
    run(session, *mypy, check)
    left_out = packages.without_stubtest()
    compiled = [module for wheel in wheels for module in wheel.compiled_modules() if module not in left_out]
    run(session, env.python, "-m", "mypy.stubtest", "--mypy-config-file", "pyproject.toml", *compiled)
