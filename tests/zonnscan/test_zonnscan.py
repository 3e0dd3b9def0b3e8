"""zoNNscan: indices that are known by hand, the command, and files that are refused."""

from __future__ import annotations

import json
import math
import pickle
import struct
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from playout.cli import main
from playout.errors import DataError, OptionError
from playout.zonnscan import scan_radii, zonnscan
from playout.zonnscan.classifier_files import load_classifier, load_input
from playout.zonnscan.images import load_images, read_idx
from playout.zonnscan.zones import entropy
from tests.support.cli_shell import Shell

torch = pytest.importorskip("torch")

NETWORK = """
import torch

class Net(torch.nn.Sequential):
    def __init__(self):
        super().__init__(torch.nn.Flatten(), torch.nn.Linear(4, 3))

def wide():
    net = Net()
    with torch.no_grad():
        net[1].weight.zero_()
        net[1].bias[:] = torch.tensor([0.0, 1.0, -12.0])
    return net

def plain(x):
    import numpy as np
    p = x[:, 0, :1]
    return np.hstack([p, 1 - p])
"""


def one_of_two(x):
    """The confidence in class 0 is the first number of the input."""
    p = x[:, :1]
    return np.hstack([p, 1 - p])


def test_entropy_by_hand():
    lines = np.array([[1.0, 0, 0, 0], [0.25] * 4, [0.5, 0.5, 0, 0]])
    assert entropy(lines).tolist() == [0.0, 1.0, 0.5]


def test_the_index_is_the_integral_over_the_zone():
    # around 0 with radius 0.4 the zone is [0, 0.4]: the mean of p is 0.2, and the index is the
    # integral of the binary entropy, p from 0 to 0.4, divided by 0.4
    p = (np.arange(100_000) + 0.5) / 100_000 * 0.4
    wanted = float(np.mean(-(p * np.log2(p) + (1 - p) * np.log2(1 - p))))
    scan = zonnscan(one_of_two, np.array([0.0, 0.7]), 0.4, 20_000)
    assert abs(scan.index - wanted) < 4 * scan.error
    assert abs(scan.confidences[0] - 0.2) < 4 * scan.confidence_errors[0]
    # uniform on [0, 0.4] has the standard deviation 0.4 / sqrt(12)
    assert scan.confidence_errors[0] == pytest.approx(0.4 / math.sqrt(12 * 20_000), rel=0.02)
    assert scan.confidences.sum() == pytest.approx(1)


def test_the_standard_error_is_the_spread_of_repeated_scans():
    scans = [zonnscan(one_of_two, np.array([0.3]), 0.2, 50, seed=seed) for seed in range(300)]
    spread = np.std([scan.index for scan in scans], ddof=1)
    assert np.mean([scan.error for scan in scans]) == pytest.approx(spread, rel=0.15)


def test_samples_stay_in_the_zone_and_in_the_space():
    seen = []

    def model(x):
        seen.append(x)
        return np.full((len(x), 2), 0.5)

    centre = np.array([0.05, 0.5, 0.9])
    zonnscan(model, centre, 0.2, 5000, batch=999)
    x = np.concatenate(seen[1:])
    assert x.shape == (5000, 3)
    lows, highs = np.array([0, 0.3, 0.7]), np.array([0.25, 0.7, 1.0])
    assert (x >= lows - 1e-6).all()
    assert (x <= highs + 1e-6).all()
    assert np.abs(x.mean(axis=0) - (lows + highs) / 2).max() < 0.01


def test_radius_zero_is_the_input_alone_and_a_large_one_the_whole_space():
    scans = scan_radii(one_of_two, np.array([1.0]), [0.0, 5.0], 5000)
    assert (scans[0].index, scans[0].error, scans[0].samples) == (0.0, 0.0, 1)
    assert abs(scans[1].confidences[0] - 0.5) < 0.02


