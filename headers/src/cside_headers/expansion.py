# SPDX-License-Identifier: Apache-2.0
"""Replaces macros in code, as C's preprocessor does (C11, 6.10.3): arguments, ``#``, ``##``, and rescanning.

Only macros that rename, and function-like macros, are replaced. Those whose values are numbers stay, since the values
of constants and of sizes of arrays are computed from them later.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cside_headers.errors import HeaderError, Place
from cside_headers.macro_values import Macro

__all__ = ["Token", "expand", "tokens"]

TOKENS = re.compile(
    r"""\s+|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|\.?\d(?:[eEpP][-+]|[\w.])*|\#\#|.""", re.DOTALL
)
"""Blanks, strings, characters, names, numbers (6.4.8), and other characters one by one."""

PASTED = re.compile(r"[A-Za-z_]\w*|\.?\d(?:[eEpP][-+]|[\w.])*|[-+*/%&|^<>=!]{1,3}|\#\#")
"""What ``##`` may make: a name, a number, or an operator."""

VARIADIC = "..."


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of code. `start` is its offset in the source; for a replacement, that of the macro's name."""

    text: str
    start: int
    replaced: bool = False
    hidden: frozenset[str] = frozenset()
    """Names of the macros that it comes from, which are not replaced again."""

    @property
    def blank(self) -> bool:
        """Whether it separates other tokens."""
        return not self.text or self.text.isspace()


def tokens(text: str, start: int) -> Iterator[Token]:
    """The tokens of a piece of code that begins at the offset `start`."""
    for found in TOKENS.finditer(text):
        yield Token(found[0], start + found.start())


def expand(code: Iterable[Token], macros: Mapping[str, Macro], place: Callable[[int], Place]) -> list[Token]:
    """Replace every use of `macros` in the code.

    Raise :class:`HeaderError` for a call that does not end, that has a wrong number of arguments, or whose macro takes
    any number of arguments (``...``), and for ``##`` and ``#`` that C does not allow.
    """
    work = deque(code)
    done: list[Token] = []
    while work:
        token = work.popleft()
        macro = macros.get(token.text)
        if macro is None or token.text in token.hidden:
            done.append(token)
            continue
        if macro.parameters is None:
            hidden = token.hidden | {macro.name}
            body = [Token(t.text, token.start, True, hidden) for t in tokens(macro.body, 0)]
        elif (call := _call(work, macro, place(token.start))) is None:
            done.append(token)
            continue
        else:
            arguments, end = call
            hidden = (token.hidden & end.hidden) | {macro.name}
            body = [
                replace(t, start=token.start, replaced=True, hidden=t.hidden | hidden)
                for t in _substituted(macro, arguments, macros, place, token.start)
            ]
        work.extendleft(reversed(body))
    return done


def _call(work: deque[Token], macro: Macro, place: Place) -> tuple[list[list[Token]], Token] | None:
    """Take the arguments of a call, and the token that ends it. None if no parenthesis follows: then it is no call."""
    at = next((index for index, token in enumerate(work) if not token.blank), None)
    if at is None or work[at].text != "(":
        return None
    parameters = macro.parameters or ()
    if any(VARIADIC in parameter for parameter in parameters):
        raise HeaderError(
            f"{macro.name} takes any number of arguments (...); such macros are not replaced",
            place,
            "Write out what it stands for, or define it differently with -D.",
        )
    for _ in range(at + 1):
        work.popleft()
    arguments: list[list[Token]] = [[]]
    depth = 0
    while work:
        token = work.popleft()
        if token.text == ")" and depth == 0:
            given = [_stripped(argument) for argument in arguments]
            if not parameters and given == [[]]:
                given = []
            if len(given) != len(parameters):
                raise HeaderError(
                    f"{macro.name} takes {len(parameters)} argument{'s' * (len(parameters) != 1)}, not {len(given)}",
                    place,
                )
            return given, token
        if token.text == "," and depth == 0:
            arguments.append([])
            continue
        depth += (token.text == "(") - (token.text == ")")
        arguments[-1].append(token)
    raise HeaderError(f'expected ")", the end of the arguments of {macro.name}', place)


def _stripped(argument: Sequence[Token]) -> list[Token]:
    solid = [index for index, token in enumerate(argument) if not token.blank]
    return list(argument[solid[0] : solid[-1] + 1]) if solid else []


def _substituted(
    macro: Macro,
    arguments: Sequence[list[Token]],
    macros: Mapping[str, Macro],
    place: Callable[[int], Place],
    start: int,
) -> list[Token]:
    """The body with the arguments in it. Next to ``##``, and after ``#``, they are not expanded before (6.10.3.1)."""
    given = dict(zip(macro.parameters or (), arguments, strict=True))
    body = list(tokens(macro.body, 0))
    made: list[Token] = []
    pastes = False
    index = 0
    while index < len(body):
        token = body[index]
        after = next((i for i in range(index + 1, len(body)) if not body[i].blank), None)
        if token.text == "##":
            while made and made[-1].blank and made[-1].text:
                made.pop()
            if not made or after is None:
                raise HeaderError(f"## is at the beginning or end of {macro.name}", macro.at)
            pastes, index = True, after
            continue
        if token.text == "#":
            if after is None or body[after].text not in given:
                raise HeaderError(f"# is not before a parameter of {macro.name}", macro.at)
            piece, index = [Token(_quoted(given[body[after].text]), start)], after
        elif token.text in given:
            whole = pastes or (after is not None and body[after].text == "##")
            piece = list(given[token.text]) if whole else expand(given[token.text], macros, place)
            piece = piece or [Token("", start)]  # an empty argument is pasted as nothing
        else:
            piece = [token]
        if pastes:
            piece = [_pasted(made.pop(), piece[0], macro), *piece[1:]]
            pastes = False
        made += piece
        index += 1
    return made


def _pasted(left: Token, right: Token, macro: Macro) -> Token:
    text = left.text + right.text
    if text and left.text and right.text and not PASTED.fullmatch(text):
        raise HeaderError(f"## in {macro.name} joins {left.text!r} and {right.text!r}, which is not one word", macro.at)
    return Token(text, left.start, hidden=left.hidden & right.hidden)


def _quoted(argument: Sequence[Token]) -> str:
    """The argument as a string literal, its blanks as one blank each."""
    parts = []
    for token in argument:
        literal = token.text[:1] in ("'", '"')
        parts.append(" " if token.blank else re.sub(r'(["\\])', r"\\\1", token.text) if literal else token.text)
    return '"' + "".join(parts) + '"'
