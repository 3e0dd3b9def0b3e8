"""Matches of games that keep something back: what a player is handed, deals, teams, open cards."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.compiled import wrapping
from playout.errors import OptionError
from playout.matches.referee import play_game
from playout.matches.replay import replay_transcript
from playout.stop import Playouts
from tests.contract.test_veiled import Dice, HighCard
from tests.support.whist import Whist

STOP = Playouts(1)


class Spy(po.Player):
    """Keeps whatever it is handed, and plays the first legal move."""

    def __init__(self):
        self.handed, self.told, self.began = [], [], []

    def new_game(self, game, seed):
        super().new_game(game, seed)
        self.began.append((game, seed))

    def choose(self, position, stop):
        self.handed.append(position.copy())
        return self.game.legal_moves(position[0])[0]

    def played(self, move):
        self.told.append(move)


def spied(game, truth, deal=5):
    """What the first of four spies is handed in a game that begins with a true state."""
    spies = [Spy() for _ in range(4)]
    game.root = lambda seed=None: truth.copy()
    try:
        play_game(game, spies, [STOP] * 4, [1, 2, 3, 4], deal=deal)
    finally:
        del game.root
    return spies[0]


def test_a_player_that_cheats_has_nothing_to_look_at():
    game = Whist()
    truths = []
    for seed in range(200):  # deals that give the first player the same two cards
        truth = game.root(seed)
        if truth[0].hands[0] == 0b11:
            truths.append(truth)
    assert len({truth.tobytes() for truth in truths}) > 3
    spies = [spied(game, truth) for truth in truths]
    first = {spy.handed[0].tobytes() for spy in spies}
    assert len(first) == 1  # whatever the others really hold
    assert all(spy.began == [(game, 1)] for spy in spies)
    assert "root" not in vars(game)  # nothing of the truth is left in what is handed over


def test_what_is_handed_over_has_the_view_of_the_player_and_nothing_else_of_the_truth():
    game = Whist()
    same = 0
    for seed in range(40):
        truth = game.root(seed)
        handed = spied(game, truth, seed).handed[0]
        with wrapping():
            assert game.view(handed[0], 0) == game.view(truth[0], 0)
        same += handed.tobytes() == truth.tobytes()
    assert same < 6  # one in 90, by chance


class Whisper(HighCard):
    """The second player does not hear what the first says."""

    def seen(self, state, move, player):
        return np.uint64(move if player == 0 else 9)


def test_a_move_that_is_not_seen_is_not_told():
    for game, told in ((HighCard(), [0]), (Whisper(), [None])):
        spies = [Spy(), Spy()]
        play_game(game, spies, [STOP] * 2, [1, 2], deal=1)
        assert [list(map(str, spy.told)) for spy in spies] == [["0"], list(map(str, told))]


def test_luck_to_come_is_not_handed_over():
    class Rolls(Dice):
        players = 1

    spy = Spy()
    game = Rolls()
    play_game(game, [spy], [STOP], [1], deal=3)
    true = game.root(3)[0].luck[0]
    assert spy.handed[0][0].luck[0] != true


def test_a_team_is_one_side_of_a_match_and_both_games_of_a_pair_have_one_deal(tmp_path):
    record = tmp_path / "games.jsonl"
    result = po.match(Whist(), "random", Spy, games=8, seed=3, record=record)
    assert result.games == 8
    assert [game.seats for game in result.transcript[:4]] == [[0, 1], [1, 0]] * 2
    assert all(sum(game.result) == 1.0 for game in result.transcript)
    assert replay_transcript(record, Whist()).agrees
    again = po.match(Whist(), "random", Spy, games=8, seed=3)
    assert [game.moves for game in again.transcript] == [g.moves for g in result.transcript]
    text = record.read_text()
    assert '"open"' not in text
    other = tmp_path / "other.jsonl"
    other.write_text(text.replace('"seed": 3', '"seed": 4').replace('"checksum"', '"checksu"'))
    with pytest.raises(po.DataError):
        replay_transcript(other, Whist())


def test_one_object_cannot_be_a_team():
    with pytest.raises(OptionError, match="give its class"):
        po.match(Whist(), "random", Spy(), games=2)


@pytest.mark.parametrize(
    ("search", "words"),
    [
        (lambda: po.search(Whist(), "uct", STOP, compiled=False), "uct sees all that is hidden"),
        (lambda: po.search(Dice(), "grave", STOP, compiled=False), "grave reads the luck"),
        (lambda: po.solve(Dice(), "nmcs", STOP, compiled=False), "nmcs reads the luck"),
        (lambda: po.prove(HighCard()), "auto sees all that is hidden"),
        (lambda: po.match(Whist(), "uct", "random", games=2), "uct sees all that is hidden"),
        (lambda: po.analyse(Whist(), "uct", STOP), "use pimc, alphamu or ismcts"),
        (lambda: po.train(HighCard()), "hides things from its players"),
        (lambda: po.search(Whist(), "ismcts", STOP, open=True), "leave open out"),
    ],
)
def test_searches_that_read_whole_states_refuse(search, words):
    with pytest.raises(OptionError, match=words):
        search()


def test_with_open_cards_the_result_says_so(tmp_path):
    found = po.search(Whist(), "uct", Playouts(20), open=True, seed=1, compiled=False)
    assert found.open
    assert found.to_json()["open"] is True
    assert str(found).startswith("Whist (open), uct")
    result = po.solve(Dice(), "nmcs", Playouts(20), open=True, seed=1, compiled=False)
    assert result.open
    assert result.verified
    result.save(tmp_path / "result.json")
    assert po.Result.load(tmp_path / "result.json").open
    record = tmp_path / "games.jsonl"
    played = po.match(
        Whist(),
        "uct",
        "random",
        Playouts(8),
        games=2,
        seed=1,
        open=True,
        compiled=False,
        record=record,
    )
    assert "Whist, open, 2 games" in str(played)
    assert played.to_json()["open"] is True
    assert replay_transcript(record, Whist()).agrees
    with pytest.raises(po.DataError, match="another match"):
        po.match(Whist(), "random", "random", games=2, seed=1, record=record)


@pytest.mark.long
def test_a_proof_with_open_cards_says_so():
    values = set()
    for seed in range(8):
        proof = po.prove(HighCard(), open=True, seed=seed)
        assert proof.open
        assert "HighCard (open)" in str(proof)
        low, high = HighCard().root(seed)[0].cards.tolist()
        assert proof.value == (1.0 if low > high else 0.25)  # who knows folds in time
        values.add(proof.value)
    assert values == {0.25, 1.0}


def test_a_search_over_worlds_is_a_player():
    result = po.match(Whist(), "ismcts", "random", Playouts(30), games=20, seed=1, compiled=False)
    assert result.games == 20
    assert result.wins >= result.losses
    found = po.search(Whist(), "ismcts", "30 playouts", seed=1, compiled=False)
    assert found.simulations == 30
    assert not found.open


def test_a_budget_may_be_calls_of_play():
    one = po.match(
        HighCard(), "ismcts", "random", po.Calls(12), games=2, seed=1, compiled=False, workers=1
    )
    two = po.match(
        HighCard(), "ismcts:calls=12", "random", games=2, seed=1, compiled=False, workers=1
    )
    assert one.match.budgets[0] == two.match.budgets[0] == "calls=12"
    assert [game.moves for game in one.transcript] == [game.moves for game in two.transcript]
    assert "12 calls a move" in str(one)
