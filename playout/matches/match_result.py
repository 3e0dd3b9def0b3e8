"""What came of a match: as data, as text for a person, as HTML for a notebook."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any, Generic, TypeVar

from playout.matches.ratings import Rating, ratings
from playout.matches.score import Score, Tally
from playout.matches.sprt import SprtRun
from playout.matches.transcript import MatchGame, MatchIdentity
from playout.text.numbers import counted
from playout.text.output_files import write_json

FORMAT = "playout-match-1"

INTERVALS = (
    "intervals are 95%: of the score Wilson's, draws as half a win; of Elo, the same ends on the "
    "logistic scale"
)
RATINGS = (
    "Elo by the Bradley-Terry model over all games, mean 0, one more draw between each two than "
    "they played; intervals are 95%, of the score Wilson's with draws as half a win"
)
GROUPS = "each two players of a game are compared by their rewards"
SHARED_OUT = "the seats were shared out in all ways; the highest reward of each player counts"
Figure = TypeVar("Figure")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


class _OfFirst(Generic[Figure]):
    """A figure of the first player's score against all, under the name that it has there."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, result: MatchResult, owner: type) -> Figure:
        return getattr(result.score(), self._name)


@dataclass(frozen=True, repr=False)
class MatchResult:
    """The outcome of a match.

    `wins`, `draws`, `losses`, `win_rate`, `interval`, `elo` and `elo_interval` are those of the
    first player; `score(a, b)` those of any player against another (numbered from 0), or with one
    number against all. `transcript` has the games. `stopped_by` is `games`, `sprt`, `interrupt`, or
    `full disk` where a game could not be written.

    Examples
    --------
    >>> import playout as po
    >>> result = po.match("tictactoe", "uct", "random", po.Playouts(30), games=4, seed=1)
    >>> result.games, result.players, len(result.transcript)
    (4, ['uct', 'random'], 4)
    """

    match: MatchIdentity
    transcript: tuple[MatchGame, ...]
    seats: int = 2
    seconds: float = 0.0
    stopped_by: str = "games"
    sprt: SprtRun | None = None

    @cached_property
    def tally(self) -> Tally:
        """Who has beaten whom."""
        tally = Tally(len(self.match.players), self.seats)
        for game in self.transcript:
            tally.add(game.seats, game.result)
        return tally

    @property
    def game(self) -> str:
        return self.match.game

    @property
    def players(self) -> list[str]:
        return list(self.match.players)

    @property
    def seed(self) -> int:
        return self.match.seed

    @property
    def games(self) -> int:
        return len(self.transcript)

    def score(self, player: int = 0, other: int | None = None) -> Score:
        """Wins, draws and losses of a player, against another or against all."""
        return self.tally.score(player, other)

    wins = _OfFirst[int]()
    draws = _OfFirst[int]()
    losses = _OfFirst[int]()
    win_rate = _OfFirst[float]()
    interval = _OfFirst[tuple[float, float]]()
    elo = _OfFirst[float]()
    elo_interval = _OfFirst[tuple[float, float]]()

    @property
    def by_seat(self) -> list[Score]:
        """The score of the first player in each seat."""
        return self.tally.by_seat(0)

    @cached_property
    def ratings(self) -> list[Rating]:
        """The Elo of every player by all games, with intervals."""
        return ratings(self.tally)

    def ranking(self) -> list[int]:
        """The numbers of the players, the highest rating first."""
        return sorted(range(len(self.players)), key=lambda p: -self.ratings[p].elo)

    def names(self) -> list[str]:
        """The players for a person: one that is there twice has a number."""
        seen: dict[str, int] = {}
        names = []
        for text in self.match.players:
            seen[text] = seen.get(text, 0) + 1
            names.append(f"{text} ({seen[text]})" if self.match.players.count(text) > 1 else text)
        return names

    def thinking(self, player: int) -> tuple[float, int]:
        """The seconds that a player has thought, and the simulations that it has made."""
        seconds, simulations = 0.0, 0
        for game in self.transcript:
            for seat, whose in enumerate(game.seats):
                if whose == player:
                    seconds += game.seconds[seat]
                    simulations += game.simulations[seat]
        return seconds, simulations

    def to_json(self) -> dict[str, Any]:
        """The result as JSON data; numbers that JSON does not have (an infinite Elo) are null."""
        thinking = [self.thinking(player) for player in range(len(self.players))]
        data: dict[str, Any] = {
            "playout": self.match.playout,
            "game": self.game,
            "players": self.players,
            "budgets": list(self.match.budgets),
            "games": self.games,
        }
        if len(self.players) == 2:
            data |= _figures(self.score())
            data["by_seat"] = _seats(self.by_seat)
            data["sprt"] = dict(self.sprt.to_json()) if self.sprt is not None else None
        else:
            data["table"] = self.table()
        return data | {
            "seed": self.seed,
            "opening": self.match.opening,
            **({"open": True} if self.match.open else {}),
            "stopped_by": self.stopped_by,
            "seconds": round(self.seconds, 3),
            "thought": [round(seconds, 3) for seconds, _ in thinking],
            "simulations": [simulations for _, simulations in thinking],
        }

    def save(self, path: str | Path) -> None:
        """Write the result and its games as JSON, whole or not at all."""
        games = [game.to_json() for game in self.transcript]
        write_json(Path(path), {"format": FORMAT, **self.to_json(), "transcript": games})

    def table(self) -> list[dict[str, Any]]:
        """The cross table as data, a row for each player, the best first."""
        rows = []
        for rank, player in enumerate(self.ranking(), 1):
            rating = self.ratings[player]
            row: dict[str, Any] = {"rank": rank, "number": player, "player": self.players[player]}
            row |= {"games": self.score(player).games, **_figures(self.score(player))}
            row |= {"elo": rating.elo, "elo_interval": [rating.low, rating.high]}
            row["by_seat"] = _seats(self.tally.by_seat(player))
            row["against"] = [
                self.score(player, other).to_json() if other != player else None
                for other in range(len(self.players))
            ]
            rows.append(row)
        return rows

    # for a person

    def __str__(self) -> str:
        lines = [self._title()]
        if self.stopped_by == "interrupt":
            lines.append("interrupted: these are the games that were finished")
        if self.stopped_by == "full disk":
            lines.append("a game could not be written: these are the games that were finished")
        if len(self.players) == 2:
            lines += self._two()
        else:
            lines += self._several()
        return "\n".join(lines)

    __repr__ = __str__

    def _title(self) -> str:
        games = f"{self.games:,} game{'s' if self.games != 1 else ''}"
        words = [self.game, games, f"seed {self.seed}"]
        if self.match.open:
            words.insert(1, "open")
        if self.match.opening:
            words.append(f"openings of {self.match.opening} random plies")
        if len(set(self.match.budgets)) == 1:
            words.append(_budget(self.match.budgets[0]))
        return ", ".join(words)

    def _names_with_budgets(self) -> list[str]:
        if len(set(self.match.budgets)) == 1:
            return self.names()
        return [
            name if budget in name or name.startswith("random") else f"{name} ({_budget(budget)})"
            for name, budget in zip(self.names(), self.match.budgets)
        ]

    def _two(self) -> list[str]:
        first, second = self._names_with_budgets()
        score = self.score()
        lines = [
            f"{first}  against  {second}",
            "",
            f"  {score.wins} wins, {score.draws} draws, {score.losses} losses",
            f"  score  {_percent(score.win_rate)}  {_range(score.interval, _percent)}",
            f"  Elo    {_elo(score.elo)}  {_range(score.elo_interval, _elo)}",
        ]
        for seat, part in enumerate(self.by_seat):
            if part.games:
                lines.append(
                    f"  {_ordinal(seat):<6} to move  {_wdl(part):>12}  {_percent(part.win_rate)}"
                )
        if self.sprt is not None:
            lines += ["", *self._sprt_lines(self.sprt)]
        shared_out = [SHARED_OUT] if self.seats > 2 else []
        return [*lines, "", *shared_out, *self._speed(), INTERVALS]

    def _sprt_lines(self, run: SprtRun) -> list[str]:
        test = run.test
        low, high = test.bounds()
        verdicts = {
            "H0": f"H0 accepted: {test.elo0:g} Elo rather than {test.elo1:g}",
            "H1": f"H1 accepted: {test.elo1:g} Elo rather than {test.elo0:g}",
            None: "undecided",
        }
        return [
            f"  SPRT   Elo {test.elo0:g} against {test.elo1:g}: LLR {run.llr:.2f} in "
            f"({low:.2f}, {high:.2f}) after {counted(sum(run.pairs), 'pair')} of games",
            f"         {verdicts[run.decision]}",
        ]

    def _speed(self) -> list[str]:
        words = []
        for player, name in enumerate(self.names()):
            seconds, simulations = self.thinking(player)
            if simulations and seconds:
                words.append(f"{name} {simulations / seconds:,.0f}")
        return ["simulations/s: " + ", ".join(words)] if words else []

    def _several(self) -> list[str]:
        names, order = self._names_with_budgets(), self.ranking()
        width = max(len(name) for name in names)
        head = f"{'':>3} {'':<{width}}  {'games':>5}  {'score':>6} {'':<16}  {'Elo':>5} {'':<14}"
        head += "".join(f"  {number:^11}" for number in range(1, len(order) + 1))
        lines = ["", head.rstrip()]
        for rank, player in enumerate(order, 1):
            score, rating = self.score(player), self.ratings[player]
            line = (
                f"{rank:>3} {names[player]:<{width}}  {score.games:>5}  "
                f"{_percent(score.win_rate):>6} {_range(score.interval, _percent):<16}  "
                f"{_elo(rating.elo):>5} {_range((rating.low, rating.high), _elo):<14}"
            )
            for other in order:
                cell = _wdl(self.score(player, other)) if other != player else "-"
                line += f"  {cell:^11}"
            lines.append(line.rstrip())
        lines += ["", "a cell: wins-draws-losses of the line's player against the column's"]
        if self.seats > 2:
            lines.append(GROUPS)
        return [*lines, *self._speed(), RATINGS]

    def _repr_html_(self) -> str:
        names, order = self._names_with_budgets(), self.ranking()
        cells = ["", "player", "games", "score", "95%", "Elo", "95%"]
        cells += [str(rank) for rank in range(1, len(order) + 1)]
        rows = [_row("th", cells)]
        for rank, player in enumerate(order, 1):
            score, rating = self.score(player), self.ratings[player]
            elo, ends = rating.elo, (rating.low, rating.high)
            if len(order) == 2:
                elo, ends = score.elo, score.elo_interval
            cells = [str(rank), names[player], str(score.games), _percent(score.win_rate)]
            cells += [_range(score.interval, _percent), _elo(elo), _range(ends, _elo)]
            for other in order:
                cells.append(_wdl(self.score(player, other)) if other != player else "-")
            rows.append(_row("td", cells))
        notes = [INTERVALS if len(order) == 2 else RATINGS]
        if self.sprt is not None:
            notes = [line.strip() for line in self._sprt_lines(self.sprt)] + notes
        return (
            f"<table><caption>{escape(self._title())}</caption>{''.join(rows)}</table>"
            + "".join(f"<p>{escape(note)}</p>" for note in notes)
        )


