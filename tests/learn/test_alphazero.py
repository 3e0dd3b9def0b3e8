"""AlphaZero and MbM: formulas by hand, exact results, learning, going on after a stop."""

from __future__ import annotations

import dataclasses
import io
import itertools
import json
import sqlite3
import sys

import numpy as np
import pytest

from playout.errors import DataError, GivenUp, OptionError
from playout.games import ConnectFour, TicTacToe
from tests.support.torch_threads import one_thread  # noqa: F401

torch = pytest.importorskip("torch")

from playout.gametree.tree_arrays import UNIT  # noqa: E402
from playout.learn.alphazero.all_positions import AllPositions, logits_of  # noqa: E402
from playout.learn.alphazero.alphazero_settings import AlphaZeroSettings  # noqa: E402
from playout.learn.alphazero.epochs import AlphaZero, agrees, outcomes  # noqa: E402
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
from playout.learn.inference.evaluators import Evaluator  # noqa: E402
from playout.learn.networks.model_file import load_model  # noqa: E402
from playout.learn.networks.network_shape import Shape, shape_of  # noqa: E402
from playout.learn.networks.residual_network import ResidualNetwork  # noqa: E402

GAME = TicTacToe()
TINY = AlphaZeroSettings(epochs=3, games=20, simulations=30, blocks=1, filters=8, most_steps=20)
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@pytest.fixture(scope="module")
def positions():
    return AllPositions(GAME)


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


# every position


def test_every_position_and_its_value(positions):
    assert len(positions) == 5478
    values = {}

    # the value for the player to move, by sets of cells and no code of the package
    def value(mine, theirs):
        if any(set(line) <= theirs for line in LINES):
            return 0.0
        if len(mine) + len(theirs) == 9:
            return 0.5
        key = frozenset(mine), frozenset(theirs)
        if key not in values:
            left = set(range(9)) - mine - theirs
            values[key] = max(1 - value(theirs, mine | {c}) for c in left)
        return values[key]

    for row in range(0, len(positions), 37):
        state = positions.states[row]
        cells = [{c for c in range(9) if int(s) >> c & 1} for s in state.stones]
        mover = int(state.player)
        wanted = value(cells[mover], cells[1 - mover])
        assert positions.value[row] == (wanted if mover == 0 else 1 - wanted)


def test_exact_results_against_played_games(positions):
    """A policy that takes the lowest free cell: its wins against chance, by enumeration."""

    def lowest(planes):
        return np.tile(-np.arange(9.0), (len(planes), 1))

    def results(x, o, mine, weight):
        """Wins, draws and losses when the policy has the stones `mine` and moves in turn."""
        player, other = (x, o) if len(x) == len(o) else (o, x)
        if any(set(line) <= other for line in LINES):
            won = other is mine
            return np.array([weight, 0, 0] if won else [0, 0, weight])
        left = [c for c in range(9) if c not in x and c not in o]
        if not left:
            return np.array([0, weight, 0])
        if player is mine:
            left = left[:1]
        total = np.zeros(3)
        for cell in left:
            player.add(cell)
            total = total + results(x, o, mine, weight / len(left))
            player.remove(cell)
        return total

    for seat in (0, 1):
        stones = (set(), set())
        found = positions.seat_result(lowest, "random", seat)
        wanted = results(*stones, stones[seat], 1.0)
        assert [found.wins, found.draws, found.losses] == pytest.approx(wanted.tolist())


def test_the_best_moves_never_lose(positions):
    best = positions.best_moves()
    keys = {positions.planes(np.array([row])).tobytes(): row for row in range(len(positions))}

    def perfect(planes):
        logits = np.zeros((len(planes), 9))
        for i, plane in enumerate(planes):
            row = keys[plane.tobytes()]
            logits[i, positions.outputs[row][best[row]]] = 1
        return logits

    for rival in ("random", "perfect"):
        assert positions.result(perfect, rival).losses == 0
    assert positions.result(perfect, "perfect").score == 0.5
    with pytest.raises(OptionError, match="one of random"):
        positions.result(perfect, "nobody")


def test_too_many_positions():
    with pytest.raises(OptionError, match="more than 1,000 positions"):
        AllPositions(GAME, 1000)


# the search


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


