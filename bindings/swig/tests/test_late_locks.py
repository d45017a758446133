# SPDX-License-Identifier: Apache-2.0
"""A module that uses the locks of C_Initialize after C_Finalize, or a lock after it was destroyed, finds nothing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import cside_native
import pytest

MODULE = """
#include <cside/pkcs11.h>

static CK_C_INITIALIZE_ARGS locks;
static CK_VOID_PTR mutex;

static CK_RV initialize(CK_VOID_PTR args)
{
    locks = *(CK_C_INITIALIZE_ARGS *)args;
    return locks.CreateMutex(&mutex);
}

static CK_RV finalize(CK_VOID_PTR reserved)
{
    return CKR_OK;
}

static CK_FUNCTION_LIST list = {.version = {2, 40}, .C_Initialize = initialize, .C_Finalize = finalize};

CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR out)
{
    *out = &list;
    return CKR_OK;
}

/* Use the locks, and return how many of the calls failed. */
int use(int create)
{
    CK_VOID_PTR other = mutex;

    return (locks.LockMutex(mutex) != CKR_OK) + (locks.UnlockMutex(mutex) != CKR_OK) +
           (locks.DestroyMutex(mutex) != CKR_OK) + (create && locks.CreateMutex(&other) != CKR_OK);
}
"""

PROGRAM = """
import ctypes, sys
from cside_native.pkcs11_types import CK_C_INITIALIZE_ARGS
from cside_swig import pkcs11

def locks():
    def create(): return object()
    def other(mutex): seen.append(mutex)
    return CK_C_INITIALIZE_ARGS(create, other, other, other, 2, None)

seen = []
module = pkcs11.load(sys.argv[1])
use = ctypes.CDLL(sys.argv[1]).use
module.C_Initialize(locks())
print(use(0), len(seen))  # the callables are there
print(use(0), len(seen))  # the mutex has been destroyed, and no new one has its address
module.C_Finalize()
print(use(1), len(seen))  # the callables are gone
for _ in range(3):
    module.C_Initialize(locks())
    module.C_Finalize()
    print(use(1), len(seen))
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler to make the module with")
def test_locks_of_a_finalised_module_are_gone(tmp_path: Path) -> None:
    """Late uses call nothing and do no harm. Freed memory is overwritten, so that its use would not go unnoticed."""
    source, module = tmp_path / "late.c", tmp_path / "late.so"
    source.write_text(MODULE, encoding="utf-8")
    subprocess.run(["cc", "-shared", "-fPIC", f"-I{cside_native.include_dir()}", "-o", module, source], check=True)
    environment = {**os.environ, "MALLOC_PERTURB_": "165", "PYTHONMALLOC": "malloc"}
    command = [sys.executable, "-c", PROGRAM, str(module)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["0 3", "3 3", *["4 3"] * 4]
