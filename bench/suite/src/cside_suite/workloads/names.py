"""The names of workloads, such as ``codec.crc32[16]``, derived from the names of their tests."""

import pytest


def base_name(module: str, test: str) -> str:
    """Return ``codec.crc32`` for the module ``….workloads.test_codec`` and the test ``test_crc32[cext-16]``."""
    return f"{module.rpartition('.test_')[2]}.{test.partition('[')[0].removeprefix('test_')}"


def identify(item: pytest.Item) -> tuple[str, str]:
    """Return (workload, subject) of a collected test; parameters other than ``subject`` are in brackets."""
    if not isinstance(item, pytest.Function):
        raise TypeError(f"{item.nodeid} is no test function")
    parameters = {name: str(value) for name, value in item.callspec.params.items()}
    subject = parameters.pop("subject")
    if "workload" in parameters:  # of a user's library: the name is the parameter
        return parameters["workload"], subject
    base = base_name(item.module.__name__, item.name)
    return (f"{base}[{'-'.join(parameters.values())}]" if parameters else base), subject
