"""PBN files are read as the standard has them and as they are found, or refused by the line."""

from __future__ import annotations

import pytest

from playout.cards.deal import Contract, read_cards, read_contract, read_hands
from playout.cards.deal_lists import parse_deals, read_deals, write_deals
from playout.cards.deck import card_name, parse_card
from playout.cards.pbn import parse_pbn, write_pbn
from playout.errors import DataError

HANDS = "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"
# the standard's example game
GAME = f"""% PBN 2.1
[Event "International"]
[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{HANDS}"]
[Declarer "S"]
[Contract "5HX"]
[Result "9"]
[Auction "N"]
1D      1S   3H =1= 4S
4NT =2= X    Pass   Pass
5C      X    5H     X
Pass    Pass Pass
[Note "1:non-forcing 6-9 points, 6-card"]
[Play "W"]
SK =1= H3 S4 S3
C5 C2 C6 CK
S2 H6 S5 S7
C8 CA CT C4
D2 DA DT D3
D4 DK H5 H7
-  -  -  H2
*
[Note "1:highest of series"]
"""


def deal_with(*lines: str) -> str:
    return "\n".join([f'[Deal "{HANDS}"]', *lines]) + "\n"


def test_a_game_is_read_whole():
    (deal,) = parse_pbn(GAME, "f")
    assert deal.hands == read_hands(HANDS)
    assert (deal.board, deal.dealer, deal.vulnerable, deal.result) == ("1", 0, "None", 9)
    assert (deal.contract, deal.declarer, deal.leader) == (Contract(5, 1, 1), 2, 3)
    assert deal.auction[:5] == ("1D", "1S", "3H", "4S", "4NT")
    assert len(deal.auction) == 15


def test_columns_stay_and_the_order_of_play_goes_by_who_won():
    # north ruffs the first trick with H3 and leads C2 to the second, which stands in column 2
    (deal,) = parse_pbn(GAME, "f")
    names = [card_name(card) for card in deal.play]
    assert names[:8] == ["SK", "H3", "S4", "S3", "C2", "C6", "CK", "C5"]
    # south won with CK and led S7; the last card was H2 alone, of south, who led
    assert names[8] == "S7"
    assert names[-1] == "H2"
    assert len(names) == 25


def test_written_it_is_read_as_the_same():
    deals = parse_pbn(GAME, "f")
    assert parse_pbn(write_pbn(deals), "again") == deals
    text = write_pbn(deals)
    assert "C5 C2 C6 CK" in text
    assert text.rstrip().endswith("*")


def test_the_auction_tells_contract_and_declarer_where_no_tag_does():
    (deal,) = parse_pbn(deal_with('[Auction "E"]', "1H Pass 2H! $4 X =1= ; said", "AP"), "f")
    # 2H was named first by east, whose side it is; all passed after the double
    assert (deal.contract, deal.declarer) == (Contract(2, 1, 1), 1)


@pytest.mark.parametrize(
    "lines",
    [
        ["; a comment alone"],
        ["{ over", "[Deal", "three lines }"],
        ["% escaped"],
        ["N 7 8 9 10 7", "S 7 8 9 10 7"],  # statistics without a tag of their own
        ['[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]', "N NT 7", "N S 8"],
        ['[Contract "?"]'],
        ['[Contract ""]'],
        ['[Declarer "?"]', '[Result ""]', '[Play "?"]'],
        ['[Contract "Pass"]'],
        ['[Contract "Passed Out"]'],
        ['[Contract "AP"]'],
        ['[Site "quoted \\" and ; and {"]'],
        ['[Event "#"]', '[North "#"]'],  # cut out of a larger file
    ],
)
def test_what_is_found_in_the_wild_is_read(lines):
    (deal,) = parse_pbn(deal_with(*lines), "f")
    assert deal.hands == read_hands(HANDS)
    assert deal.contract is None
    assert not deal.play


def test_suits_may_be_named_inside_hands_and_left_out_if_void():
    named = "N:H63.DAKQ987.CA9732 SA8654.HKQ5.DT.CQJT6 - SKQ102.HAT.DJ6542.C85"
    (deal,) = parse_pbn(f'[Deal "{named}"]', "f")
    whole = read_hands(HANDS)
    assert deal.hands == (whole[0], whole[1], None, whole[3])


def test_symbols_stand_for_suits():
    named = "N:♥63.♦AKQ987.♣A9732 ♠A8654.♥KQ5.♦T.♣QJT6 ? ♠KQ102.♥AT.♦J6542.♣85"
    text = f'[Deal "{named}"]\n[Contract "4♠"]\n[Declarer "S"]\n[Play "W"]\n♦J ♦\ufe0fA ♦T\n'
    (deal,) = parse_deals(text, "f")
    whole = read_hands(HANDS)
    assert deal.hands == (whole[0], whole[1], None, whole[3])
    assert deal.contract == Contract(4, 0) == read_contract("4♤")
    assert [card_name(card) for card in deal.play] == ["DJ", "DA", "DT"]
    assert read_cards("♥A♣10") == read_cards("HA CT")


