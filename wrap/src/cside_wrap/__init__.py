# SPDX-License-Identifier: Apache-2.0
"""cside_wrap reads the header of a C library and describes how to bind it.

``header``   reads a header with libclang, and has a compiler prove what was read
``roles``    drafts what each argument is for, merges the user's rules, and makes the intermediate form
``project``  the files of a project folder: cside.toml, overrides.toml, cside.lock
``review``   the questions that a draft leaves open, and their answers
``trial``    calls each function in a process of its own
``packages`` writes, builds and installs a package for each technique of binding
``check``    gives the packages the same values, and says where they differ
``profile``  counts the calls of a real program
"""