def test_a_search_finds_the_winning_move_and_its_value():
    # x: a1 b1, o: a2 b2, x to move: c1 wins
    guide = [0, 3, 1, 4]
    episode = play(settings=options(simulations=200, temperature=0.5), guide=guide)
    assert episode.outputs[:4].tolist() == guide
    assert episode.policies[4].argmax() == 2
    assert episode.values[4] > 0.8
    assert episode.values[3] < episode.values[4]


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


def test_temperature_sharpens_and_decays():
    settings = options(simulations=30, epsilon=0.0, temperature=0.5, decay=0.5)
    sharp = play(settings=settings)
    plain = play(settings=options(simulations=30, epsilon=0.0, temperature=1.0, decay=1.0))
    visits = plain.policies[0].astype(float)
    assert sharp.policies[0] == pytest.approx(visits**2 / (visits**2).sum(), abs=1e-5)


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


# training


def stop_after(epoch):
    return lambda status: status.phase == "done" and status.number >= epoch


@pytest.mark.parametrize("method", ["alphazero", "mbm"])
def test_a_run_that_was_stopped_goes_on_to_the_same_network(method, tmp_path):
    settings = dataclasses.replace(TINY, method=method)

    def training(name):
        return AlphaZero(GAME, settings, tmp_path / name, name="tictactoe", device="cpu")

    assert training("whole").run(lambda status: False)
    calls = itertools.count()
    stopped = training("parts")
    while not stopped.run(lambda status: next(calls) % 3 == 2):
        stopped = training("parts")
    models = [load_model(tmp_path / name).network for name in ("whole", "parts")]
    for a, b in zip(*(model.state_dict().values() for model in models), strict=True):
        assert torch.equal(a, b)
    logs = [training(name).log for name in ("whole", "parts")]
    for entry in itertools.chain(*logs):
        del entry["seconds"]
    assert logs[0] == logs[1]
    assert len(logs[0]) == 3
    assert load_model(tmp_path / "whole").about["method"] == method


def test_it_learns(tmp_path, positions):
    settings = dataclasses.replace(TINY, epochs=12, games=30, filters=16, most_steps=60)
    training = AlphaZero(GAME, settings, tmp_path / "m", name="tictactoe", device="cpu")
    before = positions.result(logits_of(Evaluator(training.network, "cpu")), "random").score
    training.run(lambda status: False)
    after = list(outcomes(training.log, "random"))[-1][1]
    assert after > max(before + 0.1, 0.75)


def test_another_run_in_the_same_place_is_refused(tmp_path):
    AlphaZero(GAME, TINY, tmp_path / "m", name="tictactoe", device="cpu")
    changed = dataclasses.replace(TINY, temperature=0.3)
    with pytest.raises(DataError, match="temperature"):
        AlphaZero(GAME, changed, tmp_path / "m", name="tictactoe", device="cpu")


def test_settings():
    assert AlphaZeroSettings().steps(100) == 157
    assert AlphaZeroSettings(most_steps=50).steps(20_000) == 50
    assert AlphaZeroSettings.preset("paper").changed({"games": "7"}).games == 7
    for text in ({"games": "0"}, {"method": "alpha"}, {"gamess": "1"}, {"temperature": "0"}):
        with pytest.raises(OptionError):
            AlphaZeroSettings().changed(text)
    with pytest.raises(OptionError, match="there is no preset"):
        AlphaZeroSettings.preset("papr")


def test_the_network_is_the_papers():
    network = ResidualNetwork(Shape(2, 3, 3, 9))
    convolutions = [m for m in network.modules() if isinstance(m, torch.nn.Conv2d)]
    assert [(m.in_channels, m.out_channels, m.kernel_size[0]) for m in convolutions] == [
        (2, 32, 3), *[(32, 32, 3)] * 8, (32, 2, 1), (32, 2, 1),
    ]  # fmt: skip
    logits, values = network(torch.zeros(5, 2, 3, 3))
    assert logits.shape == (5, 9)
    assert values.shape == (5,)
    assert shape_of(ConnectFour(5, 4)) == Shape(2, 4, 5, 5)


# as runs of an experiment