def test_a_module_and_a_function_agree_and_the_module_is_left_as_it_was():
    module = torch.nn.Sequential(torch.nn.Dropout(0.5), torch.nn.Linear(3, 4)).train()
    x = torch.tensor([0.2, 0.5, 0.8])
    found = zonnscan(module, x, 0.1, 4000, device="cpu")
    assert module.training
    weight, bias = (p.detach().numpy() for p in module.parameters())
    other = zonnscan(lambda z: z @ weight.T + bias, x.numpy(), 0.1, 4000)
    assert abs(found.index - other.index) < 4 * (found.error + other.error)
    logits = x.numpy() @ weight.T + bias
    sure = np.exp(logits) / np.exp(logits).sum()
    assert np.abs(zonnscan(module, x, 0.0).confidences - sure).max() < 1e-6


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"radius": -1}, "radius=-1"),
        ({"radius": math.nan}, "radius=nan"),
        ({"samples": 0}, "samples=0"),
        ({"x": np.array([2.0])}, "from 2 to 2"),
        ({"x": np.array([math.nan])}, "not finite"),
        ({"x": ["a"]}, "array of numbers"),
        ({"model": 3}, "is no classifier"),
        ({"model": lambda x: x[:, 0]}, "for each class"),
        ({"model": lambda x: x * math.nan + [[0, 0]]}, "not finite"),
        ({"outputs": "loggits"}, "one of auto"),
        ({"model": lambda x: x + [[3, 3]], "outputs": "confidences"}, "sum to 1"),
        ({"low": 1.0, "high": 0.0}, "rising"),
    ],
)
def test_what_is_refused(change, words):
    settings = {"model": one_of_two, "x": np.array([0.5]), "radius": 0.1, **change}
    with pytest.raises(OptionError, match=words):
        zonnscan(**settings)


def test_a_module_for_other_inputs_is_one_line():
    with pytest.raises(OptionError, match="does not take an input of 5"):
        zonnscan(torch.nn.Linear(3, 2), np.zeros(5), 0.1)


def test_idx_files(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"\0\0\x08\x02" + struct.pack(">II", 2, 3) + bytes(range(6)))
    assert read_idx(path).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert load_input(f"{path}#2").tolist() == [3 / 255, 4 / 255, 5 / 255]
    with pytest.raises(DataError, match="from 1 to 2"):
        load_input(f"{path}#3")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(DataError, match="damaged"):
        read_idx(path)
    path.write_bytes(b"hello")
    with pytest.raises(DataError, match="not an IDX file"):
        read_idx(path)


def test_mnist_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYOUT_DATA", str(tmp_path))
    with pytest.raises(DataError, match="put MNIST's four IDX files there"):
        load_images("mnist")
    monkeypatch.delenv("PLAYOUT_DATA")
    with pytest.raises(DataError, match="set PLAYOUT_DATA"):
        load_images("mnist")


def test_onnx_and_what_is_not_one(tmp_path):
    pytest.importorskip("onnxruntime")
    (tmp_path / "bad.onnx").write_text("nothing")
    with pytest.raises(DataError, match="is not an ONNX model"):
        load_classifier(str(tmp_path / "bad.onnx"))
    with pytest.raises(DataError, match="no such file"):
        load_classifier(str(tmp_path / "none.onnx"))


def test_corner_cases_and_watermarks_on_the_digits(monkeypatch):
    pytest.importorskip("sklearn")
    from playout.zonnscan import uses

    monkeypatch.setitem(uses.EPOCHS, "digits", 5)
    monkeypatch.delitem(uses.CLASSIFIERS, "cnn")  # the slow one
    monkeypatch.setattr(uses, "ORDINARY", 100)
    torch.set_num_threads(1)
    trained = uses.trained_classifiers("digits", 1, "cpu", lambda: None)
    assert trained.accuracy("mlp") > 0.8
    mlp = trained.networks["mlp"]
    marked, key = trained.marked("mlp")
    before, after = (uses.classes_of(network, key) for network in (mlp, marked))
    assert (before != after).sum() >= 45  # half of the key deceives the network, not the marked one
    assert len(key) == 100
    around = lambda what: uses.measure("digits", "mlp", what, 20, 1, device="cpu")  # noqa: E731
    assert around("corner") > around("ordinary")
    assert uses.surprise(np.arange(50.0), np.arange(50.0)) == 0
    assert uses.surprise(np.arange(50.0), np.arange(50.0) + 40) > 3


