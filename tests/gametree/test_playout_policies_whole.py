"""Playout policies as a whole: against dictionaries, two forms of one class, searches with them."""

from __future__ import annotations

import copy
import math
from pathlib import Path

import numpy as np
import pytest

import playout as po
from playout.errors import OptionError
from playout.games import load_game
from playout.gametree import PLAYOUT_POLICIES
from playout.gametree.playout_policies.mast import MAST
from playout.gametree.playout_policies.nppa import NPPA
from playout.gametree.playout_policies.nst import NST
from playout.gametree.playout_policies.ppa import PPA, PPAF
from playout.gametree.tree_search import TreeSearch
from playout.gametree.tree_session import TreeSession
from tests.support.forms import FORMS, long
from tests.support.naive_playouts import NaiveNST, NaivePPA
from tests.support.policy_cases import (
    LEARNING,
    Script,
    Together,
    assert_same,
    choose_often,
    play_games,
    played,
    prepared,
    rng_of,
)

AGAINST = [
    (MAST(selection="gibbs", tau=0.3), NaiveNST()),
    (NST(selection="gibbs", tau=0.3, V=2, discount=0.9), NaiveNST(L=3, V=2, discount=0.9)),
    (PPA(alpha=0.7), NaivePPA(0.7, "payoff", discount=0.95)),
    (PPA(k=1.5, update="winner"), NaivePPA(0.32, "winner", discount=0.95)),
    (PPAF(alpha=0.7), NaivePPA(0.7, "winner")),
    (NPPA(V=2), NaivePPA(1.0, "winner", discount=0.95, L=3, V=2)),
    (NPPA(L=4, V=3, update="payoff"), NaivePPA(1.0, "payoff", discount=0.95, L=4, V=3)),
]


@pytest.mark.parametrize("codes", ["dense", "hashed"])
@pytest.mark.parametrize(("policy", "naive"), AGAINST, ids=[p.name for p, _ in AGAINST])
def test_against_dictionaries(policy, naive, codes):
    """The same probabilities at every move of games whose players move twice in a row."""
    game = load_game("dotsandboxes:2x2,players=3")
    policy, naive = prepare_hashed(policy, game, codes == "hashed"), copy.deepcopy(naive)
    sharpness = getattr(policy, "k", None) or 1 / policy.tau
    moves, rng = game.new_moves(), rng_of(4)
    with np.errstate(over="ignore"):
        for _ in range(12):
            states, steps, history = game.root(), [], []
            policy.begin()
            while n := game.moves(states[0], moves):
                state, mover = states[0], int(game.turn(states[0]))
                legal = [(mover, int(game.code(state, move))) for move in moves[:n]]
                if isinstance(policy, PPAF):
                    kinds = [int(game.features(state, move)) for move in moves[:n]]
                    legal = [(*move, kind) for move, kind in zip(legal, kinds, strict=True)]
                k = policy.choose(game, state, moves, n, rng)
                drawn = np.diff(policy.buffer[:n], prepend=0.0) / policy.buffer[n - 1]
                assert drawn == pytest.approx(naive.probabilities(history, legal, sharpness))
                steps.append((legal, legal[k]))
                history.append(legal[k])
                policy.seen(game, state, moves, n, k, mover)
                game.play(state, moves[k])
            rewards = np.array([game.reward(states[0], player) for player in range(3)])
            policy.learn(game, rewards)
            naive.learn(steps, rewards)


def prepare_hashed(policy, game, hashed):
    """A copy of the policy for the game, with a hash table if so wanted."""
    policy = copy.deepcopy(policy)
    if hashed:
        game.codes = 0
    return prepared(policy, game)


@pytest.mark.parametrize(
    ("cls", "selection"),
    [
        (cls, selection) if (cls, selection) == (MAST, "gibbs") else long(cls, selection)
        for cls in LEARNING
        for selection in ("gibbs", "greedy")
    ],
)
def test_compiled_is_plain(cls, selection):
    """Games by the policy, learning on the way: the same bytes in all of its arrays."""
    game = load_game("dotsandboxes:2x2,players=3")
    forms = []
    for form in (play_games, play_games.py_func):
        policy = cls(selection=selection, **({"V": 2} if "V" in cls.fields else {}))
        for _ in range(2):
            played(policy, game, 20, form=form)
            policy.next_search()
        forms.append(policy)
    assert_same(*forms)


