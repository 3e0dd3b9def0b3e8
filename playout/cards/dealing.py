"""Cards that nobody has seen, dealt at random: every deal that fits is equally likely.

Which seats may hold a card is all that tells cards apart. So the cards fall into classes, one for
each set of seats, and a deal is first the numbers of cards that each class gives to each seat. The
deals that have these numbers are counted, the numbers drawn by these weights, and then the cards.
To put the most constrained card first where there is room is not uniform, and to shuffle until it
fits takes for ever late in a hand. The counts are double numbers, exact up to 2^53.

At most three seats have cards to come: whoever asks sees his own. `deal` and `deal_within` run
compiled, which is how the `redraw` of a game calls them:

    deal(rng, pool, sizes, may_hold, out)     # whether there is such a deal

`pool` is the word of the cards to deal, `sizes` how many each seat gets, `may_hold` the words of
the cards that each seat may hold; the words of what each gets are written to `out`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from playout.cards.deck import RANKS, SUITS, card_name, cards_in, plain_suits, ranks_in
from playout.compiled import Compiled, helper, kernel
from playout.compiled.bits import bit, count_bits, lowest_bit, without_lowest
from playout.compiled.random import random_below, random_unit
from playout.errors import DataError, OptionError

MOST_HIDDEN = 3
MOST_TRIES = 100_000
SEAT_NAMES = ("North", "East", "South", "West")
MOST_POINTS = 37  # of thirteen cards: four aces, four kings, four queens and a knave

_WAYS = np.array([[comb(n, k) for k in range(53)] for n in range(53)], np.float64)


@helper
def deal(rng, pool, sizes, may_hold, out):
    """Deal the cards of the pool at random; False if no deal fits."""
    first, second, third = -1, -1, -1
    for seat in range(len(sizes)):
        out[seat] = np.uint64(0)
        if sizes[seat] > 0:
            if first < 0:
                first = seat
            elif second < 0:
                second = seat
            elif third < 0:
                third = seat
            else:
                return False
    if first < 0:
        return pool == np.uint64(0)
    # seats that get nothing stand in where there are fewer than three
    mine = pool & may_hold[first]
    theirs, others = np.uint64(0), np.uint64(0)
    rooms = np.int64(sizes[first]), np.int64(0), np.int64(0)
    if second >= 0:
        theirs = pool & may_hold[second]
        rooms = rooms[0], np.int64(sizes[second]), np.int64(0)
    if third >= 0:
        others = pool & may_hold[third]
        rooms = rooms[0], rooms[1], np.int64(sizes[third])
    if mine | theirs | others != pool or count_bits(pool) != rooms[0] + rooms[1] + rooms[2]:
        return False
    both, free = mine & theirs & ~others, mine & theirs & others
    with_third, without_first = mine & others & ~theirs, theirs & others & ~mine
    own, his, last = mine & ~theirs & ~others, theirs & ~mine & ~others, others & ~mine & ~theirs
    room = rooms[0] - count_bits(own), rooms[1] - count_bits(his), rooms[2] - count_bits(last)
    found, x, y, z = _draw_numbers(
        rng, room, count_bits(both), count_bits(with_third), count_bits(without_first)
    )
    if not found:
        return False
    part = some_of(rng, both, x)
    own, his = own | part, his | (both & ~part)
    part = some_of(rng, with_third, y)
    own, last = own | part, last | (with_third & ~part)
    part = some_of(rng, without_first, z)
    his, last = his | part, last | (without_first & ~part)
    part = some_of(rng, free, rooms[0] - count_bits(own))
    own, free = own | part, free & ~part
    part = some_of(rng, free, rooms[1] - count_bits(his))
    his, last = his | part, last | (free & ~part)
    out[first] = own
    if second >= 0:
        out[second] = his
    if third >= 0:
        out[third] = last
    return True


@helper
def _ways(room, both, with_third, without_first, numbers):
    """How many deals give these numbers of each pair's cards to the first of the pair."""
    x, y, z = numbers
    a = room[0] - x - y
    b = room[1] - (both - x) - z
    c = room[2] - (with_third - y) - (without_first - z)
    if a < 0 or b < 0 or c < 0:
        return 0.0
    ways = _WAYS[both, x] * _WAYS[with_third, y] * _WAYS[without_first, z]
    return ways * _WAYS[a + b + c, a] * _WAYS[b + c, b]