# the command


@pytest.fixture
def shell(tmp_path):
    shell = Shell(tmp_path)
    shell.write("net.py", NETWORK)
    np.save(tmp_path / "x.npy", np.full((1, 4), 0.5))
    return shell


def test_the_figure(shell):
    found = shell.json("zonnscan", "net.py:plain", "x.npy", "--samples", 50, "--radius", 0.25)
    (scan,) = found["scans"]
    assert scan["radius"] == 0.25
    assert 0.5 < scan["index"] < 1
    assert found["labels"] == ["0", "1"]
    done = shell("zonnscan", "net.py:wide", "x.npy", "--samples", 50, "--out", "figure.svg")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 22  # a title, and radii from 0 to 1 by 0.05
    root = ET.parse(shell.folder / "figure.svg").getroot()
    ticks = {t.text for t in root.iter() if t.get("class") == "end"}
    assert {"0.2", "0.4"} <= ticks  # not logarithmic
    curves = [g for g in root.iter() if (g.get("class") or "").startswith("curve")]
    assert [g.get("data-name") for g in curves] == ["zoNNscan", "0", "1", "2"]
    assert curves[0].get("class") == "curve ink"


def test_weights_from_safetensors(shell, monkeypatch, capsys):
    from safetensors.torch import save_file

    save_file(
        {"1.weight": torch.zeros(3, 4), "1.bias": torch.tensor([0.0, 0.0, 50.0])},
        shell.folder / "w.safetensors",
    )
    words = ("zonnscan", "net.py:Net", "x.npy", "--radius", "1", "--weights", "w.safetensors")
    monkeypatch.chdir(shell.folder)
    assert main([*words, "--json"]) == 0
    (scan,) = json.loads(capsys.readouterr().out)["scans"]
    assert scan["confidences"] == pytest.approx([0, 0, 1])


def test_bad_input_is_one_line(shell, monkeypatch, capsys):
    (shell.folder / "evil.pt").write_bytes(pickle.dumps(print))
    np.save(shell.folder / "object.npy", np.array([{}], object), allow_pickle=True)
    shell.write("w.safetensors", b"nothing")
    refused = {
        ("evil.pt", "x.npy"): "can hold any program",
        ("net.py:Nett", "x.npy"): "did you mean",
        ("none.py:Net", "x.npy"): "none.py",
        ("net.py:plain", "none.npy"): "no such file",
        ("net.py:plain", "object.npy"): "not an array of numbers",
        ("net.py:plain", "x.npy#7"): "from 1 to 1",
        ("net.py:Net", "x.npy", "--weights", "w.safetensors"): "is not a safetensors file",
        ("net.py:plain", "x.npy", "--out", "figure.png"): "name it FILE.svg",
        ("net.py:plain", "x.npy", "--labels", "a"): "1 names; the model has 2 classes",
        ("net.py:plain", "x.npy", "--samples", "0"): "is no count",
        ("net.py:Net", "x.npy", "--device", "gpu"): "device 'gpu'",
    }
    monkeypatch.chdir(shell.folder)
    before = shell.files()
    for words, message in refused.items():
        assert main(["zonnscan", *words]) == 2, words
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert message in err, words
    assert shell.files() == before
    assert "can hold any program" in shell.refused("zonnscan", "evil.pt", "x.npy")


def test_the_experiment_loads_and_plans():
    from playout.experiments import load_experiment
    from playout.study.plan import Settings, make_plan
    from playout.study.specification import Experiment

    experiment = load_experiment("zonnscan")
    assert Experiment.from_json(json.loads(json.dumps(experiment.to_json()))) == experiment
    plan = make_plan(experiment, Settings(runs=1, only=("1",)))
    assert len(plan.planned_runs()) == 9
