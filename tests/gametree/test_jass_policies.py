"""HandMade and MinMax play as the report's program does: naive players by sets of names."""

from __future__ import annotations

import numpy as np
import pytest

from playout.compiled import wrapping
from playout.errors import OptionError
from playout.games import load_game
from playout.gametree import PLAYOUT_POLICIES
from playout.gametree.tree_search import TreeSearch
from playout.gametree.tree_session import TreeSession
from playout.stop import Playouts
from tests.support.naive_jass import DECK, RANKS, TRUMPS, Turn, points_of

JASS = load_game("jass")


def states_of_games(seeds: int, least: int):
    """Random positions with what the naive rules make of them; at least so many cards played."""
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        states = JASS.new_states(1)
        with wrapping():
            JASS.draw(states[0], np.array([seed], np.uint64))
        trump, leader = "SHDC"[states[0].trump], int(states[0].leader)
        turn = Turn([_names(hand) for hand in states[0].hands], trump, leader)
        for number in range(36):
            if number >= least:
                yield states, turn
            card = sorted(turn.legal())[rng.integers(len(turn.legal()))]
            turn.play(card)
            JASS.play_move(states[0], JASS.parse_move(states[0], card))


def _names(hand) -> set[str]:
    cards = [(suit, rank) for suit in range(4) for rank in range(4, 13)]
    return {
        "SHDC"[suit] + RANKS[rank - 4]
        for suit, rank in cards
        if int(hand) >> (16 * suit + rank) & 1
    }


def chosen(policy, states) -> str:
    moves = JASS.legal_moves(states[0])
    with wrapping():
        k = policy.choose(JASS, states[0], moves, len(moves), np.ones(1, np.uint64))
    return JASS.move_text(states[0], moves[k])


def better(card: str, other: str, trump: str) -> bool:
    if card[0] != other[0]:
        return card[0] == trump
    order = TRUMPS if card[0] == trump else list(RANKS)
    return order.index(card[1]) > order.index(other[1])


def by_hand(turn: Turn) -> str:
    """HandMade's card."""
    legal = [card for card in DECK if card in turn.legal()]
    table, trump = [card for _, card in turn.trick], turn.trump
    opponents, partner = table[-1:] + table[:1] * (len(table) == 3), table[-2:-1]
    if partner and all(better(partner[0], card, trump) for card in opponents):
        opponents = partner
    best = None
    for card in legal:
        wins = bool(opponents) and all(better(card, other, trump) for other in opponents)
        if wins and (best is None or points_of(card, trump) > points_of(best, trump)):
            best = card
    weakest = legal[0]
    for card in legal[1:]:
        weakest = card if better(weakest, card, trump) else weakest
    return best or weakest


def by_minimax(turn: Turn, ratio: bool) -> str:
    """MinMax's card: the whole tree of the trick, others with all cards but the mover's."""
    mover = turn.player
    pool = set().union(*(turn.hands[seat] for seat in range(4) if seat != mover))

    def value(now: Turn, own: set[str], others: set[str], tricks: int) -> float:
        if sum(now.tricks) > tricks:
            won = now.points[mover % 2] - turn.points[mover % 2]
            lost = now.points[1 - mover % 2] - turn.points[1 - mover % 2]
            return (won + 1) / (lost + 1) if ratio else won
        values = [v for _, v in branches(now, own, others, tricks)]
        return max(values) if now.player % 2 == mover % 2 else min(values)

    def branches(now: Turn, own: set[str], others: set[str], tricks: int):
        hand = own if now.player == mover else others
        here = Turn([hand if seat == now.player else set() for seat in range(4)], turn.trump, 0)
        here.player, here.trick = now.player, now.trick
        for card in [card for card in DECK if card in here.legal()]:
            after = Turn([{card} if s == now.player else set() for s in range(4)], turn.trump, 0)
            after.player, after.trick = now.player, list(now.trick)
            after.points, after.tricks = list(now.points), list(now.tricks)
            if sum(turn.tricks) < 8:
                after.hands[(now.player + 1) % 4] = {"more"}  # it is not the last trick
            after.legal = lambda card=card: {card}  # type: ignore[method-assign]
            after.play(card)
            yield card, value(after, own - {card}, others - {card}, tricks)

    best, most = "", -1.0
    for card, found in branches(turn, set(turn.hands[mover]), pool, sum(turn.tricks)):
        if found > most:
            best, most = card, found
    return best


def test_handmade_is_the_reports_rule_of_thumb():
    policy, seen = PLAYOUT_POLICIES["handmade"](), set()
    policy.prepare(JASS, 0)
    for states, turn in states_of_games(12, 0):
        expected = by_hand(turn)
        assert chosen(policy, states) == expected, (states[0], turn.trick)
        seen.add(len(turn.trick))
    assert seen == {0, 1, 2, 3}


@pytest.mark.parametrize("value", ["points", "ratio"])
def test_minmax_is_the_whole_tree_of_the_trick(value):
    policy = PLAYOUT_POLICIES["minmax"](value=value)
    policy.prepare(JASS, 0)
    for states, turn in states_of_games(5, 25):
        assert chosen(policy, states) == by_minimax(turn, value == "ratio"), turn.trick


def test_they_play_jass_only():
    with pytest.raises(OptionError, match="handmade plays Jass, not ConnectFour"):
        PLAYOUT_POLICIES["handmade"]().prepare(load_game("connectfour"), 0)
    with pytest.raises(OptionError, match="value='much': one of points, ratio"):
        PLAYOUT_POLICIES["minmax"](value="much")


# positions of the program's own tests: what is to be played
POSITIONS = [
    ("S 1 -/T98.JT9876../-/- SJ", "S8"),  # the trick is lost: the least for it
    ("C 1 -/-/-/T98.JT987..6 SJ SQ S6", "ST"),  # it is won: the most
    ("C 1 -/-/-/J98.QJ987..J ST HT C9", "CJ"),  # much lies there
    ("C 1 -/-/-/J98.QJ98..J7 ST HT SA", "C7"),  # but the jack is not needed for it
    ("D 1 -/-/T9.QJ986..J7/- S8 S7", "S9"),  # who wins is open: do not risk the ten
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "search"),
    [
        ("points", "uct:C=56.57,choice=mean"),
        ("points", "uct:C=56.57,choice=mean,parallel=root"),
        ("ratio", "ucb1tuned:choice=mean"),
    ],
)
def test_the_positions_of_the_programs_own_tests(rules, search):
    workers = 2 if "parallel" in search else 1
    game = load_game(f"jass:pool=true,reward={rules}")
    session = TreeSession(game, TreeSearch.parse(search), seed=1, workers=workers)
    for position, card in POSITIONS:
        session.set_position(game.read_position(position))
        assert session.run(Playouts(10_000)).move == card
