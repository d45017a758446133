# SPDX-License-Identifier: Apache-2.0
"""Sphinx's configuration of the documentation site. `nox -s docs` builds it; the pages are staged before."""

from typing import Any

import cside_bench
from sphinx.application import Sphinx

project = "cside"
copyright = "cside contributors"  # noqa: A001  # Sphinx names it so
release = version = cside_bench.__version__
language = "en"
highlight_language = "none"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # a piece of a file is not always a whole in its language

autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
autodoc_default_options = {"exclude-members": "__init__, __new__"}
autodoc_typehints = "signature"
add_module_names = False

html_theme = "furo"
html_title = "cside"
html_static_path = ["_static"]
html_css_files = ["sides.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_search_summary = False  # it would be fetched, which a browser refuses for files


def accessible(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object) -> None:
    """Let the keyboard reach code and tables, which may scroll, and give the headings of the contents their level."""
    if "body" in context:
        body = context["body"].replace("<pre>", '<pre tabindex="0">')
        context["body"] = body.replace('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper')
    if "furo_navigation_tree" in context:
        tree = context["furo_navigation_tree"]
        context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Sphinx) -> None:
    """Sphinx calls this when it starts."""
    from pygments.lexers.special import TextLexer

    app.add_lexer("mermaid", TextLexer)  # drawn by GitHub; the site shows the text
    app.connect("html-page-context", accessible, priority=900)  # after the theme has made its contents
