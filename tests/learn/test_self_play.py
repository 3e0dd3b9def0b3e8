"""Self-play: games that are what they say, teams, and the queues of positions."""

from __future__ import annotations

import numpy as np
import pytest

from playout.contract import Game
from playout.errors import DataError
from playout.learn.policy_iteration.compiled_self_play import Games
from playout.learn.policy_iteration.policy_mcts import PolicyMCTS
from playout.learn.policy_iteration.self_play import SelfPlay
from playout.problems import SameGame
from tests.support.self_play_cases import PROBLEM, guided, uniform
from tests.support.torch_threads import one_thread  # noqa: F401

torch = pytest.importorskip("torch")

from playout.learn.inference.evaluators import Evaluator  # noqa: E402
from playout.learn.networks.network_shape import shape_of  # noqa: E402
from playout.learn.networks.policy_network import new_network  # noqa: E402
from playout.learn.policy_iteration.generations import agrees  # noqa: E402
from playout.learn.policy_iteration.position_queues import (  # noqa: E402
    Positions,
    Queues,
    positions_of,
    split_games,
)
from playout.learn.policy_iteration.predictions import PredictingSearch, teams_of  # noqa: E402


@pytest.mark.long
def test_games_are_legal_and_their_outcome_is_their_own():
    games = Games.empty(PROBLEM, np.arange(40))
    assert uniform(20).play(games, 7)
    assert (games.lengths > 0).all()
    assert all(agrees(PROBLEM, games, 7, i) for i in range(40))
    assert not agrees(PROBLEM, games, 8, 0)
    # another company, another order, several threads: the same games
    others = Games.empty(PROBLEM, np.arange(40)[::-3])
    assert uniform(20, at_once=5, threads=3).play(others, 7)
    assert np.array_equal(others.moves, games.moves[others.numbers])
    assert np.array_equal(others.scores, games.scores[others.numbers])


@pytest.mark.long
def test_games_with_a_network_are_their_own_too():
    network = new_network(shape_of(PROBLEM), filters=4)
    games, others = (Games.empty(PROBLEM, np.arange(n)) for n in (12, 5))
    player = guided(network, 6)
    assert player.play(games, 3)
    assert all(agrees(PROBLEM, games, 3, i) for i in range(12))
    assert guided(network, 6, at_once=3, threads=2).play(others, 3)
    assert np.array_equal(others.moves, games.moves[:5])
    moves = games.lengths.sum()
    assert player.playouts <= 6 * moves


@pytest.mark.long
def test_a_look_stops_and_nothing_is_lost():
    games = Games.empty(PROBLEM, np.arange(200))
    player = uniform(60, at_once=64)
    assert not player.play(games, 1, lambda: (games.lengths >= 0).sum() >= 20)
    finished = games.lengths >= 0
    assert 20 <= finished.sum() < 200
    begun = np.flatnonzero((games.known > 0) & ~finished)
    assert len(begun) > 30
    assert (games.prefixes[begun] < games.known[begun]).all()
    assert games.prefixes[begun].max() > 0
    before = Games(*(getattr(games, name).copy() for name in Games.fields))
    assert player.play(games, 1)
    assert np.array_equal(games.moves[finished], before.moves[finished])
    assert all(agrees(PROBLEM, games, 1, i) for i in range(200))
    # the moves committed stay, and a best playout is only given up for a better one
    for i in begun:
        prefix = before.prefixes[i]
        assert np.array_equal(games.moves[i, :prefix], before.moves[i, :prefix])
    kept = Games(*(getattr(before, name).copy() for name in Games.fields))
    kept.lengths[begun] = before.known[begun]
    kept.scores[begun] = games.scores[begun]
    same = (kept.moves[begun] == games.moves[begun]).all(axis=1)
    assert all(agrees(PROBLEM, kept, 1, i) for i in begun[same])
    assert same.mean() > 0.3


class Late:
    """An evaluator that computes when it is waited for, as a GPU may; two teams play."""

    class device:
        type = "late"

    def __init__(self, network):
        self._evaluator = Evaluator(network, "cpu")
        self.evaluations = 0

    def submit(self, planes, logits):
        self.evaluations += len(planes)
        logits[:] = np.nan
        later = Late.__new__(Late)
        later.work = lambda: self._evaluator.submit(planes, logits).wait()
        return later

    def ready(self):
        return True

    def wait(self):
        self.work()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.long
def test_teams_play_while_the_device_computes(threads):
    network = new_network(shape_of(PROBLEM), filters=4)
    games, others = (Games.empty(PROBLEM, np.arange(12)) for _ in range(2))
    guided(network, 6).play(games, 3)
    algorithm = PolicyMCTS(model="-", leaves=1, simulations=6, c_puct=5.0, rollouts="policy")
    player = SelfPlay(PROBLEM, algorithm, at_once=6, threads=threads, evaluator=Late(network))
    assert player.play(others, 3)
    assert np.array_equal(others.moves, games.moves)


