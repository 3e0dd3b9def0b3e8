"""`playout prove`: who wins under perfect play, how, and a proof that anyone can check."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import COUNT, SEED, WORKERS, Parser, duration, keywords, whole
from playout.cli.failures import INTERRUPTED
from playout.cli.game_arguments import GAME_HELP, add_position, load_position
from playout.cli.live_line import LiveLine, waiting
from playout.cli.outputs import prints_aside
from playout.errors import OptionError
from playout.text.live_words import Shown
from playout.text.numbers import clock

if TYPE_CHECKING:
    from playout.solvers.proof import Proof
    from playout.solvers.prover import Prover
    from playout.solvers.solver import Solver
    from playout.stop import Progress

USAGE = "playout prove GAME [POSITION] [-a SOLVER] [options] | playout prove --check FILE"

DESCRIPTION = """\
Find out who wins a game, or a position of it, if both play as well as can be: the value, a line of
perfect play, and if asked for a strategy against every reply in a file that can be checked by the
rules alone.
"""

EPILOG = """\
examples:
  playout prove nogo:4x4
  playout prove domineering:7x7 --checkpoint dom.proof
      goes on if it was killed
  playout prove domineering:7x7 --order mc --symmetry --tiers 2
      settings of one's own: moves in the order that a Monte Carlo search has learnt
  playout prove tictactoe "x.o/.../... x" -a dfpn
      a position in the game's own notation, as playout play prints it
  playout prove domineering:5x5 --certificate dom.txt
  playout prove breakthrough:5x5 --cluster auto --checkpoint bt.proof
      by jobs on the nodes of a Ray cluster
  playout prove --check dom.txt
      does the strategy hold? by the rules alone
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("what to prove")
    what("[GAME]", GAME_HELP)
    add_position(what)
    what("--check FILE", "check a certificate instead, by the rules alone")
    how = parser.group("how to prove it")
    how(
        "-a SOLVER",
        "auto: alpha-beta with all options chosen, the default if none of those below is given; "
        "alphabeta, the default otherwise; ids: the same with iterative deepening, pn2: "
        "proof-number search of two levels, dfpn: depth-first proof-number search, jlpn: job-level "
        "proof-number search, whose leaves are jobs for --workers (the default with --cluster)",
        dest="solver",
    )
    how(
        "--order ORDER",
        "which moves are tried first: none, game: the game's own order (the default), killer, "
        "history, success, mc: what a Monte Carlo search has learnt, mcsuccess: that, corrected by "
        "the proof, latemc: success, then mc; file.py:Class for your own",
    )
    text = "of the Monte Carlo search of mc (default: 100000), mcsuccess and latemc (30000)"
    how("--playouts N", text, COUNT)
    text = "threads that share a table, or do jobs (default: 1; with --cluster one for each CPU)"
    how("--workers N", text, WORKERS)
    how.cluster()
    text = "of the table, or of the tree of pn2 (default: 1048575)"
    how("--entries N", text, whole(2, "size of a table"))
    text = "1: the table always replaces what was there; 2: half of it keeps what was costly"
    how("--tiers N", text, COUNT)
    how("--symmetry", "positions that a symmetry exchanges are one")
    text = "look so many moves of a position up in the table before any is searched (default: 0)"
    how("--ahead N", text, whole(0, "number of moves"))
    how("--open", "let it look at hidden cards and at the luck to come")
    text = "of the cards and the luck of the start, with --open (default: drawn)"
    how("--seed N", text, SEED)
    how("--seconds S", "give up after this time: 90, 10m, 2h (default: never)", duration)
    files = parser.group("files")
    text = "go on from this file if it exists; write it now and then and at the end"
    files("--checkpoint FILE", text)
    text = "write the strategy, a move for every reply; compressed if it is named .gz"
    files("--certificate FILE", text)
    output = parser.group("what to print")
    output.json_and_quiet()
    output("--interpreted", "with --check: the rules as plain Python, nothing compiled")


def run(options: argparse.Namespace) -> int:
    """Prove or check, and print what came out."""
    if options.check is not None:
        return _check(options)
    if options.game is None:
        raise OptionError("give GAME, or --check FILE; see playout prove --help")
    if options.interpreted:
        raise OptionError("--interpreted is for --check")
    aside = prints_aside(options.json)
    with aside:
        prover, proof = _prove(options)
    print(json.dumps(proof.to_json()) if options.json else _text(prover, proof, options))
    if proof.stopped_by == "interrupt":
        return INTERRUPTED
    if options.certificate and prover.value is not None:
        with aside:
            _certify(options, prover)
    return 0


