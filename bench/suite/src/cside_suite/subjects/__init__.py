# SPDX-License-Identifier: Apache-2.0
"""The subjects that are measured and tested: installed bindings and variants, copies of them, and their names."""
