# SPDX-License-Identifier: Apache-2.0
"""The texts that workloads compress."""

from pathlib import Path

import pytest
from cside_suite.workloads import corpus


def test_corpora_are_real_and_recorded(tmp_path: Path) -> None:
    """Text, machine code and noise, each with its digest; a user's folder is added; an empty one is an error."""
    own = tmp_path / "own"
    own.mkdir()
    with pytest.raises(corpus.CorpusError, match="no bytes"):
        corpus.save(tmp_path / "corpus", own)
    (own / "b").write_bytes(b"second")
    (own / "a").write_bytes(b"first ")
    digests = corpus.save(tmp_path / "corpus", own)
    assert sorted(digests) == ["machine", "random", "text", "user"]
    assert (tmp_path / "corpus" / "user.bin").read_bytes() == b"first second"
    with pytest.raises(corpus.CorpusError, match="no such file"):
        corpus.save(tmp_path / "corpus", tmp_path / "nowhere")
