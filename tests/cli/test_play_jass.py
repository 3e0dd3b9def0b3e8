"""`playout play jass`: what a person sees of hidden cards, and what those see who play him."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest

from playout.adapters.player_session import PlayerSession
from playout.cards.deck import card_name, cards_in
from playout.cli import main
from playout.games import load_game
from playout.matches.player import RandomPlayer
from playout.stop import Playouts

JASS = load_game("jass")


@pytest.fixture
def play(tmp_path, monkeypatch, capsys):
    """A game within this process, with what is typed; what it printed."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str, typed: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        assert main(["play", *words]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return run


def test_a_person_sees_his_own_cards_and_what_was_played(play):
    out = play("jass", "-a", "random", "--seed", "5", typed="position\nview\nhint\nquit\n")
    start = JASS.root(5)[0]
    mine = next(word.split() for word in out.splitlines() if word.startswith("> player 1"))
    ranks = "".join(mine[4::2]).replace("-", "")
    assert len(ranks) == 9 == len(cards_in(int(start.hands[0])))
    assert out.count("8 cards") + out.count("9 cards") == 3
    assert "the position would tell what you do not know" in out
    assert "random would play" in out
    said = out.replace(",", " ").split()
    played = [said[i + 1] for i, word in enumerate(said) if word == "plays"]
    hidden = {card_name(card) for seat in (1, 2, 3) for card in cards_in(int(start.hands[seat]))}
    assert set(played) <= hidden  # and nothing else of them is named
    assert not hidden - set(played) & set(said)


@pytest.mark.parametrize(("name", "points"), [("jass", "157"), ("jass:goal=79", "")])
def test_a_turn_to_its_end(play, name, points):
    start = load_game(name).root(7)[0]
    cards = [card_name(card) for card in cards_in(int(start.hands[0]))]
    out = play(name, "-a", "random", "--seed", "7", typed="\n".join(9 * cards) + "\n")
    assert "you and player 3 win" in out or "player 2 and player 4 win" in out
    first, second = out.rpartition("points ")[2].partition(",")[0].split(" : ")
    assert points in ("", str(int(first) + int(second)))
    assert max(int(first), int(second)) >= 79


def test_who_plays_a_person_is_handed_worlds():
    class Spy(RandomPlayer):
        def choose(self, position, stop):
            seen.append(position)
            return super().choose(position, stop)

    seen: list[np.ndarray] = []
    session = PlayerSession(JASS, Spy(), "spy", seed=3)
    states = JASS.root(3)
    for _ in range(12):
        session.set_position(states)
        result = session.run(Playouts(1))
        seat = result.player
        assert result.move in [JASS.move_text(states[0], m) for m in JASS.legal_moves(states[0])]
        assert seen[-1][0].hands[seat] == states[0].hands[seat]
        JASS.play_move(states[0], result.record)
    truth = JASS.root(3)
    assert seen[0].tobytes() != truth.tobytes()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("play jass -a uct", "uct sees all that is hidden in Jass: use pimc"),
        ("match jass uct random", "playout: uct sees all that is hidden in Jass"),
        ("prove jass", "sees all that is hidden in Jass"),
        ("play jass --seat 5", "--seat 5: jass has 4 players"),
        ("play jass:goal=x", "goal=x: a whole number"),
        ("play tictactoe -a handmade", "handmade plays Jass, not TicTacToe"),
        ("play jass -a minmax:value=x", "value=x: one of points, ratio"),
        ("play jass:pool=true -a pool", "pool is a player of Jass with hidden cards"),
        ("analyse jass -a handmade --workers 2", "handmade: a player plays compiled"),
        ("analyse jass -a pool:policy=foo", "there is no tree search 'foo'"),
        ("play jass --record x.sgf", "SGF is for Go"),
    ],
)
def test_what_cannot_be_is_one_line(words, says, capsys):
    assert main(words.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("playout: ")
    assert says in err
    assert err.count("\n") == 1


def test_a_position_that_no_deal_fits_is_one_line(capsys):
    assert (
        main(["analyse", "jass", "S 1 J.A.A.AKQJT9/-/-/- SJ C6 S6 S7 HA C7 H6 H7 DA C8 D6 D7"]) == 2
    )
    assert "no deal fits: player 2 has 6 cards left" in capsys.readouterr().err
