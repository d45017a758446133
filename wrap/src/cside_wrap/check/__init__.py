# SPDX-License-Identifier: Apache-2.0
"""The check: packages of all techniques are given the same values, good and bad, and have to do the same.

``values``   what functions are given, as trees that no technique knows: by the recipes and rules of ``cside try``
``cases``    the cases of each function: good values, other kinds of the same, and each kind of bad ones
``runner``   the program that calls one package, in the interpreter that has it; it imports nothing of cside
``counter``  counts the calls that reach the library, by the loader's audit interface
``compare``  runs the packages, and says where they differ
"""
