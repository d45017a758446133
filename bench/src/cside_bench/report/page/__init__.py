# SPDX-License-Identifier: Apache-2.0
"""``report.html``: what a run found, on one page that needs nothing beside itself.

:mod:`draw` writes it, from templates and from two documents that are embedded once and read when they are first
needed: the cells (:mod:`data`) and the rows behind the figures (:mod:`columns`).
"""
