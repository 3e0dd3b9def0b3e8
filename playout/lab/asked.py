"""From what a page asks to a checked task.

Nothing that a page sends is ever code, or a path. Names are looked up in lists, values are taken by
their types, and the texts that the rest of the package reads (`gnrpa:level=3`) are made here of
names and numbers. What the command line would refuse is refused with the same sentence.
"""

from __future__ import annotations

import re
from typing import Any

from playout.arcade import ARCADE
from playout.errors import OptionError, PlayoutError
from playout.lab.asked_values import (
    number,
    object_of,
    only,
    option_values,
    seed_of,
    whole,
    workers_of,
)
from playout.lab.shelf import MOST_NUMBER, MOST_SECONDS, Shelf, shown
from playout.lab.task import Task
from playout.text.grammar import named_text, value_text

STOPS = ("seconds", "playouts", "target", "stagnation", "runs")
KINDS = ("solve", "game", "compare", "paper")


def check_task(asked: Any, shelf: Shelf) -> Task:
    """The task that a page asks for; OptionError in one line if it is none."""
    if not isinstance(asked, dict):
        raise OptionError("a task is a JSON object")
    kind = asked.get("kind")
    if kind not in KINDS:
        raise OptionError(f"kind {shown(kind)}: one of {', '.join(KINDS)}")
    task = _CHECKS[kind](asked, shelf)
    return Task(kind=kind, asked=dict(asked), **task)


def check_stop(given: Any) -> dict[str, float]:
    """Stop criteria that a page gives, as numbers by their names."""
    if not isinstance(given, dict) or not given or not given.keys() <= set(STOPS):
        raise OptionError(f"stop: give at least one of {', '.join(STOPS)}")
    found: dict[str, float] = {}
    for name, value in given.items():
        if name == "seconds":
            found[name] = number("seconds", value, above=0.0, high=MOST_SECONDS)
        elif name == "target":
            found[name] = number("target", value)
        else:
            found[name] = whole(name, value, 1, MOST_NUMBER)
    return found


# each kind


def _solve(asked: dict[str, Any], shelf: Shelf) -> dict[str, Any]:
    only(
        asked, "kind problem instance problem_options algorithm options stop seed workers parallel"
    )
    what = _problem(asked, shelf)
    algorithm = _algorithm(asked.get("algorithm", "auto"), asked.get("options"))
    parallel = asked.get("parallel", "root")
    if parallel not in ("root", "leaf"):
        raise OptionError(f"parallel {shown(parallel)}: root or leaf")
    stop = check_stop(asked.get("stop", {"seconds": 30}))
    name = algorithm.partition(":")[0]
    if name in ("auto", "random") and "runs" in stop:
        raise OptionError(f"{name} comes to no natural end: no number of runs ends it")
    return {
        **what,
        "title": ", ".join(_join(what["title"], algorithm)),
        "algorithm": algorithm,
        "stop": stop,
        "seed": seed_of(asked),
        "workers": workers_of(asked),
        "parallel": parallel,
    }


def _join(*words: str) -> list[str]:
    return [word for word in words if word]


def _compare(asked: dict[str, Any], shelf: Shelf) -> dict[str, Any]:
    only(asked, "kind problem instance problem_options algorithms budget runs workers")
    what, given = _problem(asked, shelf), asked.get("algorithms")
    if not isinstance(given, list) or not 1 <= len(given) <= 12:
        raise OptionError("algorithms: a list of 1 to 12")
    texts = []
    for one in given:
        if not isinstance(one, dict) or not one.keys() <= {"algorithm", "options"}:
            raise OptionError("algorithms: each is an object with algorithm and options")
        texts.append(_algorithm(one.get("algorithm"), one.get("options")))
    if len(set(texts)) < len(texts):
        raise OptionError("an algorithm is given twice")
    return {
        **what,
        "title": f"{what['title']}: {', '.join(texts)}",
        "algorithms": texts,
        "stop": check_budget(asked.get("budget", {"seconds": 1}), ("seconds", "playouts")),
        "runs": whole("runs", asked.get("runs", 10), 1, 1000),
        "workers": workers_of(asked),
    }


