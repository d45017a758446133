# SPDX-License-Identifier: Apache-2.0
"""What the header-change drill builds: changed copies of the native library, and bindings built against them.

``nox -s drill`` calls :func:`provision.drill.staging.stage`. ``cside drill`` reads what was built, calls the bindings,
and judges the outcomes.
"""
