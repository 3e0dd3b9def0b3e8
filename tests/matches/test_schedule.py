"""Who has which seat: every way to share seats out is there once in a round."""

from __future__ import annotations

from playout.matches.schedule import Schedule


def test_two_share_out_the_seats_of_a_game_for_four_in_all_ways_but_two():
    pairings = list(Schedule(players=2, seats=4).pairings(14))
    ways = [pairing.seats for pairing in pairings]
    assert len(set(ways)) == 14
    assert not {(0, 0, 0, 0), (1, 1, 1, 1)} & set(ways)
    assert {pairing.round for pairing in pairings} == {0}
    for first, second in zip(ways[::2], ways[1::2], strict=True):
        assert tuple(1 - player for player in first) == second
    assert Schedule(players=2, seats=4).pairing(14).round == 1