@pytest.mark.parametrize(
    ("values", "read"),
    [
        (("None", "Love", "Nil", "-", "0", "o", "none vul"), "None"),
        (("NS", "N-S", "N/S", "n", "NS vul"), "NS"),
        (("EW", "e-w", "E/W", "E"), "EW"),
        (("All", "Both", "b", "Both Vul"), "All"),
        (("?", ""), ""),
    ],
)
def test_who_is_vulnerable_is_spelled_in_many_ways(values, read):
    for value in values:
        (deal,) = parse_pbn(deal_with(f'[Vulnerable "{value}"]'), "f")
        assert deal.vulnerable == read


def test_the_deal_may_begin_at_any_seat():
    words = HANDS[2:].split()
    turned = "E:" + " ".join(words[1:] + words[:1])
    assert read_hands(turned) == read_hands(HANDS)


def test_a_value_is_taken_over_from_the_game_before():
    text = GAME + '\n[Board "2"]\n[Deal "#"]\n[Vulnerable "##EW"]\n\n[Deal "#"]\n[Board "#"]\n'
    one, two, three = parse_pbn(text, "f")
    assert one.hands == two.hands == three.hands
    assert [deal.board for deal in (one, two, three)] == ["1", "2", "2"]
    assert [deal.vulnerable for deal in (one, two, three)] == ["None", "EW", "EW"]


def test_several_games_and_empty_lines():
    text = '[Event "e"]\n\n' + GAME + "\n\n" + GAME.replace('[Board "1"]', '[Board "7"]')
    assert [deal.board for deal in parse_pbn(text, "f")] == ["1", "7"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no tag\n", "f, line 1: 'no tag' is neither a tag nor a comment"),
        ('[Board "1"]\n', "f, line 1: the game that begins here has no Deal"),
        ('[Deal "#"]\n', "f, line 1: deal is #, as before, but no game before it"),
        ('[Deal "N:- - -"]\n', "f, line 1: the deal has 3 hands"),
        (f'[Deal "{HANDS[2:]}"]', "does not begin with a seat"),
        (f'[Deal "{HANDS.replace(".63.", ".62.")}"]', "H2 is in two hands, North and South"),
        (f'[Deal "{HANDS.replace(".63.", ".6.")}"]', "North has 12 cards; a hand has 13; miss"),
        (f'[Deal "{HANDS.replace(".63.", ".6Z.")}"]', "'Z' is no rank"),
        (f'[Deal "{HANDS.replace(".63.", "63.")}"]', "is no hand: four suits"),
        (deal_with('[Contract "8S"]'), "f, line 2: '8S' is no contract"),
        (deal_with('[Dealer "X"]'), "f, line 2: 'X' is no seat"),
        (deal_with('[Result "14"]'), "f, line 2: Result is '14'"),
        (deal_with('[Vulnerable "we"]'), "f, line 2: Vulnerable is 'we'"),
        (deal_with('[DoubleDummyTricks "123"]'), "f, line 2: DoubleDummyTricks is '123'"),
        (deal_with('[Board "1]'), 'f, line 2: a value without its closing "'),
        (deal_with("{ begun", "here"), "f, line 2: a comment without its }"),
        (deal_with("[Board 1]"), "f, line 2: '[Board 1]' is no tag"),
        (deal_with('[Auction "N"]', "2H 1S"), "f, line 2: the bid 1S is no higher than 2H"),
        (deal_with('[Auction "N"]', "9C"), "f, line 3: '9C' is no call"),
        (deal_with('[Play "W"]', "SK"), "f, line 3: cards were played, but the contract"),
        (
            deal_with('[Contract "3NT"]', '[Declarer "N"]', '[Play "W"]', "SK"),
            "f, line 4: W leads, who is not left of declarer",
        ),
        (
            deal_with('[Contract "3NT"]', '[Play "W"]', "SA"),
            "f, line 4: card 1, SA of West: West does not hold it",
        ),
        (
            deal_with('[Contract "3NT"]', '[Play "W"]', "DJ CA DT D3"),
            "f, line 4: card 2, CA of North: North has diamonds to follow",
        ),
        (
            deal_with('[Contract "3NT"]', '[Play "W"]', "DJ - DT D3"),
            "f, line 4: a card is missing before DT, which came after it",
        ),
        (
            deal_with('[Contract "3NT"]', '[Play "W"]', "DJ D7 DT D3", "D7"),
            "card 5, D7 of West: it was played before",
        ),
        (deal_with('[Contract "3NT"]', '[Play "W"]', "DX"), "f, line 4: 'DX' is no card"),
    ],
)
def test_faults_are_named_by_their_line(text, said):
    with pytest.raises(DataError) as fault:
        parse_pbn(text, "f")
    assert said in str(fault.value)
    assert len(str(fault.value).splitlines()) == 1