@helper
def _draw_numbers(rng, room, both, with_third, without_first):
    """Draw how many cards of each pair of seats the first of the two gets."""
    total = 0.0
    for x in range(both + 1):
        for y in range(with_third + 1):
            for z in range(without_first + 1):
                total += _ways(room, both, with_third, without_first, (x, y, z))
    left = random_unit(rng) * total
    found, drawn_x, drawn_y, drawn_z = False, 0, 0, 0
    for x in range(both + 1):
        for y in range(with_third + 1):
            for z in range(without_first + 1):
                ways = _ways(room, both, with_third, without_first, (x, y, z))
                # rounding may leave a little at the end: the last that is possible then
                if ways > 0.0 and left >= 0.0:
                    found, drawn_x, drawn_y, drawn_z = True, x, y, z
                    left -= ways
    return found, drawn_x, drawn_y, drawn_z


@helper
def some_of(rng, cards, count):
    """So many of the cards, every choice equally likely."""
    chosen = np.uint64(0)
    left = count_bits(cards)
    while count > 0:
        if random_below(rng, left) < count:
            chosen |= bit(lowest_bit(cards))
            count -= 1
        cards = without_lowest(cards)
        left -= 1
    return chosen


class HandRanges(Compiled):
    """How many points and how many cards of each suit the whole hand of each seat has.

    Points are those of bidding: ace 4, king 3, queen 2, knave 1. `points[seat]` and
    `lengths[seat, suit]` are the least and the most.
    """

    fields = ("points", "lengths")

    def __init__(self, seats: int = 4) -> None:
        self.points = np.zeros((seats, 2), np.int64)
        self.points[:, 1] = MOST_POINTS
        self.lengths = np.zeros((seats, 4, 2), np.int64)
        self.lengths[:, :, 1] = len(RANKS)

    def fits(self, seat, cards):
        """Whether the whole hand of a seat is within its ranges."""
        points = points_of(cards)
        if points < self.points[seat, 0] or points > self.points[seat, 1]:
            return False
        for suit in range(4):
            length = count_bits(ranks_in(cards, suit))
            if length < self.lengths[seat, suit, 0] or length > self.lengths[seat, suit, 1]:
                return False
        return True

    # in plain Python only

    @classmethod
    def parse(cls, points: Sequence[str] = (), lengths: Sequence[str] = ()) -> HandRanges:
        """The ranges of texts such as `W=10-14` (points) and `E.H=5-` (a suit's length)."""
        ranges = cls()
        for text in points:
            seat, _, limits = text.partition("=")
            ranges.points[_seat(seat, text)] = _limits(limits, MOST_POINTS, text)
        for text in lengths:
            place, _, limits = text.partition("=")
            seat, _, suit = plain_suits(place).partition(".")
            if suit.upper() not in tuple(SUITS):
                raise OptionError(f"{text!r}: no suit of {SUITS} after the seat, as in E.H=5-")
            at = _seat(seat, text), SUITS.index(suit.upper())
            ranges.lengths[at] = _limits(limits, len(RANKS), text)
        return ranges

    def text(self) -> str:
        """What is asked for, as in "10-14 points in West"."""
        parts = []
        for seat, (low, high) in enumerate(self.points.tolist()):
            if (low, high) != (0, MOST_POINTS):
                parts.append(f"{_range_text(low, high)} points in {SEAT_NAMES[seat]}")
        names = ("spades", "hearts", "diamonds", "clubs")
        for seat in range(len(self.lengths)):
            for suit, (low, high) in enumerate(self.lengths[seat].tolist()):
                if (low, high) != (0, len(RANKS)):
                    parts.append(f"{_range_text(low, high)} {names[suit]} in {SEAT_NAMES[seat]}")
        return " and ".join(parts)


