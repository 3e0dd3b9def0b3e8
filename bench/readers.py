"""Everything that reads a file or a text, with good ones to begin from, and how they are mangled.

`tests/test_readers.py` mangles a few by Hypothesis, `python -m bench.soak fuzz` many by chance.
What comes of it is a value or a PlayoutError, never another exception.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import tarfile
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import playout as po
from playout.adapters.game_files import load_game_file
from playout.adapters.sgf import from_sgf
from playout.algorithms import load_algorithm
from playout.arcade.vgdl.levels import parse_level
from playout.arcade.vgdl.rules import parse_description
from playout.cards.deal import read_contract
from playout.cards.deal_lists import read_deals
from playout.games.game_text import make_game
from playout.ggp.kif import read_rulesheet
from playout.ggp.protocol import parse_message
from playout.learn.networks.model_file import read_header
from playout.matches.player import parse_player
from playout.matches.replay import replay_transcript
from playout.problems.coloring.graph_files import parse_graph, parse_solution
from playout.problems.instances import open_problem
from playout.problems.inverse_folding.target_files import parse_targets
from playout.problems.samegame_files import parse_boards
from playout.problems.tsptw_files import parse_instance
from playout.solvers.certificate import check_certificate
from playout.solvers.prover import Prover
from playout.solvers.solver import make_solver
from playout.solvers.strategy import write_certificate
from playout.stop import as_stop
from playout.study.export import runs
from playout.study.store.results_store import Store
from playout.study.store.row import Row, RunKey
from playout.text.array_files import read_arrays, write_arrays
from playout.text.input_files import archive_members, read_member, read_text
from playout.worlds.episode_result import Episode
from playout.zonnscan.classifier_files import load_input

GRAPH = b"c a graph\np edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 1 4\n"
EDGES = b"# names\na b\nb c 1.5\nc,a\nd\n"
SOLUTION = b"s col 2\nl 1 1\nl 2 2\nl 3 1\nl 4 2\n"
BOARDS = b"1 2 3\n3 2 1\n\n0 1\n1 1\n"
TOUR = b"3\n0 5 7\n5 0 4\n7 4 0\n0 100\n3 50\n1 80\n"
TARGETS = b"((((....))))\n((..((....))..)) second\n"
SGF = b"(;FF[4]GM[1]SZ[5]KM[6.5]RU[Chinese]PB[a]PW[b];B[cc];W[dd];B[];W[])"
GAME_FILE = b"playout record 1\ngame: tictactoe\nplayer 2: uct\n\n1 1 a1\n2 2 b2\n3 1 c3\n"
RULES = b"""; a game
(role white) (role black) (init (control white)) (<= (legal ?r noop) (role ?r))
(<= (next (control black)) (true (control white)) (not (true (done 1))))
(<= terminal (or (true (control black)) (true (done 1)))) (goal white 100) (goal black 0)
"""
DEAL = b"N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"
PBN = (
    b'% PBN 2.1\n[Board "1"]\n[Deal "' + DEAL + b'"] {a} ; b\n[Contract "5HX"]\n[Auction "N"]\n'
    b"1D 1S 3H =1= 4S\n4NT X AP\n"
    b'[Play "W"]\nSK =1= H3 S4 S3\nC5 C2 C6 CK\n*\n\n[Deal "#"]\n[Vulnerable "##NS"]\n'
)
LIN = b"""qx|o1|md|3SQ5HKJ72DA98C9743,SAJT9HT854DKQ4CT6,S8763HQDJT632CAJ2,|sv|n|mb|p|mb|1D!|mb|p|
mb|1N|mb|p|mb|p|mb|p|pg||pc|D2|pc|D7|mc|8|"""
DDS_LIST = (
    b'NUMBER 1\nPBN 0 0 0 0 "' + DEAL + b'"\nFUT 1 2 5 0 5\nTABLE' + b" 6" * 20 + b"\n"
    b'PAR ""\nPAR2 ""\nPLAY 1 "D7"\nTRACE 2 8 8\n'
)
VGDL = b"""BasicGame square_size=10
    SpriteSet
        floor > Immovable color=GREEN
        beast > speed=0.5
            cat > RandomNPC cooldown=3
        avatar > ShootAvatar stype=ball
        ball > Missile
    LevelMapping
        c > floor cat
        A > floor avatar
    InteractionSet
        cat avatar > killSprite scoreChange=2
        beast EOS > stepBack
    TerminationSet
        SpriteCounter stype=cat limit=0 win=True
