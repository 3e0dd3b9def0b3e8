"""`playout match`: workers, kills, Ctrl-C, players of one's own, bad input."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import playout as po
from playout.cli import main
from playout.matches.transcript import read_transcript
from tests.support.cli_shell import Shell
from tests.support.match_files import plain, plain_of

SLOW = '''
import time
from pathlib import Path
import playout

class Slow(playout.Player):
    """Plays the first move after a while, a longer one where there is a file `slowly`."""

    def __init__(self, wait: float = 0.01):
        self.wait = wait

    def new_game(self, game, seed):
        super().new_game(game, seed)
        with Path("log.txt").open("a") as log:
            log.write(f"{seed}\\n")

    def choose(self, position, stop):
        time.sleep(self.wait * (20 if Path("slowly").exists() else 1))
        moves = self.game.new_moves()
        n = self.game.moves(position[0], moves)
        return moves[self.seed % n]

class Faulty(playout.Player):
    def choose(self, position, stop):
        return 1 / 0

class Unmade(playout.Player):
    def __init__(self):
        raise KeyError("mine")

class Needy(playout.Player):
    def __init__(self, wishes):
        self.wishes = wishes

class Dying(playout.Player):
    def choose(self, position, stop):
        import os
        os._exit(9)
'''


BIRTH = """
import multiprocessing, time
from playout.interrupts import signals_blocked

if __name__ == "__main__":
    process = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(60,))
    with signals_blocked():
        process.start()
    lines = open(f"/proc/{process.pid}/status").read().splitlines()
    print(next(line.split()[1] for line in lines if line.startswith("SigBlk")))
    process.kill()
