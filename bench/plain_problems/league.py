"""A league: 12 teams, 11 rounds, each against each once, with little travelling."""

import numpy as np

import playout as po


class League(po.Problem):
    """What the teams travel all season, and a lot for a game that cannot be held."""

    sense = "min"
    fields = ("distance", "clubs")

    def __init__(self, clubs=12, seed=47):
        draw = np.random.default_rng(seed)
        self.clubs = clubs
        towns = draw.integers(0, 500, (clubs, 2))
        self.distance = np.abs(towns[:, None] - towns[None]).sum(2)
        self.state_type = po.record(
            met=("?", (clubs, clubs)),
            plays=("?", clubs),  # in this round
            at=("i4", clubs),  # the town where a team is
            run=("i4", clubs),  # games at home (or away, below 0) in a row
            round="i4",
            missed="i4",
            travelled="i8",
        )
        # home and away; a team that finds nobody has the game (team, team)
        self.move_type = po.record(round="i4", home="i4", away="i4")
        self.max_moves, self.max_length = 2 * clubs, clubs * (clubs - 1)

    def reset(self, state):
        for team in range(self.clubs):
            state.at[team] = team

    def add(self, moves, n, state, home, away):
        if state.run[home] < 3 and state.run[away] > -3:  # no more than three in a row
            moves[n].round = state.round
            moves[n].home = home
            moves[n].away = away
            return n + 1
        return n

    def moves(self, state, moves):
        if state.round == self.clubs - 1:
            return 0
        team = 0
        while state.plays[team]:
            team += 1
        n = 0
        for other in range(team + 1, self.clubs):
            if not state.plays[other] and not state.met[team, other]:
                n = self.add(moves, n, state, team, other)
                n = self.add(moves, n, state, other, team)
        if n == 0:
            moves[0].round = state.round
            moves[0].home = team
            moves[0].away = team
            n = 1
        return n

    def travel(self, state, team, town):
        state.travelled += self.distance[state.at[team], town]
        state.at[team] = town

    def play(self, state, move):
        home, away = move.home, move.away
        state.plays[home] = True
        state.plays[away] = True
        if home == away:
            state.missed += 1
            state.run[home] = 0
            self.travel(state, home, home)
        else:
            state.met[home, away] = True
            state.met[away, home] = True
            self.travel(state, home, home)
            self.travel(state, away, home)
            state.run[home] = max(state.run[home], 0) + 1
            state.run[away] = min(state.run[away], 0) - 1
        for team in range(self.clubs):
            if not state.plays[team]:
                return
        state.round += 1
        for team in range(self.clubs):
            state.plays[team] = False

    def score(self, state):
        back = 0
        for team in range(self.clubs):
            back += self.distance[state.at[team], team]
        return state.travelled + back + 2000 * state.missed
