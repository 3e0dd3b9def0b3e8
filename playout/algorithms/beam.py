"""The beams of GNRPA: which sequences and policies a level keeps.

Sequences live in rows and policies in tables. Elements own rows and tables by number, so that
handing one over copies nothing; what nobody owns is on a list of free ones.

T. Cazenave and F. Teytaud, Beam NRPA, 2012; S. Edelkamp and T. Cazenave, Improved Diversity in
NRPA, 2016; the rule of different scores is that of T. Cazenave and T. Fournier, Monte Carlo
Inverse Folding, section 3.5.
"""

from __future__ import annotations

import numpy as np

from playout.algorithms.array_checks import is_partition, need, within
from playout.algorithms.search import Search
from playout.compiled import record

_NUMBERS = ("level", "P", "history", "diversity", "restart", "repetitions")
_FACTORS = ("alpha", "tau", "strength", "restart_length")
_FLAGS = ("doubling", "numbered")
OPTIONS = record(
    **dict.fromkeys(_NUMBERS, "i8"), **dict.fromkeys(_FACTORS, "f8"), **dict.fromkeys(_FLAGS, "i1")
)

LEVEL = record(
    N="i8",
    beam="i8",
    start_learning="i8",
    iteration="i8",
    last_progress="i8",  # the iteration that last raised the best score
    repeated="i8",  # how often the best sequence came back
    cursor="i8",  # the element from whose policy the level below is running
    kept="i8",  # elements of the beam
    fresh="i8",  # sequences that came up in this iteration
)

COUNTS = record(rows="i8", tables="i8", stamps="i8")  # free ones, free ones, those given

ELEMENT = record(score="f8", row="i8", table="i8", source="i8")

DIVERSITY = {"none": 0, "score": 1, "sequence": 2}


