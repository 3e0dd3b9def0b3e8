"""alpha-mu as a search of a game: worlds, options, results, threads, stops; Bridge and others."""

from __future__ import annotations

import numpy as np
import pytest

from playout.cards.dds import installed
from playout.cards.deck import card_name, parse_hand
from playout.errors import OptionError
from playout.games import load_game
from playout.games.bridge import DECLARER, LEFT, Bridge
from playout.stop import Playouts, Seconds
from playout.worlds.alphamu_search import AlphaMuSearch
from playout.worlds.draw_worlds import draw_worlds
from playout.worlds.game_positions import TwoSides

LONG = Seconds(3600)


def ending(game: Bridge, hands: list[str], won: int, leader: int = 2) -> np.ndarray:
    """A position in which each seat holds these cards, declarer has won so many tricks."""
    position = game.new_states(1)
    state = position[0]
    for seat, hand in enumerate(hands):
        state.hands[seat] = parse_hand(hand)
    state.began[0] = np.bitwise_or.reduce(state.hands)
    state.may_hold[:] = state.began[0]
    state.played[:] = -1
    state.left = int(state.hands[0]).bit_count()
    state.won[:] = won, 13 - int(state.left) - won
    state.leader, state.dummy = leader, 1
    return position


@pytest.fixture
def finesse() -> tuple[Bridge, np.ndarray]:
    """North AJ98, south KT43: who has the queen? Four tricks of four are needed."""
    game = Bridge("4NT", "S")
    return game, ending(game, ["AJ98...", "Q76.2..", "KT43...", "5.345.."], 6)


def test_all_worlds_are_taken_if_they_are_few(finesse):
    game, position = finesse
    worlds, every = draw_worlds(game, position, 70, seed=1)
    # 8 cards in two hands of four
    assert every
    assert len(worlds) == len({world.tobytes() for world in worlds}) == 70
    position[0].may_hold[1] &= ~np.uint64(0xFFFF0000)  # east has shown out of hearts: Q765
    worlds, every = draw_worlds(game, position, 70, seed=1)
    assert every
    assert [card_name(int(world.hands[1]).bit_length() - 1) for world in worlds] == ["SQ"]


def test_options_and_errors():
    assert AlphaMuSearch.parse("alphamu:M=2,worlds=40").options.worlds == 40
    for text, said in (
        ("alphamu:M=0", "M=0"),
        ("alphamu:worlds=0", "worlds=0"),
        ("alphamu:deep=3", "has no option 'deep'"),
        ("alphamu:partner=north", "partner"),
    ):
        with pytest.raises(OptionError, match=said):
            AlphaMuSearch.parse(text)
    with pytest.raises(OptionError, match="without luck, which Jass has"):
        AlphaMuSearch().check(load_game("jass:goal=1000"))


def test_two_sides_of_a_game():
    game = load_game("bridge:3NT,S")
    position = game.root(3)
    for player, turn in ((DECLARER, 1), (LEFT, 0)):
        sided = TwoSides(game, player)
        assert sided.turn(position[0]) == turn  # the left defender leads
        assert sided.players == 2


def test_rules_that_ask_whose_turn_it_is_get_their_own_answer():
    """Jass has four players, of whom two sides are made: everyone still plays his own cards."""
    game = load_game("jass")
    sided, states = TwoSides(game, 1), game.root(5)
    for _ in range(36):
        legal = game.legal_moves(states[0])
        assert sided.legal_moves(states[0]).tobytes() == legal.tobytes()
        assert sided.turn(states[0]) == (0 if game.turn(states[0]) % 2 else 1)
        after = states.copy()
        sided.play_move(after[0], legal[-1])
        game.play_move(states[0], legal[-1])
        assert after.tobytes() == states.tobytes()
    assert sided.reward(states[0], 0) == game.reward(states[0], 1)


@pytest.mark.long
class TestCompiled:
    """One session each of Bridge and of the same game as any other."""

    def test_the_two_way_finesse_is_a_guess(self, finesse):
        game, position = finesse
        position[0].may_hold[:] = position[0].began[0]
        found = {}
        for most in (1, 2, 8):
            session = AlphaMuSearch(M=most, worlds=70).session(game, seed=1)
            session.whole = True
            session.set_position(position)
            result = session.run(LONG)
            found[most] = {row.move: round(row.value * 70) for row in result.moves}
        # with all cards open every world is won that breaks 3-1, 2-2 or with the queen bare
        assert found[1]["S3"] == found[1]["ST"] > found[1]["SK"]
        assert found[2]["S3"] < found[1]["S3"]
        assert max(found[8].values()) <= max(found[2].values())

    def test_bridge_and_any_other_game_agree(self, finesse, monkeypatch):
        game, position = finesse
        results: dict = {}
        for dds in (0, 1) if installed() else (0,):
            session = AlphaMuSearch(M=3, worlds=12, dds=dds).session(game, seed=5)
            session.whole = True
            session.set_position(position)
            results[dds] = {row.move: row.value for row in session.run(LONG).moves}
        monkeypatch.setattr("playout.worlds.alphamu_session.Bridge", type("None", (), {}))
        session = AlphaMuSearch(M=3, worlds=12).session(game, seed=5)
        session.whole = True
        session.set_position(position)
        results["any"] = {row.move: row.value for row in session.run(LONG).moves}
        assert results.pop("any") == results[0] == results.get(1, results[0])

    def test_threads_change_nothing(self, monkeypatch):
        monkeypatch.setattr("playout.worlds.alphamu_session.WORTH_THREADS", 0.0)
        game = Bridge("3NT", "S", cards=32)
        rows = []
        for workers in (1, 3):
            session = AlphaMuSearch(M=2, worlds=70).session(game, seed=5, workers=workers)
            session.set_position(game.root(4))
            result = session.run(LONG)
            rows.append([(row.move, row.visits, row.value) for row in result.moves])
        assert rows[0] == rows[1]

    def test_defenders_search_for_their_side(self, finesse):
        game, _ = finesse
        # west leads at trick 10 and can beat the contract by cashing the ace at once
        position = ending(game, ["AK..AK.", "..QJ.32", "QJ..32.", ".A.T9.4"], 6, leader=3)
        session = AlphaMuSearch(M=2, worlds=20).session(game, seed=2)
        session.set_position(position)
        result = session.run(LONG)
        assert (result.move, result.value) == ("HA", 1.0)

    def test_a_search_that_is_stopped_early_has_a_move(self):
        game = Bridge("3NT", "S", cards=32)
        session = AlphaMuSearch(M=5, worlds=20).session(game, seed=5)
        session.set_position(game.root(4))
        result = session.run(Playouts(1))
        assert result.move in {row.move for row in result.moves}
        assert session.rounds.done() == 1

    def test_kept_worlds_fit(self):
        game = Bridge("3NT", "S", cards=32)
        session = AlphaMuSearch(M=1, worlds=20, keep=True).session(game, seed=5)
        position = game.root(4)
        session.set_position(position)
        for _ in range(6):
            move = session.run(LONG).record
            game.play_move(position[0], move)
            session.play(move)
            for world in session.worlds:
                assert world.played.tolist() == position[0].played.tolist()
