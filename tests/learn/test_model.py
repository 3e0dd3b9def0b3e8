"""Networks and model files: the paper's architecture, what a file holds, what is refused."""

from __future__ import annotations

import doctest
import json
import random
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from playout.errors import DataError, ProblemError
from playout.learn.captured_step import CapturedStep
from playout.learn.inference.evaluators import Evaluator
from playout.learn.networks.model_file import load_model, read_header, save_model
from playout.learn.networks.network_shape import Shape, shape_of
from playout.learn.networks.policy_network import new_network
from playout.learn.networks.residual_network import ResidualNetwork
from playout.learn.networks.torch_device import LearnError, device_of
from playout.problems import Maximum, SameGame

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "tiny.safetensors"
    network = new_network(shape_of(SameGame.random(1, rows=4, columns=5, colours=3)), filters=8)
    save_model(path, network, {"problem": "samegame", "scores": [1.5]})
    return path


def test_the_network_is_the_papers():
    network = new_network(Shape(6, 15, 15, 225))
    convolutions = [m for m in network.modules() if isinstance(m, torch.nn.Conv2d)]
    assert [m.kernel_size[0] for m in convolutions] == [3] * 10 + [1, 3, 1]
    assert all(m.out_channels == 64 for m in convolutions)
    x = torch.nn.functional.pad(torch.zeros(1, 6, 15, 15), (1, 1, 1, 1))
    sizes = []
    for m in convolutions:
        x = m(x)
        sizes.append(x.shape[-1])
    assert sizes == [17] * 8 + [15, 13, 13, 13, 13]
    assert network.policy.in_features == 64 * 13 * 13
    assert network(torch.zeros(2, 6, 15, 15)).shape == (2, 225)
    half = sum(p.numel() for p in network.parameters()) * 2
    assert half < 6e6  # what the package allows for a model


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 7), (2, 2), (3, 2), (4, 6)])
def test_any_size_of_board(rows, columns):
    network = new_network(Shape(2, rows, columns, 5), filters=4, value=True)
    logits, values = network(torch.randn(3, 2, rows, columns))
    assert logits.shape == (3, 5)
    assert values.shape == (3,)
    assert (values.abs() <= 1).all()


def test_the_same_seed_gives_the_same_weights():
    shape = Shape(2, 4, 4, 16)
    first, again, other = (new_network(shape, seed=seed, filters=4) for seed in (1, 1, 2))
    assert torch.equal(first.policy.weight, again.policy.weight)
    assert not torch.equal(first.policy.weight, other.policy.weight)


def test_planes_and_outputs_of_samegame_do_not_depend_on_the_way():
    problem = SameGame.random(3, rows=5, columns=6, colours=3, tabu=False)
    seen = {}
    for game in range(40):
        states, moves = problem.root(), problem.new_moves()
        rng = np.random.default_rng(game)
        while n := problem.moves(states[0], moves):
            planes = np.zeros(problem.plane_shape, np.float32)
            problem.planes(states[0], planes)
            assert (planes.sum(0) == 1).all()
            # from the picture: the lowest cell of the leftmost column of each group
            board = planes.argmax(0)
            outputs = sorted(problem.output(states[0], moves[i]) for i in range(n))
            assert outputs == _lowest_lefts(board)
            key = problem.key(states[0])
            assert seen.setdefault(key, outputs) == outputs
            problem.play(states[0], moves[rng.integers(n)].copy())


def test_the_mirror_image_of_a_game_is_a_game():
    """Left and right exchanged, a game has the same moves, tiles and score, to the end."""
    problem = SameGame.random(3, rows=5, columns=6, colours=3, tabu=False, penalty=True)
    for game in range(20):
        states, moves, others = problem.root(), problem.new_moves(), problem.new_moves()
        there = problem.root()
        problem.moves(there[0], others)
        assert problem.mirror(there[0], others[0].copy())
        rng = np.random.default_rng(game)
        while n := problem.moves(states[0], moves):
            boards = [np.zeros(problem.plane_shape, np.float32) for _ in range(2)]
            problem.planes(states[0], boards[0])
            problem.planes(there[0], boards[1])
            columns = int((boards[0][0] == 0).any(0).sum())
            assert np.array_equal(boards[1][:, :, :columns], boards[0][:, :, columns - 1 :: -1])
            assert problem.moves(there[0], others) == n
            k = rng.integers(n)
            image, move = states.copy(), moves[k : k + 1].copy()
            problem.mirror(image[0], move[0])
            legal = {problem.output(there[0], others[i]): i for i in range(n)}
            other = others[legal[problem.output(image[0], move[0])]]
            assert (move[0].tiles, move[0].code) == (moves[k].tiles, other.code)
            problem.play(states[0], moves[k].copy())
            problem.play(there[0], other.copy())
        assert problem.score(there[0]) == problem.score(states[0])