"""


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    shell = Shell(tmp_path)
    shell.write("slow.py", SLOW)
    return shell


class TestCommand:
    """Real processes."""

    def test_the_workers_do_not_change_the_games(self, shell):
        words = (
            "match",
            "tictactoe",
            "uct",
            "random",
            "--interpreted",
            "--simulations",
            8,
            "--games",
            8,
            "--seed",
            5,
            "--opening",
            2,
        )
        one = shell.json(*words, "--workers", 1, "--record", "one.jsonl")
        two = shell.json(*words, "--workers", 2, "--record", "two.jsonl")
        for name in ("seconds", "thought"):
            del one[name], two[name]
        assert one == two
        assert one["games"] == 8
        assert plain(shell.folder / "one.jsonl") == plain(shell.folder / "two.jsonl")
        here = po.match(
            "tictactoe", "uct", "random", simulations=8, games=8, seed=5, opening=2, compiled=False
        )
        assert plain_of(here) == plain(shell.folder / "one.jsonl")
        done = shell("match", "--replay", "one.jsonl")
        assert done.returncode == 0
        assert done.stdout.endswith("8 games replayed: all agree\n")

    @pytest.mark.long
    def test_killed_again_and_again(self, shell, monkeypatch):
        """No finished game is lost, none is played twice, whenever the process dies."""
        record = shell.folder / "r.jsonl"
        words = (
            "match",
            "tictactoe",
            "slow.py:Slow",
            "slow.py:Slow:wait=0.005",
            "--games",
            40,
            "--seed",
            1,
            "--workers",
            2,
            "--record",
            "r.jsonl",
        )
        chance = random.Random(1)
        kept = b""
        slowly = shell.write("slowly", "")
        for _ in range(2):
            process = shell.start(*words)
            before = len(kept)
            while process.poll() is None:
                if record.exists() and record.stat().st_size > before:
                    break
                time.sleep(0.01)
            time.sleep(chance.uniform(0.0, 0.15))
            assert process.poll() is None  # there is more to do
            process.send_signal(signal.SIGKILL)
            process.communicate()
            now = record.read_bytes()
            assert now.startswith(kept)
            kept = now[: now.rindex(b"\n") + 1]
        record.write_bytes(record.read_bytes() + b'{"playout": "0.1.0", "ga')  # torn, for sure
        assert kept.count(b"\n") < 40
        slowly.unlink()
        last = shell(*words)
        assert last.returncode == 0, last.stderr
        final = record.read_bytes()
        assert final.startswith(kept)
        assert sorted(game.number for game in read_transcript(record)) == list(range(40))
        monkeypatch.chdir(shell.folder)
        assert plain(record) == plain_of(
            po.match("tictactoe", *("slow.py:Slow:wait=0",) * 2, games=40, seed=1)
        )

    def test_ctrl_c_is_not_for_workers_from_their_birth_on(self, shell):
        """Not even for the first process that a command starts."""
        (shell.folder / "birth.py").write_text(BIRTH)
        words = [sys.executable, "birth.py"]
        found = subprocess.run(words, cwd=shell.folder, capture_output=True, text=True, check=True)
        assert int(found.stdout, 16) & 1 << (signal.SIGINT - 1)

    @pytest.mark.long
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_a_signal_to_all_processes(self, shell, number):
        words = (
            "match",
            "tictactoe",
            "slow.py:Slow",
            "random",
            "--games",
            5000,
            "--workers",
            2,
            "--record",
            "r.jsonl",
        )
        record = shell.folder / "r.jsonl"
        process = shell.start(*words, start_new_session=True)
        while not (record.exists() and record.stat().st_size) and process.poll() is None:
            time.sleep(0.02)
        os.killpg(process.pid, number)  # as a terminal does: the workers get it too
        out, error = process.communicate(timeout=600)
        assert process.returncode == 128 + number
        assert "Traceback" not in error
        games = len(read_transcript(record))
        assert error == (
            f"playout: interrupted; {games} of 5000 games are in r.jsonl, and the same command "
            "goes on from there\n"
        )
        assert f"tictactoe, {games} game" in out
        assert "interrupted: these are the games that were finished" in out

    def test_ctrl_c_while_it_starts(self, shell):
        process = shell.start(
            "match",
            "tictactoe",
            "random",
            "random",
            "--games",
            10**6,
            "--workers",
            2,
            start_new_session=True,
        )
        time.sleep(0.6)
        os.killpg(process.pid, signal.SIGINT)
        _, error = process.communicate(timeout=600)
        assert process.returncode in (130, -signal.SIGINT)
        if process.returncode == 130:
            assert "Traceback" not in error

    def test_workers_end_with_their_parent(self, shell):
        process = shell.start(
            "match",
            "tictactoe",
            "slow.py:Slow",
            "random",
            "--games",
            5000,
            "--workers",
            2,
            start_new_session=True,
        )
        log = shell.folder / "log.txt"
        while not log.exists() and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate()  # its pipes are closed when the workers are gone, too
        size = log.stat().st_size
        time.sleep(0.5)
        assert log.stat().st_size == size

    @pytest.mark.parametrize("workers", [1, 2])
    def test_a_fault_in_a_players_file(self, shell, workers):
        words = ("match", "tictactoe", "slow.py:Faulty", "random", "--workers", workers)
        error = shell.refused(*words)
        assert "slow.py, line 25, in choose: ZeroDivisionError" in error

    def test_players_that_cannot_be_made(self, capsys, shell, monkeypatch):
        monkeypatch.chdir(shell.folder)
        for name, says in (
            ("Unmade", "slow.py, line 29, in __init__: KeyError: 'mine'"),
            ("Needy", "slow.py:Needy cannot be made: missing a required argument: 'wishes'"),
            ("Nobody", "there is no class 'Nobody'"),
            ("Slow:wit=1", "there is no option 'wit'; did you mean wait?"),
            ("Slow:wait", "'wait' is not NAME=VALUE"),
            ("Slow:wait=x", "wait=x: a number"),
            ("Slow:simulations=x", "simulations=x: a whole number"),
        ):
            code = main(["match", "tictactoe", "random", f"slow.py:{name}"])
            out, error = capsys.readouterr()
            assert (code, out, error.count("\n")) == (2, "", 1)
            assert says in error

    def test_a_worker_that_dies(self, shell):
        words = ("match", "tictactoe", "slow.py:Dying", "random", "--workers", 2)
        assert "a worker process ended with code 9 in game" in shell.refused(*words)

    def test_a_game_of_ones_own(self, shell):
        source = Path(__file__).parents[2] / "docs" / "game.md"
        block = source.read_text().split("```python\n")[1].split("```")[0]
        shell.write("nim.py", block)
        data = shell.json(
            "match",
            "nim.py:Nim:heaps=2",
            "random",
            "slow.py:Slow:wait=0",
            "--games",
            6,
            "--workers",
            2,
        )
        assert data["games"] == 6
        assert data["game"] == "nim.py:Nim:heaps=2"

    def test_in_a_terminal(self, shell):
        """The live line is drawn and taken away again."""
        if shutil.which("script") is None:
            pytest.skip("there is no script command")
        import pty
        import subprocess
        import sys

        leader, follower = pty.openpty()
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "playout",
                "match",
                "tictactoe",
                "slow.py:Slow",
                "random",
                "--games",
                "30",
                "--workers",
                "1",
                "--sprt",
                "0,10",
            ],
            cwd=shell.folder,
            env={**shell.environment, "TERM": "xterm"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=follower,
            text=True,
        )
        os.close(follower)
        shown = b""
        while True:
            try:
                part = os.read(leader, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
        out, _ = process.communicate(timeout=600)
        os.close(leader)
        assert process.returncode == 0
        assert "against" in out
        assert "/30 games" in shown.decode()
        assert "LLR" in shown.decode()
