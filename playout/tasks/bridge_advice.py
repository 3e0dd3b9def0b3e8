"""Which card to play in Bridge: alpha-mu beside PIMC, over the same worlds; hands played out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from playout.cards.deal import SEAT_NAMES, Deal
from playout.cards.dealing import HandRanges
from playout.cards.deck import card_name
from playout.cards.doubledummy import DoubleDummy, card_values
from playout.errors import OptionError
from playout.statistics import wilson
from playout.stop import CtrlC, Progress, Stop
from playout.tasks.bridge_situation import Situation, is_declarer, with_card, worlds_of
from playout.worlds.alphamu_search import AlphaMuSearch
from playout.worlds.alphamu_session import AlphaMuSession

MANY_TRICKS, FEW_WORLDS = 11, 5  # with so many tricks left, tricks are counted in so many worlds


@dataclass(frozen=True)
class CardAdvice:
    """Cards of a run, which are worth the same: the worlds they win, and the mean of tricks.

    `pimc` is what PIMC says, over the same worlds; -1 where a search was stopped before it knew.
    """

    cards: tuple[str, ...]
    wins: int
    pimc: int
    tricks: float

    def to_json(self, worlds: int) -> dict[str, Any]:
        low, high = wilson(self.wins, worlds) if self.wins >= 0 else (0.0, 1.0)
        return {
            "cards": list(self.cards),
            "wins": self.wins,
            "interval": [low, high],
            "pimc_wins": self.pimc,
            "tricks": self.tricks,
        }


@dataclass(frozen=True)
class Advice:
    """What to play: the cards from the best, and how it was found out.

    `made` is "made" for declarer and "defeated" for a defender: what is counted in worlds. `M` is
    of the last round that was finished; `exact`: the worlds are all that there are.
    """

    place: Situation
    rows: tuple[CardAdvice, ...]
    worlds: int
    exact: bool
    M: int
    asked_M: int
    counted: int  # worlds in which tricks were counted
    seconds: float
    tie: str
    interrupted: bool = False

    @property
    def card(self) -> str:
        return self.rows[0].cards[-1]

    @property
    def made(self) -> str:
        return "made" if is_declarer(self.place) else "defeated"

    def to_json(self) -> dict[str, Any]:
        """The advice as JSON data."""
        place, state = self.place, self.place.position[0]
        return {
            "seat": SEAT_NAMES[place.seat],
            "contract": str(place.contract),
            "declarer": SEAT_NAMES[place.game.seat],
            "tricks_won": int(state.won[0]),
            "tricks_needed": place.game.goal,
            "tricks_left": int(state.left),
            "certain": place.certain(),
            "play": self.card,
            "counts": self.made,
            "cards": [row.to_json(self.worlds) for row in self.rows],
            "worlds": self.worlds,
            "all_worlds": self.exact,
            "M": self.M,
            "tie": self.tie,
            "seconds": self.seconds,
            "interrupted": self.interrupted,
        }

    def __str__(self) -> str:
        worlds = f"all {self.worlds} worlds, exact" if self.exact else f"{self.worlds} worlds"
        rounds = f"M = {self.M}"
        if self.asked_M != self.M:
            rounds += f" of {self.asked_M}" if self.M else ", PIMC not finished"
        lines = [f"{self.place.standing()}   {worlds}, alpha-mu {rounds}, {self.seconds:.1f} s"]
        if self.place.certain():
            lines.append(f"the contract is {self.place.certain()} already: all cards are equal")
        wide = max(len(",".join(row.cards)) for row in self.rows)
        wide = max(wide, 8)
        lines.append(f"{'card':<{wide}}  {self.made:>9}  {'of worlds':>12}  PIMC says  tricks")
        for i, row in enumerate(self.rows):
            low, high = wilson(max(row.wins, 0), self.worlds)
            share = f"[{100 * low:.0f}, {100 * high:.0f}]%" if not self.exact else "exactly"
            won = f"{row.wins}/{self.worlds}" if row.wins >= 0 else "?"
            pimc = f"{row.pimc}/{self.worlds}" if row.pimc >= 0 else "?"
            mark = "     <- play" if i == 0 else ""
            lines.append(
                f"{','.join(row.cards):<{wide}}  {won:>9}  {share:>12}  {pimc:>9}  "
                f"{row.tricks:>6.2f}{mark}"
            )
        if self.counted < self.worlds:
            lines.append(f"tricks are counted in {self.counted} of the worlds")
        return "\n".join([*lines, *([self.tie] if self.tie else [])])


def advise(
    place: Situation,
    algorithm: AlphaMuSearch,
    stop: Stop,
    *,
    seed: int = 0,
    workers: int = 1,
    ranges: HandRanges | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Advice:
    """Which card to play, by alpha-mu over worlds that fit; its first round is PIMC."""
    if place.is_over():
        raise OptionError("all cards are played: there is no card to choose")
    began = time.perf_counter()
    session = algorithm.session(place.game, seed=seed, workers=workers)
    session.whole = True
    session.set_position(place.position)
    worlds, exact = worlds_of(place, algorithm.options.worlds, seed, ranges)
    session.set_worlds(worlds)
    session.run(stop, progress)
    assert session.rounds is not None
    done = int(session.rounds.search.head[0].finished)
    rows, counted = _rows(place, session, worlds)
    return Advice(
        place,
        tuple(rows),
        len(worlds),
        exact,
        done,
        algorithm.options.M,
        counted,
        time.perf_counter() - began,
        _tie(rows),
    )


def _rows(
    place: Situation, session: AlphaMuSession, worlds: np.ndarray
) -> tuple[list[CardAdvice], int]:
    """A row for each run of cards, the best first; and in how many worlds tricks were counted."""
    assert session.rounds is not None
    search, positions = session.rounds.search, session.rounds.positions
    head = search.head[0]
    names = [int(name) for name in search.root_names[: search.frames[0].moves]]
    runs: dict[int, list[int]] = {}
    for move in place.game.legal_moves(place.position[0]):
        runs.setdefault(positions.name_of(move, names), []).append(int(move.card))
    many = int(place.position[0].left) >= MANY_TRICKS
    counted = min(len(worlds), FEW_WORLDS) if many else len(worlds)
    means = _mean_tricks(place, session, worlds[:counted])
    done = int(head.finished)
    rows = []
    for name, cards in runs.items():
        i = names.index(name)
        wins = int(search.root_wins[max(done, 1), i])
        shown = tuple(card_name(card) for card in sorted(cards, reverse=True))
        rows.append(CardAdvice(shown, wins, int(search.root_wins[1, i]), means[cards[0]]))
    rows.sort(key=lambda row: (-row.wins, -row.tricks))
    return rows, counted


def _mean_tricks(place: Situation, session: AlphaMuSession, worlds: np.ndarray) -> dict[int, float]:
    """The tricks of the side that is to play, by card, with open cards in each world: the mean."""
    game, state = place.game, place.position[0]
    solver = session.tools[0][0]
    assert isinstance(solver, DoubleDummy)
    order = [(game.seat + i) % 4 for i in range(4)]
    played = [int(card) for card in state.played if card >= 0]
    trick = np.zeros(4, np.int64)
    count = int(state.count)
    trick[:count] = played[len(played) - count :]
    values, total = np.zeros(64, np.int64), np.zeros(64)
    for world in worlds:
        hands = np.ascontiguousarray(world.hands[order])
        leader = (int(state.leader) - game.seat) % 4
        card_values(solver, hands, leader, trick, count, game.trump, values)
        total += values
    mean = total / len(worlds) + float(state.won[0])
    if not is_declarer(place):
        mean = 13.0 - mean
    return {int(move.card): float(mean[int(move.card)]) for move in game.legal_moves(state)}


def _tie(rows: list[CardAdvice]) -> str:
    """How the first row was put before others that win in as many worlds; empty: there is none."""
    equal = [row for row in rows if row.wins == rows[0].wins]
    if len(equal) < 2:
        return ""
    names = ", ".join(row.cards[-1] for row in equal)
    like_first = [row for row in equal if row.tricks == equal[0].tricks]
    if len(like_first) < 2:
        return f"{names} win in as many worlds: more tricks decided"
    if len({row.cards[-1][0] for row in like_first}) == 1:
        return f"{names} win in as many worlds: the lower card decided"
    return f"{names} win in as many worlds: nothing tells the first from others"


# a hand played out


@dataclass(frozen=True)
class Finished:
    """A hand that was played out: the deal with all its cards, and by whom they were chosen.

    Of one that was interrupted the deal has the cards so far and no result.
    """

    deal: Deal
    made: bool | None
    chosen: int  # cards that declarer's search has chosen, and its seconds
    seconds: float


def finish(
    place: Situation,
    algorithm: AlphaMuSearch,
    defence: str,
    stop: Stop,
    *,
    seed: int = 0,
    workers: int = 1,
    each: Callable[[Situation], None] | None = None,
    interrupt: CtrlC | None = None,
) -> Finished:
    """Play a hand out: declarer by alpha-mu, defenders by PIMC or (`dds`) with open cards.

    An interrupt ends it where it is: the card that is searched for then is not played.
    """
    if place.hidden:
        raise OptionError(f"to play a hand out all hands must be known: {_names(place.hidden)}")
    if defence not in ("pimc", "dds"):
        raise OptionError(f"--defence {defence}: pimc or dds")
    declarer = algorithm.session(place.game, seed=seed, workers=workers)
    pimc = AlphaMuSearch(M=1, worlds=algorithm.options.worlds)
    defenders = pimc.session(place.game, seed=seed, workers=workers)
    chosen, seconds = 0, 0.0
    if interrupt is not None:
        stop = stop | interrupt
    while not place.is_over():
        legal = place.game.legal_moves(place.position[0])
        card = int(legal[0].card)
        if len(legal) > 1 and not place.certain():
            if is_declarer(place) or defence == "pimc":
                session = declarer if is_declarer(place) else defenders
                session.set_position(place.position)
                result = session.run(stop)
                card = int(result.record.card)
                if is_declarer(place):
                    chosen, seconds = chosen + 1, seconds + result.seconds
            else:
                means = _mean_tricks(place, defenders, place.position)
                card = max(means, key=lambda card: (means[card], -card))
        if interrupt is not None and interrupt.came:
            return Finished(place.deal, None, chosen, seconds)
        place = with_card(place, card)
        if each is not None:
            each(place)
    won = int(place.position[0].won[0])
    deal = replace(place.deal, result=won)
    return Finished(deal, won >= place.game.goal, chosen, seconds)


def _names(seats: tuple[int, ...]) -> str:
    return " and ".join(SEAT_NAMES[seat] for seat in seats) + " hidden"


def tricks_table(deal: Deal) -> tuple[int, ...]:
    """The 20 double dummy numbers of a deal: strains S, H, D, C, NT, each for N, E, S, W."""
    from playout.cards.dds import dds_table, installed
    from playout.cards.doubledummy import tricks

    if any(hand is None for hand in deal.hands):
        raise OptionError("the table needs all four hands")
    hands = [int(hand or 0) for hand in deal.hands]
    if installed():
        return tuple(int(value) for value in dds_table(hands).reshape(-1))
    solver, trick, found = DoubleDummy(), np.zeros(4, np.int64), []
    words = np.array(hands, np.uint64)
    for strain in range(5):
        for declarer in range(4):
            leader = (declarer + 1) % 4
            north = int(tricks(solver, words, leader, trick, 0, strain))
            found.append(north if declarer % 2 == 0 else 13 - north)
    return tuple(found)
