# SPDX-License-Identifier: Apache-2.0
"""Loads the two JavaScript libraries that are embedded in the page, from their PyPI packages.

Vega, Vega-Lite and Vega-Embed come from vl-convert, in the version that Altair writes for. DataTables comes from
itables, with its extensions and jQuery in one module. Neither is executed before a part of the page needs it.
"""

from importlib.resources import files
from typing import Any

import vl_convert


def inert(source: str) -> str:
    r"""Escape a script's text for an element that is not executed, so that it does not end the element's parsing.

    In JavaScript's strings and patterns, where such characters occur in a minified file, ``\!`` and ``\/`` mean the
    same as the characters without the backslash.
    """
    return source.replace("<!--", "<\\!--").replace("</script", "<\\/script")


def vega() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script that sets ``window.vegaEmbed``."""
    bundler: Any = vl_convert  # its stub requires arguments that are optional
    return inert(bundler.javascript_bundle())


def datatables() -> str:
    """Return DataTables as an ES module whose default export is the class."""
    return inert(files("itables").joinpath("html", "dt_bundle.js").read_text(encoding="utf-8"))
