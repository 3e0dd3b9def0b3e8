"""Files that are read: what is said where there is none."""

from __future__ import annotations

import pytest

from playout.errors import DataError
from playout.text.input_files import read_text


def test_a_file_that_is_not_there_is_told_with_those_named_much_alike(tmp_path):
    for name in ("my_problem.py", "deals.pbn"):
        (tmp_path / name).touch()
    for wrong, hint in {
        "my_problm.py": f"; did you mean {tmp_path / 'my_problem.py'}?",
        "My_Problem.py": f"; did you mean {tmp_path / 'my_problem.py'}?",
        "tour.txt": "",
        "no_folder/deals.pbn": "",
    }.items():
        with pytest.raises(DataError) as error:
            read_text(tmp_path / wrong)
        assert str(error.value) == f"{tmp_path / wrong}: there is no such file{hint}"
