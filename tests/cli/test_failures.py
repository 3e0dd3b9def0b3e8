"""How a command ends when it is told to while it begins."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from playout.cli import failures


@pytest.mark.parametrize(("terminated", "code"), [(False, 130), (True, 143)])
def test_a_signal_before_anything_is_done(monkeypatch, capsys, terminated, code):
    @contextmanager
    def told(note):
        if terminated:
            note()
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(failures, "sigterm_as_ctrl_c", told)
    with pytest.raises(SystemExit) as ended, failures.reported():
        pytest.fail("nothing is begun any more")
    assert ended.value.code == code
    assert capsys.readouterr().err == "playout: interrupted before there was a result\n"