def _paper(asked: dict[str, Any], shelf: Shelf) -> dict[str, Any]:
    from playout.experiments import EXPERIMENTS

    only(asked, "kind paper scale workers")
    name = asked.get("paper")
    if not isinstance(name, str) or name not in EXPERIMENTS:
        raise OptionError(f"there is no experiment {shown(name)}")
    scale = number("scale", asked.get("scale", 0.002), above=0.0, high=1.0)
    return {
        "title": f"{name}, {scale:g} of its runs and times",
        "paper": name,
        "scale": scale,
        "workers": workers_of(asked),
    }


def _game(asked: dict[str, Any], shelf: Shelf) -> dict[str, Any]:
    only(
        asked,
        "kind game size game_options level from search search_options playout backup budget seat "
        "seed workers",
    )
    from playout.games import load_game

    name, moves = asked.get("game"), list[str]()
    if "from" in asked:
        text, moves, name = _from_match(asked, shelf)
    else:
        text = _game_text(name, asked, shelf)
    game = load_game(text)
    search = _search(asked, game)
    _check_search(game, text, search)
    seat = whole("seat", asked.get("seat", _turn(game, moves)), 0, game.players - 1)
    alone = "with" if game.players == 1 else "against"
    return {
        "title": f"{name}, {alone} {search}",
        "game": text,
        "moves": moves,
        "search": search,
        "stop": check_budget(asked.get("budget", {"seconds": 1}), ("seconds", "simulations")),
        "seat": seat,
        "seed": seed_of(asked),
        "workers": workers_of(asked),
    }


def _from_match(asked: dict[str, Any], shelf: Shelf) -> tuple[str, list[str], str]:
    """The game and the moves of a game of a match, up to a move of it, and what it is called."""
    from playout.lab.transcripts import Transcripts

    if strange := asked.keys() & {"game", "size", "game_options", "level"}:
        raise OptionError(f"{min(strange)}: the game is that of the match")
    given = object_of(asked, "from")
    if given.keys() != {"match", "game", "move"}:
        raise OptionError(f"from {shown(given)}: match, game and move, numbers from 0")
    match, game, move = (
        whole(name, given[name], 0, MOST_NUMBER) for name in ("match", "game", "move")
    )
    text, moves = Transcripts(shelf.transcripts).until(match, game, move)
    return text, moves, f"{text} after move {move}"


def _turn(game: Any, moves: list[str]) -> int:
    """Who is to move after some moves; nobody's own seat if the game is over."""
    if not moves:
        return 0
    states = game.root()
    for text in moves:
        game.play_move(states[0], game.parse_move(states[0], text))
    return 0 if game.is_over(states[0]) else int(game.turn(states[0]))


def _check_search(game: Any, text: str, search: str) -> None:
    """Refuse a search that cannot search the game."""
    from playout.adapters.game_under_way import searched_game
    from playout.gametree.tree_search import TreeSearch, as_search
    from playout.gametree.tree_session import check_search

    if search == "random":
        return
    algorithm, searched = as_search(search), searched_game(game, text)
    if isinstance(algorithm, TreeSearch):
        check_search(searched, algorithm)
    else:
        algorithm.check(searched)


def _game_text(name: Any, asked: dict[str, Any], shelf: Shelf) -> str:
    from playout.games import GAMES
    from playout.text.options import class_options

    if isinstance(name, str) and name in ARCADE:
        if object_of(asked, "game_options") or "size" in asked:
            raise OptionError(f"{name}: a video game has levels, and no options")
        return f"arcade:{name},{whole('level', asked.get('level', 0), 0, 99)}"
    if "level" in asked:
        raise OptionError(f"{shown(name)} has no levels")
    cls, given = shelf.game_class(name), dict(object_of(asked, "game_options"))
    base = shelf.games.get(name, name)
    if cls is None:
        if given or "size" in asked:
            raise OptionError(f"{name}: a game from a rulesheet has no options here")
        return base
    fixed = {} if name in shelf.games else GAMES.entry(name).options
    known = {key: option for key, option in class_options(cls).items() if key not in fixed}
    words = []
    size = asked.get("size")
    if size is not None:
        if not isinstance(size, str) or not re.fullmatch(r"[0-9]{1,2}x[0-9]{1,2}", size):
            raise OptionError(f"size {shown(size)}: columns x rows, as 7x6")
        words.append(size)
    options = option_values(str(name), known, given)
    words += [f"{key}={value_text(value)}" for key, value in options.items()]
    return f"{base}:{','.join(words)}" if words else base