def test_of_a_hidden_hand_play_tells_what_it_can():
    hidden = f'[Deal "{HANDS.rsplit(" ", 1)[0]} -"]\n[Contract "3NT"]\n[Play "W"]\n'
    (deal,) = parse_pbn(hidden + "DJ DA DT D3\n- D7\n", "f")
    assert deal.play[-1] == parse_card("D7")
    with pytest.raises(DataError, match="card 1, SA of West: East holds it"):
        parse_pbn(hidden + "SA\n", "f")
    with pytest.raises(DataError, match="can hold none of that suit any more"):
        # west throws a spade on the second diamond, then plays one
        parse_pbn(hidden + "DJ DA DT D3\nSK DK S4 S3\nD2 DQ S5 S7\n", "f")


def test_files_in_other_encodings(tmp_path):
    path = tmp_path / "file.pbn"
    path.write_bytes('[West "Müller"]\n'.encode("latin-1") + GAME.encode())
    assert read_deals(path)[0].board == "1"
    path.write_bytes(GAME.encode("utf-16"))
    with pytest.raises(DataError, match="is written in UTF-16: save it as UTF-8"):
        read_deals(path)


def test_one_deal_a_line():
    deals = parse_pbn(GAME, "f")
    line = write_deals(deals, "line")
    assert line == HANDS + "\n"
    assert parse_deals(line, "f")[0].hands == deals[0].hands


def test_games_without_an_empty_line_between_them_are_all_read():
    one = f'[Event "x"]\n[Board "1"]\n[Deal "{HANDS}"]\n[Contract "1NT"]\n'
    deals = parse_pbn(one + one.replace('"1"', '"2"').replace("1NT", "2S X") + one, "x.pbn")
    assert [(deal.board, str(deal.contract)) for deal in deals] == [
        ("1", "1NT"),
        ("2", "2SX"),
        ("1", "1NT"),
    ]


def test_annotations_may_touch_what_they_are_of():
    text = GAME.replace("3H =1= 4S", "3H=1= 4S!?").replace("4NT =2= X ", "4NT$2=2= X ")
    assert parse_pbn(text, "x.pbn") == parse_pbn(GAME, "x.pbn")


@pytest.mark.parametrize(
    ("value", "tricks"), [("NS 9", 9), ("EW 4", 9), ("EW 4 NS 9", 9), ("^9", 9), ("ns 13", 13)]
)
def test_a_result_may_be_the_tricks_of_a_side(value, tricks):
    (deal,) = parse_pbn(GAME.replace('[Result "9"]', f'[Result "{value}"]'), "x.pbn")
    assert deal.result == tricks


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('[Contract "5HX"]', '[Contract "3NT"]'),
        ('[Dealer "N"]', '[Dealer "S"]'),
        ('[Result "9"]', '[Result "10"]'),
        ('[Vulnerable "None"]', '[Vulnerable "All"]'),
    ],
)
def test_a_tag_that_says_two_things_is_refused(first, second):
    name = first[1:].partition(" ")[0].lower()
    line = GAME.split("\n").index(first) + 1
    with pytest.raises(DataError, match=rf"x, line {line + 1}: {name} is .*on line {line}$"):
        parse_pbn(GAME.replace(first, f"{first}\n{second}"), "x")
    # the same again, or nothing, contradicts nothing; what is known is better than what is not
    (known,) = parse_pbn(GAME, "x")
    unknown = f'{first.partition(" ")[0]} "?"]'
    for more in (f"{first}\n{first}", f"{first}\n{unknown}", f"{unknown}\n{first}"):
        assert parse_pbn(GAME.replace(first, more), "x") == [known]


def test_a_second_auction_or_play_is_refused():
    for first, more in (("[Auction", '[Auction "N"]'), ("[Play", '[Play "W"]')):
        with pytest.raises(DataError, match=rf"x, line \d+: a second {first[1:].lower()}: "):
            parse_pbn(GAME + more, "x")


def test_other_tags_may_be_repeated():
    """Notes are, in every second file; nobody asks what else says."""
    first = '[Event "International"]'
    assert len(parse_pbn(GAME.replace(first, f'{first}\n[Site "A"]\n[Site "B"]'), "x")) == 1
