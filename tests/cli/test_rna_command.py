"""`playout rna` as a user meets it: its output and its exit codes."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.support.cli_shell import Shell
from tests.support.datafolder import DATA, needs_data
from tests.support.rna_cases import needs_vienna

HAIRPIN = "((((....))))"
QUICK = ("--seed", 1, "--workers", 1, "--seconds", 60, "-o", "level=1", "-o", "P=1", "-o", "beam=1")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def check(design: dict) -> None:
    """Fold it again, here."""
    import RNA

    assert RNA.fold_compound(design["sequence"]).mfe()[0] == design["target"]


@needs_vienna
@pytest.mark.long
class TestDesigns:
    def test_json(self, shell: Shell) -> None:
        found = shell.json("rna", HAIRPIN, *QUICK)
        assert list(found)[:6] == ["problem", "instance", "algorithm", "options", "seed", "score"]
        assert (found["problem"], found["score"], found["verified"]) == (
            "inversefolding",
            1.0,
            True,
        )
        assert found["structure"] == found["target"] == HAIRPIN
        assert found["energy"] < 0 < found["probability"] <= 1
        assert found["designs"][0]["sequence"] == found["sequence"]
        check(found)
        again = shell.json("rna", HAIRPIN, *QUICK)
        assert again["sequence"] == found["sequence"]

    def test_several_designs_of_several_targets_as_fasta(self, shell: Shell) -> None:
        shell.write("targets.txt", f"first {HAIRPIN}\n>second one\n..((((...))))..\n")
        done = shell("rna", "targets.txt", *QUICK, "--count", 3, "--save", "out.fasta")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.count("kcal/mol, probability") == 6
        assert f"target    {HAIRPIN}" in done.stdout
        assert f"fold      {HAIRPIN}" in done.stdout
        assert "design 3  " in done.stdout
        lines = (shell.folder / "out.fasta").read_text().splitlines()
        titles, sequences = lines[::2], lines[1::2]
        assert titles[0].startswith(">first_1 energy=-")
        assert titles[3].startswith(">second_one_1 energy=")
        assert len(set(sequences)) == 6
        for title, sequence in zip(titles, sequences, strict=True):
            check({"target": title.partition("structure=")[2], "sequence": sequence})

    def test_one_of_a_file(self, shell: Shell) -> None:
        shell.write("targets.txt", f"((...))\n{HAIRPIN}\n")
        assert shell.json("rna", "targets.txt#2", *QUICK)["target"] == HAIRPIN

    def test_constraints_and_model(self, shell: Shell) -> None:
        found = shell.json(
            "rna",
            HAIRPIN,
            *QUICK,
            "--bases",
            "GCNNNNNNNNNN",
            "--gc",
            "60:75",
            "--forbid",
            "AAAA",
            "--model",
            "turner1999",
            "--dangles",
            1,
            "--temperature",
            30,
        )
        assert found["sequence"].startswith("GC")
        assert "AAAA" not in found["sequence"]
        assert 60 <= found["gc"] <= 75

    def test_no_more_designs_than_there_are(self, shell: Shell) -> None:
        done = shell("rna", HAIRPIN, *QUICK, "--bases", "GGGGAAAACCCS", "--count", 3)
        assert done.returncode == 1
        assert "there are no more: the target and the given bases allow 1 in all" in done.stdout

    def test_a_target_that_is_not_found(self, shell: Shell) -> None:
        """Eight A and U pairs with a GU at each end never fold at 90 degrees."""
        words = ("rna", "((...))", "--seconds", "0.3", "--temperature", 95, "--workers", 2)
        done = shell(*words, "--save", "none.fasta")
        assert done.returncode == 1
        assert re.search(r"no design found in \d+ s", done.stdout)
        assert "a design has 1" in done.stdout
        assert "nothing was written" in done.stderr
        assert not (shell.folder / "none.fasta").exists()
        found = json.loads(shell(*words, "--json").stdout)
        assert (found["solved"], found["designs"]) == (False, [])

    @needs_data("eterna100/eterna100_puzzles.tsv")
    def test_a_puzzle_by_its_number(self, shell: Shell) -> None:
        shell.environment["PLAYOUT_DATA"] = str(DATA)
        found = shell.json("rna", "eterna100/3", *QUICK)
        assert (found["instance"], found["solved"]) == ("eterna100/3", True)

    @pytest.mark.long
    def test_solve_knows_the_problem_too(self, shell: Shell) -> None:
        found = shell.json(
            "solve",
            "inversefolding",
            "-p",
            f"target={HAIRPIN}",
            "-o",
            "level=1",
            "--playouts",
            50,
            "--target",
            1,
            "--seed",
            1,
        )
        assert (found["score"], found["verified"]) == (1.0, True)


BAD = [
    (["((...)"], "position 1: '(' is never closed"),
    (["((..))"], "position 2: a hairpin of 2 unpaired bases cannot form"),
    (["((.&.))"], "position 4: '&' is none of"),
    ([""], "the structure is empty"),
    (["nowhere.txt"], "nowhere.txt: there is no such file or instance"),
    (["targets.txt#9"], "there are 2 instances in the file"),
    (["bad.txt"], "bad.txt, line 2: position 2: ')' closes nothing"),
    (["empty.txt"], "the file is empty"),
    (["comment.txt"], "there is no structure in the file"),
    ([HAIRPIN, "--bases", "NNN"], "3 letters for a structure of 12"),
    ([HAIRPIN, "--bases", "A" * 12], "positions 1 and 12 are paired in the target, but no A"),
    ([HAIRPIN, "--gc", "60"], "not LOW:HIGH"),
    ([HAIRPIN, "--gc", "70:60"], "the lower first"),
    ([HAIRPIN, "--bases", "W" * 12, "--gc", "50:60"], "allow 0% to 0%"),
    ([HAIRPIN, "--forbid", "AZ"], "'Z' is no IUPAC letter"),
    ([HAIRPIN, "--dangles", "7"], "dangles=7: one of 0, 1, 2, 3"),
    ([HAIRPIN, "--temperature", "500"], "from 0 to 100"),
    ([HAIRPIN, "--model", "turner"], "invalid choice: 'turner'"),
    ([HAIRPIN, "--count", "0"], "'0' is no count"),
    ([HAIRPIN, "-o", "levle=2"], "did you mean level?"),
    ([HAIRPIN, "--save", "no/such/file"], "there is no folder no/such"),
    (["targets.txt", "--save", "targets.txt"], "would overwrite the targets"),
    (["." * 4001], "at most 4,000 can be folded"),
]


@needs_vienna
@pytest.mark.parametrize(("words", "message"), BAD)
def test_bad_input(shell: Shell, words: list[str], message: str) -> None:
    shell.write("targets.txt", f"((...))\n{HAIRPIN}\n")
    shell.write("bad.txt", "(...)\n.)\n")
    shell.write("empty.txt", "")
    shell.write("comment.txt", "; nothing\n")
    assert message in shell.refused("rna", *words)


def test_the_missing_extra(shell: Shell) -> None:
    """One line that says how to install it, before anything is compiled."""
    hidden = shell.folder / "hidden"
    hidden.mkdir()
    (hidden / "RNA.py").write_text("raise ImportError('hidden for a test')\n")
    shell.environment["PYTHONPATH"] = os.pathsep.join(
        filter(None, [str(hidden), shell.environment.get("PYTHONPATH", "")])
    )
    for words in (["rna", HAIRPIN], ["solve", "inversefolding", "--playouts", "5"]):
        assert "pip install 'playout[rna]'" in shell.refused(*words, process=True)
