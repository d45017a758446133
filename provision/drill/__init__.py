# SPDX-License-Identifier: Apache-2.0
"""The header-change drill's building side: changed copies of the native library, and bindings built against them.

``nox -s drill`` calls :func:`provision.drill.staging.stage`; what the outcome of a build or of a call means is
judged by ``cside drill``, which reads what is staged here.
"""