def _figures(score: Score) -> dict[str, Any]:
    """A score with intervals, as JSON data."""
    figures = score.to_json()
    del figures["games"]
    figures["interval"] = list(score.interval)
    figures["elo"] = _finite(score.elo)
    figures["elo_interval"] = [_finite(end) for end in score.elo_interval]
    return figures


def _seats(scores: list[Score]) -> list[dict[str, Any]]:
    return [{"seat": seat, **score.to_json()} for seat, score in enumerate(scores, 1)]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _row(kind: str, cells: list[str]) -> str:
    return "<tr>" + "".join(f"<{kind}>{escape(cell)}</{kind}>" for cell in cells) + "</tr>"


def _wdl(score: Score) -> str:
    return f"{score.wins}-{score.draws}-{score.losses}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%" if math.isfinite(share) else "-"


def _elo(elo: float) -> str:
    return "-" if math.isnan(elo) else f"{elo:+z.0f}"


def _range(ends: tuple[float, float], shown: Any) -> str:
    return f"[{shown(ends[0])}, {shown(ends[1])}]"


def _budget(text: str) -> str:
    name, _, value = text.partition("=")
    return f"{value} s a move" if name == "seconds" else f"{int(value):,} {name} a move"


def _ordinal(seat: int) -> str:
    return ORDINALS[seat] if seat < len(ORDINALS) else f"{seat + 1}th"