def _seat(name: str, text: str) -> int:
    letters = [seat[0] for seat in SEAT_NAMES]
    if name.strip().upper() not in letters:
        raise OptionError(f"{text!r}: the seat is one of N, E, S, W, as in W=10-14")
    return letters.index(name.strip().upper())


def _range_text(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low}-{high}"


def _limits(text: str, most: int, whole: str) -> tuple[int, int]:
    low, dash, high = (part.strip() for part in text.partition("-"))
    fine = all(not part or (part.isascii() and part.isdigit()) for part in (low, high))
    least = int(low or 0) if fine else 1
    largest = int(high or most) if dash and fine else least
    if not fine or not (low or high) or not least <= largest <= most:
        raise OptionError(f"{whole!r}: a range within 0 to {most}, as 10-14, 5- or -3")
    return least, largest


@helper
def points_of(cards):
    """The points of a hand as bidding counts them: ace 4, king 3, queen 2, knave 1."""
    points = 0
    for worth in range(1, 5):
        rank = np.uint64(0x0001000100010001) << np.uint64(8 + worth)
        points += worth * count_bits(cards & rank)
    return points


@helper
def deal_within(rng, pool, sizes, may_hold, held, ranges, out):
    """Deal until the hands are within their ranges; whether `MOST_TRIES` were enough.

    `held` are the words of the cards that are known of each seat, played ones too: with what it
    is dealt they are its whole hand. Seats that are dealt nothing are not looked at.
    """
    for _ in range(MOST_TRIES):
        if not deal(rng, pool, sizes, may_hold, out):
            return False
        good = True
        for seat in range(len(sizes)):
            if sizes[seat] > 0 and not ranges.fits(seat, held[seat] | out[seat]):
                good = False
                break
        if good:
            return True
    return False


# in plain Python only


@kernel
def _deal_within(rng, pool, sizes, may_hold, held, ranges, out):
    return deal_within(rng, pool, sizes, may_hold, held, ranges, out)


def sample_hands(
    rng: np.ndarray,
    pool: np.uint64,
    sizes: np.ndarray,
    may_hold: np.ndarray,
    held: np.ndarray,
    ranges: HandRanges,
) -> np.ndarray:
    """The words of a random deal that fits; `DataError` says why there is none."""
    check_deal(int(pool), sizes, may_hold)
    out = np.zeros(len(sizes), np.uint64)
    if not _deal_within(rng, np.uint64(pool), sizes, may_hold, held, ranges, out):
        raise DataError(f"no deal in {MOST_TRIES:,} has {ranges.text()}")
    return out


def check_deal(pool: int, sizes: np.ndarray, may_hold: np.ndarray) -> None:
    """`DataError` with the seat and the suit at fault, if no deal fits."""
    seats = [seat for seat, size in enumerate(sizes) if size > 0]
    cards = int(pool).bit_count()
    if len(seats) > MOST_HIDDEN:
        raise DataError(f"{len(seats)} seats have cards to come: at most {MOST_HIDDEN}")
    if cards != sum(int(sizes[seat]) for seat in seats):
        raise DataError(f"{cards} cards cannot be dealt to {int(sum(sizes))} places")
    # Hall's condition: the cards that only some seats may hold must have room there
    for chosen in range(1 << len(seats)):
        group = [seat for i, seat in enumerate(seats) if chosen >> i & 1]
        outside = 0
        for seat in seats:
            if seat not in group:
                outside |= int(may_hold[seat])
        stuck = int(pool) & ~outside
        room = sum(int(sizes[seat]) for seat in group)
        if stuck.bit_count() > room:
            raise DataError(_why(stuck, group, room))


def _why(stuck: int, group: list[int], room: int) -> str:
    suits = [SUITS[suit] for suit in range(4) if int(ranks_in(np.uint64(stuck), suit))]
    if not group:
        return f"no deal fits: nobody may hold {card_name(cards_in(stuck)[0])}"
    names = " and ".join(SEAT_NAMES[seat] if seat < 4 else f"seat {seat}" for seat in group)
    cards = f"{stuck.bit_count()} cards of {', '.join(suits)}"
    verb = "has" if len(group) == 1 else "have"
    return f"no deal fits: only {names} may hold {cards}, but {verb} room for {room}"
