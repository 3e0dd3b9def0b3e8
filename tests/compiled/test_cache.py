"""Compiled code on disk: what is found again, what an edit changes, and several processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from playout.compiled import cache

KERNELS = """
    from playout.compiled import kernel

    @kernel
    def total(part, x):
        return part.f(x)
"""

PART = """
    import numpy as np
    import helpers
    from helpers import twice
    from playout.compiled import Compiled, helper

    BONUS = 100

    @helper
    def near(x):
        return x + 1

    class Part(Compiled):
        fields = ("table",)

        def __init__(self):
            self.table = np.arange(10)

        def f(self, x):
            return self.g(x) + self.table[2] + helpers.EXTRA

        def g(self, x):
            return near(x) + twice(x) + helpers.thrice(x) + BONUS

    class Other(Compiled):
        def f(self, x):
            return x - 1
"""

HELPERS = """
    from playout.compiled import helper

    EXTRA = 1000

    @helper
    def twice(x):
        return 2 * x

    @helper
    def thrice(x):
        return 3 * x

    def unused(x):
        return x
"""

SHOW = """
    import json
    from kernels import total

    def show(*values):
        hits, misses = total._cache_hits, total._cache_misses
        print(json.dumps({
            "values": values, "hits": sum(hits.values()), "misses": sum(misses.values())
        }))
"""

MAIN = """
    import parts
    from show import show
    from kernels import total

    show(total(parts.Part(), 5))
"""

FIRST = 6 + 10 + 15 + 100 + 1000 + 2


class Folder:
    """A folder of modules, run in new processes with a cache of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.cache = path / "cache"
        self.write(kernels=KERNELS, parts=PART, helpers=HELPERS, show=SHOW, main=MAIN)

    def write(self, **modules: str) -> None:
        for name, text in modules.items():
            (self.path / f"{name}.py").write_text(textwrap.dedent(text))

    def edit(self, module: str, old: str, new: str) -> None:
        path = self.path / f"{module}.py"
        text = path.read_text()
        assert text.count(old) == 1
        path.write_text(text.replace(old, new))

    def start(self, main: str = "main") -> subprocess.Popen:
        environment = dict(os.environ, PLAYOUT_CACHE=str(self.cache))
        # edits within one second and of one length would be hidden by Python's own cache
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        return subprocess.Popen(
            [sys.executable, f"{main}.py"],
            cwd=self.path,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def finish(self, process: subprocess.Popen) -> dict:
        out, error = process.communicate(timeout=600)
        assert process.returncode == 0, error
        return json.loads(out)

    def run(self, main: str = "main") -> dict:
        return self.finish(self.start(main))

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.cache.iterdir()}


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


def test_a_new_process_compiles_nothing(folder):
    assert folder.run() == {"values": [FIRST], "hits": 0, "misses": 1}
    files = folder.files()
    assert len(files) == 1
    assert folder.run() == {"values": [FIRST], "hits": 1, "misses": 0}
    assert folder.files() == files


EDITS = {
    "method": ("parts", "self.table[2]", "self.table[3]", 1),
    "method that a method calls": ("parts", "near(x) +", "near(x) + 1 +", 1),
    "helper in the file": ("parts", "return x + 1", "return x + 2", 1),
    "helper by from-import": ("helpers", "2 * x", "4 * x", 10),
    "helper by module": ("helpers", "3 * x", "4 * x", 5),
    "constant": ("parts", "BONUS = 100", "BONUS = 200", 100),
    "constant by module": ("helpers", "EXTRA = 1000", "EXTRA = 2000", 1000),
    "kernel": ("kernels", "return part.f(x)", "return part.f(x) + 7", 7),
}


@pytest.mark.long
def test_an_edit_is_seen_and_going_back_hits_again(folder):
    folder.run()
    for what, (module, old, new, change) in EDITS.items():
        folder.edit(module, old, new)
        assert folder.run() == {"values": [FIRST + change], "hits": 0, "misses": 1}, what
        folder.edit(module, new, old)
    assert folder.run() == {"values": [FIRST], "hits": 1, "misses": 0}


