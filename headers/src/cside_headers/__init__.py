# SPDX-License-Identifier: Apache-2.0
"""Read PKCS #11 headers into a model by a grammar; check the model, compare models, and generate code from one."""
