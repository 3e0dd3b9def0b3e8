"""Transcript files of matches: resumed, tampered with, refused, replayed."""

from __future__ import annotations

import errno
import json
import os
import random
from pathlib import Path

import pytest

import playout as po
from playout.errors import DataError, DataWarning
from playout.matches.replay import replay_transcript
from playout.matches.transcript import START, TranscriptFile, read_transcript
from tests.support.match_files import plain, plain_of, play, unsealed


@pytest.fixture
def file(tmp_path):
    """A file with a match of six games."""
    path = tmp_path / "games.jsonl"
    play(path)
    return path


class TestFile:
    def test_a_line_says_all_about_its_game(self, file):
        lines = file.read_bytes().splitlines()
        assert len(lines) == 6
        for number, line in enumerate(lines):
            assert line.startswith(START)
            data = json.loads(line)
            assert data["number"] == number
            assert data["game"] == "tictactoe"
            assert data["players"] == ["random", "random"]
            assert data["seats"] == [number % 2, 1 - number % 2]
            assert data["plies"] == len(data["moves"])
            assert data["seed"] == 3
            assert data["playout"] == po.__version__
            for name in ("result", "seconds", "simulations"):
                assert len(data[name]) == 2

    def test_what_is_there_is_not_played_again(self, file):
        before = file.read_bytes()
        seen = []
        again = play(file, progress=lambda standing: seen.append(standing.resumed))
        assert file.read_bytes() == before
        assert seen == [6]
        longer = play(file, games=9)
        assert file.read_bytes().startswith(before)
        assert longer.games == 9
        assert longer.transcript[:6] == again.transcript
        assert plain(file) == plain_of(play(None, games=9))

    def test_fewer_games_are_a_part_of_it(self, file):
        assert play(file, games=4).games == 4
        assert len(read_transcript(file)) == 6

    def test_the_seed_is_that_of_the_record(self, file):
        assert play(file, games=8, seed=None).seed == 3

    def test_missing_games_in_the_middle(self, file):
        lines = file.read_bytes().splitlines(keepends=True)
        whole = plain(file)
        file.write_bytes(lines[1] + lines[4])
        play(file)
        assert plain(file) == whole
        assert file.read_bytes().startswith(lines[1] + lines[4])

    @pytest.mark.filterwarnings("ignore:.*is cut off")
    @pytest.mark.parametrize("cut", [1, 5, 20, 100, -1])
    def test_a_line_that_was_cut_off_is_no_game(self, file, cut):
        content = file.read_bytes()
        whole = plain(file)
        last = content.rindex(b"\n", 0, -1) + 1
        file.write_bytes(content[: last + cut] if cut > 0 else content[:cut])
        assert len(read_transcript(file)) == (5 if cut > 0 else 6)  # all but the end of the line
        play(file)
        assert plain(file) == whole
        assert file.read_bytes().count(b"\n") == (6 if cut > 0 else 5)
        assert play(file, games=7).games == 7
        assert file.read_bytes().count(b"\n") == 7

    def test_a_line_that_was_cut_off_is_told_of(self, file):
        file.write_bytes(file.read_bytes()[:-20])
        with pytest.warns(DataWarning, match="line 6 is cut off, and is no game"):
            read_transcript(file)

    def test_every_flipped_bit_is_noticed(self, file):
        """Also where the line would still be a game: a result, a move, a time."""
        content, rng = file.read_bytes(), random.Random(1)
        for _ in range(300):
            changed = bytearray(content)
            changed[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
            file.write_bytes(changed)
            with pytest.raises((DataError, DataWarning)):
                read_transcript(file)

    def test_lines_without_a_checksum_are_read(self, file):
        whole = plain(file)
        file.write_text("".join(json.dumps(line) + "\n" for line in unsealed(file)))
        assert plain(file) == whole
        assert play(file, games=7).games == 7

    @pytest.mark.filterwarnings("ignore:.*is cut off")
    def test_another_match_is_left_as_it_is_to_the_last_byte(self, file):
        file.write_bytes(file.read_bytes()[:-20])
        before = file.read_bytes()
        with pytest.raises(DataError, match="another match"):
            play(file, seed=4)
        assert file.read_bytes() == before

    @pytest.mark.parametrize(
        ("change", "says"),
        [
            ({"seed": 4}, "its seed is 3, not 4"),
            ({"opening": 1}, "its opening is 0, not 1"),
            ({"simulations": 5}, "its budget is"),
        ],
    )
    def test_another_match_is_refused(self, file, change, says):
        before = file.read_bytes()
        with pytest.raises(DataError, match=f"the record of another match: {says}"):
            play(file, **change)
        with pytest.raises(DataError, match="its game is tictactoe, not connectfour"):
            po.match("connectfour", "random", "random", record=file)
        with pytest.raises(DataError, match="its players is"):
            po.match("tictactoe", "random", "uct", record=file)
        assert file.read_bytes() == before

    def test_other_rules_and_versions_are_refused(self, file):
        text = "".join(json.dumps(line) + "\n" for line in unsealed(file))
        file.write_text(text.replace('"rules": "', '"rules": "0'))
        with pytest.raises(DataError, match="the rules of tictactoe have changed"):
            play(file)
        file.write_text(text.replace('"playout": "', '"playout": "0'))
        with pytest.raises(DataError, match="another match: its version is 0"):
            play(file)

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            (b"hello", "line 1 is no game, it is not JSON"),
            (b"hello\n", "line 1 is no game, it is not JSON"),
            (b"\xff\xfe\n", "is no record of a match"),
            (b"[1]\n", "it is not an object"),
            (b'{"playout": "1"}\n', "it has no 'game'"),
            (b"\n", "line 1 is no game"),
            (b"[" * 100_000 + b"\n", "is no record of a match"),
        ],
    )
    def test_another_file_is_refused_and_left_as_it_is(self, tmp_path, content, says):
        path = tmp_path / "other.txt"
        path.write_bytes(content)
        with pytest.raises(DataError, match=says):
            play(path)
        with pytest.raises(DataError, match=says):
            replay_transcript(path)
        assert path.read_bytes() == content

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("number", -1),
            ("number", True),
            ("seats", [0, 0]),
            ("seats", [0, 2]),
            ("seats", []),
            ("moves", [1]),
            ("result", [1.0]),
            ("result", ["a", "b"]),
            ("players", "random"),
            ("seed", 1.5),
            ("budgets", []),
            ("simulations", None),
            ("simulations", [10**400, 1]),
            ("result", [-(10**400), 1]),
            ("seconds", [10**400, 1]),
            ("seed", 10**400),
        ],
    )
    def test_a_line_with_a_fault(self, file, name, value):
        lines = unsealed(file)
        lines[2][name] = value
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        with pytest.raises(DataError, match=f"line 3 is no game, its '{name}'"):
            play(file)

    def test_a_game_that_is_there_twice(self, file):
        lines = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(b"".join([*lines, lines[0]]))
        with pytest.raises(DataError, match="line 7 has game 0 a second time"):
            play(file)

    def test_wrong_seats(self, file):
        lines = unsealed(file)
        lines[1]["seats"] = [0, 1]
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        with pytest.raises(DataError, match="game 1 has the wrong players"):
            play(file)

    def test_one_match_at_a_time(self, file):
        with TranscriptFile(file), pytest.raises(DataError, match="written by another match"):
            play(file)

    def test_a_place_that_cannot_be_written(self, tmp_path):
        with pytest.raises(DataError, match="cannot write"):
            play(tmp_path)
        with pytest.raises(DataError, match="cannot write"):
            play(tmp_path / "none" / "r.jsonl")

        with pytest.raises(DataError, match="no ordinary file"):
            play(Path("/dev/null"))

    @pytest.mark.filterwarnings("ignore:.*is cut off")
    def test_a_full_disk(self, file, monkeypatch):
        """A line goes half to the disk; with room again, the match goes on."""
        write, left = os.write, [150]

        def little(handle, content):
            if left[0] == 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            part = content[: left[0]]
            left[0] -= len(part)
            return write(handle, part)

        whole = plain(file)
        monkeypatch.setattr(os, "write", little)
        with pytest.raises(DataError, match="No space left on device; the same command goes on"):
            play(file, games=8)
        monkeypatch.undo()
        assert plain(file) == whole
        assert play(file, games=8).games == 8

    def test_a_bad_match_leaves_no_file(self, tmp_path):
        for settings in ({"games": 0}, {"opening": 9}, {"sprt": "x"}):
            with pytest.raises(po.PlayoutError):
                play(tmp_path / "r.jsonl", **settings)
        assert list(tmp_path.iterdir()) == []

    def test_sprt_goes_on_from_a_record(self, tmp_path):
        file = tmp_path / "r.jsonl"
        settings = {"seed": 1, "simulations": 60, "sprt": (0, 300, 0.1, 0.1), "record": file}
        po.match("tictactoe", "uct", "random", games=4, **settings)
        result = po.match("tictactoe", "uct", "random", games=400, **settings)
        assert result.stopped_by == "sprt"
        before = file.read_bytes()
        again = po.match("tictactoe", "uct", "random", games=400, **settings)
        assert file.read_bytes() == before
        assert again.transcript == result.transcript
        assert again.sprt.llr == result.sprt.llr