@pytest.mark.parametrize("policy", [NST(V=2, selection="gibbs"), NPPA(V=2)], ids=lambda p: p.name)
def test_one_choice_a_step_is_a_game_with_turns(policy):
    """N-grams of a game that might conceal choices, and does not, are those of any other."""
    offers, turns = [[1, 2], [3, 4], [1, 2], [3, 4, 5], [6, 7]], [0, 1, 1, 2, 0]
    payoffs = (0.2, 0.4, 0.6)
    games = Script(offers, [*turns, 0], payoffs), Together(offers, turns, [0] * 5, payoffs)
    in_turn, at_once = (played(copy.deepcopy(policy), game, 20) for game in games)
    assert_same(in_turn, at_once)


@pytest.mark.long
@pytest.mark.parametrize("cls", [NST, NPPA])
def test_moves_at_the_same_time_compiled_are_plain(cls):
    offers = [[1, 2], [3, 4], [5, 6]] * 4
    game = Together(offers, [0, 1, 2] * 4, [0, 1, 2] * 4, (0.2, 0.4, 0.6))
    forms = (play_games, play_games.py_func)
    assert_same(*(played(cls(V=2), game, 20, form=form) for form in forms))


SEARCHES = {
    "tictactoe": "uct:playout=ppa",
    "connectfour:5x4": "uct:playout=nst,V=3,decay=0.5",
    "breakthrough:5x5": "uct:playout=ppaf,update=payoff",
    "dotsandboxes:2x2": "uct:playout=nppa,V=2",
    "dotsandboxes:2x2,players=3": "uct:playout=mast,selection=gibbs,discount=0.98",
    "atarigo:5x5": "uct:playout=heuristic,epsilon=0.2",
}


PLAIN = {"tictactoe", "dotsandboxes:2x2,players=3"}  # compiled with these policies elsewhere


@pytest.mark.long
@pytest.mark.parametrize("name", SEARCHES)
def test_searches(name):
    """Whole games through a session: legal, with memory, the same for the same seed."""
    game, algorithm = load_game(name), TreeSearch.parse(SEARCHES[name])
    compiled = name not in PLAIN
    games = []
    for seed in (1, 1, 2):
        session = TreeSession(game, algorithm, seed=seed, compiled=compiled)
        session.set_position()
        played, visits = [], []
        for _ in range(4):
            result = session.run(po.Playouts(150 if compiled else 40))
            played.append(result.move)
            visits.append([move.visits for move in result.moves])
            session.play(result.record)
        games.append((played, visits))
    assert games[0] == games[1]
    assert games[0] != games[2]


@pytest.mark.parametrize("compiled", FORMS)
def test_the_hash_default_code_with_three_players_and_turns_out_of_order(compiled):
    """A game that says nothing of codes, whose player 2 moves twice in a row."""
    game = Script([[1, 2, 3]] * 6, turns=[0, 1, 2, 2, 0, 1, 0], payoffs=(0.0, 0.0, 1.0), codes=0)
    algorithm = TreeSearch.parse("uct:playout=ppa")
    result = po.search(game, algorithm, po.Playouts(300), seed=1, compiled=compiled)
    assert result.simulations == 300
    assert all(move.value == 0.0 for move in result.moves)


class TestStrength:
    """Learning finds what there is to find."""

    @pytest.mark.parametrize("text", ["mast", "nst", "ppa", "nppa", "ppaf"])
    def test_the_good_code_is_learnt(self, text):
        game = Beacon()
        policy = played(TreeSearch.parse(f"uct:playout={text}").playout, game, 200)
        counts = np.zeros(4, np.int64)
        with np.errstate(over="ignore"):
            policy.begin()
            choose_often.py_func(
                policy, game, game.root(), game.new_moves(), rng_of(2), counts, 500
            )
        assert counts[2] > 250


