"""`playout arcade`: a video game, played by a search or by a person, shown, kept and filmed."""

from __future__ import annotations

import argparse
import dataclasses
import secrets
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import SEED, Parser, whole
from playout.cli.decision_arguments import add_decisions, decision_search, decision_stop
from playout.cli.failures import INTERRUPTED
from playout.cli.live_line import LiveLine
from playout.cli.outputs import output_file, prints_aside
from playout.errors import DataError, OptionError
from playout.text.json_text import json_text
from playout.text.live_words import Shown

if TYPE_CHECKING:
    from playout import Episode
    from playout.worlds.episode import EpisodeProgress

USAGE = "playout arcade GAME [LEVEL] [-a SEARCH] [-o NAME=VALUE]... [options]"

DESCRIPTION = """\
Play a video game, written in VGDL, to its end: with a search for every move, or by the arrow
keys. What was played is replayed in plain Python, and the result says whether the replay agrees. It
can be saved, shown again, and made a GIF or a page with a slider.
"""

EPILOG = """\
examples:
  playout arcade orchard                                one of the package's own games
  playout arcade zelda 1 -a ordinal -o length=5 --calls 1000 --seed 1 --show
      $PLAYOUT_DATA/vgdl/zelda.txt on its level 1, watched
  playout arcade my/game.txt my/level.txt --save game.json --html game.html
  playout arcade beacon --human                         arrow keys, blank to use, q to leave
  playout arcade --replay game.json --gif game.gif      verified before it is filmed

exit code: 0 when the replay agrees, 1 when it does not, 2 for a mistake in the command,
130 after Ctrl-C
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("what to play")
    what("[GAME]", "orchard, beacon, crates, henhouse; a name in $PLAYOUT_DATA/vgdl; or a file")
    what("[LEVEL]", "its number or its file (default: 0)", default="0")
    what("--luck N", "seed of the game's luck (default: the seed)", SEED)
    what("--sprites N", "room for so many sprites at a time", whole(1, "number"), default=0)
    what("--human", "play it yourself in the terminal, 25 ticks a second")
    what("--replay FILE", "in place of a search: what --save has kept, verified first")
    what("--interpreted", "run everything as plain Python: slow, without compiling")
    add_decisions(parser.group("how to decide"), "ordinal")
    output = parser.group("what to show and keep")
    output("--show", "show it in the terminal")
    output("--save FILE", "save the game, for --replay and playout.Episode.load")
    output("--gif FILE", "write it as a GIF (Pillow, in the extra plot)")
    output("--html FILE", "write it as a page with a canvas and a slider")
    output.json_and_quiet()


def run(options: argparse.Namespace) -> int:
    """Play, show, print and write what was asked for."""
    if options.json and (options.show or options.human):
        raise OptionError("--json prints nothing but its object: leave --show and --human out")
    if (options.game is None) == (options.replay is None):
        raise OptionError("give a GAME, or --replay FILE; see playout arcade --help")
    files = {name: output_file(name, getattr(options, name)) for name in ("save", "gif", "html")}
    with prints_aside(options.json):
        if options.replay is not None:
            game, played = _replayed(options)
        else:
            game, played = _played(options, files["save"])
        if options.show and options.replay is not None:
            _watch(game, played)
    print(json_text(played.to_json()) if options.json else played)
    with prints_aside(options.json):
        _film(game, played, files)
    if played.stopped_by == "interrupt" and options.replay is None:
        return INTERRUPTED
    return 0 if played.verified else 1


def _film(game: Any, played: Episode, files: dict[str, Path | None]) -> None:
    from playout.adapters.arcade_film import write_gif, write_page

    if (gif := files["gif"]) is not None:
        write_gif(gif, game, played)
    if (page := files["html"]) is not None:
        write_page(page, game, played)


def _played(options: argparse.Namespace, save: Path | None) -> tuple[Any, Episode]:
    from playout.arcade import load_arcade

    game = load_arcade(options.game, options.level, sprites=options.sprites)
    room = [f"sprites={options.sprites}"] if options.sprites else []
    instance = shlex.join([options.game, str(options.level), *room])
    seed = secrets.randbits(31) if options.seed is None else options.seed
    if options.human:
        played = _by_hand(game, instance, seed if options.luck is None else options.luck, save)
    else:
        played = _searched(options, game, instance, seed, save)
    return game, dataclasses.replace(played, problem="arcade")


def _searched(
    options: argparse.Namespace, game: Any, instance: str, seed: int, save: Path | None
) -> Episode:
    import playout

    settings: dict[str, Any] = {
        "seed": seed,
        "luck": options.luck,
        "workers": options.workers,
        "instance": instance,
        "compiled": not options.interpreted,
        "save": save,
        "idle": options.idle,
    }
    search, stop = decision_search(options), decision_stop(options)
    if options.show:
        from playout.adapters.arcade_screen import Screen

        with Screen() as screen:

            def draw(now: EpisodeProgress) -> None:
                screen.draw(f"{game.render(now.position[0])}, {now.move}")

            return playout.episode(game, search, stop, progress=draw, **settings)
    wanted = not (options.json or options.quiet)
    first = "the first move ..."
    if not options.interpreted:
        first = f"compiling, then {first}"
    with LiveLine(_shown, first, wanted) as line:
        return playout.episode(game, search, stop, progress=line.update, **settings)


def _shown(now: EpisodeProgress) -> Shown:
    rate = now.calls / now.seconds if now.seconds else 0.0
    late = f"  {now.late} late" if now.late else ""
    score = (f"{now.score:g}", "bold green")
    return Shown([f"tick {now.moves}  score ", score, f"  {rate:,.0f} calls/s{late}"], None)


def _by_hand(game: Any, instance: str, luck: int, save: Path | None) -> Episode:
    """A person plays, at 25 ticks a second, until the game ends or he leaves."""
    from playout import Episode
    from playout.adapters.arcade_screen import RATE, Screen
    from playout.worlds.episode import Table
    from playout.worlds.episode_result import Decision

    table, stopped_by = Table(game, luck), "end"
    with Screen(keys=True) as screen:
        try:
            screen.draw(f"{game.render(table.states[0])}, any key to begin, q to leave")
            key = screen.wait()
            while len(table.legal()):
                began = time.monotonic()
                screen.draw(game.render(table.states[0]))
                if table.moves:
                    key = screen.key(max(0.001, 1 / RATE - (time.monotonic() - began)))
                if key == "quit":
                    stopped_by = "interrupt"
                    break
                texts = {game.move_text(table.states[0], m): m for m in table.legal()}
                move = texts.get(key, texts.get("idle"))
                spent = round(time.monotonic() - began, 6)
                table.play(move, Decision(0, 0, 0.0, spent, False))
        except KeyboardInterrupt:
            stopped_by = "interrupt"
    played = Episode.of(
        game,
        instance=instance,
        algorithm="human",
        budget=f"1/{RATE} second",
        seeds=(luck, luck),
        table=table,
        stopped_by=stopped_by,
    ).checked(game)
    if save is not None:
        played.save_if_possible(save)
    return played


def _replayed(options: argparse.Namespace) -> tuple[Any, Episode]:
    """A game from its file, which must replay."""
    from playout import Episode
    from playout.arcade import load_arcade

    played = Episode.load(options.replay)
    try:
        name, level, *rest = shlex.split(played.instance)
        sprites = int("".join(rest).removeprefix("sprites=") or 0)
    except ValueError:
        raise DataError(f"{options.replay}: is no game that playout arcade has saved") from None
    game = load_arcade(name, level, sprites=sprites)
    played.replay(game)
    return game, dataclasses.replace(played, problem="arcade", verified=True)


def _watch(game: Any, played: Episode) -> None:
    from playout.adapters.arcade_film import states_of
    from playout.adapters.arcade_screen import RATE, Screen

    with Screen() as screen:
        for state in states_of(game, played):
            screen.draw(game.render(state))
            time.sleep(1 / RATE)
