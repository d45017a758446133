# SPDX-License-Identifier: Apache-2.0
"""The hazards: builds the catalogue's mistakes, makes each in processes of its own, and records what happens.

``nox -s hazards`` runs it.
"""