def _lowest_lefts(board):
    rows, columns = board.shape
    left, found = {(r, c) for r in range(rows) for c in range(columns) if board[r, c]}, []
    while left:
        edge = [left.pop()]
        group = set(edge)
        while edge:
            r, c = edge.pop()
            for near in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                if near in left and board[near] == board[r, c]:
                    left.remove(near)
                    group.add(near)
                    edge.append(near)
        if len(group) > 1:
            r, c = min(group, key=lambda cell: (cell[1], cell[0]))
            found.append(r * columns + c)
    return sorted(found)


def test_drawn_boards_are_random_games(tmp_path):
    problem = SameGame.random(1, rows=5, columns=4, colours=3)
    boards = problem.new_states(200)
    with np.errstate(over="ignore"):
        for i in range(200):
            problem.draw(boards[i], np.array([i], np.uint64))
    tiles = boards["board"][boards["board"] > 0].reshape(200, 20)
    assert 0.28 < (tiles == 1).mean() < 0.39
    assert len(np.unique(tiles, axis=0)) == 200
    same = SameGame((tiles[0].reshape(4, 5).T[::-1] - 1), colours=3)
    root = same.root()
    for name in ("board", "counts", "heights", "count", "columns", "groups"):
        assert np.array_equal(root[0][name], boards[0][name]), name


def test_a_model_comes_back_with_its_metadata(file):
    problem = SameGame.random(7, rows=4, columns=5, colours=3)
    model = load_model(file, problem)
    assert model.about["scores"] == [1.5]
    assert model.about["version"]
    assert read_header(file)["about"] == model.about
    network = new_network(shape_of(problem), filters=8)
    planes = torch.rand(6, *problem.plane_shape)
    assert torch.allclose(network(planes), model.network(planes), atol=5e-3)


def test_other_problems_are_refused(file):
    with pytest.raises(
        DataError, match=r"a model of samegame for 4 planes of 5x4 .* this SameGame"
    ):
        load_model(file, SameGame.random(1, rows=4, columns=4, colours=3))
    with pytest.raises(ProblemError, match=r"Maximum cannot be learned: it has no planes\(\)"):
        load_model(file, Maximum(5))


@pytest.mark.parametrize("content", [b"", b"\x80\x04\x95", b"PK" * 50, b"\x02" + b"\0" * 7 + b"{}"])
def test_foreign_files_are_refused(tmp_path, content):
    path = tmp_path / "foreign"
    path.write_bytes(content)
    with pytest.raises(DataError, match="is not a model that playout saved"):
        load_model(path)
    with pytest.raises(DataError, match=r"cannot read .*No such file"):
        load_model(tmp_path / "none")


def test_damaged_models_are_refused(file, tmp_path):
    content = file.read_bytes()
    path = tmp_path / "damaged"
    path.write_bytes(content[:-10])
    with pytest.raises(DataError, match="damaged"):
        load_model(path)
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    inner = json.loads(header["__metadata__"]["playout"])
    del inner["digest"]
    for kind, message in (("policy99", "does not know"), ("policy13", "not those of the network")):
        inner["network"]["kind"] = kind
        inner["network"]["filters"] = 9
        header["__metadata__"]["playout"] = json.dumps(inner)
        text = json.dumps(header).encode()
        path.write_bytes(len(text).to_bytes(8, "little") + text + content[8 + length :])
        with pytest.raises(DataError, match=message):
            load_model(path)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("value", [False, True])
@pytest.mark.parametrize("size", [3, 7, 15])
def test_a_gpu_computes_the_same(size, value):
    """Batches that are graphs, padded or not, and ones that are too large for it."""
    network = new_network(Shape(6, size, size, size * size), seed=1, value=value)
    planes = (np.random.default_rng(1).random((3000, 6, size, size)) < 0.2).astype(np.float32)
    here, there = Evaluator(network, "cpu"), Evaluator(network, "cuda")
    for n in (1, 3, 64, 200, 1024, 3000, 3):
        ours, theirs = here(planes[-n:]), there(planes[-n:])
        for a, b in zip(*((x if value else (x,)) for x in (ours, theirs)), strict=True):
            # bfloat16 alone moves a value of this network by up to 0.062, on a CPU too
            share = 0.1 if a.ndim == 1 else 0.05
            assert np.abs(a - b).max() < share * np.abs(a).max() + 0.01
            assert np.abs(a - b).mean() < 0.02 * np.abs(a).max() + 0.002


