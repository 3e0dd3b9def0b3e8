"""The kinds of run that an experiment may have, each as a row of the store."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from playout.problem import Game
from playout.run.stop import Playouts, Progress, Seconds, Stop
from playout.study.spec import Choice, Match, Run, Solve

Look = Callable[[Progress], None]


def load(search: Run) -> Any:
    """The problem or the game that a run is about."""
    if isinstance(search, Solve):
        from playout.problems import load_problem
        from playout.problems.instances import find_instance

        cls = load_problem(search.problem)
        return find_instance(cls, search.instance or None, **search.problem_options)[0]
    from playout.games import load_game

    return load_game(search.game)


def check_options(search: Run) -> None:
    """Refuse options that the algorithms do not have, before anything runs."""
    if isinstance(search, Solve):
        from playout.searches import algorithm_class

        algorithm_class(search.algorithm)(**search.options)
        return
    from playout.gametree.options import TreeSearch

    texts = (search.first, search.second) if isinstance(search, Match) else (search.search,)
    for text in texts:
        TreeSearch.parse(text)


def perform(
    search: Run, problem: Any, unit: str, budget: float, seed: int, look: Look
) -> dict[str, Any]:
    """Do a run; what the store keeps of it, apart from its place and where it comes from."""
    stop: Stop = Playouts(int(budget)) if unit == "playouts" else Seconds(budget)
    if isinstance(search, Solve):
        return _solve(search, problem, stop, seed, look)
    if isinstance(search, Match):
        return _match(search, problem, stop, unit, seed, look)
    return _choice(search, problem, stop, unit, seed, look)


def _solve(search: Solve, problem: Any, stop: Stop, seed: int, look: Look) -> dict[str, Any]:
    from playout.run.solve import solve
    from playout.searches import algorithm_class

    result = solve(
        problem,
        algorithm_class(search.algorithm)(**search.options),
        stop,
        seed=seed,
        compiled=search.compiled,
        progress=look,
        instance=search.instance,
    )
    return {
        "problem": search.problem,
        "instance": search.instance,
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
    }


def _match(
    search: Match, game: Game, stop: Stop, unit: str, seed: int, look: Look
) -> dict[str, Any]:
    """Two games with the seats swapped; the score is the first player's share of the points."""
    points, simulations, seconds, verified = 0.0, 0, 0.0, True
    transcripts = []
    for seat in (0, 1):
        texts = [search.first, search.second][:: 1 if seat == 0 else -1]
        played = _play(game, texts, stop, seed, look)
        transcripts.append(played["moves"])
        points += played["rewards"][seat] / 2
        simulations += played["simulations"]
        seconds += played["seconds"]
        verified &= played["verified"]
    return _row(
        search, search.game, f"{search.first} against {search.second}", points, simulations,
        seconds, verified, unit, transcripts,
    )  # fmt: skip


def _play(game: Game, players: list[str], stop: Stop, seed: int, look: Look) -> dict[str, Any]:
    """One game; the moves are replayed by the rules in plain Python at its end."""
    from playout.gametree.options import TreeSearch
    from playout.gametree.session import TreeSession

    sessions = [
        TreeSession(game, TreeSearch.parse(text), seed=2 * seed + number)
        for number, text in enumerate(players)
    ]
    state, legal = game.root(), game.new_moves()
    for session in sessions:
        session.set_position(state)
    moves, texts, simulations, seconds = [], [], 0, 0.0
    with np.errstate(over="ignore"):
        while game.moves(state[0], legal):
            result = sessions[int(game.turn(state[0]))].run(stop, look)
            move = result.record
            simulations += result.simulations
            seconds += result.seconds
            moves.append(move)
            texts.append(result.move)
            for session in sessions:
                session.advance(move)
            game.play(state[0], move)
        final = game.replay(np.array(moves, game.move_type).view(np.recarray))
        rewards = [float(game.reward(final[0], p)) for p in range(game.players)]
        verified = final[0].tobytes() == state[0].tobytes()
    return {"moves": texts, "rewards": rewards, "simulations": simulations, "seconds": seconds,
            "verified": verified}  # fmt: skip


def _choice(
    search: Choice, game: Game, stop: Stop, unit: str, seed: int, look: Look
) -> dict[str, Any]:
    from playout.gametree.options import TreeSearch
    from playout.gametree.session import TreeSession

    session = TreeSession(game, TreeSearch.parse(search.search), seed=seed, workers=search.workers)
    session.set_position()
    result = session.run(stop, look)
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