class Beacon(po.Game):
    """One move each; the first player wins by move 2, the second is helpless."""

    codes = 4
    kinds = 2

    def __init__(self):
        self.max_moves, self.max_length = 4, 2
        self.state_type = po.record(step="i8", first="i8")
        self.move_type = po.record(number="i8")

    def reset(self, state):
        state.step = 0

    def moves(self, state, moves):
        for i in range(4):
            moves[i].number = i
        return 4 if state.step < 2 else 0

    def play(self, state, move):
        if state.step == 0:
            state.first = move.number
        state.step += 1

    def turn(self, state):
        return state.step

    def reward(self, state, player):
        return 1.0 * ((state.first == 2) == (player == 0))

    def code(self, state, move):
        return move.number

    def features(self, state, move):
        return state.step % 2


BAD = [
    ("mast,epsilon=1.5", "epsilon=1.5: a number from 0 to 1"),
    ("mast,epsilon=x", "epsilon=x: a number, or none"),
    ("mast,tau=1", "tau=1.0: tau belongs to selection=gibbs"),
    ("mast,selection=gibbs,epsilon=0.1", "epsilon=0.1: epsilon belongs to selection=greedy"),
    ("mast,selection=gibbs,tau=0", "tau=0.0: a number of at least 0.01"),
    ("mast,decay=2", "decay=2.0: a number from 0 to 1"),
    ("mast,selection=best", "selection=best: one of greedy, gibbs"),
    ("mast,table=1", "table=1: a whole number from 16 to 4194304"),
    ("nst,L=0", "L=0: a whole number from 1 to 8"),
    ("nst,V=-1", "V=-1.0: a number of at least 0"),
    ("nst,grams=2", "grams=2: a whole number from 16"),
    ("ppa,alpha=-0.1", "alpha=-0.1: a number of at least 0"),
    ("ppa,update=all", "update=all: one of payoff, winner"),
    ("ppa,epsilon=0.4", "epsilon=0.4: epsilon belongs to selection=greedy"),
    ("ppa,memory=false,decay=0.5", "decay=0.5: memory=false forgets all, leave decay out"),
    ("ppa,discount=1.1", "discount=1.1: a number from 0 to 1"),
    ("ppa,L=3", "there is no option 'L'"),
    ("heuristic,epsilon=2", "epsilon=2.0: a number from 0 to 1"),
    ("heuristic,selection=greedy,tau=2", "tau=2.0: tau belongs to selection=gibbs"),
]


@pytest.mark.parametrize(("text", "says"), BAD)
def test_bad_options(text, says):
    with pytest.raises(OptionError) as error:
        TreeSearch.parse(f"uct:playout={text}")
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_bad_options_in_python():
    for make, says in (
        (lambda: MAST(selection="both"), "selection='both': one of gibbs, greedy"),
        (lambda: MAST(decay=True), "decay=True: a number from 0 to 1"),
        (lambda: NST(L=2.5), "L=2.5: a whole number"),
        (lambda: PPA(alpha=math.inf), "alpha=inf: a number of at least 0"),
        (lambda: PPA(alpha=math.nan), "alpha=nan: a number of at least 0"),
    ):
        with pytest.raises(OptionError) as error:
            make()
        assert says in str(error.value)


@pytest.mark.parametrize("compiled", FORMS)
def test_a_user_may_take_a_policy_as_a_pattern(tmp_path: Path, compiled):
    """The text of a built-in policy in a file of one's own plays the same games."""
    text = Path(po.__file__).with_name("gametree") / "playout_policies" / "mast.py"
    (tmp_path / "own.py").write_text(text.read_text().replace("class MAST", "class Own"))
    game = load_game("tictactoe")
    stop = po.Playouts(200)
    own, built_in = (
        po.search(game, f"uct:playout={playout}", stop, seed=4, compiled=compiled)
        for playout in (f"{tmp_path}/own.py:Own", "mast")
    )
    assert [m.visits for m in own.moves] == [m.visits for m in built_in.moves]


def test_all_are_registered():
    assert set(PLAYOUT_POLICIES) == {
        "uniform",
        "mast",
        "nst",
        "ppa",
        "ppaf",
        "nppa",
        "heuristic",
        "handmade",
        "minmax",
    }