@pytest.mark.long
def test_the_leaves_of_one_tree_are_two_teams_as_well():
    network = new_network(shape_of(PROBLEM), filters=4)
    algorithm = PolicyMCTS(model="-", leaves=20, simulations=40, c_puct=5.0, rollouts="policy")
    searches = []
    for evaluator in (Evaluator(network, "cpu"), Late(network)):
        search = PredictingSearch(PROBLEM, algorithm, 1)
        search.prepare(PROBLEM, evaluator, 64)
        steps = search.make_step(PROBLEM, True, 1)
        while search.head[0].playouts < 200:
            steps(search, 200 - search.head[0].playouts)
        searches.append(search)
    assert teams_of(search) == 2
    one, two = searches
    assert one.head[0].best_score == two.head[0].best_score
    assert np.array_equal(one.tree["visits"], two.tree["visits"])
    assert np.array_equal(one.committed, two.committed)


@pytest.mark.long
def test_positions_are_those_of_the_games():
    games = Games.empty(PROBLEM, np.arange(30))
    uniform(20).play(games, 5)
    positions = positions_of(PROBLEM, games, 5, 0.2, torch.device("cpu"))
    total = games.lengths.sum()
    assert len(positions) == total
    assert positions.planes.shape == (2 * total, *PROBLEM.plane_shape)
    # whole games validate, as few as have a fifth of the positions
    owners = np.repeat(np.arange(30), games.lengths)
    some, others = (set(owners[rows]) for rows in (positions.validation, positions.training))
    assert not some & others
    assert 0 <= len(positions.validation) - round(0.2 * total) < games.lengths.max()
    both = np.concatenate([positions.training, positions.validation])
    assert np.array_equal(np.sort(both), np.arange(total))
    # every position has a tile of a colour in each cell or none, and the target is a tile
    assert (positions.planes.sum(1) == 1).all()
    target = positions.planes.flatten(2)[np.arange(2 * total), :, positions.targets]
    assert (target[:, 0] == 0).all()
    first, image = positions.planes[0], positions.planes[total]
    assert (first[0] == 0).all()  # the first is a full board
    assert torch.equal(image, first.flip(2))
    games.moves[0, 0] = 15 - games.moves[0, 0]
    with pytest.raises(DataError, match="not games of this problem"):
        positions_of(PROBLEM, games, 5, 0.2, torch.device("cpu"))


@pytest.mark.parametrize(
    ("lengths", "validating"), [([6], 1), ([5, 0, 0], 1), ([1, 9], {1, 9}), ([4, 4, 4, 0], 4)]
)
def test_few_games_are_split_too(lengths, validating):
    for seed in range(20):
        training, validation = split_games(np.array(lengths), 0.1, np.random.default_rng(seed))
        assert sorted([*training, *validation]) == list(range(sum(lengths)))
        assert len(training) > 0
        assert len(validation) in (validating if isinstance(validating, set) else {validating})


class Plain(SameGame):
    """SameGame whose left is not its right."""

    mirror = Game.mirror


class Seldom(SameGame):
    """SameGame with mirror images of full boards alone."""

    def mirror(self, state, move):
        return state.played == 0


@pytest.mark.parametrize("kind", [Plain, Seldom])
@pytest.mark.long
def test_a_problem_without_mirror_images_has_none(kind):
    games = Games.empty(PROBLEM, np.arange(4))
    uniform(5, at_once=2).play(games, 5)
    problem = kind.training(rows=4, columns=4, colours=2)  # with the games of the other
    positions = positions_of(problem, games, 5, 0.2, torch.device("cpu"))
    assert positions.images == 1
    assert len(positions.planes) == len(positions) == games.lengths.sum()


def test_queues_keep_the_last():
    def part(number, n):
        planes = torch.full((n, 1), float(number))
        return Positions(planes, torch.full((n,), number), np.arange(2, n), np.arange(2))

    queues = Queues(training=20, validation=3)
    for number in range(1, 5):
        queues.add(part(number, 10))
    assert queues.generations() == 3
    data = queues.data()
    assert data.targets[data.training].tolist() == [2] * 4 + [3] * 8 + [4] * 8
    assert data.targets[data.validation].tolist() == [3, 4, 4]
    assert torch.equal(data.planes[:, 0].long(), data.targets)


def test_mirror_images_lie_behind_all_positions():
    queues = Queues(training=20, validation=3)
    for number in (1, 2):
        here = torch.arange(10 * number, 10 * number + 4)
        both = torch.cat([here, -here])
        queues.add(Positions(both, both, np.arange(1, 4), np.arange(1), 2))
    data = queues.data()
    assert data.images == 2
    assert len(data) == 8
    assert data.targets[data.training].tolist() == [11, 12, 13, 21, 22, 23]
    assert torch.equal(data.planes[data.training + len(data)], -data.planes[data.training])