def _search(asked: dict[str, Any], game: Any) -> str:
    """The text of a search, made of names of parts and values; `auto` is what suits the game."""
    from playout.gametree import BACKUPS, PLAYOUT_POLICIES, TREE_POLICIES, WORLD_SEARCHES
    from playout.gametree.tree_search import TreeOptions, as_search
    from playout.gametree.usual_search import usual_search
    from playout.text.options import class_options

    name, given = asked.get("search", "auto"), object_of(asked, "search_options")
    parts = {"playout": PLAYOUT_POLICIES, "backup": BACKUPS}
    chosen = {part: asked[part] for part in parts if asked.get(part) is not None}
    for part, value in chosen.items():
        if not isinstance(value, str) or value not in parts[part]:
            raise OptionError(f"{part} {shown(value)}: {', '.join(parts[part])}")
    if name in ("auto", "random") and not given and not chosen:
        return usual_search(game) if name == "auto" else "random"
    if not isinstance(name, str) or name not in (*TREE_POLICIES, *WORLD_SEARCHES):
        raise OptionError(f"there is no search {shown(name)}")
    if name in WORLD_SEARCHES:
        if chosen:
            raise OptionError(f"{name} has no playout and no backup to choose")
        known = type(as_search(name).options).declared()
    else:
        known = class_options(TREE_POLICIES[name]) | TreeOptions.declared()
        for part, value in chosen.items():
            known = class_options(parts[part][value]) | known
    options = option_values(name, known, given)
    return named_text(name, {**chosen, **options})


def _problem(asked: dict[str, Any], shelf: Shelf) -> dict[str, Any]:
    """Problem, instance and options that are asked for, and their name."""
    from playout.problems.instances import find_instance, instance_options

    name = asked.get("problem")
    cls = shelf.problem_class(name)
    options = option_values(str(name), instance_options(cls), object_of(asked, "problem_options"))
    instance = _instance(str(name), asked.get("instance"), shelf)
    try:
        find_instance(cls, instance or None, **options)
    except PlayoutError:
        raise
    except Exception as error:  # of a class of one's own
        raise OptionError(f"{name}: {type(error).__name__}: {error}") from None
    words = [str(name), instance.rpartition("/")[2] if "#" in instance else instance]
    words += [f"{key}={value_text(value)}" for key, value in options.items()]
    return {
        "title": " ".join(word for word in words if word),
        "problem": shelf.problem_text(str(name)),
        "instance": instance,
        "problem_options": options,
    }


def _instance(problem: str, given: Any, shelf: Shelf) -> str:
    if given is None:
        return ""
    if isinstance(given, dict) and len(given) == 1:
        ((kind, value),) = given.items()
        if kind == "random":
            return f"random:{whole('random', value, 0, (1 << 63) - 1)}"
        if kind in ("listed", "upload"):
            known = shelf.instances(problem)
            return known[whole(kind, value, 0, len(known) - 1)]
    raise OptionError(f"instance {shown(given)}: null, or one of random, listed, upload")


def _algorithm(name: Any, given: Any) -> str:
    from playout.algorithms import ALGORITHMS

    if not isinstance(name, str) or name not in ALGORITHMS:
        raise OptionError(f"there is no algorithm {shown(name)}")
    cls = ALGORITHMS[name]
    options = option_values(name, cls.declared(), object_of({"options": given}, "options"))
    cls(**{key: tuple(v) if isinstance(v, list) else v for key, v in options.items()})
    return named_text(name, options)


def check_budget(given: Any, names: tuple[str, str]) -> dict[str, float]:
    if not isinstance(given, dict) or len(given) != 1 or not given.keys() <= set(names):
        raise OptionError(f"budget {shown(given)}: one of {' and '.join(names)}")
    ((name, value),) = given.items()
    if name == "seconds":
        return {name: number(name, value, above=0.0, high=MOST_SECONDS)}
    return {name: whole(name, value, 1, MOST_NUMBER)}


_CHECKS = {"solve": _solve, "game": _game, "compare": _compare, "paper": _paper}
