"""`playout zonnscan`: how undecided a classifier is around an input, by radius."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from playout.cli.arguments import COUNT, SEED, Parser, keywords, number
from playout.cli.live_line import waiting
from playout.cli.outputs import output_file
from playout.errors import OptionError

if TYPE_CHECKING:
    from playout.zonnscan.zones import Scan

USAGE = "playout zonnscan MODEL INPUT [--weights FILE] [options]"

DESCRIPTION = """\
The zoNNscan index of a classifier around an input: the mean entropy of its confidences in a zone
of a radius around the input, from 0 (one sure class) to 1 (nothing known), with the mean
confidence of each class. MODEL is an ONNX file, or file.py:NAME: a PyTorch module, a class or
function that makes one (its weights are in --weights, a safetensors file), or a function from
arrays to arrays. INPUT is a .npy or an IDX file; FILE#3 is the third input in it.
"""

EPILOG = """\
examples:
  playout zonnscan model.onnx six.npy --out figure.svg
  playout zonnscan examples/digits.py:network six.npy --weights mlp.safetensors --out figure.svg
  playout zonnscan net.py:Net t10k-images-idx3-ubyte.gz#12 --weights net.safetensors --radius 0.05
  playout reproduce zonnscan --runs 2 --playouts 100        the paper's experiments, shortened
"""

STEPS = 20  # radii of the figure besides 0
CONFIDENT = 5  # classes that the table shows


def add(parser: Parser) -> None:
    """Declare the arguments."""
    arguments = parser.group()
    arguments("MODEL", "model.onnx, or file.py:NAME")
    arguments("INPUT", "FILE.npy, an IDX file, or FILE#N")
    what = parser.group("what to scan")
    what("--weights FILE", "safetensors, for file.py:NAME")
    text = "a radius; may be repeated (default: 0 to the whole space, in steps)"
    what("--radius R ...", text, number)
    what("--samples K", "inputs drawn in each zone (default: 1000)", COUNT, default=1000)
    text = "what the model gives (default: auto)"
    what("--outputs {auto,logits,confidences}", text, default="auto")
    what("--low X", "the lowest value of an input (0)", number, default=0.0)
    what("--high X", "the highest value of an input (1)", number, default=1.0)
    how = parser.group("how")
    how("--batch N", "inputs at once (default: 1024)", COUNT, default=1024)
    how("--device NAME", "auto, cpu, cuda (default: auto)", default="auto")
    how("--seed N", "of the samples (default: 0)", SEED, default=0)
    out = parser.group("what to print and write")
    out("--out FILE.svg", "draw the curves")
    text = "names of the classes (default: 0, 1, 2, ...)"
    out("--labels A,B,...", text)
    out("--json", "print one JSON object")


def run(options: argparse.Namespace) -> int:
    """Scan the zones and print what was found."""
    from playout.text.output_files import write_atomically
    from playout.zonnscan.classifier_files import load_classifier, load_input
    from playout.zonnscan.figure import draw_scans
    from playout.zonnscan.zones import scan_radii

    out = output_file("out", options.out)
    if out is not None and out.suffix != ".svg":
        raise OptionError(f"--out {out}: the picture is SVG, name it FILE.svg")
    x = load_input(options.input)
    model = load_classifier(options.model, options.weights)
    reach = options.high - options.low
    radii = options.radius or [reach * i / STEPS for i in range(STEPS + 1)]
    with waiting(f"{len(radii)} radii, {options.samples:,} samples each"):
        scans = scan_radii(
            model,
            x,
            radii,
            options.samples,
            **keywords(options, "outputs", "low", "high", "batch", "seed"),
            device=options.device if hasattr(model, "parameters") else None,
        )
    names = _names(options.labels, len(scans[0].confidences))
    if options.json:
        data = {"model": options.model, "input": options.input, "labels": names}
        data |= {"seed": options.seed, "scans": [scan.to_json() for scan in scans]}
        print(json.dumps(data))
    else:
        _print(scans, names)
    if out is not None:
        title = f"{options.model} around {options.input}"
        picture = draw_scans(scans, names, options.samples, title)
        write_atomically(out, picture.encode())
        print(f"drawn in {options.out}", file=sys.stderr)
    return 0


def _names(labels: str | None, classes: int) -> list[str]:
    if labels is None:
        return [str(number) for number in range(classes)]
    names = [name.strip() for name in labels.split(",")]
    if len(names) != classes:
        raise OptionError(f"--labels has {len(names)} names; the model has {classes} classes")
    return names


def _print(scans: list[Scan], names: list[str]) -> None:
    print(f"{'radius':>8}  {'zoNNscan':>8}  {'± s.e.':>7}  mean confidences")
    for scan in scans:
        order = sorted(range(len(names)), key=lambda c: -scan.confidences[c])[:CONFIDENT]
        classes = ", ".join(f"{names[c]} {scan.confidences[c]:.3f}" for c in order)
        print(f"{scan.radius:>8.4g}  {scan.index:>8.4f}  {scan.error:>7.4f}  {classes}")
