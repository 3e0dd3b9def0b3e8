"""Bridge's card play: the rules, what each player sees, worlds that fit, positions as text."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.cards.deal import hands_text
from playout.cards.deal_lists import parse_dds_list
from playout.cards.deck import card_name, cards_in
from playout.cards.played import follow
from playout.compiled import wrapping
from playout.errors import DataError, OptionError
from playout.games import load_game
from playout.games.bridge import DECLARER, LEFT, RIGHT, Bridge
from playout.text.input_files import read_text
from tests.support.datafolder import data, needs_data

HANDS = "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"


@pytest.fixture
def game() -> Bridge:
    return Bridge("5H", "S", deal=HANDS)


def after(game: Bridge, cards: str) -> np.ndarray:
    position = game.root()
    for name in cards.split():
        game.play_move(position[0], game.parse_move(position[0], name))
    return position


def redrawn(game: Bridge, position: np.ndarray, player: int, seed: int) -> np.ndarray:
    world = position.copy()
    with wrapping():
        game.redraw(world[0], player, np.array([seed], np.uint64))
    return world


def test_a_trick_by_hand(game):
    position = game.root()
    assert (game.turn(position[0]), game._on_turn(position[0])) == (LEFT, 3)
    position = after(game, "SK H3 S4 S3")  # north ruffs
    state = position[0]
    assert (state.leader, state.left, list(state.won), state.count) == (0, 12, [1, 0], 0)
    assert game.turn(state) == DECLARER
    assert not int(state.may_hold[0]) & 0xFFFF  # north has no spade, as all have seen
    assert int(state.may_hold[1]) & 0xFFFF


def test_suits_are_followed(game):
    position = after(game, "SK H3 S4 S3 C2")
    names = {game.move_text(position[0], move) for move in game.legal_moves(position[0])}
    assert names == {"CQ", "CJ", "CT", "C6"}
    with pytest.raises(DataError, match="'DT' is not a legal move here"):
        game.parse_move(position[0], "DT")


def test_who_decides(game):
    position = after(game, "SK")
    assert game.turn(position[0]) == DECLARER  # for dummy
    position = after(game, "SK H3")
    assert game.turn(position[0]) == RIGHT
    assert Bridge("3NT", "W").turn(Bridge("3NT", "W").root()[0]) == LEFT


def test_the_score():
    game = Bridge("1NT", "S", deal=HANDS)
    position = game.root()
    while not game.is_over(position[0]):
        game.play_move(position[0], game.legal_moves(position[0])[0])
    won = list(position[0].won)
    assert sum(won) == 13
    made = float(won[0] >= 7)
    assert game.final_rewards(position[0]) == [made, 1 - made, 1 - made]
    tricks = Bridge("1NT", "S", deal=HANDS, scoring="tricks")
    assert tricks.final_rewards(position[0])[0] == won[0] / 13


@needs_data("bridge/list100.txt")
def test_played_hands_end_as_an_independent_count_says():
    for solved in parse_dds_list(read_text(data("bridge/list100.txt")), "list")[:20]:
        declarer = "NESW"[(solved.leader + 3) % 4]
        contract = "1" + "SHDCN"[solved.trump]
        hands = hands_text(solved.deal.hands)
        game = Bridge(contract, declarer, deal=hands)
        position = game.root()
        for card in solved.deal.play:
            game.play_move(position[0], game.parse_move(position[0], card_name(card)))
        table = follow(solved.deal, solved.deal.play, game.contract, game.seat)
        assert list(position[0].won) == [table.won[game.seat % 2], table.won[1 - game.seat % 2]]


def test_what_each_player_sees(game):
    start, later = game.root(), after(game, "SK")
    sees = lambda position, player: [  # noqa: E731
        bool(game.sees(position[0], player, seat)) for seat in range(4)
    ]
    assert sees(start, LEFT) == [False, False, False, True]
    assert sees(later, DECLARER) == [True, False, True, False]
    assert sees(later, LEFT) == [True, False, False, True]
    assert sees(later, RIGHT) == [True, True, False, False]


@pytest.mark.parametrize("player", [DECLARER, LEFT, RIGHT])
def test_worlds_fit_what_was_seen(game, player):
    position = after(game, "SK H3 S4 S3 C2 C6 CK C5 S7 S2 H6 S5")
    others = set()
    for seed in range(20):
        world = redrawn(game, position, player, seed)
        state, truth = world[0], position[0]
        with wrapping():
            assert game.view(state, player) == game.view(truth, player)
        assert [int(hand).bit_count() for hand in state.hands] == [10] * 4
        for seat in range(4):
            assert int(state.hands[seat]) & ~int(state.may_hold[seat]) == 0
            if game.sees(truth, player, seat):
                assert state.hands[seat] == truth.hands[seat]
        # the world taken as the truth gives the same worlds
        again = redrawn(game, world, player, seed + 100)
        assert again.tobytes() == redrawn(game, position, player, seed + 100).tobytes()
        others.add(world.tobytes())
    assert len(others) > 10


def test_views_differ_where_a_player_can_tell():
    game = Bridge("3NT", "S", deal=HANDS)
    one, two = after(game, "SK"), after(game, "SQ")
    with wrapping():
        assert game.view(one[0], DECLARER) != game.view(two[0], DECLARER)
        assert game.view(one[0], LEFT) != game.view(one[0], RIGHT)


def test_fewer_cards_begin_after_some_tricks():
    # he has won all five tricks that were played, and needs four of eight
    game = load_game("bridge:3NT,S,cards=32")
    state = game.root(7)[0]
    assert (list(state.won), state.left, state.dummy) == ([5, 0], 8, 1)
    assert len(set().union(*(cards_in(int(hand)) for hand in state.hands))) == 32
    assert list(load_game("bridge:7NT,cards=40").root(7)[0].won) == [3, 0]
    assert list(load_game("bridge:1NT,cards=32").root(7)[0].won) == [5, 0]


def test_deals_are_dealt_from_the_seed():
    game = load_game("bridge")
    one, same, other = (game.root(seed).tobytes() for seed in (1, 1, 2))
    assert one == same != other


def test_positions_as_text(game):
    position = after(game, "SK H3 S4 S3 C2 C6")
    line = game.position_text(position[0])
    assert line == HANDS + " / SK H3 S4 S3 C2 C6"
    assert game.read_position(line).tobytes() == position.tobytes()
    for wrong, said in (
        ("what", "four hands"),
        (HANDS.replace(".63.", ".6."), "North has 12 cards"),
        (HANDS + " / H9", "'H9' is not a legal move here"),
    ):
        with pytest.raises(DataError, match=said):
            game.read_position(wrong)


def test_pictures(game):
    position = after(game, "SK H3")
    text = game.render(position[0])
    assert "North (dummy)" in text
    assert ">East" in text
    assert "5H by South: 0 of 11 tricks, 13 left, East to play" in text
    hidden = game.render_for(position[0], LEFT)
    assert "QT2" in hidden
    assert "A8654" not in hidden
    assert "13 cards" in hidden
    assert game.svg(position[0]).startswith("<svg")


def test_its_text():
    assert repr(load_game("bridge:4S,W")) == "Bridge(4S, W)"
    assert repr(load_game("bridge:contract=4S,declarer=W")) == "Bridge(4S, W)"
    assert repr(load_game("bridge")) == "Bridge(3NT, S)"
    for text, said in (
        ("bridge:9S", "'9S' is no contract"),
        ("bridge:4S,X", "'X' is no seat"),
        ("bridge:4S,W,E", "'E' is not OPTION=VALUE"),
        ("bridge:4S,cards=30", "cards=30: 32, 36 or 40"),
        ("bridge:4S,deal=N:- - - -", "none may be -"),
        ("bridge:4S,deal=what", "does not begin with a seat"),
        ("bridge:4S,scoring=matchpoints", "scoring"),
    ):
        with pytest.raises(OptionError, match=said):
            load_game(text)


def test_runs_are_one_move_to_a_solver(game):
    position = after(game, "SK H3 S4 S3")
    legal = game.legal_moves(position[0])
    kept = game.needed(position[0], legal, len(legal))
    names = sorted(card_name(int(move.card)) for move in legal[:kept])
    # of AKQ987 in diamonds the T lies between Q and 9; of A9732 in clubs each stands alone but 3, 2
    assert names == ["C2", "C7", "C9", "CA", "D7", "DQ", "H6"]


def test_plain_python_keeps_the_contract():
    report = po.check_problem(load_game("bridge:4S,E"), games=2, compiled=False)
    assert report.passed, str(report)


@pytest.mark.long
def test_compiled_and_plain_agree():
    report = po.check_problem(load_game("bridge:3NT,S"), games=3)
    assert report.passed, str(report)
