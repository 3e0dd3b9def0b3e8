"""The messages of the GGP protocol: KIF in the body of an HTTP request, a move or a word back.

( INFO )                                        -> ( ( name ... ) ( status ... ) )
( PREVIEW rules clock )                         -> ready
( START match role ( rules ) start play )       -> ready
( PLAY match nil ) or ( PLAY match ( moves ) )  -> a move
( STOP match ( moves ) )                        -> done
( ABORT match )                                 -> aborted
"""

from __future__ import annotations

from dataclasses import dataclass, field

from playout.errors import DataError
from playout.ggp.kif import Term, expressions, spellings, term_text

MOST_BYTES = 8 << 20  # of a message
LONGEST_CLOCK = 86_400.0  # seconds

_LENGTHS = {"info": (1,), "preview": (3,), "start": (6,), "play": (3,), "stop": (3,), "abort": (2,)}


@dataclass(frozen=True)
class Message:
    """A request: its kind in small letters, and what the kind has."""

    kind: str
    match: str = ""
    role: str = ""
    rules: str = field(default="", repr=False)
    start_clock: float = 0.0
    play_clock: float = 0.0
    moves: tuple[Term, ...] | None = None  # None: nil, nobody has moved yet
    spelling: dict[str, str] = field(default_factory=dict, repr=False)  # letters of the rules


def parse_message(text: str) -> Message:
    """The message of a request's body; DataError if it is none.

    >>> parse_message("(PLAY Kiosk.1 (noop (mark 1 2)))").moves
    ('noop', ('mark', '1', '2'))
    """
    found = [term for term, _ in expressions(text, "the message")]
    if len(found) != 1 or not isinstance(found[0], tuple) or not isinstance(found[0][0], str):
        raise DataError("the body is no message, such as ( PLAY match nil )")
    parts = found[0]
    kind = parts[0]
    if kind not in _LENGTHS:
        raise DataError(f"there is no message {kind[:20]!r}: " + ", ".join(_LENGTHS).upper())
    if len(parts) not in _LENGTHS[kind]:
        raise DataError(f"{kind} has {len(parts)} parts, not {_LENGTHS[kind][0]}")
    if kind == "start":
        _, match, role, rules, start, play = parts
        if not isinstance(rules, tuple) or not isinstance(role, str):
            raise DataError("start names a match, a role, and its rules in brackets")
        lines = "\n".join(map(term_text, rules))
        clocks = _clock(start), _clock(play)
        return Message(kind, term_text(match), role, lines, *clocks, spelling=spellings(text))
    if kind in ("play", "stop"):
        moves = None if parts[2] == "nil" else parts[2]
        if isinstance(moves, str):
            moves = (moves,)
        return Message(kind, term_text(parts[1]), moves=moves)
    return Message(kind, term_text(parts[1]) if kind == "abort" else "")


def _clock(term: Term) -> float:
    try:
        seconds = float(term)
    except (TypeError, ValueError):
        seconds = 0.0
    if not 0 < seconds <= LONGEST_CLOCK:
        raise DataError(f"{term_text(term)[:20]} is no clock: give seconds")
    return seconds