def test_runs_of_several_rivals_are_one_training(tmp_path, monkeypatch):
    from playout.study.kinds import train
    from playout.study.kinds.kind import Budget
    from playout.study.kinds.train import Train
    from playout.study.store.claim_owner import is_locked, lock_file

    monkeypatch.setattr(train, "cache_folder", lambda: tmp_path)
    given = {"games": 4, "simulations": 10, "blocks": 0, "filters": 4, "most_steps": 3}
    runs = [Train("tictactoe", rival, given, losses) for rival, losses in
            (("random", False), ("perfect", False), ("perfect", True))]  # fmt: skip
    runs[0].check()
    rows = [run.perform(GAME, Budget("playouts", 4), 7, lambda: False) for run in runs]
    assert len(list((tmp_path / "trainings").glob("*.safetensors"))) == 1
    curves = [np.array(row.curve) for row in rows]
    for curve in curves:
        assert curve[:, 1].tolist() == [2, 4]
        assert (curve[:, 0] == curves[0][:, 0]).all()
    # against a perfect player nobody wins: what is not lost is drawn
    assert curves[1][:, 2] == pytest.approx((1 - curves[2][:, 2]) / 2, abs=1e-5)
    # a training that another worker does is left to it
    lock = next((tmp_path / "trainings").glob("*.lock"))
    with lock.open("ab") as held:
        assert lock_file(held)
        assert is_locked(runs[0].lock(7))
        with pytest.raises(GivenUp):
            runs[0].perform(GAME, Budget("playouts", 4), 7, lambda: True)
    assert not is_locked(runs[0].lock(7))
    for wrong in (Train("tictactoe", "nobody"), Train("tictactoe", "random", {"gamess": 1})):
        with pytest.raises(OptionError):
            wrong.check()


def test_the_experiment_plans_every_figure():
    from playout.experiments import load_experiment
    from playout.study.plan import Settings, make_plan
    from playout.study.specification import Experiment

    experiment = load_experiment("mbm")
    assert Experiment.from_json(experiment.to_json()) == experiment
    plan = make_plan(experiment, Settings(runs=1, only=("1", "2", "3", "4", "6")))
    trainings = {tuple(sorted(task.search.options.items())) for task in plan.tasks()}
    assert len(trainings) == 8  # two methods at four temperatures