def test_an_edit_that_changes_nothing_compiled_still_hits(folder):
    folder.run()
    folder.edit("helpers", "return x\n", "return -x\n")
    folder.edit("parts", "class Part(Compiled):", "# a comment\n\nclass Part(Compiled):")
    assert folder.run()["hits"] == 1


@pytest.mark.long
def test_a_class_that_is_gone_harms_nothing(folder):
    folder.write(main=MAIN.replace("show(", "show(total(parts.Other(), 5), "))
    assert folder.run() == {"values": [4, FIRST], "hits": 0, "misses": 2}
    text = (folder.path / "parts.py").read_text()
    (folder.path / "parts.py").write_text(text[: text.index("class Other")])
    folder.write(main=MAIN)
    assert folder.run() == {"values": [FIRST], "hits": 1, "misses": 0}


@pytest.mark.long
def test_a_torn_file_is_ignored_and_written_again(folder):
    folder.run()
    ((name, data),) = folder.files().items()
    flipped = bytearray(data)
    flipped[len(data) // 2] ^= 1
    for torn in (data[: len(data) // 2], b"", bytes(flipped), bytes(16) + data[16:]):
        (folder.cache / name).write_bytes(torn)
        assert folder.run() == {"values": [FIRST], "hits": 0, "misses": 1}
        assert list(folder.files()) == [name]
    assert folder.run()["hits"] == 1


def test_a_cache_folder_that_cannot_be_written_stops_nothing(folder):
    folder.cache.write_text("a file where the folder should be")
    assert folder.run() == {"values": [FIRST], "hits": 0, "misses": 1}
    folder.cache.unlink()
    folder.cache.mkdir()
    folder.cache.chmod(0o500)
    try:
        assert folder.run()["values"] == [FIRST]
    finally:
        folder.cache.chmod(0o700)


@pytest.mark.long
def test_a_cache_folder_that_others_can_write_is_not_used(folder):
    """What it holds would run: nothing is read from it and nothing is written to it."""
    assert folder.run()["misses"] == 1
    assert folder.cache.stat().st_mode & 0o777 == 0o700
    ((name, data),) = folder.files().items()
    for mode in (0o770, 0o707):
        folder.cache.chmod(mode)
        process = folder.start()
        _, error = process.communicate(timeout=600)
        assert process.returncode == 0
        assert error.count("can be written by others (chmod go-w") == 1
        assert folder.files() == {name: data}
    folder.cache.chmod(0o755)  # others may read it
    assert folder.run()["hits"] == 1


def test_a_cache_folder_of_another_user_is_not_used(folder, monkeypatch):
    folder.cache.mkdir()
    assert cache.is_safe(folder.cache)
    monkeypatch.setattr(cache.os, "getuid", lambda: os.getpid() + 70_000)
    with pytest.warns(cache.CacheWarning, match="belongs to another user"):
        assert not cache.is_safe(folder.cache)


def test_checked_code_does_not_read_out_of_bounds(folder, monkeypatch):
    folder.edit("parts", "self.table[2]", "self.table[x - 3]")
    assert folder.run()["values"] == [FIRST]
    folder.write(main=MAIN.replace("5)", "13)"))
    monkeypatch.setenv("PLAYOUT_CHECKED", "1")
    process = folder.start()
    _, error = process.communicate(timeout=600)
    assert process.returncode == 1
    assert "IndexError: index is out of bounds" in error
    assert len(folder.files()) == 2  # checked code and the other are kept apart


@pytest.mark.long
def test_two_processes_that_compile_at_once(folder):
    processes = [folder.start() for _ in range(2)]
    assert [folder.finish(process)["values"] for process in processes] == [[FIRST]] * 2
    assert len(folder.files()) == 1
    assert folder.run()["hits"] == 1


@pytest.mark.long
def test_a_class_of_the_main_script_is_cached_and_seen_when_edited(folder):
    folder.write(
        script="""
            import numpy as np
            from playout.compiled import Compiled
            from kernels import total
            from show import show

            STEP = 1

            class Mine(Compiled):
                def f(self, x):
                    return x + STEP

            show(total(Mine(), 5))
        """
    )
    assert folder.run("script") == {"values": [6], "hits": 0, "misses": 1}
    assert folder.run("script") == {"values": [6], "hits": 1, "misses": 0}
    folder.edit("script", "STEP = 1", "STEP = 2")
    assert folder.run("script") == {"values": [7], "hits": 0, "misses": 1}


def test_a_class_defined_again_as_in_a_notebook(folder):
    folder.write(
        script="""
            from kernels import total
            from show import show

            CELL = '''
            from playout.compiled import Compiled
            class Mine(Compiled):
                def f(self, x):
                    return x + {0}
            '''.replace(chr(10) + " " * 12, chr(10))

            def cell(step):
                exec(compile(CELL.replace("{0}", str(step)), "<ipython-input>", "exec"), globals())
                return total(Mine(), 5)

            old = cell(1)
            kept = Mine()
            show(old, cell(2), total(kept, 5), cell(1), cell(3))
        """
    )
    assert folder.run("script") == {"values": [6, 7, 6, 6, 8], "hits": 0, "misses": 3}
    assert folder.run("script") == {"values": [6, 7, 6, 6, 8], "hits": 3, "misses": 0}


def test_a_changed_constant_is_seen_by_a_new_instance(folder):
    folder.write(
        script="""
            import parts
            from kernels import total
            from show import show

            before = parts.Part()
            values = [total(before, 5)]
            parts.BONUS = 0
            values += [total(before, 5), total(parts.Part(), 5)]
            parts.helpers.EXTRA = 0
            show(*values, total(parts.Part(), 5))
        """
    )
    assert folder.run("script")["values"] == [FIRST, FIRST, FIRST - 100, FIRST - 1100]


LANES = """
    import numpy as np
    import os
    import sys
    from playout.compiled import Compiled, kernel, record

    class Lanes(Compiled):
        # long, and called twice, so that it is not inlined and its name matters

        def add(self, state, x):
            total = 0
            for i in range(len(state.tail)):
                for j in range(x):
                    if (i * 7 + j * 13) % 5 < 3:
                        total += state.tail[i] * (j + 1)
                    elif total % 3 == 1:
                        total -= state.head[i]
                    else:
                        state.head[i] += state.tail[i] % (j + 2)
            return total

    @kernel
    def both(lanes, states, x):
        first = lanes.add(states[0], x)
        if first % 2 == 0:
            return first + lanes.add(states[1], x + 1)
        return first - lanes.add(states[1], x + 2)

    def states(n):
        made = np.zeros(2, record(head=("i8", n), tail=("i8", n)))
        made["tail"] = n
        return made

    def check(n):
        compiled, plain = states(n), states(n)
        assert both(Lanes(), compiled, 5) == both.py_func(Lanes(), plain, 5), n
        assert compiled.tobytes() == plain.tobytes(), n

    for word in sys.argv[1:]:
        if word.startswith("fork"):
            child = os.fork()
            if child == 0:
                check(int(word[4:]))
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
        else:
            check(int(word))
    print(both._cache_misses.total())
"""


@pytest.mark.long
def test_code_of_two_processes_does_not_mix_in_a_third(tmp_path):
    """Numba gives functions over different records of two processes the same name."""
    (tmp_path / "lanes.py").write_text(textwrap.dedent(LANES))

    def run(*lanes):
        done = subprocess.run(
            [sys.executable, "lanes.py", *lanes],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env=dict(os.environ, PLAYOUT_CACHE=str(tmp_path / "cache")),
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert run("5") == "1"
    assert run("9", "5") == "1"  # compiles its own for 9, then loads the other's for 5
    assert run("5", "9") == "0"
    run("fork17", "fork33")  # brothers that count from their parent's number
    assert run("33", "17", "5") == "0"