def _prove(options: argparse.Namespace) -> tuple[Prover, Proof]:
    from playout.cluster import crew_on
    from playout.contract import check_open, open_copy
    from playout.games import load_game
    from playout.solvers.proof_checkpoint import run_proof
    from playout.solvers.prover import Prover
    from playout.solvers.solver import check_elsewhere
    from playout.stop import Seconds

    game = load_game(options.game)
    game = open_copy(game) if options.open else game
    check_open(game, (options.solver or "auto").partition(":")[0])
    state = load_position(options, game)
    _check_files(options, game, state)
    solver = _solver(options)
    check_elsewhere(solver, options.cluster)
    stop = Seconds(options.seconds) if options.seconds else None
    with crew_on(options.cluster, options.workers) as crew:
        with waiting(f"{solver.order} ...") as line:
            prover = Prover(
                game,
                solver,
                state=state,
                workers=options.workers if options.workers and not crew else 1,
                crew=crew,
                look=lambda progress: line.update(f"{progress.playouts:,} playouts"),
            )
        with LiveLine(_shown(prover), "compiling ...", not (options.json or options.quiet)) as line:
            proof = run_proof(prover, stop, line.update, options.checkpoint, options.game)
    return prover, dataclasses.replace(proof, game=options.game)


def _solver(options: argparse.Namespace) -> Solver:
    """The solver that the arguments describe."""
    from playout.solvers.solver import make_solver

    named = ("tiers", "entries", "ahead")
    given = {name: value for name, value in keywords(options, *named).items() if value is not None}
    if options.order is not None or options.playouts is not None:
        given["order"] = _order(options)
    if options.symmetry:
        given["symmetry"] = True
    usual = "jlpn" if options.cluster else "alphabeta" if given else "auto"
    solver: str = options.solver or usual
    if solver.partition(":")[0].strip() != "auto":
        if "order=" not in solver:
            given.setdefault("order", "game")
        if not given.get("ahead"):  # which not every solver has
            given.pop("ahead", None)
    return make_solver(solver, **given)


def _order(options: argparse.Namespace) -> str:
    """The text of the move order."""
    text: str = options.order or "game"
    if options.playouts is not None:
        if text.partition(":")[0] not in ("mc", "mcsuccess", "latemc"):
            raise OptionError("--playouts is for --order mc")
        text += f"{',' if ':' in text else ':'}playouts={options.playouts}"
    return text


def _check_files(options: argparse.Namespace, game: Any, state: Any) -> None:
    """Refuse, before hours of search, files that cannot be written."""
    from playout.text.output_files import check_writable

    for name in ("checkpoint", "certificate"):
        text = getattr(options, name)
        if text == "":
            raise OptionError(f"--{name}: give the name of a file")
        if text is not None:
            check_writable(Path(text))
    if options.certificate:
        # a game without notation has no certificates
        game.read_position(game.position_text(state[0]))
        if options.checkpoint and Path(options.checkpoint) == Path(options.certificate):
            raise OptionError("--checkpoint and --certificate name the same file")


def _text(prover: Prover, proof: Proof, options: argparse.Namespace) -> str:
    lines = [str(proof)]
    if prover.value is None:
        lines += [f"known      {known}" for known in prover.known()]
        if options.checkpoint:
            lines.append(f"go on with the same command: {options.checkpoint} has the search")
    return "\n".join(lines)


def _certify(options: argparse.Namespace, prover: Prover) -> None:
    from playout.solvers.strategy import write_certificate

    with waiting(f"writing {options.certificate} ...") as line:
        made = write_certificate(prover, options.game, options.certificate, _counter(line))
    if not options.json:
        print(f"strategy   {made.positions:,} positions, in {options.certificate}")


def _counter(line: LiveLine) -> Callable[[int], None]:
    return lambda positions: line.update(f"{positions:,} positions")


def _check(options: argparse.Namespace) -> int:
    from playout.solvers.certificate import check_certificate

    if not options.check:
        raise OptionError("--check: give the name of a file")
    for name in ("certificate", "checkpoint", "position", "moves"):
        if getattr(options, name):
            raise OptionError(f"--check proves nothing: leave {name} out")
    with waiting(f"checking {options.check} ...") as line:
        shown = check_certificate(
            options.check, options.game, _counter(line), compiled=not options.interpreted
        )
    if options.json:
        print(json.dumps({**shown.to_json(), "verified": True}))
        return 0
    print(f"{shown.game}, {shown.position}")
    for claim in shown.claims:
        print(f"holds      {claim}")
    print(f"checked    {shown.positions:,} positions of the strategy, against every reply")
    return 0


def _shown(prover: Prover) -> Callable[[Progress], Shown]:
    """What the live line says: moves, speed, depth and how full the table is."""

    def show(progress: Progress) -> Shown:
        if prover.value is not None:
            return Shown(["the line of perfect play ..."])
        if prover.learns_now():
            return Shown([f"{progress.playouts:,} moves, a Monte Carlo search for their order ..."])
        table = f"depth {prover.depth}  table {prover.share_used():.0%}  {prover.question()}  "
        speed = f"  {progress.rate:,.0f}/s  {table}{clock(progress.seconds)}"
        return Shown([(f"{progress.playouts:,} moves", "bold"), speed])

    return show
