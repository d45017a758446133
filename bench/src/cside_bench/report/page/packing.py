# SPDX-License-Identifier: Apache-2.0
"""Embeds a document in the page, as readable JSON or, if it is large, compressed."""

import base64
import gzip
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from cside_bench.report.page.columns import embedded

PLAIN_NBYTES: Final = 1_500_000
"""Bytes up to which a document stays plain; base64 of gzip takes two fifths of the size of a larger one."""


@dataclass(frozen=True, slots=True)
class Packed:
    """The text of an element, and its encoding: ``json``, or ``gzip`` for base64 of gzip."""

    text: Markup
    encoding: str


def packed(document: Any, plain_nbytes: int = PLAIN_NBYTES) -> Packed:
    """Return a document as text for an element of the page."""
    text = embedded(document)
    raw = text.encode()
    if len(raw) <= plain_nbytes:
        return Packed(Markup(text), "json")  # `embedded` leaves no "<" in it
    squeezed = gzip.compress(raw, compresslevel=9, mtime=0)
    return Packed(Markup(base64.b64encode(squeezed).decode()), "gzip")