class TestReplay:
    def test_it_agrees(self, file):
        replay = replay_transcript(file)
        assert replay.agrees
        assert str(replay) == "6 games replayed: all agree"
        assert replay.result.transcript == play(file).transcript

    def test_a_record_of_objects_needs_its_game(self, tmp_path):
        game, file = po.games.TicTacToe(), tmp_path / "r.jsonl"
        po.match(game, "random", "random", games=2, record=file)
        with pytest.raises(DataError, match="its game cannot be made"):
            replay_transcript(file)
        assert replay_transcript(file, game).agrees
        assert replay_transcript(file, "tictactoe").agrees

    def test_a_game_for_three(self, tmp_path):
        file = tmp_path / "r.jsonl"
        game = "dotsandboxes:2x2,players=3"
        po.match(game, "random", "random", "random", games=3, record=file, seed=1)
        assert replay_transcript(file).agrees

    @pytest.mark.parametrize(
        ("change", "says"),
        [
            (lambda game: game["result"].reverse(), "the result is"),
            (lambda game: game["moves"].pop(), "it is not over after"),
            (lambda game: game["moves"].append("a1"), "the game is over"),
            (lambda game: game["moves"].__setitem__(1, game["moves"][0]), "move 2: .* not a legal"),
            (lambda game: game.update(plies=40), "it says 40 plies"),
            (lambda game: game["seats"].reverse(), "the seats are"),
        ],
    )
    def test_what_was_tampered_with_is_found(self, file, change, says):
        lines = unsealed(file)
        number = next(k for k in range(6) if lines[k]["result"] != [0.5, 0.5])
        change(lines[number])
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        replay = replay_transcript(file)
        assert len(replay.faults) == 1
        assert replay.faults[0].startswith(f"game {number}: ")
        with pytest.raises(AssertionError, match=says):
            raise AssertionError(replay.faults[0])

    def test_games_of_two_matches(self, file, tmp_path):
        other = tmp_path / "other.jsonl"
        play(other, games=8, seed=4)
        rest = other.read_bytes().splitlines(keepends=True)[6:]
        file.write_bytes(file.read_bytes() + b"".join(rest))
        with pytest.raises(DataError, match="two matches: in game 6, its seed is 4, not 3"):
            replay_transcript(file)

    def test_an_empty_file(self, tmp_path):
        (tmp_path / "r").write_bytes(b"")
        with pytest.raises(DataError, match="has no games"):
            replay_transcript(tmp_path / "r")