def test_devices():
    assert device_of("cpu").type == "cpu"
    if not torch.cuda.is_available():
        assert device_of("auto").type == "cpu"
        with pytest.raises(LearnError, match="there is no GPU"):
            device_of("cuda")
    with pytest.raises(Exception, match="auto, cpu, cuda"):
        device_of("abacus")


@pytest.mark.long
@pytest.mark.parametrize(
    "device",
    [
        "cpu",
        pytest.param(
            "cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
        ),
    ],
)
def test_steps_as_a_graph_train_as_others_do(device):
    """On a GPU too: the same weights after ten steps of AlphaZero's optimiser, launched or not."""
    rng = np.random.default_rng(1)
    planes = torch.from_numpy(rng.random((10, 16, 2, 3, 3), np.float32)).to(device)
    weights = []
    for graphs in (False, device == "cuda"):
        torch.manual_seed(1)
        network = ResidualNetwork(Shape(2, 3, 3, 9), filters=4, blocks=1).to(device).train()
        optimiser = torch.optim.SGD(network.parameters(), 0.01, momentum=0.9, weight_decay=1e-4)
        rows = torch.zeros_like(planes[0])

        def compute(network=network, optimiser=optimiser, rows=rows):
            logits, values = network(rows)
            optimiser.zero_grad(set_to_none=True)
            (logits.logsumexp(1).sum() + (values**2).sum()).backward()
            optimiser.step()

        step = CapturedStep(compute, optimiser.zero_grad, graphs)
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # no graph is a warning
            for batch in planes:
                rows.copy_(batch)
                step()
        weights.append([p.detach().cpu() for p in network.parameters()])
    for one, other in zip(*weights, strict=True):
        assert torch.allclose(one, other, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(
    "words",
    [
        ["train", "samegame:4x4", "--out", "m.safetensors"],
        ["solve", "samegame", "-a", "policy-mcts", "-o", "model=m.safetensors"],
    ],
)
def test_without_the_extra_it_is_said_in_a_line(words, tmp_path):
    code = "import sys; sys.modules['torch'] = None; from playout.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "playout: networks need PyTorch: pip install 'playout[learn]'\n"
    assert not list(tmp_path.iterdir())


def test_the_page(tmp_path):
    """The problem on the page of learning is a good one, and its sessions run."""
    page = Path(__file__).parents[2] / "docs" / "learn.md"
    code = next(
        b for b in re.findall(r"```python\n(.*?)```", page.read_text(), re.S) if "class" in b
    )
    spaces: dict = {"__name__": "page"}
    exec(code, spaces)
    failed, tried = doctest.testfile(
        str(page), module_relative=False, encoding="utf-8", globs=spaces
    )
    assert (failed, tried) == (0, 5)
    problem = spaces["Change"]()
    planes = np.zeros(problem.plane_shape, np.float32)
    states = problem.root()
    problem.planes(states[0], planes)
    assert planes.argmax() == 42


def test_importing_playout_imports_no_torch():
    code = (
        "import sys, playout, playout.cli; playout.SameGame = playout.problems.SameGame; "
        "playout.UCT; assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_flipped_bit_is_noticed(file, tmp_path):
    """Anywhere in the file, also where it would still be a network."""
    content, path = file.read_bytes(), tmp_path / "flipped"
    rng = random.Random(1)
    length = int.from_bytes(content[:8], "little")
    places = [rng.randrange(8, 8 + length) for _ in range(60)]
    places += [rng.randrange(8 + length, len(content)) for _ in range(60)]
    for place in places:
        changed = bytearray(content)
        changed[place] ^= 1 << rng.randrange(8)
        path.write_bytes(changed)
        with pytest.raises(DataError):
            load_model(path)


def test_a_model_without_a_digest_is_read(file, tmp_path):
    content = file.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    inner = json.loads(header["__metadata__"]["playout"])
    del inner["digest"]
    header["__metadata__"]["playout"] = json.dumps(inner)
    text = json.dumps(header).encode()
    path = tmp_path / "older"
    path.write_bytes(len(text).to_bytes(8, "little") + text + content[8 + length :])
    assert load_model(path).about == load_model(file).about
    inner["network"]["filters"] = 10_000_000_000  # nothing of this size is made
    header["__metadata__"]["playout"] = json.dumps(inner)
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + content[8 + length :])
    with pytest.raises(DataError):
        load_model(path)
