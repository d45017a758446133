# SPDX-License-Identifier: Apache-2.0
"""The program that runs pages notices what is wrong in them."""

from pathlib import Path

from documents import Command, File, alike, follow, steps

PAGE = """# A page

```sh
# greet.sh: says hello
echo "hello $1"
```

```python
# other.py
VALUE = 1
```

```console
$ sh greet.sh \\
  you
hello you
$ cd ..
$ cd -  >/dev/null && name=x && export name
$ echo "$name"
x
```

<!-- measured: it is a time -->
```console
$ echo "Mean: 12.5 ns +- 3 ns"
Mean: 77 ns +- 1 ns
```
"""


def test_steps_are_files_and_commands() -> None:
    """A block with a file's name is a file; a command has its line, what it prints, and may go on in the next line."""
    first, other, second, *_, last = steps(PAGE)
    assert first == File(4, "greet.sh", '# greet.sh: says hello\necho "hello $1"\n')
    assert other == File(9, "other.py", "# other.py\nVALUE = 1\n")
    assert second == Command(14, "sh greet.sh \\\n  you", "hello you", False)
    assert isinstance(last, Command) and last.measured


def test_a_right_page_has_no_messages(tmp_path: Path) -> None:
    """Files are written, the folder and the environment of one command are those of the next."""
    folder = tmp_path / "work"
    folder.mkdir()
    assert list(follow(PAGE, folder)) == []
    assert (folder / "greet.sh").is_file()


def test_other_output_and_failures_are_told(tmp_path: Path) -> None:
    """The message has the line, the command, what it printed, and what the page shows; a failure ends the page."""
    folder = tmp_path / "work"
    folder.mkdir()
    page = "```console\n$ echo one\ntwo\n$ false\n$ echo never\n```\n"
    other, failed = follow(page, folder)
    assert "line 2: echo one" in other and "two" in other
    assert "line 4: false" in failed and "ended with 1" in failed


def test_only_numbers_may_differ_in_what_is_measured() -> None:
    """Names and words are compared, also in tables, whose columns may have other widths."""
    assert alike("| a | 12 ns |\n|---|---|", "| a | 1.25 us |\n|-----|---|", measured=True)
    assert alike("| 12 ns | 1.75x slower |", "| 9.5 ns   | not significant |", measured=True)
    assert not alike("| a | 12 ns |", "| b | 12 ns |", measured=True)
    assert not alike("12", "13", measured=False)
