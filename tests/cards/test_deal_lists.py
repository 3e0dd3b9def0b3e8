"""Lists of deals: DDS's, solved lines, one deal a line; all of the data folder agree."""

from __future__ import annotations

import pytest

from playout.cards.deal import Contract
from playout.cards.deal_lists import parse_dds_list, parse_deals, read_deals
from playout.cards.played import follow
from playout.errors import DataError
from playout.text.input_files import read_text
from tests.support.datafolder import data, needs_data

LIST = """NUMBER 1
PBN 0 0 0 0 "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
FUT 2 2 2 5 8 0 256 5 4
TABLE 5 8 5 8 6 6 6 6 5 7 5 7 7 5 7 5 6 6 6 6
PAR "NS -110" "EW 110" "NS:EW 2S" "EW:EW 2S"
PAR2 "-110" "2S-EW"
PLAY 5 "CTC4CACJH8"
TRACE 6 8 8 8 8 8 8
"""
LINE = "T5.K4.652.A98542 K6.QJT976.QT7.Q6 432.A.AKJ93.JT73 AQJ987.8532.84.K:65658888888843433232"


def test_a_dds_list_is_read():
    (solved,) = parse_dds_list(LIST, "f")
    assert (solved.trump, solved.leader, solved.deal.declarer) == (0, 0, 3)
    assert solved.cards == ((16 * 2 + 3, 0, 5), (16 * 2 + 6, 64, 4))
    assert solved.deal.table[:4] == (5, 8, 5, 8)
    assert solved.trace == (8,) * 6
    assert len(solved.deal.play) == 5


def test_a_solved_line_is_read():
    (deal,) = parse_deals(LINE, "f")
    # NT, declarer E: north and south take 6, so east 7; then N 5, W 7, S 5
    assert [deal.table[16 + seat] for seat in (1, 0, 3, 2)] == [7, 5, 7, 5]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("NUMBER 1", "NUMBER 2", "f: the file ends where PBN should be"),
        ("NUMBER 1", "NUMBER 0", "f, line 1: 0 is not from 1 to"),
        ("TABLE", "TAFEL", "f, line 4: 'TAFEL' where TABLE should be"),
        ("TABLE 5", "TABLE 15", "f, line 4: 15 is not from 0 to 13"),
        ("FUT 2 2", "FUT 2", "f, line 3: 7 numbers where 8 should be"),
        ("PLAY 5", "PLAY 6", "f, line 7: 5 cards were played, but the line says 6"),
        ("TRACE 6 8", "TRACE 6", "f, line 8: 5 numbers where 6 should be"),
        ("873.", "87.", "f, line 2: East has 12 cards"),
    ],
)
def test_faults_are_named_by_their_line(old, new, said):
    with pytest.raises(DataError) as fault:
        parse_deals(LIST.replace(old, new, 1), "f")
    assert said in str(fault.value)
    assert len(str(fault.value).splitlines()) == 1


def test_a_line_that_is_no_deal_is_refused():
    with pytest.raises(DataError, match="f, line 2: the deal 'what' does not begin with a seat"):
        parse_deals(LINE + "\nwhat\n", "f")


LINK = (
    "https://www.bridgebase.com/tools/handviewer.html?bbo=y&lin=pn%7Ca+b,c,d,e%7Cst%7C%7Cmd%7C3"
    "S2H34567D89TCAKQJ,SAKQJH89TD567C234,S789THAKQJD234C56,%7Csv%7Cb%7Cmb%7C1N%7Cmb%7Cp%7Cmb%7C"
    "p%7Cmb%7Cp%7C&v3=y"
)


def test_links_to_the_hand_viewer_are_read_and_others_refused_by_their_line():
    deals = parse_deals(f"{LINK}\n\n{LINK.replace('1N', '2H')}\n", "links.txt")
    assert [str(deal.contract) for deal in deals] == ["1NT", "2H"]
    assert deals[0].vulnerable == "All"
    with pytest.raises(DataError, match=r"links.txt, line 2: 'https://x.org' is no link with lin="):
        parse_deals(f"{LINK}\nhttps://x.org\n", "links.txt")
    with pytest.raises(DataError, match=r"links.txt, line 2: S2 is in two hands"):
        parse_deals(f"{LINK}\n{LINK.replace('SAKQJ', 'S2KQJ')}\n", "links.txt")


@needs_data("bridge/list100.txt", "bridge/list100.pbn")
def test_the_same_deals_in_two_formats_are_the_same():
    listed, tagged = (read_deals(data(f"bridge/list100.{end}")) for end in ("txt", "pbn"))
    assert len(listed) == len(tagged) == 100
    for one, two in zip(listed, tagged):
        assert (one.hands, one.table, one.dealer, one.vulnerable) == (
            two.hands,
            two.table,
            two.dealer,
            two.vulnerable,
        )


@needs_data("bridge/list100.txt")
def test_every_hand_of_the_list_was_played_by_the_rules():
    for solved in parse_dds_list(read_text(data("bridge/list100.txt")), "list"):
        declarer = solved.deal.declarer
        assert declarer is not None
        follow(solved.deal, solved.deal.play, Contract(1, solved.trump), declarer)
