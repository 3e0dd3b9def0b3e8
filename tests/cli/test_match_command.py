"""`playout match`: workers, kills, Ctrl-C, players of one's own, bad input."""

from __future__ import annotations

import json
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
from tests.support.match_files import plain, plain_of, play, unsealed

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
def file(tmp_path):
    """A file with a match of six games."""
    path = tmp_path / "games.jsonl"
    play(path)
    return path


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
            code, out, error = run(capsys, "match", "tictactoe", "random", f"slow.py:{name}")
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


def run(capsys, *words):
    """The command line in this process."""
    code = main([str(word) for word in words])
    streams = capsys.readouterr()
    return code, streams.out, streams.err


class TestWords:
    """The command line, in this process."""

    def test_text_and_json(self, capsys, tmp_path):
        words = (
            "match",
            "tictactoe",
            "random",
            "random",
            "--games",
            4,
            "--seed",
            1,
            "--workers",
            1,
        )
        code, out, error = run(capsys, *words)
        assert (code, error) == (0, "")
        assert out.startswith("tictactoe, 4 games, seed 1")
        code, out, error = run(capsys, *words, "--json")
        assert json.loads(out)["games"] == 4
        assert (code, error) == (0, "")

    def test_a_round_robin(self, capsys):
        words = ("match", "tictactoe", "random", "random", "random", "--games", 2, "--workers", 1)
        code, out, _ = run(capsys, *words, "--json")
        assert code == 0
        assert len(json.loads(out)["table"]) == 3
        assert "Bradley-Terry" in run(capsys, *words)[1]

    def test_replay(self, capsys, tmp_path, file):
        code, out, _ = run(capsys, "match", "--replay", file, "--json")
        data = json.loads(out)
        assert (code, data["agrees"], data["faults"], data["games"]) == (0, True, [], 6)
        lines = unsealed(file)
        for line in lines:
            line["result"] = [0.25, 0.75]
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        code, out, _ = run(capsys, "match", "--replay", file)
        assert code == 1
        assert "6 games replayed: 6 disagree" in out
        assert "game 3: the result is" in out
        code, out, _ = run(capsys, "match", "--replay", file, "--json")
        assert len(json.loads(out)["faults"]) == 6

    def test_help_teaches(self, capsys):
        with pytest.raises(SystemExit):
            main(["match", "--help"])
        out = capsys.readouterr().out
        for words in (
            "examples:",
            "--sprt",
            "--record",
            "--replay",
            "uct:simulations=2000",
            "file.py:Class",
            "exit code",
        ):
            assert words in out

    @pytest.mark.parametrize(
        ("command", "hint"),
        [
            ("match", "give a GAME and two players"),
            ("match tictactoe", "at least two players"),
            ("match tictactoe random", "at least two players"),
            ("match tictacto random random", "did you mean tictactoe"),
            ("match tictactoe:4x4 random random", "one size only"),
            ("match connectfour:99x1 random random", "no board of 99x1"),
            ("match breakthrough:0x0 random random", "reakthrough"),
            ("match tictactoe random uctt", "did you mean uct"),
            ("match tictactoe random uct:c=1", "there is no option 'c'"),
            ("match tictactoe random uct:playout=nothing", "no playout policy 'nothing'"),
            ("match tictactoe random uct:simulatoins=3", "did you mean simulations"),
            ("match tictactoe random none.py:Player", "none.py"),
            ("match none.py:Game random random", "none.py"),
            ("match tictactoe random random --games 0", "'0' is no number of games"),
            ("match tictactoe random random --games many", "'many' is no number of games"),
            ("match tictactoe random random --simulations 0", "'0' is no count"),
            ("match tictactoe random random --seconds 0", "'0' is no time"),
            ("match tictactoe random random --seconds 1 --simulations 2", "not both"),
            ("match tictactoe random random --seconds 1 --calls 2", "give one of them"),
            ("match tictactoe random uct --calls 20", "uct counts none"),
            ("match tictactoe random uct:calls=20", "uct counts none"),
            ("match tictactoe random pimc:calls=20", "pimc counts none"),
            ("match tictactoe random random --seed -1", "seed"),
            ("match tictactoe random random --seed 99999999999999999999", "seed"),
            ("match tictactoe random random --workers 0", "'0' is no number of workers"),
            ("match tictactoe random random --workers 99999", "workers=99999"),
            ("match tictactoe random random --opening 9", "ends a game of TicTacToe: give fewer"),
            ("match tictactoe random random --opening -1", "plies"),
            ("match tictactoe random random --sprt 10", "elo0,elo1"),
            ("match tictactoe random random --sprt 10,0", "the first is the smaller"),
            ("match tictactoe random random random --sprt 0,10", "two players"),
            ("match tictactoe random random --record .", "it is a folder"),
            ("match tictactoe random random --record none/r", "No such file"),
            ("match tictactoe random random --record=", "give the name of a file"),
            ("match tictactoe random random --record text.txt", "no record of a match"),
            ("match tictactoe random random --recrod x", "did you mean --record"),
            ("match dotsandboxes:2x2,players=3 random", "name at least two players"),
            ("match --replay none.jsonl", "cannot read none.jsonl: No such file"),
            ("match --replay text.txt", "no record of a match"),
            ("match --replay .", "it is a folder"),
            ("match --replay x --record y", "not both"),
            ("match tictactoe random random --replay x", "the players are in the file"),
        ],
    )
    def test_refused(self, capsys, tmp_path, monkeypatch, command, hint):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "text.txt").write_text("hello\n")
        code, out, error = run(capsys, *command.split())
        assert (code, out) == (2, "")
        assert error.startswith("playout: ")
        assert error.count("\n") == 1
        assert hint in error
        assert [path.name for path in tmp_path.iterdir()] == ["text.txt"]
        assert (tmp_path / "text.txt").read_text() == "hello\n"
