"""The kinds of run that an experiment may have, each as a row of the store."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from playout.compiled import digest_of_class, wrapping
from playout.contract import Game
from playout.errors import GivenUp, OptionError, nearest
from playout.run.checkpoint import digest_of_instance
from playout.stop import Playouts, Progress, Seconds, Stop, Target
from playout.study.kinds.policies import digest_of_model, has_model
from playout.study.kinds.runs import (
    Choice,
    Color,
    Generations,
    Match,
    Prove,
    Run,
    Scan,
    Solve,
    Train,
)

Over = Callable[[], bool]


def load(search: Run) -> Any:
    """The problem or the game that a run is about."""
    if isinstance(search, Solve):
        from playout.problems import PROBLEMS
        from playout.problems.instances import find_instance

        cls = PROBLEMS.find(search.problem)
        name = instance_of(search, 1)  # which stands for those of all seeds
        return find_instance(cls, name or None, **search.problem_options)[0]
    if isinstance(search, Generations):
        from playout.problems import PROBLEMS

        return PROBLEMS.find(search.problem).training(**search.problem_options)
    if isinstance(search, Color):
        from playout.problems.coloring.graph_coloring import GraphColoring
        from playout.problems.instances import find_instance

        return find_instance(GraphColoring, search.instance or None, k=1)[0]
    if isinstance(search, Scan):
        from playout.zonnscan.images import load_images

        return load_images(search.data)
    from playout.games import load_game

    return load_game(search.game)


def instance_of(search: Solve, seed: int) -> str:
    """The name of a run's instance."""
    return search.instance.replace("{seed}", str(seed))


def check_options(search: Run) -> None:
    """Refuse options that the algorithms do not have, before anything runs."""
    if isinstance(search, Solve):
        from playout.algorithms import ALGORITHMS

        ALGORITHMS.find(search.algorithm)(**search.options)
        shown = ("score", "playouts", *ALGORITHMS.find(search.algorithm).counters)
        if search.shows not in shown:
            raise OptionError(
                f"a run of {search.algorithm} shows no {search.shows!r}; "
                f"{nearest(search.shows, shown)}"
            )
        if search.shows != "score" and not search.whole:
            raise OptionError(f"a run shows its {search.shows} only with whole=True")
        return
    if isinstance(search, Generations):
        return
    if isinstance(search, Color):
        _colourer(search)
        return
    if isinstance(search, Scan):
        from playout.study.kinds.learned import check_scan

        check_scan(search)
        return
    if isinstance(search, Train):
        from playout.study.kinds.learned import check_train

        check_train(search)
        return
    if isinstance(search, Prove):
        from playout.study.kinds.proofs import check_proof

        check_proof(search)
        return
    from playout.matches.player import TreePlayer, parse_player

    if isinstance(search, Choice) and not isinstance(
        parse_player(search.search).make(), TreePlayer
    ):
        raise OptionError(f"{search.search} is no tree search")
    texts = (search.first, search.second) if isinstance(search, Match) else ()
    for text in texts:
        parse_player(text)


def code_of(search: Run, problem: Any) -> str:
    """A digest of the code and the data of a run: runs before an edit are kept apart."""
    if isinstance(search, Scan):
        return hashlib.blake2b(problem.test.tobytes(), digest_size=12).hexdigest()
    if isinstance(search, Generations):
        return digest_of_model(search, problem)
    parts = [_digest(type(problem)), digest_of_instance(problem)]
    if isinstance(search, Solve):
        if has_model(search):
            parts.append(digest_of_model(search, problem))
        parts.append(_digest_of_algorithm(search, problem))
    if isinstance(search, Prove):
        from playout.study.kinds.proofs import classes_of

        parts += map(_digest, classes_of(search))
    return "-".join(part[:12] for part in parts)


def is_free(search: Run, seed: int) -> bool:
    """Whether a run need not wait for another that does most of its work."""
    if isinstance(search, Train):
        from playout.study.kinds.learned import is_free

        return is_free(search, seed)
    return True


_digests: dict[type, str] = {}
_searches: dict[tuple[str, bool], type] = {}  # the class that searches, by an algorithm's name


def _digest(cls: type) -> str:
    if cls not in _digests:
        _digests[cls] = digest_of_class(cls)
    return _digests[cls]


def _digest_of_algorithm(search: Solve, problem: Any) -> str:
    from playout.algorithms import ALGORITHMS

    name = search.algorithm, has_model(search)
    if name not in _searches:
        algorithm = ALGORITHMS.find(search.algorithm)(**search.options)
        with wrapping():
            _searches[name] = type(algorithm.start(problem, 1))
    return _digest(_searches[name])


def own_text(search: Run) -> str:
    """The text that may name a file of the user's own."""
    return str(getattr(search, "problem", getattr(search, "game", "")))


def perform(
    search: Run, problem: Any, unit: str, budget: float, seed: int, over: Over
) -> dict[str, Any]:
    """Do a run; what the store keeps of it, apart from its place and where it comes from.

    `over` is asked now and then whether to give up, which raises `GivenUp`.
    """
    stop: Stop = Playouts(int(budget)) if unit == "playouts" else Seconds(budget)
    if isinstance(search, Solve):
        return _solve(search, problem, stop, seed, over)
    if isinstance(search, Color):
        return _color(search, problem, unit, budget, seed, over)
    if isinstance(search, Match):
        return _match(search, problem, stop, unit, seed, over)
    if isinstance(search, Generations):
        from playout.study.kinds.policies import generations

        return generations(search, problem, int(budget))
    if isinstance(search, Scan):
        from playout.study.kinds.learned import scan

        return scan(search, int(budget), seed, over)
    if isinstance(search, Train):
        from playout.study.kinds.learned import train

        return train(search, problem, int(budget), seed, over)
    if isinstance(search, Prove):
        from playout.study.kinds.proofs import prove

        return prove(search, problem, stop, seed, _looker(over))
    return _choice(search, problem, stop, unit, seed, over)


