"""Parts of a tree search of one's own, in Python, in a file and on the page."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import playout as po
from playout.gametree.parts import Backup, PlayoutPolicy, TreePolicy
from playout.gametree.simulate import edge_value
from playout.gametree.tree_arrays import UNIT
from playout.gametree.tree_session import TreeSession
from tests.support.fork_game import Fork
from tests.support.forms import FORMS


@pytest.fixture(scope="module")
def fork():
    return Fork()


class TestOwnParts:
    @pytest.mark.parametrize("compiled", FORMS)
    def test_a_tree_policy_of_ones_own(self, fork, compiled):
        class Greedy(TreePolicy):
            def bound(self, prepared, n, q, squares, prior, amaf_n, amaf_q):
                return q

        algorithm = po.TreeSearch(Greedy())
        result = po.search(fork, algorithm, po.Playouts(200), seed=1, compiled=compiled)
        assert result.simulations == 200
        assert result.algorithm == "Greedy"

    @pytest.mark.parametrize("compiled", FORMS)
    def test_a_playout_policy_of_ones_own(self, fork, compiled):
        class First(PlayoutPolicy):
            def choose(self, game, state, moves, n, rng):
                return 0

        algorithm = po.TreeSearch("uct", First())
        result = po.search(fork, algorithm, po.Playouts(2), seed=1, compiled=compiled)
        # with one visit each: a1 a1 gives 1, a2 a1 gives 0.5
        assert sorted(move.value for move in result.moves) == [0.5, 1.0]

    @pytest.mark.parametrize("compiled", FORMS)
    def test_a_backup_of_ones_own(self, fork, compiled):
        """Who sees the worst of few visits looks at every move in turn."""

        class Wary(Backup):
            fields = ("doubt",)

            def __init__(self, *, doubt: float = 1.0):
                self.doubt = doubt

            def wants_top(self):
                return True

            def value(self, mean, top, n):
                return mean - self.doubt * (top - mean) / n

        algorithm = po.TreeSearch("uct", backup=Wary(doubt=0.5))
        session = TreeSession(fork, algorithm, seed=1, compiled=compiled)
        session.run(po.Playouts(100))
        tree = session.tree
        edge = int(tree.first[int(tree.head[0].root)])
        visits = int(tree.edge_visits[edge])
        mean, top = tree.edge_totals[edge] / UNIT / visits, tree.edge_top[edge]
        value = edge_value(tree, edge, 0, algorithm.backup)
        assert value == pytest.approx(mean - 0.5 * (top - mean) / visits)
        assert algorithm.text == "uct:backup=Wary,doubt=0.5"

    @pytest.mark.long
    def test_parts_in_a_file(self, tmp_path, fork):
        path = tmp_path / "mine.py"
        path.write_text(
            "from playout.gametree.parts import PlayoutPolicy\n"
            "class Last(PlayoutPolicy):\n"
            "    fields = ('shift',)\n"
            "    def __init__(self, *, shift: int = 0):\n"
            "        self.shift = shift\n"
            "    def choose(self, game, state, moves, n, rng):\n"
            "        return n - 1 - self.shift\n"
        )
        algorithm = po.TreeSearch.parse(f"uct:playout={path}:Last,shift=1")
        assert algorithm.playout.shift == 1
        assert po.search(fork, algorithm, po.Playouts(50), seed=1).simulations == 50


@pytest.mark.long
def test_the_page():
    page = (Path(__file__).parents[2] / "docs" / "treesearch.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.S)
    scope: dict = {"__name__": "on_the_page"}
    exec(compile(next(b for b in blocks if "class Greedy" in b), "treesearch.md", "exec"), scope)
    examples = doctest.DocTestParser().get_doctest(page, scope, "treesearch.md", None, 0)
    result = doctest.DocTestRunner().run(examples)
    assert (result.failed, result.attempted) == (0, 7)
