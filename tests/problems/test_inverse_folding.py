"""RNA inverse folding: the model, NEMO's weights by hand, the score, constraints, files."""

from __future__ import annotations

import threading
import xml.etree.ElementTree as ElementTree
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import playout as po
from playout.errors import DataError, OptionError, ProblemError
from playout.problems import InverseFolding
from playout.problems.inverse_folding.folding import Folder, Model, ensemble, refold
from playout.problems.inverse_folding.referee import count_motifs
from playout.problems.inverse_folding.structure import BASES, PAIRS
from tests.support.bothways import random_game
from tests.support.forms import long
from tests.support.rna_cases import finished, moves_of, needs_vienna

quick = settings(max_examples=25, deadline=None, derandomize=True)


def biases(problem, before, place):
    """The weights, in percent, at a position after some bases are there ('-' for none)."""
    states = problem.root()
    for i, letter in enumerate(before):
        states[0].bases[i] = "-AUGC".index(letter)
    states[0].done = problem.first.tolist().index(place)
    moves = problem.new_moves()
    n = problem.moves(states[0], moves)
    found = [100 * np.exp(problem.bias(states[0], moves[k])) for k in range(n)]
    return [round(float(weight), 6) for weight in found]


class TestWeights:
    """The tables of section 2.3, each in a structure where it holds."""

    def test_pairs_in_general(self):
        problem = InverseFolding("(((....)))")
        assert biases(problem, "", 1) == [30, 30, 16.5, 16.5, 3.5, 3.5]

    def test_touching_stacks_of_a_junction(self):
        """Going round the loop the first of two that touch is the right one, mostly AU."""
        problem = InverseFolding("((((...))))((((...))))")
        assert problem.pair_kind.max() == 0  # the exterior loop is no junction
        problem = InverseFolding("(.((....)).((....)))")
        #                         0 2      9 11    18 19
        assert biases(problem, "", 0) == [41, 41, 5.5, 5.5, 3.5, 3.5]  # left of (11, 18)
        assert biases(problem, "", 11) == [18.5, 18.5, 28, 28, 3.5, 3.5]  # right of (0, 19)
        assert biases(problem, "", 2) == [30, 30, 16.5, 16.5, 3.5, 3.5]
        between = InverseFolding("(((....))((....))((....)))")
        assert biases(between, "", 9) == [30, 30, 16.5, 16.5, 3.5, 3.5]  # touched on both sides
        assert biases(between, "", 0) == [30, 30, 16.5, 16.5, 3.5, 3.5]

    def test_unpaired_in_general_and_in_hairpins(self):
        problem = InverseFolding("...(((....)))...")
        for place in (0, 6, 7, 8, 9, 15):
            assert biases(problem, "", place) == [93, 1, 5, 1]

    def test_junctions_and_the_exterior(self):
        problem = InverseFolding("..(.((...)).((...)).)..")
        for place in (1, 3, 11, 19, 21):
            assert biases(problem, "", place) == [97, 1, 1, 1]
        assert biases(problem, "", 0) == [93, 1, 5, 1]

    def test_a_paired_mismatch(self):
        """The bulge at 2 has the paired base 12 across the pair (3, 11)."""
        problem = InverseFolding("((.(((...))))).", order="pairs")
        assert problem.structure.partner[3] == 11
        rows = {"A": [63, 0.1, 25, 12], "U": [0.1, 55, 9, 36], "G": [25, 12, 63, 0.1],
                "C": [55, 36, 0.1, 9]}  # fmt: skip
        for letter, row in rows.items():
            assert biases(problem, "-" * 12 + letter, 2) == row
        assert biases(problem, "-" * 12, 2) == [93, 1, 5, 1]

    def test_internal_loops(self):
        """Positions 3 and 12 are across the pair (4, 11), 2 and 13 across the pair (1, 14)."""
        problem = InverseFolding("((..((....))..))")
        assert problem.mismatch[3] == 12
        assert problem.mismatch[2] == 13
        assert biases(problem, "", 3) == [18, 4, 74, 4]
        rows = {"A": [44, 0.1, 44, 12], "U": [0.1, 67, 11, 22], "G": [67, 11, 22, 0.1],
                "C": [66, 17, 0.1, 17]}  # fmt: skip
        for letter, row in rows.items():
            assert biases(problem, "-" * 3 + letter, 12) == row

    def test_the_tables_add_up(self):
        problem = InverseFolding("...")
        pairs, bases = np.exp(problem.pair_bias).sum(axis=1), np.exp(problem.base_bias).sum(axis=1)
        assert abs(pairs - 1).max() < 1e-9
        assert abs(bases - 1).max() < 0.0101  # rounding in print, and 0.1% for nothing


