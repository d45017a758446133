# SPDX-License-Identifier: Apache-2.0
# Construction: classes whose objects only functions of this module may make.

cdef object MAKER = object()  # such a class requires it as an argument; Python code cannot get it
