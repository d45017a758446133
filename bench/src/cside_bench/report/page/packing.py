# SPDX-License-Identifier: Apache-2.0
"""A document within the page: as JSON that anybody can read, or compressed where it is too large for that."""

import base64
import gzip
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from cside_bench.report.page.columns import embedded

PLAIN_NBYTES: Final = 1_500_000
"""A document of up to so many bytes stays plain; a larger one takes two fifths of its size as base64 of gzip."""


@dataclass(frozen=True, slots=True)
class Packed:
    """Text for an element, and ``json`` or ``gzip`` for what it is."""

    text: Markup
    encoding: str


def packed(document: Any, plain_nbytes: int = PLAIN_NBYTES) -> Packed:
    """A document ready to be put into the page."""
    text = embedded(document)
    raw = text.encode()
    if len(raw) <= plain_nbytes:
        return Packed(Markup(text), "json")  # `embedded` leaves no "<" in it
    squeezed = gzip.compress(raw, compresslevel=9, mtime=0)
    return Packed(Markup(base64.b64encode(squeezed).decode()), "gzip")
