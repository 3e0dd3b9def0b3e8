"""The page of a paper, and the list of them, as Markdown."""

from __future__ import annotations

import textwrap
from dataclasses import replace

from bench.papers.figures import figure
from bench.papers.results import FOLDER, Cell, Results, Table
from bench.papers.verdicts import (
    AGREES,
    DIFFERS,
    NOT_RUN,
    OURS_ALONE,
    UNDECIDED,
    Test,
    Verdict,
    judge,
)
from playout.report.as_markdown import escaped
from playout.study.runs_needed import about
from playout.text.numbers import MISSING, decimals_of, estimate, number, printed

WIDTH = 150
WORDS = (AGREES, DIFFERS, UNDECIDED, OURS_ALONE, NOT_RUN)
PLURAL = {AGREES: "agree", DIFFERS: "differ", UNDECIDED: "undecided"}
MOST_TESTS = 12  # that differ are listed one by one
FEW_TESTS = 2  # that are undecided are
OVER = "over "  # a value that a run was broken off at


def paper_page(results: Results) -> str:
    """The page of one paper."""
    verdicts = {table.name: judge(table) for table in results.tables}
    parts = [
        f"# {escaped(results.title)}",
        "After this page you know which of the paper's tables were run here, at what scale, and "
        "whether they agree.",
        f"{escaped(results.paper)}. `playout reproduce {results.name}` runs its tables, and "
        "[Experiments](../experiment.md) says how. [The papers](index.md) has the rules of the "
        "verdicts.",
        "## What the paper says",
        "\n".join(_wrapped(f"- {words}", "  ") for words in results.says),
        "## Verdicts",
        _verdict_table(results, verdicts),
    ]
    left = [table for table in results.tables if verdicts[table.name].word == NOT_RUN]
    for table in results.tables:
        if table not in left:
            parts += _table_parts(table, verdicts[table.name])
    if left:
        parts += ["## Not run", "What it takes is an estimate.", _left(left)]
    if results.sources:
        parts += ["## Where the figures come from", _sources(results)]
    return "\n\n".join(part if part.startswith("|") else _lines(part) for part in parts) + "\n"


def index_page(every: list[Results]) -> str:
    """The list of the papers, and the rules."""
    lines = [
        "| paper | agrees | differs | undecided | ours alone | not run |",
        "|---|---|---|---|---|---|",
    ]
    for results in every:
        found: dict[str, list[str]] = {}
        for table in results.tables:
            found.setdefault(judge(table).word, []).append(escaped(table.name))
        places = ["; ".join(found.get(word, [])) for word in WORDS]
        lines.append(f"| [{escaped(results.title)}]({results.name}.md) | {' | '.join(places)} |")
    contents = "\n".join(["```{toctree}", ":hidden:", "", *(r.name for r in every), "```"])
    rules = (FOLDER / "rules.md").read_text()
    return rules.replace("{table}", "\n".join(lines)).replace("{contents}", contents)


def _verdict_table(results: Results, verdicts: dict[str, Verdict]) -> str:
    lines = ["| table | verdict | tests | cells measured |", "|---|---|---|---|"]
    for table in results.tables:
        verdict = verdicts[table.name]
        measured = sum(cell.ours is not None for cell in table.cells)
        share = f"{measured} of {len(table.cells)}" if table.cells else MISSING
        lines.append(
            f"| {_heading(table)} | {verdict.word} | {_tally(verdict) or MISSING} | {share} |"
        )
    return "\n".join(lines)


def _heading(table: Table) -> str:
    name = f"Table {table.name}" if table.name[:1].isdigit() else table.name
    name = name[:1].upper() + name[1:]
    return escaped(f"{name}: {table.title}")


def _table_parts(table: Table, verdict: Verdict) -> list[str]:
    parts = [f"## {_heading(table)}", _legend(table), _grid(table)]
    if table.note:
        parts.append(escaped(_sentence(table.note)))
    tests = f" Tests: {_tally(verdict)}." if verdict.tests else ""
    parts.append(f"**{verdict.word.capitalize()}.**{tests}")
    if verdict.tests:
        parts.append(_test_lines(verdict))
    if table.why:
        parts.append(f"**Why it differs.** {table.why}" if verdict.word == DIFFERS else table.why)
    if table.more:
        parts.append(table.more)
    return parts


def _left(tables: list[Table]) -> str:
    """What was not run, and what it takes."""
    lines = ["| table | what it takes |", "|---|---|"]
    lines += [
        f"| {_heading(table)} | {table.more.replace('|', chr(92) + '|')} |" for table in tables
    ]
    return "\n".join(lines)


def _legend(table: Table) -> str:
    words = ["Ours / the paper's." if _has_paper(table) else "Our figures."]
    counts = sorted({cell.ours.count() for cell in table.cells if cell.ours is not None})
    unit = "runs"
    if any(cell.ours is not None and cell.ours.games for cell in table.cells):
        unit = "instances" if table.measure == "solved" else "games"
    if counts:
        span = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
        words.append(f"Behind each of ours: {span} {unit if counts != [1] else unit[:-1]}.")
    sources = sorted({cell.source for cell in table.cells if cell.ours is not None})
    words.append(f"Source: {', '.join(sources)}.")
    if table.measure != "count" and not _neither_is_better(table):
        words.append(f"{'Lower' if table.lower else 'Higher'} is better.")
    return " ".join(words)


def _neither_is_better(table: Table) -> bool:
    """Whether all that is claimed of a proof is what comes out, such as who wins."""
    kinds = {claim.kind for claim in table.claims}
    return table.measure == "proof" and kinds == {"figures"}


