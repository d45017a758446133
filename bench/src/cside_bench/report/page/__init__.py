# SPDX-License-Identifier: Apache-2.0
"""Writes ``report.html``, the results of a run as one page without external files.

:mod:`draw` writes it from templates and from two documents that are embedded once and read on first use: the cells
(:mod:`data`) and the rows behind the figures (:mod:`columns`).
"""
