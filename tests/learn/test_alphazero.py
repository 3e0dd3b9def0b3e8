"""AlphaZero and MbM by hand: planes, episodes, priors, the master tree."""

from __future__ import annotations

import numpy as np
import pytest

from playout.games import ConnectFour, TicTacToe
from tests.support.torch_threads import one_thread  # noqa: F401

torch = pytest.importorskip("torch")

from playout.gametree.tree_arrays import UNIT  # noqa: E402
from playout.learn.alphazero.master_tree import MasterTree  # noqa: E402
from playout.learn.alphazero.two_player_puct import (  # noqa: E402
    AS_THEY_ARE,
    OVER,
    RELAXED,
    SETTINGS,
    WAIT,
    Episode,
    Predictions,
    play_on,
    puct_for,
)

GAME = TicTacToe()


def options(**changes):
    found = np.zeros(1, SETTINGS)
    given = dict(simulations=30, alpha=0.1, epsilon=0.25, temperature=1.0, decay=1.0, high=1.0)
    for name, value in {**given, **changes}.items():
        found[0][name] = value
    return found


def even(planes):
    """A network that knows nothing."""
    return np.zeros((len(planes), 9), np.float32), np.zeros(len(planes), np.float32)


def play(evaluator=even, settings=None, guide=(), seed=1):
    settings = options() if settings is None else settings
    episode = Episode(GAME, int(settings[0].simulations))
    predictions = Predictions(GAME, 1 << 14, 16)
    episode.begin(GAME, seed, list(guide))
    while play_on(episode, episode.tree, GAME, puct_for(GAME, 2.0), predictions, settings) != OVER:
        predictions.evaluate(evaluator)
    return episode


# planes


def test_planes_and_outputs_by_hand():
    state = GAME.root()
    for text in ("a1", "b2", "c3"):
        GAME.play(state[0], GAME.parse_move(state[0], text))
    planes = np.zeros((2, 3, 3), np.float32)
    GAME.planes(state[0], planes)
    assert np.argwhere(planes[0]).tolist() == [[1, 1]]  # o moves, and has the middle
    assert np.argwhere(planes[1]).tolist() == [[0, 0], [2, 2]]
    game = ConnectFour(5, 4)
    state = game.root()
    for text in "aab":
        game.play(state[0], game.parse_move(state[0], text))
    planes = np.zeros(game.plane_shape, np.float32)
    game.planes(state[0], planes)
    assert np.argwhere(planes[0]).tolist() == [[1, 0]]  # rows from the bottom
    assert np.argwhere(planes[1]).tolist() == [[0, 0], [0, 1]]
    legal = game.new_moves()
    n = game.moves(state[0], legal)
    assert [int(game.output(state[0], legal[i])) for i in range(n)] == [0, 1, 2, 3, 4]


# the search


