# SPDX-License-Identifier: Apache-2.0
"""PKCS #11 headers as data: a grammar reads them into a model, templates and checks work from it."""
