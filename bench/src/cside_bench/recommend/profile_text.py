# SPDX-License-Identifier: Apache-2.0
"""Writes a profile as the text of ``profile.toml``."""

import json
from typing import Any

from cside_bench.recommend.profiles import Profile


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:.10g}"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)  # TOML's basic strings have the syntax of JSON strings
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    assert isinstance(value, dict)
    return "{ " + ", ".join(f"{name} = {_value(it)}" for name, it in value.items()) + " }" if value else "{}"


def plain_tables(profile: Profile) -> dict[str, Any]:
    """Return the complete file as plain data that :func:`parse` accepts."""
    return {"title": profile.title, "text": profile.text, **profile.plain()}


def text_of(profile: Profile) -> str:
    """Return the profile as the text of a file that :func:`read` accepts."""
    lines = [f"title = {_value(profile.title)}"]
    if profile.text:
        lines.append(f"text = {_value(profile.text)}")
    for section, values in profile.plain().items():
        if values:
            lines += ["", f"[{section}]", *(f"{name} = {_value(it)}" for name, it in values.items())]
    return "\n".join(lines) + "\n"
