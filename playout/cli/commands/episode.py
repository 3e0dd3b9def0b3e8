"""`playout episode`: a game for one player, with luck in it, played from its start to its end."""

from __future__ import annotations

import argparse
import dataclasses
import secrets
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import COUNT, SEED, Parser
from playout.cli.decision_arguments import add_decisions, decision_search, decision_stop
from playout.cli.failures import INTERRUPTED
from playout.cli.live_line import LiveLine
from playout.cli.outputs import output_file, prints_aside, refuse_show_with_json
from playout.cli.problem_arguments import add_problem, load, sources
from playout.contract import score_word
from playout.errors import OptionError
from playout.text.json_text import json_text
from playout.text.live_words import Shown

if TYPE_CHECKING:
    from playout import Episode, Problem
    from playout.worlds.episode import EpisodeProgress

USAGE = "playout episode PROBLEM [INSTANCE] [-a SEARCH] [-o NAME=VALUE]... [options]"

DESCRIPTION = """\
Play a game for one player from its start to its end, with a search for every move. Where the game
has luck in it, it is drawn from --luck, and the search decides without it. What was played is
replayed in plain Python, and the result says whether the replay agrees. Ctrl-C ends it: what
was played so far is printed, and saved if --save is given.
"""

EPILOG = """\
examples:
  playout episode my_game.py:Dice -a ordinal --calls 1000 --seed 1
      a game of your own; 1,000 calls of play() for each decision
  playout episode my_game.py:Dice -a openloop -o length=5 --episodes 40
      forty games with luck of their own, and their mean score
  playout episode my_game.py:Dice --seconds 0.04 --show
      in real time: a decision that comes too late plays the move called idle, if there is one
  playout episode my_game.py:Dice --replay dice.json --show
      a game that --save kept, verified before it is shown

exit code: 0 when the replay agrees, 1 when it does not, 2 for a mistake in the command,
130 after Ctrl-C
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("what to play")
    add_problem(what, "a built-in problem (see playout list), or file.py:Class for one of your own")
    what("--luck N", "seed of the game's luck (default: the seed)", SEED)
    what("--episodes N", "games, each with another seed and luck (default: 1)", COUNT, default=1)
    what("--replay FILE", "in place of a search: replay what --save has kept")
    what("--interpreted", "run everything as plain Python: slow, for what cannot be compiled")
    how = parser.group("how to decide")
    add_decisions(how, "openloop")
    output = parser.group("what to print")
    output("--save FILE", "save the game, for --replay and playout.Episode.load")
    output("--show", "also print the states, move by move")
    output.json_and_quiet()


def run(options: argparse.Namespace) -> int:
    """Play, print and write what was asked for."""
    refuse_show_with_json(options)
    if options.episodes > 1 and (options.save or options.show or options.replay or options.luck):
        raise OptionError("--episodes: leave --save, --show, --luck and --replay out")
    with prints_aside(options.json):
        problem, instance = load(options)
        save = output_file("save", options.save, sources(options, problem))
        games = [_replayed(options.replay, problem)] if options.replay else []
        if not games:
            games = _play(options, problem, instance, save)
    if options.show:
        _show(problem, games[-1])
    if len(games) == 1:
        print(json_text(games[0].to_json()) if options.json else games[0])
    else:
        data = _together(games)
        print(json_text(data) if options.json else _text(data, score_word(problem.sense)))
    if games[-1].stopped_by == "interrupt" and not options.replay:
        return INTERRUPTED
    return 0 if all(game.verified for game in games) else 1


def _play(
    options: argparse.Namespace, problem: Problem, instance: str, save: Path | None
) -> list[Episode]:
    """The games that were asked for; an interrupted one is the last."""
    import playout

    search = decision_search(options)
    seed = secrets.randbits(31) if options.seed is None else options.seed
    games: list[Episode] = []
    wanted = not (options.json or options.quiet)
    first = "the first move ..."
    if not options.interpreted:
        first = f"compiling, then {first}"
    word = score_word(problem.sense)
    shown = partial(_shown, word, options.episodes)
    with LiveLine(lambda now: shown(now, len(games)), first, wanted) as line:
        while len(games) < options.episodes:
            game = playout.episode(
                problem,
                search,
                decision_stop(options),
                seed=seed + len(games),
                luck=options.luck,
                workers=options.workers,
                compiled=not options.interpreted,
                progress=line.update,
                instance=instance,
                save=save,
                idle=options.idle,
            )
            games.append(dataclasses.replace(game, problem=options.problem))
            if game.stopped_by == "interrupt":
                break
    return games


def _replayed(file: str, problem: Problem) -> Episode:
    """A game from its file, which must replay."""
    from playout import Episode

    found = Episode.load(file)
    found.replay(problem)
    return dataclasses.replace(found, verified=True)


def _shown(word: str, episodes: int, now: EpisodeProgress, done: int) -> Shown:
    which = f"game {done + 1} of {episodes}  " if episodes > 1 else ""
    late = f"  {now.late} late" if now.late else ""
    score = (f"{now.score:g}", "bold green")
    rate = now.calls / now.seconds if now.seconds else 0.0
    words: Any = [which, f"move {now.moves}  {word} ", score, f"  {rate:,.0f} calls/s{late}"]
    return Shown(words, done / episodes if episodes > 1 else None)


def _show(problem: Problem, game: Episode) -> None:
    """The states and moves of a game, from its start."""

    states = problem.root(game.luck)
    print(problem.render(states[0]))
    for text, move in zip(game.moves, problem.as_moves(game.records)):
        problem.play_move(states[0], move)
        print(f"\n{text}\n{problem.render(states[0])}")
    print()


def _together(games: list[Episode]) -> dict[str, Any]:
    """What several games came to."""
    from playout.statistics import mean_interval

    mean, half = mean_interval([game.score for game in games])
    calls, seconds = (sum(getattr(game, name) for game in games) for name in ("calls", "seconds"))
    return {
        "problem": games[0].problem,
        "instance": games[0].instance,
        "algorithm": games[0].algorithm,
        "budget": games[0].budget,
        "seeds": [game.seed for game in games],
        "scores": [game.score for game in games],
        "outcomes": [game.outcome for game in games],
        "mean": mean,
        "half_width": half,
        "moves": [len(game.moves) for game in games],
        "calls": calls,
        "seconds": round(seconds, 6),
        "late": sum(game.late for game in games),
        "verified": all(game.verified for game in games),
    }


def _text(data: dict[str, Any], word: str) -> str:
    from playout.text.facts import facts_text

    half = "" if data["half_width"] is None else f" +- {data['half_width']:.3g} (95%)"
    scores = data["scores"]
    check = "the replays agree" if data["verified"] else "A REPLAY DOES NOT AGREE"
    rate = data["calls"] / data["seconds"] if data["seconds"] else 0.0
    return facts_text(
        [
            ("problem", f"{data['problem']} {data['instance']}".strip()),
            ("search", f"{data['algorithm']}, {data['budget']} a move"),
            ("games", f"{len(scores):,} from seed {data['seeds'][0]} on ({check})"),
            (f"mean {word}", f"{data['mean']:.6g}{half}, from {min(scores):g} to {max(scores):g}"),
            ("calls", f"{data['calls']:,} in {data['seconds']:.2f} s ({rate:,.0f}/s)"),
            *([("late", f"{data['late']:,} decisions")] if data["late"] else []),
        ]
    )
