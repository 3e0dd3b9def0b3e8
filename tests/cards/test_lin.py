"""LIN files are read as they are found, several boards a file, or refused by the line."""

from __future__ import annotations

import pytest

from playout.cards.deal import Contract, hands_text
from playout.cards.deal_lists import parse_deals, write_deals
from playout.cards.deck import card_name
from playout.cards.lin import parse_lin
from playout.errors import DataError

BOARD = """qx|o1|st||md|3SQ5HKJ72DA98C9743,SAJT9HT854DKQ4CT6,S8763HQDJT632CAJ2,SK42HA963D75CKQ85|
rh||ah|Board 1|sv|n|mb|p|mb|1D!|an|a minor|mb|p|mb|1H|mb|d|mb|2Hp|mb|p|mb|p|pg||
pc|HQ|pc|HA|pc|H2|pc|H4|pc|H3|pc|H7|pc|H8|
pc|S3|mc|8|"""


def test_a_board_is_read():
    (deal,) = parse_lin(BOARD, "f")
    assert hands_text(deal.hands, 2) == (
        "S:Q5.KJ72.A98.9743 AJT9.T854.KQ4.T6 8763.Q.JT632.AJ2 K42.A963.75.KQ85"
    )
    assert (deal.dealer, deal.vulnerable, deal.board) == (0, "NS", "o1")
    # passed by north, 1D by east; 1H by west, who is the first of that side to name hearts
    assert deal.auction == ("Pass", "1D", "Pass", "1H", "X", "2H", "Pass", "Pass", "Pass")
    assert deal.contract == Contract(2, 1)
    assert deal.declarer == 3


def test_the_contract_and_the_first_lead_fit():
    text = BOARD.replace("mb|2Hp|mb|p|mb|p|", "mb|p|mb|1N|mb|p|mb|p|mb|p|").replace("pc|", "nt|")
    (deal,) = parse_lin(text, "f")
    assert deal.contract == Contract(1, 4)
    assert (deal.declarer, deal.leader) == (2, 3)


def test_several_boards_on_lines_of_any_length():
    both = BOARD.replace("\n", "") + BOARD.replace("qx|o1", "qx|c1").replace("|mb", "|\nmb")
    assert [deal.board for deal in parse_lin(both, "f")] == ["o1", "c1"]


def test_the_last_hand_may_be_left_out():
    short = BOARD.replace(",SK42HA963D75CKQ85|", ",|")
    shorter = BOARD.replace(",SK42HA963D75CKQ85|", "|")
    assert parse_lin(short, "f") == parse_lin(shorter, "f") == parse_lin(BOARD, "f")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sv|n|", "sv||"),
        ("mc|8|", "mc||"),
        ("mb|d|", "mb|x|"),
        ("mb|1H|mb|d|", "mb|1hx!|"),
        ("mb|d|", "mb|dbl|"),
        ("mb|2Hp|mb|p|", "mb|2♥PASS|mb|Pass|"),
        ("mc|8|", "mc|8|pg|"),
    ],
)
def test_other_spellings_are_read(old, new):
    (deal,) = parse_deals(BOARD.replace(old, new), "f")
    assert deal.auction == ("Pass", "1D", "Pass", "1H", "X", "2H", "Pass", "Pass", "Pass")
    assert deal.vulnerable == ("" if "sv" in old else "NS")
    assert deal.result == (None if new == "mc||" else 8)


def test_no_trump_may_have_two_letters():
    text = BOARD.replace("mb|2Hp|mb|p|mb|p|", "mb|1NTpp|mb|x|mb|xx|mb|p|mb|p|mb|p|")
    (deal,) = parse_lin(text.replace("pc|", "nt|"), "f")
    assert (deal.contract, deal.declarer) == (Contract(1, 4, 2), 1)


def test_written_it_is_read_as_the_same():
    deals = parse_lin(BOARD, "f")
    assert parse_lin(write_deals(deals, "lin"), "again") == deals


def test_a_contract_without_an_auction_is_written_as_the_shortest_one():
    pbn = '[Deal "{}"]\n[Contract "4SXX"]\n[Declarer "E"]\n'.format(
        hands_text(parse_lin(BOARD, "f")[0].hands)
    )
    (deal,) = parse_lin(write_deals(parse_deals(pbn, "f"), "lin"), "again")
    assert (deal.contract, deal.declarer) == (Contract(4, 0, 2), 1)


def test_cards_are_those_of_the_play():
    (deal,) = parse_lin(BOARD, "f")
    assert [card_name(card) for card in deal.play][:4] == ["HQ", "HA", "H2", "H4"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("md|3S", "md|5S", "f, line 1: md is '5S"),
        ("md|3SQ5", "md|3Q5", "does not begin with a suit"),
        ("SQ5HKJ72", "SQ5HKJ7", "South has 12 cards"),
        ("SQ5HKJ72", "SQ5HKJ77", "H7 is there twice"),
        ("SQ5HKJ72", "SQ5HKJ7T", "HT is in two hands"),
        ("sv|n|", "sv|x|", "f, line 2: sv is 'x'"),
        ("mb|1D!|", "mb|0D|", "f, line 2: mb is '0D'"),
        ("mb|2Hp|", "mb|1Cp|", "f, line 1: the bid 1C is no higher than 1H"),
        ("mb|2Hp|mb|p|mb|p|", "", "cards were played, but the auction ends in no contract"),
        ("pc|H2|", "pc|H9|", "card 3, H9 of South: South does not hold it"),
        ("pc|H3|", "pc|HK|", "card 5, HK of East: East does not hold it"),
        ("pc|H7|", "pc|D9|", "card 6, D9 of South: South has hearts to follow"),
        ("pc|S3|", "pc|3S|", "f, line 4: '3S' is no card"),
        ("mc|8|", "mc|14|", "f, line 4: mc is '14'"),
        ("mc|8|", "mc|8", "has no value between | and |"),
        ("rh||", "r h y||", "is no key"),
        ("qx|o1|st||md|", "mb|", "f, line 1: mb comes before the first deal"),
    ],
)
def test_faults_are_named_by_their_line(old, new, said):
    with pytest.raises(DataError) as fault:
        parse_lin(BOARD.replace(old, new, 1), "f")
    assert said in str(fault.value)
    assert len(str(fault.value).splitlines()) == 1