CONSTRAINTS = {"order": "string", "gc_min": 45, "gc_max": 55, "forbid": "AAAA,GGG,NUUR"}


class TestModel:
    def test_orders(self):
        by_string = InverseFolding("(.(...).)", order="string")
        assert by_string.first.tolist() == [0, 1, 2, 3, 4, 5, 7]
        assert by_string.second.tolist() == [8, -1, 6, -1, -1, -1, -1]
        pairs = InverseFolding("(.(...).)")
        assert pairs.first.tolist() == [0, 2, 1, 3, 4, 5, 7]

    def test_six_pairs_and_four_bases(self):
        problem = InverseFolding("(...)")
        moves = problem.new_moves()
        states = problem.root()
        assert problem.moves(states[0], moves) == 6
        assert [problem.move_text(states[0], m) for m in moves] == [
            "1G-5C",
            "1C-5G",
            "1A-5U",
            "1U-5A",
            "1G-5U",
            "1U-5G",
        ]
        problem.play(states[0], moves[4])
        assert problem.sequence(states[0]) == "G---U"
        assert problem.moves(states[0], moves) == 4
        assert [problem.move_text(states[0], m) for m in moves[:4]] == ["2A", "2U", "2G", "2C"]

    def test_codes(self):
        """Index and number, as in section 3.6; the same in every state."""
        problem = InverseFolding("(...)")
        state, moves = problem.root(), problem.new_moves()
        problem.moves(state[0], moves)
        assert [int(problem.code(state[0], m)) for m in moves] == [4000 * k for k in range(6)]

    @quick
    @given(st.integers(0, 2**32), st.integers(1, 150), st.sampled_from(["string", "pairs"]))
    def test_every_game_is_a_sequence_of_pairs(self, seed, n, order):
        problem = InverseFolding.random(seed, n=n, order=order)
        moves, states = random_game(problem, seed)
        sequence = problem.sequence(states[0])
        assert problem.fault(sequence) == ""
        assert (moves_of(problem, sequence) == moves).all()
        again = InverseFolding.parse(problem.write(), "text")[0]
        assert again.target == problem.target

    @needs_vienna
    @pytest.mark.parametrize(
        "problem",
        [
            long(InverseFolding.default()),
            long(InverseFolding.default(**CONSTRAINTS)),
            InverseFolding("((((....))))..((((....))))"),
            InverseFolding("((((....))))..((((....))))", **CONSTRAINTS),
            InverseFolding("......"),
        ],
        ids=["plain", "constraints", "plain and small", "constraints and small", "no pairs"],
    )
    def test_it_keeps_the_contract(self, problem):
        report = po.check_problem(problem, games=2)
        assert report.passed, report


@needs_vienna
class TestScore:
    def test_by_hand(self):
        """GGGAAACCC in (((...))): its fold. For the target '.........' 3 pairs differ."""
        sequence = "GGGAAACCC"
        problem = InverseFolding("(((...)))")
        fold = problem.fold(sequence)
        assert (fold.structure, fold.distance) == ("(((...)))", 0)
        assert fold.energy == fold.target_energy == -120
        assert problem.final_score(finished(problem, sequence)) == 1.0
        # nothing is paired, energy 0 and 1.2 above the fold: K = 1 - 3 / 2, score K (1 + 1.2)
        empty = InverseFolding(".........")
        assert empty.final_score(finished(empty, sequence)) == pytest.approx(-0.5 * 2.2)
        # one more pair than the fold: K = 1 - 1 / 8
        target = "((((...))))"
        problem = InverseFolding(target)
        sequence = "UGGGAAACCCG"
        fold = problem.fold(sequence)
        assert fold.distance == 1
        gap = (fold.target_energy - fold.energy) / 100
        assert gap > 0
        expected = (1 - 1 / 8) / (1 + gap)
        assert problem.final_score(finished(problem, sequence)) == pytest.approx(expected)

    def test_verify_folds_again(self):
        problem = InverseFolding.default()
        for seed in range(5):
            moves, states = random_game(problem, seed)
            assert problem.verify(moves) == pytest.approx(problem.final_score(states), rel=1e-12)
        moves[0]["index"] = 3
        with pytest.raises(ProblemError, match="position"):
            problem.verify(moves)

    def test_the_table_of_sequences(self):
        problem = InverseFolding.default()
        _, states = random_game(problem, 1)
        first = problem.evaluate(np.concatenate([states, states]))
        assert first[0] == first[1]
        assert len(problem._known) == 1
        problem._most_known = 1
        problem.evaluate(random_game(problem, 2)[1])
        assert len(problem._known) == 1
        problem.folder.fold = None  # not needed for what is known
        assert problem.evaluate(random_game(problem, 2)[1])[0] <= 1

    def test_excluded_designs(self):
        problem = InverseFolding("(((...)))")
        problem.excluded.add("GGGAAACCC")
        assert problem.final_score(finished(problem, "GGGAAACCC")) == 0.0
        assert problem.verify(moves_of(problem, "GGGAAACCC")) == 0.0
        assert problem.final_score(finished(problem, "GGCAAAGCC")) == 1.0

    def test_models_do_not_disturb_each_other(self):
        import RNA

        sequence, target = "GGGGAAAACCCCAGGGGCUUCGGCCCC", "((((....)))).((((......))))."[:27]
        models = [
            Model(p, d, t)
            for p in ("default", "turner1999")
            for d in (0, 1, 2)
            for t in (37.0, 60.0)
        ]
        alone = {model: refold(sequence, target, model) for model in models}
        assert len({fold.energy for fold in alone.values()}) > 4
        folders = {model: Folder(target, model) for model in models}
        for model in reversed(models):
            assert folders[model].fold(sequence.encode()) == alone[model]
        compound = RNA.fold_compound(sequence)  # the library's own state is its default
        assert round(100 * compound.mfe()[1]) == alone[Model()].energy

    def test_threads_fold_alike(self):
        problem = InverseFolding.random(3, n=60)
        states = np.concatenate([random_game(problem, seed)[1] for seed in range(40)])
        expected = problem.evaluate(states)
        results: dict[int, np.ndarray] = {}

        def work(number: int) -> None:
            own = InverseFolding(problem.target)
            results[number] = own.evaluate(states)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all((result == expected).all() for result in results.values())

    def test_the_ensemble(self):
        found = ensemble("GGGGAAAACCCC", "((((....))))", Model())
        assert found.energy < -5.0
        assert 0.5 < found.probability <= 1.0
        other = ensemble("GGGGAAAACCCC", "............", Model())
        assert other.probability < 0.001


