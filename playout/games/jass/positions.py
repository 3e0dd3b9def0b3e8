"""Positions of Jass in one line: the deal, and what was played of it.

`S 2D7 AK.9876.T8.6/-/-/- SJ S8` is: trumps are spades; player 2 leads, since he has the seven of
diamonds, as all know (`2` alone: he leads by turns); the hands as they were dealt, spades,
hearts, diamonds and clubs; then the cards that were played. A hand that is not known is `-`: any
that fits is dealt in its place. Of a game to so many points the score and the luck of the
turns to come follow: `score=314:157 luck=1f`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from playout.cards.dealing import deal
from playout.cards.deck import (
    SUITS,
    card_name,
    cards_in,
    hand_text,
    parse_card,
    parse_hand,
    suit_mask,
)
from playout.compiled import wrapping
from playout.errors import DataError
from playout.games.jass.tricks import NONE, playable

if TYPE_CHECKING:
    from playout.games.jass.jass import Jass

UNKNOWN = "-"
SEVEN = parse_card("D7")
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
EXAMPLE = "S 1 -/T98.JT9876../-/- SJ"


def _played_freely(game: Jass, free: np.ndarray, cards: list[int], by_seven: bool) -> list[int]:
    """Play cards whoever may hold them: who played each of them."""
    game = game.searched()  # one turn is enough
    state, seats = free[0], []
    game.begin_turn(state)
    if by_seven:
        game.show_seven(state)
    state.hands[:] = game.deck
    for card in cards:
        seats.append(int(game.turn(state)))
        game.play(state, _move(game, card))
    return seats


def _move(game: Jass, card: int) -> Any:
    move = game.new_moves(1)
    move[0].card = card
    return move[0]


def position_line(game: Jass, state: Any) -> str:
    """The line of a state."""
    cards = [int(card) for card in state.played if card != NONE]
    free = game.new_states(1)
    free[0].trump, free[0].first = state.trump, state.first
    with wrapping():
        seats = _played_freely(game, free, cards, bool(state.by_seven))
    known = [int(state.eyes)] if game.pool else [0, 1, 2, 3]
    dealt = {seat: int(state.hands[game.place(state, seat)]) for seat in known}
    for seat, card in zip(seats, cards, strict=True):
        if seat in dealt:
            dealt[seat] |= 1 << card
    hands = [hand_text(dealt[seat]) if seat in dealt else UNKNOWN for seat in range(4)]
    leads = f"{int(state.first) + 1}{'D7' if state.by_seven else ''}"
    words = [SUITS[int(state.trump)], leads, "/".join(hands), *map(card_name, cards)]
    if game.goal:
        words.append(f"score={state.score[0]}:{state.score[1]}")
        words.append(f"luck={int(state.luck[0]):x}")
    return " ".join(words)


def read_line(game: Jass, text: str) -> np.ndarray:
    """The state of a line, as an array of one; refuses what cannot come about."""
    words, score, luck = _settings(game, text, text.split())
    if len(words) < 3:
        refuse(text, f"it has {len(words)} words: trumps, who leads, the hands, the cards played")
    if words[0].upper() not in SUITS or len(words[0]) != 1:
        refuse(text, f"trumps are one of {', '.join(SUITS)}, not {words[0][:10]!r}")
    leads = re.fullmatch(r"([1-4])(D7)?", words[1].upper())
    if leads is None:
        refuse(text, f"who leads is a number from 1 to 4, and D7 if by it, not {words[1][:10]!r}")
    hands = _hands(game, text, words[2])
    try:
        cards = [parse_card(word) for word in words[3:]]
    except DataError as error:
        refuse(text, str(error))
    for number, card in enumerate(cards):
        if not int(game.deck) >> card & 1 or card in cards[:number]:
            refuse(text, f"{card_name(card)} {_twice(game, card)}")
    by_seven, first = bool(leads[2]), int(leads[1]) - 1
    for seat, hand in enumerate(hands):
        if by_seven and hand is not None and hand >> SEVEN & 1 != (seat == first):
            refuse(text, f"player {first + 1} leads, but has no D7")
    states = game.new_states(1)
    state = states[0]
    state.trump, state.first = SUITS.index(words[0].upper()), first
    state.score[:] = score
    with wrapping():
        free = states.copy()
        seats = _played_freely(game, free, cards, by_seven)
        dealt = _complete(game, text, hands, list(zip(seats, cards, strict=True)), free[0])
        game.begin_turn(state)
        if game.pool:
            known = next(seat for seat, hand in enumerate(hands) if hand is not None)
            state.hands[0], state.hands[1] = dealt[known], int(game.deck) & ~dealt[known]
            state.eyes = known
            state.may_hold[:] = 0
        else:
            state.hands[:] = dealt
            if by_seven:
                game.show_seven(state)
        for number, (seat, card) in enumerate(zip(seats, cards, strict=True), 1):
            if not state.left:
                refuse(text, f"card {number}, {card_name(card)}: the game was over before it")
            _check_card(game, text, state, (number, seat, card))
            game.play(state, _move(game, card))
        if game.goal and len(cards) == 36 and state.left:
            refuse(text, "the turn is over: give the next one")
    state.luck[0] = luck
    return states


def _settings(game: Jass, text: str, words: list[str]) -> tuple[list[str], list[int], int]:
    """The words before the score and the luck; these."""
    score, luck = [0, 0], 0
    while words and "=" in words[-1]:
        name, _, value = words[-1].partition("=")
        if not game.goal or name not in ("score", "luck"):
            refuse(text, f"{words[-1][:20]!r} is no card")
        if name == "score":
            found = re.fullmatch(r"([0-9]{1,5}):([0-9]{1,5})", value)
            if found is None or max(map(int, found.groups())) >= game.goal:
                refuse(text, f"the score is two numbers below {game.goal}, as in score=157:0")
            score = [int(found[1]), int(found[2])]
        elif re.fullmatch(r"[0-9a-f]{1,16}", value):
            luck = int(value, 16)
        else:
            refuse(text, "the luck is up to sixteen digits of 0 to 9 and a to f")
        words = words[:-1]
    return words, score, luck


def _hands(game: Jass, text: str, word: str) -> list[int | None]:
    parts = word.split("/")
    if len(parts) != 4:
        refuse(text, f"it has {len(parts)} hands, not 4 with / between")
    hands: list[int | None] = []
    for number, part in enumerate(parts, 1):
        if part == UNKNOWN:
            hands.append(None)
            continue
        try:
            hand = int(parse_hand(part))
        except DataError as error:
            refuse(text, str(error))
        if hand & ~int(game.deck):
            low = card_name(cards_in(hand & ~int(game.deck))[0])
            refuse(text, f"player {number} has {low}, but the cards begin with the six")
        if hand.bit_count() != 9:
            refuse(text, f"player {number} was dealt {hand.bit_count()} cards, not 9")
        for other, before in enumerate(hands, 1):
            if before and before & hand:
                card = card_name(cards_in(before & hand)[0])
                refuse(text, f"{card} is with player {other} and player {number}")
        hands.append(hand)
    known = sum(hand is not None for hand in hands)
    if game.pool and known != 1:
        refuse(text, f"a pool game has one hand that is known, not {known}")
    if not known:
        refuse(text, "no hand is known: give one's own at least")
    return hands


def _complete(
    game: Jass, text: str, hands: list[int | None], played: list[tuple[int, int]], free: Any
) -> list[int]:
    """The hands as dealt, with any cards that fit where they are not known."""
    given = sum(hand for hand in hands if hand is not None)
    for number, (seat, card) in enumerate(played, 1):
        hand = hands[seat]
        if hand is not None and not hand >> card & 1:
            refuse(text, f"card {number}, {card_name(card)}: player {seat + 1} was not dealt it")
        if hand is None and given >> card & 1:
            owner = next(s for s, h in enumerate(hands) if h is not None and h >> card & 1)
            name = card_name(card)
            refuse(text, f"player {seat + 1} played {name}, which player {owner + 1} was dealt")
    shown = [sum(1 << card for seat, card in played if seat == s) for s in range(4)]
    if game.pool or None not in hands:
        return [shown[s] if hand is None else hand for s, hand in enumerate(hands)]
    out = int(game.deck) & ~given & ~sum(shown[s] for s in range(4) if hands[s] is None)
    sizes, may_hold = [0] * 4, np.zeros(4, np.uint64)
    for seat, hand in enumerate(hands):
        if hand is not None:
            continue
        sizes[seat] = 9 - shown[seat].bit_count()
        may_hold[seat] = int(free.may_hold[seat]) & out
        able = int(may_hold[seat]).bit_count()
        if able < sizes[seat]:
            refuse(
                text,
                f"no deal fits: player {seat + 1} has {sizes[seat]} cards left, and of those that "
                f"are out he can hold {able}: {_voids(int(free.may_hold[seat]), out)}",
            )
    rest = np.zeros(4, np.uint64)
    if not deal(np.zeros(1, np.uint64), np.uint64(out), tuple(sizes), may_hold, rest):
        refuse(text, "no deal fits: too many cards can be with too few of the others")
    return [int(rest[s]) | shown[s] if hand is None else hand for s, hand in enumerate(hands)]


def _voids(may_hold: int, out: int) -> str:
    suits = [
        SUIT_NAMES[suit]
        for suit in range(4)
        if out & int(suit_mask(suit)) & ~may_hold and not out & int(suit_mask(suit)) & may_hold
    ]
    return f"he has shown that he has no {' and no '.join(suits)}" if suits else "by what he played"


def _check_card(game: Jass, text: str, state: Any, played: tuple[int, int, int]) -> None:
    """Refuse a card that its player could not play."""
    number, seat, card = played
    hand = state.hands[game.place(state, seat)]
    if game.pool and seat != state.eyes:
        return  # one big hand could have followed where the player could not
    legal = playable(
        hand, game.led(state), int(state.high), int(state.trump), game.above, game.loose_trumps
    )
    if not int(legal) >> card & 1:
        names = ", ".join(map(card_name, cards_in(legal)))
        played_card = f"card {number}, {card_name(card)}"
        refuse(text, f"{played_card}: player {seat + 1} must play one of {names}")


def _twice(game: Jass, card: int) -> str:
    return "was played twice" if int(game.deck) >> card & 1 else "is no card of this game"


def refuse(text: str, reason: str) -> NoReturn:
    """Refuse a position."""
    shown = text if len(text) <= 90 else text[:87] + "..."
    raise DataError(f"{shown!r} is no position: {reason}; one is {EXAMPLE!r}")