@pytest.mark.long
def test_an_episode_is_a_game_and_its_policies_are_visits():
    episode = play(settings=options(simulations=40))
    n, state = episode.length, GAME.root()
    for ply in range(n):
        planes = np.zeros((2, 3, 3), np.float32)
        GAME.planes(state[0], planes)
        assert (planes == episode.planes[ply]).all()
        shares = episode.policies[ply] * 40  # with temperature 1 these are the visits
        assert np.abs(shares - shares.round()).max() < 1e-4
        assert shares.sum() == pytest.approx(40)
        cell = int(episode.outputs[ply])
        assert episode.policies[ply, cell] > 0
        assert episode.movers[ply] == ply % 2
        GAME.play(state[0], GAME.parse_move(state[0], "abc"[cell % 3] + str(cell // 3 + 1)))
    assert GAME.moves(state[0], GAME.new_moves()) == 0
    assert episode.lane[0].reward == 2 * GAME.reward(state[0], 0) - 1


@pytest.mark.long
def test_a_search_finds_the_winning_move_and_its_value():
    # x: a1 b1, o: a2 b2, x to move: c1 wins
    guide = [0, 3, 1, 4]
    episode = play(settings=options(simulations=200, temperature=0.5), guide=guide)
    assert episode.outputs[:4].tolist() == guide
    assert episode.policies[4].argmax() == 2
    assert episode.values[4] > 0.8
    assert episode.values[3] < episode.values[4]


@pytest.mark.long
def test_the_first_choice_follows_the_priors():
    """With C so high that values do not matter, visits are as PUCT spreads them over priors."""
    wanted = np.array([8.0, 4, 2, 1, 1, 1, 1, 1, 1])

    def skewed(planes):
        return np.tile(np.log(wanted), (len(planes), 1)).astype(np.float32), np.zeros(len(planes))

    settings = options(simulations=60, epsilon=0.0)
    episode = Episode(GAME, 60)
    predictions = Predictions(GAME, 1 << 14, 16)
    episode.begin(GAME, 1, [])
    policy = puct_for(GAME, 1e6)
    while play_on(episode, episode.tree, GAME, policy, predictions, settings) == WAIT:
        predictions.evaluate(skewed)
    counts = np.zeros(9)
    for _ in range(60):
        counts[np.argmax(wanted / (1 + counts))] += 1
    shares = episode.policies[0] * 60
    assert np.abs(shares - counts).max() <= 1.001  # equal bounds may fall either way


@pytest.mark.long
def test_temperature_sharpens_and_decays():
    settings = options(simulations=30, epsilon=0.0, temperature=0.5, decay=0.5)
    sharp = play(settings=settings)
    plain = play(settings=options(simulations=30, epsilon=0.0, temperature=1.0, decay=1.0))
    visits = plain.policies[0].astype(float)
    assert sharp.policies[0] == pytest.approx(visits**2 / (visits**2).sum(), abs=1e-5)


@pytest.mark.long
def test_predictions_ahead_change_nothing():
    few = play(settings=options(ahead=0), seed=5)
    ahead = play(settings=options(ahead=1), seed=5)
    assert few.outputs.tolist() == ahead.outputs.tolist()
    assert (few.policies == ahead.policies).all()


# the master tree


def edges(master, node):
    """By output: visits, mean reward of the mover and prior of a node's moves."""
    tree, state = master.tree, GAME.root()
    first = int(tree.first[node])
    found = {}
    for edge in range(first, first + int(tree.count[node])):
        visits = int(tree.edge_visits[edge])
        mean = tree.edge_totals[edge] / UNIT / visits if visits else 0.0
        output = int(GAME.output(state[0], tree.edge_moves[edge]))
        found[output] = visits, mean, float(tree.edge_prior[edge]), int(tree.child[edge])
    return found


def told(path, values, policies, moves, reward):
    """An episode as a search would leave it."""
    episode = Episode(GAME, 1)
    episode.lane[0].guided, episode.lane[0].ply = len(path), len(moves)
    episode.lane[0].reward = reward
    episode.outputs[: len(moves)] = moves
    episode.movers[: len(moves)] = np.arange(len(moves)) % 2
    episode.values[: len(moves)] = values
    episode.policies[: len(moves)] = policies
    return episode


@pytest.mark.long
def test_the_master_tree_by_hand():
    master, policy, settings = MasterTree(GAME), puct_for(GAME, 2.0), options()
    even_policy = np.full(9, 1 / 9)
    moves = [0, 1, 2, 3, 4, 5, 6]
    # first episode: no path; the root joins with v = 0.2 for x, a reward of 0.6
    assert master.next_path(policy, settings, AS_THEY_ARE, 1) == []
    master.update(told([], 0.2, even_policy, moves, 1.0), policy, settings)
    root = int(master.tree.head[0].root)
    assert master.value[root] == pytest.approx(0.6)
    assert all(row[:2] == (0, 0.0) for row in edges(master, root).values())
    # second: x plays cell 0; there o's search says -0.5, so that x has 0.75; the root's search says
    # 0.4, which replaces 0.2 (the weight of the first episode through a node is 1)
    skewed = np.array([0.5, 0.5, 0, 0, 0, 0, 0, 0, 0])
    values = [0.4, -0.5, 0, 0, 0, 0, 0]
    master.update(told([0], values, skewed, moves, 1.0), policy, settings)
    assert master.value[root] == pytest.approx(0.7)
    visits, mean, prior, child = edges(master, root)[0]
    assert (visits, mean, prior) == (1, pytest.approx(0.75), pytest.approx(0.5))
    assert master.value[child] == pytest.approx(0.75)
    # third: 0, then 1, where x's search says 0.6: 0.8 for x, 0.2 for o. The estimate at the child
    # goes from 0.75 to that of -0.7, 0.85: 0.1 is added on the way up, 0.9 for x. At the root the
    # weight is 1/2: v = (0.7 + 0.5) / 2 by a search that says 0
    values = [0.0, -0.7, 0.6, 0, 0, 0, 0]
    master.update(told([0, 1], values, even_policy, moves, 1.0), policy, settings)
    visits, mean, prior, child = edges(master, root)[0]
    assert visits == 2
    assert mean == pytest.approx((0.75 + 0.9) / 2, abs=1e-6)
    assert prior == pytest.approx((0.5 + 1 / 9) / 2)
    assert master.value[root] == pytest.approx(0.6)
    assert master.value[child] == pytest.approx(0.85)
    assert int(master.tree.visits[root]) == 3


def test_paths_to_the_end_of_the_game_bring_its_reward():
    master, policy, settings = MasterTree(GAME), puct_for(GAME, 2.0), options()
    moves = [0, 3, 1, 4, 2]  # x wins
    for depth in range(5):
        master.update(told(moves[:depth], 0.0, np.full(9, 1 / 9), moves, 1.0), policy, settings)
    before = edges(master, int(master.tree.head[0].root))[0][1]
    assert before == pytest.approx(0.5)
    master.update(told(moves, 0.0, np.full(9, 1 / 9), moves, 1.0), policy, settings)
    visits, mean, *_ = edges(master, int(master.tree.head[0].root))[0]
    assert (visits, mean) == (5, pytest.approx((4 * 0.5 + 1.0) / 5))


def test_relaxed_priors_by_hand():
    """A sure policy is never left, a relaxed one after its tenth visit."""
    sure = np.zeros(9)
    sure[4] = 1.0
    moves = [4, 0, 1, 2, 3, 5, 6, 7, 8]
    for kind, leaves in ((AS_THEY_ARE, False), (RELAXED, True)):
        master, settings, policy = MasterTree(GAME), options(), puct_for(GAME, 2.0)
        found = []
        for _ in range(14):
            path = master.next_path(policy, settings, kind, 1)
            found.append(path[:1])
            # every value is even: only the priors decide
            rest = [c for c in moves if c not in path]
            sure_here = sure if not path or path[0] == 4 else np.full(9, 1 / 9)
            master.update(told(path, 0.0, sure_here, [*path, *rest], 0.0), policy, settings)
        # the bounds are 1.1 / (1 + n) against 0.1: equal at n = 10
        assert found[:11] == [[], *[[4]] * 10]
        assert (found[12:] != [[4]] * 2) == leaves


def test_episodes_under_way_are_kept_apart():
    master, settings, policy = MasterTree(GAME), options(), puct_for(GAME, 2.0)
    episode = told([], 0.0, np.full(9, 1 / 9), list(range(7)), 1.0)
    master.update(episode, policy, settings)
    paths = [tuple(master.next_path(policy, settings, AS_THEY_ARE, 1)) for _ in range(9)]
    assert len(set(paths)) == 9


def test_a_master_tree_grows_and_comes_back_from_its_arrays():
    small, large = MasterTree(GAME, nodes=32), MasterTree(GAME)
    policy, settings = puct_for(GAME, 2.0), options()
    rng = np.random.default_rng(1)
    for number in range(60):
        paths = [m.next_path(policy, settings, RELAXED, number) for m in (small, large)]
        assert len(paths[0]) == len(paths[1])
        rest = [c for c in rng.permutation(9) if c not in paths[1]]
        state, moves = GAME.root(), []
        for cell in [*paths[1], *rest]:
            if GAME.moves(state[0], GAME.new_moves()) == 0:
                break
            name = "abc"[cell % 3] + str(cell // 3 + 1)
            GAME.play(state[0], GAME.parse_move(state[0], name))
            moves.append(int(cell))
        policies = rng.dirichlet(np.ones(9))
        if paths[0] == paths[1]:
            for m in (small, large):
                m.update(told(paths[1], 0.1, policies, moves, 0.0), policy, settings)
    assert len(small.value) > 33
    copy = MasterTree(GAME)
    copy.restore({name: array.copy() for name, array in small.arrays().items()})
    for name, array in small.arrays().items():
        assert array.tobytes() == copy.arrays()[name].tobytes()