class TestConstraints:
    @quick
    @given(st.integers(0, 2**32), st.data())
    def test_given_bases(self, seed, draw):
        problem = InverseFolding.random(seed, n=50)
        design = problem.sequence(random_game(problem, seed)[1][0])
        letters = {"A": "ARWMDHVN", "C": "CYSMBHVN", "G": "GRSKBDVN", "U": "UTYWKBDHN"}
        bases = "".join(draw.draw(st.sampled_from(letters[base])) for base in design)
        given_bases = InverseFolding(problem.target, bases=bases)
        states = random_game(given_bases, seed)[1]
        found = given_bases.sequence(states[0])
        sets = {
            "R": "AG",
            "Y": "CU",
            "S": "CG",
            "W": "AU",
            "K": "GU",
            "M": "AC",
            "B": "CGU",
            "D": "AGU",
            "H": "ACU",
            "V": "ACG",
            "N": "ACGU",
            "T": "U",
        }
        assert all(base in sets.get(letter, letter) for base, letter in zip(found, bases))
        assert all(
            found[i] + found[j] in PAIRS
            for i, j in enumerate(given_bases.structure.partner)
            if i < j
        )

    @quick
    @given(st.integers(0, 2**32), st.integers(0, 90), st.integers(4, 30))
    def test_gc_content(self, seed, low, width):
        problem = InverseFolding.random(seed, n=48, gc_min=low, gc_max=min(100, low + width))
        sequence = problem.sequence(random_game(problem, seed)[1][0])
        share = 100 * sum(base in "GC" for base in sequence) / 48
        assert low - 1e-9 <= share <= low + width + 1e-9

    @quick
    @given(st.integers(0, 2**32), st.sampled_from(["GGG,CCC", "AAA", "RYRY", "SS,WWWW", "N"]))
    def test_motifs(self, seed, forbid):
        """What is counted in the state is what is in the letters; moves avoid it where they can."""
        problem = InverseFolding.random(seed, n=40)
        if forbid == "N":
            with pytest.raises(OptionError, match="position 1 has it"):
                InverseFolding(problem.target, forbid=forbid)
            return
        problem = InverseFolding(problem.target, forbid=forbid)
        states = random_game(problem, seed)[1]
        sequence = problem.sequence(states[0])
        assert states[0].broken == count_motifs(sequence, problem.forbidden)
        if forbid in ("AAA", "GGG,CCC"):
            free = InverseFolding("." * 40, forbid=forbid)
            assert random_game(free, seed)[1][0].broken == 0

    def test_motifs_by_hand(self):
        problem = InverseFolding(".....", forbid="AAU")
        states = finished(problem, "AAAUA")
        assert states[0].broken == 1

    @needs_vienna
    def test_motifs_lower_the_score(self):
        problem = InverseFolding("(((...)))", forbid="AAA")
        assert problem.final_score(finished(problem, "GGGAAACCC")) == 0.0
        assert problem.verify(moves_of(problem, "GGGAAACCC")) == 0.0

    @needs_vienna
    @pytest.mark.long
    def test_a_search_within_all_of_them(self):
        problem = InverseFolding(
            "((((....))))..((((....))))",
            bases="GG" + "N" * 24,
            gc_min=50,
            gc_max=60,
            forbid="AAAA,GGGG",
        )
        result = po.solve(problem, po.GNRPA(level=1, P=4), po.Playouts(2000) | po.Target(1), seed=1)
        assert (result.score, result.verified) == (1.0, True)
        sequence = problem.sequence(result.final_state(problem)[0])
        assert sequence.startswith("GG")
        assert "AAAA" not in sequence
        assert 13 <= sum(base in "GC" for base in sequence) <= 15