class BeamSearch(Search):
    """What keeps the beams of all levels; the arrays are made by `NestedPolicySearch`."""

    levels: np.ndarray
    kept: np.ndarray
    fresh: np.ndarray
    slot_rows: np.ndarray
    free_rows: np.ndarray
    free_tables: np.ndarray
    counts: np.ndarray
    table_stamps: np.ndarray
    used: np.ndarray

    def check_beams(self) -> np.ndarray:
        """ValueError unless each row and table has one owner; the rows that elements own."""
        levels, counts, rows = self.levels[1:], self.counts[0], len(self.lengths)
        within(levels["kept"], 1, levels["beam"], "elements of a beam")
        within(levels["cursor"], 0, levels["kept"] - 1, "a cursor")
        need(levels["cursor"][0] == 0, "a cursor of the lowest level")
        most_fresh = levels["cursor"] * np.concatenate([[0], levels["beam"][:-1]])
        within(levels["fresh"], 0, most_fresh, "new elements")
        kept = [self.kept[i + 1, :n] for i, n in enumerate(levels["kept"])]
        fresh = [self.fresh[i + 1, :n] for i, n in enumerate(levels["fresh"])]
        for old, new in zip(kept, fresh, strict=True):
            need((old["source"] == np.arange(len(old))).all(), "elements out of order")
            within(new["source"], 0, len(old) - 1, "the source of an element")
            within(new["row"], 0, rows - 1, "a row")
            scores = np.concatenate([old["score"], new["score"]])
            need(not np.isnan(scores).any(), "a score that is none")
        within(counts.rows, 0, len(self.free_rows), "free rows")
        within(counts.tables, 0, len(self.free_tables), "free tables")
        owned = np.concatenate([part["row"] for part in (*kept, *fresh)])
        within(owned, -1, rows - 1, "a row")
        owned = owned[owned >= 0]
        free = self.free_rows[: counts.rows]
        need(is_partition([self.slot_rows, owned, free], rows), "a row of two owners")
        tables = [part["table"] for part in kept]
        free = self.free_tables[: counts.tables]
        need(is_partition([*tables, free], len(self.used)), "a table of two owners")
        need((self.table_stamps[np.concatenate(tables)] > 0).all(), "a table without a stamp")
        return owned

    # rows and tables

    def row(self, slot):
        return self.slot_rows[slot]

    def _new_table(self):
        self.counts[0].tables -= 1
        return self.free_tables[self.counts[0].tables]

    def _drop_table(self, table):
        self.free_tables[self.counts[0].tables] = table
        self.counts[0].tables += 1

    def _drop_row(self, row):
        if row >= 0:
            self.free_rows[self.counts[0].rows] = row
            self.counts[0].rows += 1

    def _stamp(self, table):
        """A table with new contents: slots memorised for the old ones hold no more."""
        self.counts[0].stamps += 1
        self.table_stamps[table] = self.counts[0].stamps

    def _copy_table(self, source, target):
        for i in range(self.tables.shape[1]):
            self.tables[target, i] = self.tables[source, i]
        self.used[target] = self.used[source]
        self._stamp(target)

    def _merge(self, level):
        """The best `beam` elements among old and new; of equal scores the newest first."""
        this = self.levels[level]
        kept, fresh = self.kept[level], self.fresh[level]
        if this.beam == 1:
            best = -1
            for f in range(this.fresh):
                if fresh[f].score >= (kept[0].score if best < 0 else fresh[best].score):
                    best = f
            for f in range(this.fresh):
                if f != best:
                    self._drop_row(fresh[f].row)
            if best >= 0:
                self._drop_row(kept[0].row)
                kept[0].score = fresh[best].score
                kept[0].row = fresh[best].row
            this.fresh = 0
            return
        chosen = 0
        while chosen < this.beam:
            best_score, best_old, best_new = -np.inf, -1, -1
            for f in range(this.fresh):
                if fresh[f].row >= 0 and fresh[f].score >= best_score:
                    best_score, best_new = fresh[f].score, f
            for b in range(this.kept):
                if kept[b].source >= 0 and kept[b].score > best_score:
                    best_score, best_old, best_new = kept[b].score, b, -1
                elif kept[b].source >= 0 and best_old < 0 and best_new < 0:
                    best_old = b  # an element that has no sequence yet
            if best_new >= 0:
                element, source = fresh[best_new], fresh[best_new].source
                row = element.row
                element.row = -1
            elif best_old >= 0:
                element, source = kept[best_old], best_old
                row = element.row
                element.source = -1
            else:
                break
            if self._is_double(chosen, row, element.score):
                self._drop_row(row)
                continue
            self.merged[chosen].score = element.score
            self.merged[chosen].row = row
            self.merged[chosen].source = source
            chosen += 1
        for f in range(this.fresh):
            self._drop_row(fresh[f].row)
        for b in range(this.kept):
            if kept[b].source >= 0:
                self._drop_row(kept[b].row)
        self._hand_out_tables(level, chosen)
        this.kept = chosen
        this.fresh = 0

    def _hand_out_tables(self, level, chosen):
        """The first element from each old policy takes its table over, the others copy it."""
        kept = self.kept[level]
        for c in range(chosen):
            source = self.merged[c].source
            first = True
            for earlier in range(c):
                first &= self.merged[earlier].source != source
            if first:
                self.merged[c].table = kept[source].table
            else:
                self.merged[c].table = self._new_table()
                self._copy_table(kept[source].table, self.merged[c].table)
        for b in range(self.levels[level].kept):
            unused = True
            for c in range(chosen):
                unused &= self.merged[c].source != b
            if unused:
                self._drop_table(kept[b].table)
        for c in range(chosen):
            kept[c] = self.merged[c]
            kept[c].source = c

    def _is_double(self, chosen, row, score):
        """Whether the beam's diversity rule forbids a sequence beside those chosen."""
        diversity = self.options[0].diversity
        if row < 0 or diversity == 0:
            return False
        for c in range(chosen):
            if diversity == 1 and self.merged[c].score == score:
                return True
            if diversity == 2 and self._same_sequence(self.merged[c].row, row):
                return True
        return False

    def _same_sequence(self, a, b):
        if a < 0 or b < 0 or self.lengths[a] != self.lengths[b]:
            return False
        for i in range(self.lengths[a]):
            if self.codes[a, self.choices[a, i]] != self.codes[b, self.choices[b, i]]:
                return False
        return True
