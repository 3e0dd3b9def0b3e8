"""`playout bridge` as a user meets it: advice, hands played out, tables, files, bad input."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from playout.cards.dds import installed
from tests.support.cli_shell import Shell

HANDS = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
HIDDEN = "N:QJ6.K652.J85.T98 - K5.T83.KQ9.A7652 -"
PBN = f"""[Board "1"]
[Deal "{HANDS}"]
[Contract "2S"]
[Declarer "W"]
[Play "N"]
CT C4 CA CJ
HK H9 H8 H4
*
"""


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    made = Shell(tmp_path)
    made.write("deal.pbn", PBN)
    return made


@pytest.mark.skipif(not installed(), reason="no endplay (extra bridge)")
def test_a_table(shell: Shell) -> None:
    text = shell("bridge", "deal.pbn", "--table").stdout
    assert text.splitlines()[1].split() == ["N", "E", "S", "W"]
    assert text.splitlines()[2].split() == ["NT", "6", "6", "6", "6"]
    assert text.splitlines()[3].split() == ["S", "5", "8", "5", "8"]
    data = shell.json("bridge", HANDS, "--table")
    assert data["tricks"]["D"] == {"N": 5, "E": 7, "S": 5, "W": 7}


def test_formats(shell: Shell) -> None:
    lin = shell("bridge", "deal.pbn", "--format", "lin").stdout
    shell.write("deal.lin", lin)
    again = shell("bridge", "deal.lin", "--format", "pbn").stdout
    assert "HK H9 H8 H4" in again
    assert '[Contract "2S"]' in again
    assert shell("bridge", "deal.lin", "--format", "line").stdout == HANDS + "\n"
    assert shell.json("bridge", "deal.pbn", "--format", "pbn")["deals"][0]["play"][:2] == [
        "CT",
        "C4",
    ]


def test_ctrl_c_gives_the_tables_so_far(shell: Shell, monkeypatch) -> None:
    def interrupted(deal) -> tuple[int, ...]:
        signal.raise_signal(signal.SIGINT)
        return tuple(range(20))

    monkeypatch.setattr("playout.tasks.bridge_advice.tricks_table", interrupted)
    shell.write("three.txt", f"{HANDS}\n" * 3)
    done = shell("bridge", "three.txt", "--table")
    assert done.returncode == 130
    assert done.stdout.count(HANDS) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("no.pbn",), "no.pbn: there is no such file"),
        ((HANDS,), "there is no contract: give --contract"),
        ((HANDS, "--contract", "3NT"), "declarer is not known: give --by"),
        ((HANDS, "--contract", "8NT", "--by", "S"), "'8NT' is no contract"),
        ((HANDS, "--contract", "3NT", "--by", "X"), "'X' is no seat"),
        ((HANDS.replace("QJ6", "QJ"), "--table"), "North has 12 cards; a hand has 13"),
        ((HANDS.replace("QJ6", "QJ5"), "--table"), "S5 is in two hands, North and South"),
        ((HANDS, "--contract", "3NT", "--by", "S", "--play", "SK"), "West does not hold it"),
        (
            (HANDS, "--contract", "3NT", "--by", "S", "--play", "ST D5"),
            "card 2, D5 of North: North has spades to follow",
        ),
        ((HANDS, "--contract", "3NT", "--by", "S", "--play", "S1"), "'S1' is no card"),
        ((HIDDEN, "--contract", "3NT", "--by", "S"), "West is to play or decides, but that hand"),
        (
            (HIDDEN, "--contract", "3NT", "--by", "W", "--play", "SQ S3 S5 S2"),
            "dummy's hand, East, is hidden after the lead",
        ),
        (("deal.pbn", "--worlds", "0"), "'0' is no count"),
        (("deal.pbn#2",), "the file has 1 deals"),
        (("deal.pbn#x",), "after # comes the number of a deal"),
        (("deal.pbn", "--after", "9"), "--after 9: 8 cards were played"),
        (("deal.pbn", "-o", "M=0"), "M=0"),
        (("deal.pbn", "-a", "pimc", "-o", "M=2"), "pimc is alphamu with M=1"),
        (("deal.pbn", "-o", "worlds=3"), "give --worlds"),
        (("deal.pbn", "--hcp", "N=30-20"), "a range within 0 to 37"),
        (("deal.pbn", "--hcp", "N=0-10"), "North's hand is seen by the player to move"),
        (("deal.pbn", "--length", "N=5-"), "no suit of SHDC after the seat"),
        ((HIDDEN, "--table"), "the table needs all four hands"),
        (("deal.pbn", "--finish", "--table"), "not allowed with"),
    ],
)
def test_mistakes_are_one_line(shell: Shell, words, said) -> None:
    done = shell("bridge", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


@pytest.mark.long
class TestSearch:
    def test_advice(self, shell: Shell) -> None:
        words = ("bridge", "deal.pbn", "--after", 5, "--worlds", 30, "--seed", 2, "-o", "M=2")
        text = shell(*words).stdout
        assert text.startswith("West to play, 2S by West, 0 of 8 tricks, 12 left   30 worlds")
        assert "PIMC says" in text
        assert "<- play" in text
        found = shell.json(*words)
        best = max(row["wins"] for row in found["cards"])
        assert found["cards"][0]["wins"] == best
        assert found["cards"][0]["cards"][-1] == found["play"]
        for row in found["cards"]:
            assert row["wins"] <= row["pimc_wins"]
            low, high = row["interval"]
            assert low <= row["wins"] / 30 <= high
        again = shell.json(*words)
        assert again["cards"] == found["cards"]

    def test_few_worlds_are_all_of_them(self, shell: Shell) -> None:
        words = ("bridge", HANDS, "--contract", "2S", "--by", "W", "--worlds", 4000)
        found = shell.json(*words, "--play", _played_down(HANDS, "2S", 40), "-o", "M=3")
        assert found["all_worlds"]
        assert found["worlds"] < 4000

    def test_a_contract_that_is_certain_says_so(self, shell: Shell) -> None:
        words = ("bridge", HANDS, "--contract", "6C", "--by", "W", "--worlds", 5)
        text = shell(*words, "--play", _played_down(HANDS, "6C", 44)).stdout
        assert "the contract is lost already: all cards are equal" in text

    def test_ranges_hold_in_every_world(self, shell: Shell) -> None:
        words = ("bridge", "deal.pbn", "--after", 5, "--worlds", 5, "-a", "pimc", "--seed", 1)
        done = shell(*words, "--hcp", "S=30-37")
        assert done.returncode == 2
        assert "no deal in 100,000 has 30-37 points in South" in done.stderr
        found = shell.json(*words, "--hcp", "N=4-8", "--length", "S.D=3-")
        assert found["M"] == 1

    def test_ctrl_c_gives_the_best_card_so_far(self, shell: Shell, monkeypatch) -> None:
        from playout.worlds.alphamu_session import _Rounds

        simulate = _Rounds.simulate

        def interrupted(rounds: _Rounds, goal: int) -> None:
            simulate(rounds, goal)
            signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr(_Rounds, "simulate", interrupted)
        done = shell("bridge", "deal.pbn", "--after", 5, "--worlds", 500, "-o", "M=9", "--json")
        found = json.loads(done.stdout)
        assert done.returncode == 130
        assert found["interrupted"]
        assert found["M"] < 9
        assert found["play"] in found["cards"][0]["cards"]

    def test_a_hand_is_played_out(self, shell: Shell) -> None:
        words = ("bridge", "deal.pbn", "--finish", "--worlds", 5, "-o", "M=1", "--seed", 3)
        for defence in ("pimc", "dds"):
            shell(*words, "--defence", defence, "--out", "played.pbn")
            data = shell.json("bridge", "played.pbn", "--format", "pbn")["deals"][0]
            assert len(data["play"]) == 52
            assert data["play"][:8] == ["CT", "C4", "CA", "CJ", "H8", "H4", "HK", "H9"]
            assert 0 <= data["result"] <= 13

    def test_ctrl_c_gives_the_cards_played_so_far(self, shell: Shell, monkeypatch) -> None:
        from playout.tasks import bridge_advice

        played, with_card = [], bridge_advice.with_card

        def interrupted(place, card):
            played.append(card)
            if len(played) == 5:
                signal.raise_signal(signal.SIGINT)
            return with_card(place, card)

        monkeypatch.setattr(bridge_advice, "with_card", interrupted)
        words = ("bridge", "deal.pbn", "--finish", "--worlds", 5, "-o", "M=1", "--seed", 3)
        done = shell(*words, "--json")
        found = json.loads(done.stdout)
        assert done.returncode == 130
        assert len(found["play"]) == 8 + 5
        assert found["made"] is None


def _played_down(hands: str, contract: str, cards: int) -> str:
    """The first cards of a hand in which everybody plays the lowest card that is legal."""
    from playout.games.bridge import Bridge

    game = Bridge(contract, "W", deal=hands)
    position = game.root()
    texts = []
    for _ in range(cards):
        move = game.legal_moves(position[0])[0]
        texts.append(game.move_text(position[0], move))
        game.play_move(position[0], move)
    return json.dumps(" ".join(texts)).strip('"')