def _looker(over: Over) -> Callable[[Progress], None]:
    def look(progress: Progress) -> None:
        if over():
            raise GivenUp

    return look


def _solve(search: Solve, problem: Any, stop: Stop, seed: int, over: Over) -> dict[str, Any]:
    from playout.algorithms import ALGORITHMS
    from playout.run.solve import solve

    if search.target is not None:
        stop = stop | Target(search.target)
    name = instance_of(search, seed)
    if name != search.instance:
        problem = load(replace(search, instance=name))
    if has_model(search):
        from playout.study.kinds.learned import use_threads

        use_threads(search.workers)
    result = solve(
        problem,
        ALGORITHMS.find(search.algorithm)(**search.options),
        stop,
        seed=seed,
        workers=search.workers,
        parallel=search.parallel,
        compiled=search.compiled,
        progress=_looker(over),
        instance=name,
    )
    return {
        "problem": search.problem,
        "instance": name,
        "problem_options": json.dumps(dict(search.problem_options)),
        "algorithm": search.algorithm,
        "options": json.dumps(result.options),
        "score": result.score,
        "playouts": result.playouts,
        "seconds": result.seconds,
        "verified": int(result.verified),
        "stopped_by": result.stopped_by,
        "curve": np.asarray(result.curve, "<f8").tobytes(),
        "moves": json.dumps(result.moves),
        "records": json.dumps(result.records),
        "details": json.dumps(result.counters),
    }


def _colourer(search: Color) -> Any:
    """The algorithm that decides each number of colours."""
    from playout.algorithms import ALGORITHMS
    from playout.tasks.fewest_colors import BASELINES

    if search.algorithm in BASELINES:
        return search.algorithm
    return ALGORITHMS.find(search.algorithm)(**search.options)


def _color(
    search: Color, problem: Any, unit: str, budget: float, seed: int, over: Over
) -> dict[str, Any]:
    from playout.tasks import color

    stop: Stop = Seconds(budget) if unit == "seconds" else Playouts(int(budget))
    algorithm, look = _colourer(search), _looker(over)
    options = search.problem_options
    found = color(problem.graph, algorithm, stop, seed=seed, progress=look, **options)
    return {
        "problem": "coloring",
        "instance": search.instance,
        "problem_options": json.dumps(dict(search.problem_options)),
        "algorithm": found.algorithm,
        "options": json.dumps(found.options),
        "score": found.score,
        "playouts": found.playouts,
        "seconds": found.seconds,
        "verified": int(found.verified),
        "stopped_by": found.stopped_by,
        "curve": np.asarray(found.curve, "<f8").tobytes(),
        "moves": json.dumps(found.moves()),
        "records": "[]",
    }


def _match(
    search: Match, game: Game, stop: Stop, unit: str, seed: int, over: Over
) -> dict[str, Any]:
    """One game for each seat of the first player; the score is his share of the points."""
    from playout.matches.player import parse_player
    from playout.matches.referee import play_game

    entrants = [parse_player(search.first), parse_player(search.second)]
    points, simulations, seconds, verified = 0.0, 0, 0.0, True
    transcripts = []
    seats = (0, 1) if search.swap else (0,)
    for seat in seats:
        order = entrants if seat == 0 else entrants[::-1]
        played = play_game(
            game,
            [entrant.make() for entrant in order],
            [entrant.stop or stop for entrant in order],
            [2 * seed, 2 * seed + 1],
            names=[entrant.text for entrant in order],
            over=over,
        )
        reward = played.rewards[seat]
        points += (float(reward == 1.0) if search.wins_only else reward) / len(seats)
        simulations += sum(played.simulations)
        seconds += sum(played.seconds)
        transcripts.append(played.moves)
        verified &= _replayed(game, played.moves) == played.rewards
    return _row(
        search, search.game, f"{search.first} against {search.second}", points, simulations,
        seconds, verified, unit, transcripts,
    )  # fmt: skip


def _replayed(game: Game, texts: list[str]) -> list[float]:
    """The rewards of a game whose moves are read and played again, in plain Python."""
    state = game.root()
    for text in texts:
        game.play_move(state[0], game.parse_move(state[0], text))
    return game.final_rewards(state[0])


def _choice(
    search: Choice, game: Game, stop: Stop, unit: str, seed: int, over: Over
) -> dict[str, Any]:
    from playout.matches.player import parse_player

    session = parse_player(search.search).make().session(game, seed)
    session.set_position()
    result = session.run(stop, _looker(over))
    score = float(result.move in search.good) if search.good else result.seconds
    return _row(
        search, search.game, search.search, score, result.simulations, result.seconds, True,
        unit, [[result.move]],
    )  # fmt: skip


def _row(
    search: Match | Choice, game: str, algorithm: str, score: float, simulations: int,
    seconds: float, verified: bool, unit: str, transcripts: list[list[str]],
) -> dict[str, Any]:  # fmt: skip
    return {
        "problem": game,
        "instance": "",
        "problem_options": "{}",
        "algorithm": algorithm,
        "options": json.dumps({"kind": search.kind}),
        "score": score,
        "playouts": simulations,
        "seconds": seconds,
        "verified": int(verified),
        "stopped_by": unit,
        "curve": np.array([[0.0, 0.0, score]], "<f8").tobytes(),
        "moves": json.dumps(transcripts),
        "records": "[]",
    }
