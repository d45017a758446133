# SPDX-License-Identifier: Apache-2.0
"""The two libraries that the page brings along, as their PyPI packages ship them.

Vega, Vega-Lite and Vega-Embed come from vl-convert, in the version that Altair writes for. DataTables comes from
itables, with its extensions and jQuery in one module. Neither is run before something on the page needs it.
"""

from importlib.resources import files
from typing import Any

import vl_convert


def inert(source: str) -> str:
    r"""A script's text for an element that is not run; without what would end or confuse the element's parsing.

    ``\!`` and ``\/`` mean the same as without the backslash in JavaScript's strings and patterns, which is where
    such characters stand in a minified file.
    """
    return source.replace("<!--", "<\\!--").replace("</script", "<\\/script")


def vega() -> str:
    """Vega, Vega-Lite and Vega-Embed; sets ``window.vegaEmbed``."""
    bundler: Any = vl_convert  # whose stub asks for arguments that it does not need
    return inert(bundler.javascript_bundle())


def datatables() -> str:
    """DataTables as an ES module whose default export is the class."""
    return inert(files("itables").joinpath("html", "dt_bundle.js").read_text(encoding="utf-8"))