"""
LEVEL = b"wwwww\nwcA w\nwwwww\n"
MESSAGES = (b"(START m.1 white ((role white) (role black)) 10 5)", b"(PLAY m.1 (noop (mark 1 2)))")
POSITIONS = (b"xox/oox/... x", b".../.../... x")
CONTRACTS = (b"3NT", b"4sx", b"1cxx")
GAMES = (b"connectfour", b"hex:7", b"go:9x9,komi=7.5", b"nogo:5x4", b"dotsandboxes:2x2,players=3")
PLAYERS = (b"random", b"uct:C=0.7,simulations=50", b"grave:bias=1e-5", b"puct:seconds=1")
ALGORITHMS = (b"gnrpa:level=3,tau=1.4,beam=3,2", b"nmcs:level=2", b"uct:value=max", b"random")
PROBLEMS = (b"samegame:rows=5,columns=5", b"maximum:n=9", b"tsptw", b"coloring:k=3")
STOPS = (b"10 s", b"300 playouts", b"2 m", b"1.5 h", b"90")
SOLVERS = (b"alphabeta", b"dfpn:order=game,symmetry=true", b"pn2:entries=5000", b"ids:order=killer")

TOKENS = (
    *(b"0", b"-1", b"1", b"9" * 30, b"1e999", b"nan", b"-inf", b"1_0", "٣".encode(), b"0x10"),
    *(b"\0", b"\n", b"\n\n", b"\r", b" ", b"\t", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1f\x8b"),
    *(b'"', b"'", b",", b":", b"=", b"#", b"/", b"[", b"]", b"{", b"}", b"(", b")", b";", b".."),
    *(b"null", b"true", b"[]", b"{}", b"[" * 3000, b"e 1 2", b"p edge 3 3", b"evil.py:Evil"),
)


@dataclass(frozen=True)
class Edit:
    """One change: what is done, where (a share of the content), over how many bytes, with what."""

    what: int
    where: float
    length: int
    token: bytes


def drawn_edits(rng: random.Random) -> list[Edit]:
    """Some changes by chance."""
    return [
        Edit(rng.randrange(6), rng.random(), rng.randint(1, 20), rng.choice(TOKENS))
        for _ in range(rng.randint(1, 6))
    ]


def mangle(content: bytes, edits: Sequence[Edit]) -> bytes:
    """A content with some changes: put in, put over, cut out, doubled, cut off, a bit flipped."""
    for edit in edits:
        at = int(edit.where * len(content))
        end = at + edit.length
        match edit.what % 6:
            case 0:
                content = content[:at] + edit.token + content[at:]
            case 1:
                content = content[:at] + edit.token + content[end:]
            case 2:
                content = content[:at] + content[end:]
            case 3:
                content = content[:end] + content[at:]
            case 4:
                content = content[:at]
            case 5 if at < len(content):
                flipped = bytes([content[at] ^ 1 << edit.length % 8])
                content = content[:at] + flipped + content[at + 1 :]
    return content


@dataclass(frozen=True)
class Reader:
    """Something that reads a file, or a text, and contents that it reads without complaint."""

    read: Callable[[Any], Any]
    samples: tuple[bytes, ...]
    is_text: bool = False

    def check(self, content: bytes, folder: Path) -> str:
        """Read a content: `read`, or `refused` by a PlayoutError; any other exception is raised."""
        given: Any = content.decode("utf-8", "replace")
        if not self.is_text:
            given = folder / "file"
            given.write_bytes(content)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.read(given)
        except po.PlayoutError as error:
            if not self.is_text and len(str(error).splitlines()) != 1:  # a text may have several
                raise AssertionError(f"not one line: {error}") from error
            return "refused"
        return "read"


def of_text(parse: Callable[..., Any], *more: Any) -> Callable[[Path], Any]:
    """A reader of files from one of texts."""
    return lambda path: parse(read_text(path), str(path), *more)


@cache
def readers() -> dict[str, Reader]:
    """Every reader, by what it reads."""
    graph = parse_graph(GRAPH.decode(), "graph")
    found = {
        "graph": Reader(of_text(parse_graph), (GRAPH, EDGES, gzip.compress(GRAPH))),
        "colouring": Reader(of_text(parse_solution, graph), (SOLUTION, b"1 2 1 2\n")),
        "boards": Reader(of_text(parse_boards), (BOARDS,)),
        "tour": Reader(of_text(parse_instance), (TOUR,)),
        "targets": Reader(of_text(parse_targets), (TARGETS,)),
        "rulesheet": Reader(of_text(read_rulesheet), (RULES,)),
        "model header": Reader(read_header, (_model(),)),
        "deals": Reader(read_deals, (PBN, LIN, DDS_LIST, DEAL)),
        "sgf": Reader(of_text(lambda text, source: from_sgf(text, source)), (SGF,)),
        "game file": Reader(load_game_file, (GAME_FILE,)),
        "arcade game": Reader(of_text(parse_description), (VGDL,)),
        "level": Reader(of_text(parse_level, parse_description(VGDL.decode(), "game")), (LEVEL,)),
        "message": Reader(parse_message, MESSAGES, True),
        "position": Reader(make_game("tictactoe").read_position, POSITIONS, True),
        "contract": Reader(read_contract, CONTRACTS, True),
        "game": Reader(make_game, GAMES, True),
        "player": Reader(lambda text: parse_player(text, False), PLAYERS, True),
        "algorithm": Reader(load_algorithm, ALGORITHMS, True),
        "problem": Reader(lambda text: open_problem(text), PROBLEMS, True),
        "stop": Reader(as_stop, STOPS, True),
        "solver": Reader(make_solver, SOLVERS, True),
    }
    with tempfile.TemporaryDirectory() as name:
        return found | _written(Path(name))


def _written(folder: Path) -> dict[str, Reader]:
    """The readers of what this package writes itself."""
    path = folder / "file"

    def sample(write: Callable[[Path], Any]) -> tuple[bytes, ...]:
        path.unlink(missing_ok=True)
        write(path)
        return (path.read_bytes(),)

    def solve(path: Path | None) -> Any:
        settings = {"seed": 1, "compiled": False, "checkpoint": path}
        return po.solve("maximum:n=5", "random", "5 playouts", **settings)

    return {
        "result": Reader(po.Result.load, sample(lambda path: solve(None).save(path))),
        "checkpoint": Reader(solve, sample(solve)),
        "transcript": Reader(replay_transcript, sample(_play)),
        "certificate": Reader(
            lambda path: check_certificate(path, compiled=False), sample(_certify)
        ),
        "episode": Reader(Episode.load, sample(_live)),
        "store": Reader(_read_store, sample(_fill_store)),
        "arrays": Reader(read_arrays, sample(_write_arrays)),
        "archive": Reader(_read_archive, sample(_write_archive)),
        "input": Reader(_read_input, (_npy(np.arange(6)), _npy(np.arange(6.0).reshape(2, 3)))),
        "images": Reader(
            lambda path: load_input(str(path)),
            (images := b"\0\0\x08\x02\0\0\0\x02\0\0\0\x03" + bytes(6), gzip.compress(images)),
        ),
    }


def _model() -> bytes:
    """A model without weights."""
    about = {
        "format": "playout-model-1",
        "about": {"problem": "p"},
        "network": {"kind": "policy13"},
    }
    text = json.dumps({"__metadata__": {"playout": json.dumps(about)}}).encode()
    return len(text).to_bytes(8, "little") + text


def _live(path: Path) -> None:
    settings = {"seed": 1, "compiled": False}
    po.episode("maximum:n=5", "openloop", "5 playouts", **settings).save(path)


def _play(path: Path) -> None:
    po.match("tictactoe", "random", "random", games=2, seed=1, record=path)


def _certify(path: Path) -> None:
    game = make_game("tictactoe")
    prover = Prover(game, state=game.read_position("xox/oox/... x"))
    prover.run()
    write_certificate(prover, "tictactoe", path)


def _fill_store(path: Path) -> None:
    with Store(path) as store:
        for seed in range(3):
            row = Row(problem="p", algorithm="a", score=1.5, playouts=3, seconds=1.0)
            store.finish(RunKey("e", "cell", seed, "seconds", 1.0, "0.1", "code"), row)
        store.add_trial("study", {"a": 1}, 0.5, "now")


def _read_store(path: Path) -> Any:
    with Store(path, read_only=True) as store:
        store.trials("study")
        return store.experiments(), list(runs(store, None))


def _write_arrays(path: Path) -> None:
    write_arrays(path, {"a": np.arange(6).reshape(2, 3), "b": np.array(1.5)})


def _write_archive(path: Path) -> None:
    with tarfile.open(path, "w:gz") as archive:
        member = tarfile.TarInfo("one")
        member.size = len(GRAPH)
        archive.addfile(member, io.BytesIO(GRAPH))


def _read_archive(path: Path) -> Any:
    return [read_member(path, name) for name in archive_members(path)]


def _npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def _read_input(path: Path) -> Any:
    npy = path.with_suffix(".npy")
    path.replace(npy)
    return load_input(str(npy)), load_input(f"{npy}#1")
