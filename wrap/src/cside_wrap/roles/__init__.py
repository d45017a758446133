# SPDX-License-Identifier: Apache-2.0
"""Roles: what each argument is for, as drafted from its type and name and as the user's rules say; the intermediate
form that templates read.
"""
