"""Go, Atarigo and NoGo beside naive rules: random games, counts of positions, best play."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from playout.errors import DataError
from playout.games import load_game
from tests.support import naive_go as naive
from tests.support.compiled_games import all_games, compare, random_game
from tests.support.perft import naive_perft, perft

load = cache(load_game)


# beside the naive rules: the board, the legal moves and the rewards along random games

BESIDE = {
    "go:1x1,komi=0": (naive.Go(1, 1, 0), 2),
    "go:5x1,komi=0": (naive.Go(5, 1, 0), 150),
    "go:3x2,komi=0,length=40": (naive.Go(3, 2, 0, 40), 150),
    "go:3x3,komi=0.5": (naive.Go(3, 3, 0.5), 150),
    "go:4x3,komi=1,unfinished=draw": (naive.Go(4, 3, 1, draw=True), 40),
    "go:4x3,komi=0.5,keep_eyes=true": (naive.Go(4, 3, 0.5, eyes=True), 40),
    "go:9x9": (naive.Go(9, 9), 3),
    "go:9x9,komi=0.5,keep_eyes=true": (naive.Go(9, 9, 0.5, eyes=True), 3),
    "go:19x19,length=40": (naive.Go(19, 19, length=40), 1),
    "atarigo:3x2": (naive.Atarigo(3, 2), 40),
    "atarigo:4x4": (naive.Atarigo(4, 4), 40),
    "atarigo:9x9": (naive.Atarigo(9, 9), 2),
    "nogo:3x2": (naive.NoGo(3, 2), 40),
    "nogo:4x4": (naive.NoGo(4, 4), 40),
    "nogo:9x9": (naive.NoGo(9, 9), 2),
}


@pytest.mark.long
@pytest.mark.parametrize("name", BESIDE)
def test_random_games_beside_the_naive_rules(name):
    rules, games = BESIDE[name]
    results = [compare(load(name), rules, seed) for seed in range(games)]
    if games >= 20:
        assert [1.0, 0.0] in results
        assert [0.0, 1.0] in results


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "games", "looks"),
    [
        ("go:4x3,komi=1", 10, 24),
        ("go:9x9,komi=0.5,keep_eyes=true", 3, 10),
        ("go:19x19,length=40", 1, 3),
        ("atarigo:9x9", 3, 10),
        ("nogo:9x9", 3, 10),
    ],
)
def test_what_the_state_keeps_is_what_a_fresh_look_finds(name, games, looks):
    """Chains, liberties and hashes: equal boards are equal bytes, whatever the order of moves."""
    game = load(name)
    for seed in range(games):
        states = random_game(game, seed)
        for state in states[:: -max(1, len(states) // looks)]:
            fresh = game.board_of(game.cell_letters(state), state.player)[0]
            for field in ("board", "empty", "safe", "last", "free", "head", "stone", "player"):
                assert state[field].tolist() == fresh[field].tolist(), field
            if not name.startswith("go"):  # nothing else is in the state
                assert game.read_position(game.position_text(state)).tobytes() == state.tobytes()


# counts of positions

COUNTS = [
    ("go:1x1,komi=0", naive.Go(1, 1), 3),
    ("go:5x1,komi=0", naive.Go(5, 1), 5),
    ("go:3x2,komi=0,length=40", naive.Go(3, 2, length=40), 6),
    ("go:4x3,komi=1", naive.Go(4, 3), 3),
    ("atarigo:3x2", naive.Atarigo(3, 2), 6),
    ("atarigo:4x4", naive.Atarigo(4, 4), 3),
    ("nogo:3x2", naive.NoGo(3, 2), 6),
    ("nogo:4x4", naive.NoGo(4, 4), 3),
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "rules", "depth"), COUNTS)
def test_counts_of_positions(name, rules, depth):
    assert perft(load(name), depth) == naive_perft(rules, depth)


@pytest.mark.long
def test_counts_far_from_the_start():
    """Where captures and repetitions are frequent: after a random game's first moves."""
    game, rules = load("go:3x2,komi=0,length=40"), naive.Go(3, 2, 0, 40)
    for seed in range(6):
        rng, position = np.random.default_rng(seed), rules.start()
        while len(position[2]) < 12 and not rules.finished(position):
            after = [p for text, p in sorted(rules.moves(position).items()) if text != "pass"]
            position = after[rng.integers(len(after))] if after else rules.moves(position)["pass"]
        positions, counts = [position], []
        for _ in range(4):
            positions = [p for before in positions for p in rules.moves(before).values()]
            counts.append(len(positions))
        assert perft(game, 4, game.read_position(rules.line(position))) == counts


@pytest.mark.parametrize(
    ("width", "height", "legal"),
    [(1, 1, 1), (2, 1, 5), (3, 1, 15), (4, 1, 41), (2, 2, 57), (3, 2, 489)],
)
def test_legal_boards(width, height, legal):
    """As many as J. Tromp and G. Farnebäck count, Combinatorics of Go, 2006."""
    game, found = load(f"go:{width}x{height}"), 0
    for number in range(3 ** (width * height)):
        cells = [".bw"[number // 3**i % 3] for i in range(width * height)]
        rows = ["".join(cells[i : i + width]) for i in range(0, len(cells), width)]
        try:
            game.read_position("/".join(rows) + " b")
            found += 1
        except DataError:
            pass
    assert found == legal


# The winners of NoGo: T. Cazenave, Monte Carlo Game Solver, Table 3, first rows.
NOGO_WINNERS = {1: [2, 1, 1, 2, 1, 1, 1, 1], 2: [1, 1, 2, 2], 3: [1, 2]}


@pytest.mark.long
def test_winners_of_nogo():
    def wins(rules, position, known):
        line = rules.line(position)
        if line not in known:
            after = rules.moves(position).values()
            known[line] = any(not wins(rules, p, known) for p in after)
        return known[line]

    for width, winners in NOGO_WINNERS.items():
        for height, winner in enumerate(winners, 1):
            rules = naive.NoGo(width, height)
            assert wins(rules, rules.start(), {}) == (winner == 1)
    assert all_games(load("nogo:3x2"))[2] == [0.0, 1.0]
    assert all_games(load("nogo:3x3"))[2] == [1.0, 0.0]


def best(rules, position):
    """What each player gets when both make the most of it, by the naive rules."""
    after = rules.moves(position).values()
    if not after:
        return rules.result(position)
    return max((best(rules, p) for p in after), key=lambda result: result[position[1]])


@pytest.mark.long
def test_best_play_is_that_of_the_naive_rules():
    assert all_games(load("atarigo:3x2"))[2] == list(best(*at_start(naive.Atarigo(3, 2))))
    assert all_games(load("nogo:3x2"))[2] == list(best(*at_start(naive.NoGo(3, 2))))
    for komi in (-3, -0.5, 0, 0.5, 3):
        rules = naive.Go(5, 1, komi, length=6)
        game = load(f"go:5x1,komi={komi},length=6")
        assert all_games(game)[2] == list(best(*at_start(rules)))


def at_start(rules):
    return rules, rules.start()
