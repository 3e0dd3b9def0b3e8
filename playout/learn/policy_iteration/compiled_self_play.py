"""The compiled part of self-play: what the threads of a team do with its games, round after round.

A round begins and ends by numbers in memory that the threads watch, a cache line apart; `selfplay`
directs them. In a round each game is played until it needs a prediction or has had its turn; one
that is over is written down, and the next that is to be played takes its place.
"""

from __future__ import annotations

from playout.algorithms.search import BAD_SCORE, FINE, WAIT
from playout.compiled import helper, kernel
from playout.compiled.atomics import fetch_add, load, nap, pause, store
from playout.compiled.random import stream_of
from playout.learn.policy_iteration.policy_mcts import IDLE

# places in the arrays that threads share: of all teams, and of each
TICKET, FINISHED, PLAYOUTS = 0, 8, 16
ROUND, NEXT, DONE, STATUS = 0, 8, 16, 24
OVER = -1  # the last round
SHARE = 8  # games that a thread takes at once
SPINS = 200  # looks at the next round before a nap


@kernel
def begin_round(control):
    """Let a team's threads play a round."""
    store(control, NEXT, 0)
    store(control, DONE, 0)
    fetch_add(control, ROUND, 1)


@kernel
def end_rounds(control):
    """Let a team's threads go when they have ended their round."""
    store(control, ROUND, OVER)


@kernel
def attend(
    search, problem, shared, control, places, todo, blank, seed, turn, numbers, lengths, moves,
    scores, prefixes, known,
):  # fmt: skip
    """Play round after round of a team, with its other threads, until they are over."""
    seen = 0
    while True:
        spins = 0
        now = load(control, ROUND)
        while now == seen:
            spins += 1
            if spins < SPINS:
                pause()
            else:
                nap()
            now = load(control, ROUND)
        if now == OVER:
            return
        seen = now
        while True:
            first = fetch_add(control, NEXT, SHARE)
            if first >= len(places):
                break
            for game in range(first, min(first + SHARE, len(places))):
                status = play_on(
                    search, problem, shared, places, game, todo, blank, seed, turn, numbers,
                    lengths, moves, scores, prefixes, known,
                )  # fmt: skip
                if status < FINE:
                    store(control, STATUS, status)
        fetch_add(control, DONE, 1)


@helper
def play_on(
    search, problem, shared, places, game, todo, blank, seed, turn, numbers, lengths, moves,
    scores, prefixes, known,
):  # fmt: skip
    """Play a game until it waits for a prediction, has had its turn, or there are no more games.

    A game that is over is written down and the next one takes its place.
    """
    if search.lanes[game].asked:
        search.answer(game)
    left = turn
    while left > 0:
        if places[game] < 0:
            ticket = fetch_add(shared, TICKET, 1)
            if ticket >= len(todo):
                break
            entry = todo[ticket]
            places[game] = entry
            deal(search, problem, game, blank, seed, numbers[entry])
            resume(search, problem, game, prefixes[entry], known[entry], moves[entry])
        status, played = play_game(search, problem, game, left)
        fetch_add(shared, PLAYOUTS, played)
        left -= played
        if status < FINE:
            return status
        if status == WAIT or left == 0:
            break
        entry = places[game]
        write_down(search, problem, game, blank, seed, numbers[entry], moves[entry])
        scores[entry] = problem.score(search.states[game])
        places[game] = -1
        # whoever sees the length sees all that was written before
        fetch_add(shared, FINISHED, 1)
        lengths[entry] = search.games[game].prefix
    return FINE


@helper
def deal(search, problem, game, blank, seed, number):
    """Begin the game of a number from its random start."""
    search.luck[game] = stream_of(seed, number)
    search.here[game] = blank[0]
    problem.draw(search.here[game], search.luck[game : game + 1])
    search.rng[game] = stream_of(search.luck[game], number)
    search.restart(game)
    search.lanes[game].phase = IDLE


@helper
def resume(search, problem, game, prefix, known, outputs):
    """Play the moves that a suspended game had committed, and know its best playout again."""
    walk, legal = search.games[game], search.moves[game]
    search.states[game] = search.here[game]
    state = search.states[game]
    for i in range(known):
        n = problem.moves(state, legal)
        m = 0
        while m < n - 1 and problem.output(state, legal[m]) != outputs[i]:
            m += 1
        search.finest[game, i] = legal[m]
        problem.play(state, search.finest[game, i])
        if i < prefix:
            search.committed[game, i] = search.finest[game, i]
            problem.play(search.here[game], search.finest[game, i])
            walk.prefix += 1
    if known > prefix:
        walk.best_score = problem.score(state)
        walk.best_length = known
        walk.equals = 1
    walk.over = problem.moves(search.here[game], legal) == 0


@kernel
def suspend(search, problem, places, blank, seed, numbers, prefixes, known, moves):
    """Write down the games that are not over: what is committed, and the best playout."""
    for game in range(len(places)):
        entry, walk = places[game], search.games[game]
        if entry < 0:
            continue
        count = walk.best_length if search.options[0].best else walk.prefix
        if count <= 0:
            continue
        search.luck[game] = stream_of(seed, numbers[entry])
        search.states[game] = blank[0]
        state = search.states[game]
        problem.draw(state, search.luck[game : game + 1])
        for i in range(count):
            move = search.finest[game, i] if search.options[0].best else search.committed[game, i]
            moves[entry, i] = problem.output(state, move)
            problem.play(state, move)
        prefixes[entry] = walk.prefix
        known[entry] = count


@helper
def play_game(search, problem, game, most):
    """Play on with a game, at most so many playouts; FINE at its end, else WAIT, and how many."""
    walk = search.games[game]
    played = 0
    while not walk.over and played < most:
        if search.lanes[game].phase == IDLE:
            search.descend(problem, game, game)
        status = search.playout(problem, game)
        if status != FINE:
            return status, played
        score = problem.score(search.states[game])
        if score != score:
            return BAD_SCORE, played
        search.take(game, game, score)
        played += 1
        if search.is_enough(game):
            search.commit(problem, game)
    return (FINE if walk.over else WAIT), played


@helper
def write_down(search, problem, game, blank, seed, number, moves):
    """Play the game's moves again from its start: the outputs they are, and the final state."""
    luck = search.luck[game : game + 1]
    luck[0] = stream_of(seed, number)
    search.states[game] = blank[0]
    state = search.states[game]
    problem.draw(state, luck)
    for i in range(search.games[game].prefix):
        moves[i] = problem.output(state, search.committed[game, i])
        problem.play(state, search.committed[game, i])
