# SPDX-License-Identifier: Apache-2.0
"""What is measured and tested: the installed bindings and variants, their copies, their names, the modules they open."""