def _grid(table: Table) -> str:
    """The lines and columns that have anything in them."""
    filled = [cell for cell in table.cells if cell.ours is not None or cell.paper is not None]
    table = replace(table, cells=tuple(filled))
    columns = table.columns()
    lines = [
        f"| {' | '.join(map(escaped, [table.row_title or ' ', *columns]))} |",
        f"|---|{'--:|' * len(columns)}",
    ]
    for row in table.rows():
        cells = [table.cell(row, column) for column in columns]
        places = {cell.at for cell in cells if cell is not None and cell.ours is not None}
        same = places.pop() if len(places) == 1 else ""  # else each cell says it
        label = f"{row} (at {same})" if same else row
        texts = [_shown(table, cell, bool(places)) for cell in cells]
        lines.append(f"| {' | '.join([escaped(label), *texts])} |")
    return "\n".join(lines)


def _shown(table: Table, cell: Cell | None, with_budget: bool) -> str:
    """Our figure with its interval, its budget where told to, the paper's behind a stroke."""
    if cell is None:
        return ""
    ours = figure(table, cell)
    text = ""
    if ours is not None:
        value, spread = estimate(ours.value, ours.low, ours.high)
        text = f"{OVER * ours.over}{value} {spread}".strip()
        text += f" (at {cell.at})" * (with_budget and bool(cell.at))
    if cell.paper is not None:
        column = [other for other in table.cells if other.column == cell.column]
        value = printed(cell.paper, None, decimals_of(c.paper for c in column if c.paper))[0]
        if cell.half is not None:
            value += f" ± {number(cell.half, decimals_of(c.half for c in column if c.half))}"
        text = f"{text or MISSING} / {value}"
    return escaped(text)


def _has_paper(table: Table) -> bool:
    return any(cell.paper is not None for cell in table.cells)


def _tally(verdict: Verdict) -> str:
    """How many tests agree, differ, are undecided."""
    counts = {word: verdict.count(word) for word in PLURAL}
    return ", ".join(
        f"{count} {word if count == 1 else PLURAL[word]}" for word, count in counts.items() if count
    )


def _test_lines(verdict: Verdict) -> str:
    """A line for each claim, and under it what does not agree."""
    lines = []
    for claim in dict.fromkeys(test.claim for test in verdict.tests):
        tests = [test for test in verdict.tests if test.claim == claim]
        lines.append(_wrapped(f"- {claim.words} {_agreeing(tests)}", "  "))
        apart = [test for test in tests if test.verdict == DIFFERS]
        lines += [f"  - {_told(test)}" for test in apart[:MOST_TESTS]]
        if len(apart) > MOST_TESTS:
            lines.append(f"  - and {len(apart) - MOST_TESTS} more that differ.")
        open_ones = [test for test in tests if test.verdict == UNDECIDED]
        if len(open_ones) <= FEW_TESTS:
            lines += [f"  - {_told(test)}" for test in open_ones]
        else:
            lines.append(_wrapped(f"  - {_all_open(open_ones)}", "    "))
    return "\n".join(lines)


def _all_open(tests: list[Test]) -> str:
    """Several tests that are undecided: where, and what they would take."""
    words = f"undecided: {'; '.join(escaped(test.where) for test in tests)}."
    needed = sorted(test.needed for test in tests if test.needed is not None)
    if needed and tests[0].claim.kind != "reach":
        words += f" It would take {about(needed[0])} to {about(needed[-1]).removeprefix('about ')} "
        words += "games." if tests[0].ours is not None and tests[0].ours.games else "runs."
    return words


def _agreeing(tests: list[Test]) -> str:
    agree = sum(test.verdict == AGREES for test in tests)
    end = "." if agree == len(tests) else ":"
    if tests[0].claim.kind == "mostly" and agree:
        return f"It agrees, in {tests[0].where}."
    if len(tests) == 1:
        return f"It {'is ' * (tests[0].verdict == UNDECIDED)}{tests[0].verdict}{end}"
    return f"In {agree} of {len(tests)} it agrees{end}"


def _told(test: Test) -> str:
    """A test that does not agree: what it is about, and what it would take."""
    if test.ours is None:
        return "not measured."
    figures = (
        f"{OVER * test.ours.over}{_rounded(test.ours.value)} and "
        f"{OVER * test.rival_over}{_rounded(test.rival)}"
    )
    words = f"{escaped(test.where)}: {test.verdict}, {figures}"
    if test.chance is not None:
        words += f", p = {test.chance:.2g}" if test.chance >= 0.001 else ", p < 0.001"
    if test.verdict == UNDECIDED and test.needed is not None and test.claim.kind != "reach":
        words += f"; it would take {about(test.needed)} {'games' if test.ours.games else 'runs'}"
    return words + "."


def _rounded(value: float) -> str:
    return number(float(f"{value:.4g}"))


def _sources(results: Results) -> str:
    lines = ["| source | command or page | effort | machine | code |", "|---|---|---|---|---|"]
    for key, source in results.sources.items():
        command = source.command.replace("|", "\\|")
        lines.append(
            f"| {key} | {command} | {escaped(source.effort)} | {escaped(source.machine)} "
            f"| {escaped(source.code)} |"
        )
    return "\n".join(lines)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:].rstrip(".") + "."


def _wrapped(words: str, under: str = "") -> str:
    return textwrap.fill(
        words, WIDTH, subsequent_indent=under, break_long_words=False, break_on_hyphens=False
    )


def _lines(part: str) -> str:
    """A paragraph in lines that are not too long; what has lines already stays as it is."""
    return part if "\n" in part or part.startswith("#") else _wrapped(part)