# the command, and the player


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model that the command has trained, and what it printed."""
    from playout.cli import main

    path = tmp_path_factory.mktemp("zero") / "m.safetensors"
    store = ("--store", str(path.with_name("store.sqlite")))
    few = ("-o", "games=6", "-o", "simulations=10", "-o", "most_steps=5", "-o", "filters=4")
    words = ["train", "tictactoe", "--method", "mbm", "--device", "cpu", "--out", str(path), *few]
    words += store
    assert main([*words, "-o", "epochs=1"]) == 0
    return path, words


def test_the_command_goes_on(model, capsys):
    from playout.cli import main

    path, words = model
    capsys.readouterr()
    assert main([*words, "-o", "epochs=2"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "tictactoe: going on after epoch 1"
    assert out[1].startswith("epoch 2: policy loss")
    assert "perfect player: won 0.0%" in out[1]
    assert out[2] == f"2 epochs: the training is over; the model is {path}"
    assert "against perfect" in path.with_name(path.name + ".svg").read_text()
    with sqlite3.connect(path.with_name("store.sqlite")) as connection:
        what = "experiment, unit, budget, algorithm, verified, score, records"
        rows = connection.execute(f"SELECT {what} FROM runs ORDER BY budget").fetchall()
    assert [row[:5] for row in rows] == [
        ("train tictactoe", "epochs", epoch, "mbm", 1) for epoch in (1.0, 2.0)
    ]
    for *_, score, records in rows:
        wins, draws, losses = json.loads(records)[0]["perfect"]
        assert score == pytest.approx(wins + draws / 2)
        assert wins + draws + losses == pytest.approx(1, abs=1e-5)


def test_games_are_played_again_before_they_count():
    moves = [0, 3, 1, 4, 2]  # the first player has the lowest row
    assert agrees(GAME, moves, 1.0)
    assert not agrees(GAME, moves, -1.0)
    assert not agrees(GAME, moves[:4], 1.0)  # not over
    assert not agrees(GAME, [0, 0, 1, 4, 2], 1.0)
    assert not agrees(GAME, [*moves, 8], 1.0)


def test_what_the_command_refuses(model, capsys, tmp_path, monkeypatch):
    from playout.cli import main

    _, words = model
    out = ["--out", str(tmp_path / "x.safetensors")]
    refused = {
        ("tictactoe", "--method", "mbm", "-o", "master=loud", *out): "loud",
        ("tictactoe", "--method", "alphazero", "--preset", "7x7", *out): "there is no preset",
        ("tictactoe", "--method", "mbm", "--device", "cuda:7", *out): "cuda:7",
        ("hex:3x3x", "--method", "mbm", *out): "hex",
        ("dotsandboxes:2x2,players=3", "--method", "mbm", *out): "has 3 players",
        ("tictactoe", "--method", "mbm", "-p", "a=1", *out): "-p is for problems",
        ("samegame",): "give --out",
        ("tictactoe", *out): "tictactoe is a game: give --method",
        (*words[1:], "-o", "temperature=0.3"): "another training run",
    }
    for line, message in refused.items():
        assert main(["train", *line]) == 2, line
        err = capsys.readouterr().err
        assert message in err
        assert err.count("\n") == 1
    monkeypatch.setitem(sys.modules, "safetensors.torch", None)
    for method in ([], ["--method", "mbm"]):  # before anything is played
        assert main(["train", "tictactoe" if method else "samegame:3x3", *method, *out]) == 2
        assert "model files need safetensors: pip install" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_model_plays(model):
    import playout as po
    from playout.matches.player import parse_player
    from playout.matches.referee import play_game

    path, _ = model
    players = [parse_player(f"zero:model={path},device=cpu").make(), parse_player("random").make()]
    points = 0.0
    for seed in range(10):
        order = players if seed % 2 == 0 else players[::-1]
        played = play_game(GAME, order, [po.Playouts(60)] * 2, [seed, seed + 100])
        points += played.rewards[seed % 2]
    assert points >= 8
    player = parse_player(f"zero:model={path},device=cpu").make()
    player.new_game(GAME, 1)
    position = GAME.read_position(GAME.position_text(GAME.root()[0]))
    for text in ("a1", "a2", "b1", "b2"):  # c1 wins at once
        GAME.play(position[0], GAME.parse_move(position[0], text))
    chosen = player.choose(position, po.Playouts(200))
    assert GAME.move_text(position[0], chosen) == "c1"
    assert player.simulations == 200
    for text, message in (
        ("zero", "give a model"),
        ("zero:modell=x", "there is no option 'modell'"),
    ):
        with pytest.raises(OptionError, match=message):
            parse_player(text).make()
    with pytest.raises(DataError, match="is a model of tictactoe"):
        parse_player(f"zero:model={path}").check(ConnectFour(4, 4))


def test_a_model_is_played_against_and_analyses(model, capsys, monkeypatch):
    from playout.cli import main

    path, _ = model
    words = ["tictactoe", "-a", f"zero:model={path},device=cpu", "--simulations", "200"]
    capsys.readouterr()
    assert main(["analyse", *words, "--moves", "a1 a2 b1 b2", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["move"], found["simulations"]) == ("c1", 200)
    assert sum(row["visits"] for row in found["moves"]) == 200
    # it must not let c1 be played
    monkeypatch.setattr("sys.stdin", io.StringIO("b1\nhint\nundo\nquit\n"))
    assert main(["play", *words, "--position", "o../.../x.. x", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "against zero:model=" in out
    assert "player 2 plays c1 " in out
    assert "it expects" in out
    assert "2 moves taken back" in out
    assert main(["play", *words, "--workers", "2"]) == 2
    assert "one worker" in capsys.readouterr().err


@pytest.mark.long
def test_a_killed_command_goes_on(model, tmp_path, capsys):
    import subprocess

    from playout.cli import main

    _, words = model
    words = [*words, "--out", str(tmp_path / "killed.safetensors")]
    process = subprocess.Popen(
        [sys.executable, "-m", "playout", *words, "-o", "epochs=100000"],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("epoch 3:"):
            break
    process.kill()
    process.wait()
    process.stdout.close()
    capsys.readouterr()
    assert main([*words, "-o", "epochs=100000", "--minutes", "0.02"]) == 0
    out = capsys.readouterr().out.splitlines()
    done = int(out[0].removeprefix("tictactoe: going on after epoch "))
    assert done >= 3
    assert out[1].startswith(f"epoch {done + 1}: ")
    assert out[-1].split()[2:6] == ["and", "the", "time", "is"]