BAD = [
    (("((.)",), {}, "position 1: '\\(' is never closed"),
    (("(...))",), {}, "position 6: '\\)' closes nothing"),
    (("(..x..)",), {}, "position 4: 'x' is none of"),
    (("[...]",), {}, "position 1: '\\[' is none of .* pseudoknots"),
    (("",), {}, "the structure is empty"),
    (("." * 4001,), {}, "4,001 positions; at most 4,000"),
    (("..(..)",), {}, "position 3: a hairpin of 2 unpaired bases"),
    (("((" + "." * 20 + "(...)" + "." * 11 + "))",), {}, "position 2: an internal loop of 31"),
    (("(...)",), {"bases": "NNN"}, "3 letters for a structure of 5"),
    (("(...)",), {"bases": "NNXNN"}, "position 3: 'X' is no IUPAC letter"),
    (("(...)",), {"bases": "ANNNM"}, "positions 1 and 5 are paired.* no A pairs with M"),
    (("(...)",), {"gc_min": 60, "gc_max": 50}, "the lower first"),
    (("(...)",), {"gc_min": 41, "gc_max": 59}, "no number of 5 bases"),
    (("(...)",), {"bases": "ANNNN", "gc_min": 80}, "impossible.* allow 0% to 60%"),
    (("(...)",), {"forbid": "AXA"}, "'X' is no IUPAC letter"),
    (("(...)",), {"bases": "NAAAN", "forbid": "AA"}, "position 2 has it"),
    (("(...)",), {"model": "turner"}, "one of default, turner1999"),
    (("(...)",), {"dangles": 4}, "one of 0, 1, 2, 3"),
    (("(...)",), {"temperature": 300.0}, "from 0 to 100"),
    (("(...)",), {"order": "random"}, "one of string, pairs"),
]


@pytest.mark.parametrize(("arguments", "options", "message"), BAD)
def test_bad_input(arguments, options, message):
    with pytest.raises((DataError, OptionError), match=message) as error:
        InverseFolding(*arguments, **options)
    assert "\n" not in str(error.value)


def test_files():
    text = "; targets\n(((...)))\nhairpin  ((((...))))\n>two names\n((...))..\n"
    problems = InverseFolding.parse(text, "file")
    assert [p.target for p in problems] == ["(((...)))", "((((...))))", "((...)).."]
    assert [p.name for p in problems] == ["", "hairpin", "two names"]
    with pytest.raises(DataError, match="file, line 2: position 3: 'x'"):
        InverseFolding.parse("(...)\n((x..))\n", "file")
    with pytest.raises(DataError, match="line 1: there is no structure"):
        InverseFolding.parse("what is this\n", "file")


@needs_vienna
def test_pictures():
    problem = InverseFolding("(((...)))")
    states = finished(problem, "GGGAAACCC")
    drawn = problem.render(states[0])
    assert "fold      (((...)))" in drawn
    assert "-1.20 kcal/mol, G+C 67%, probability" in drawn
    wrong = problem.render(finished(problem, "AAAAAAUUU")[0])
    assert "^^^   ^^^" in wrong
    assert "differs in 3 pairs" in wrong
    assert problem.render(problem.root()[0]).endswith("sequence  ---------")
    assert ElementTree.fromstring(problem.svg(states[0])).tag.endswith("svg")
    assert ElementTree.fromstring(problem.svg(problem.root()[0])).tag.endswith("svg")
    long = InverseFolding.random(1, n=200)
    assert all(len(line) <= 100 for line in long.render(long.root()[0]).splitlines())


def test_logarithms_of_the_paper():
    """beta is the logarithm of NEMO's probability."""
    problem = InverseFolding("...")
    assert problem.base_bias[0, BASES.index("A")] == pytest.approx(log(0.93))
    assert problem.pair_bias[0, PAIRS.index("GC")] == pytest.approx(log(0.30))
