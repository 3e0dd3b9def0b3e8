"""A report says the same in every format, nothing in it can break out, and the page is complete."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import pytest

from playout.report.as_html import html
from playout.report.as_markdown import escaped, markdown
from playout.report.as_text import text
from playout.report.report_charts import charts
from playout.text.numbers import text_width
from tests.support.report_samples import (
    cell,
    comparison,
    hostile_report,
    paper_table,
    report,
    table,
    wide_table,
)

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
VOID = {"meta", "br", "hr", "img", "input", "link"}

TEXT = """\
A demonstration
===============

A. Author: A Paper. 2020.

the full experiment

Table 3: rc204.1
----------------

Mean score, higher is better. Runs of 1 s, 20 of each search. 20 runs behind each of our figures.
Against the paper: 1 better, 1 equal, 0 worse.

          P = 1                          P = 2
seconds   ours         theirs            ours              theirs
0.01      2591 ± 53 +  2435.12 ± 49.26   -878.88 ± 0.25 =  -878.9
163.84       —         3121.00              3000 ± 10           —

+ significantly better than the paper; = not told apart from the paper; - significantly worse than
the paper; no mark: not tested.

comparison: on my_problem.py
----------------------------

Share of runs that reach the target, higher is better. Runs of 1 s, 20 of each search. Against nrpa:
0 better, 0 equal, 1 worse.

           nrpa                      nmcs
instance   share              runs   share                runs
knapsack   0.65 [0.52, 0.76]    60   0.10 [0.05, 0.20] -    50

+ significantly better than nrpa; = not told apart from nrpa; - significantly worse than nrpa; no
mark: not tested.

Not run
  Table 3, P = 9

Kept apart: runs of other versions
  3 runs of version 0

Machines
  a machine

Versions
  playout 1

Test
  Welch's t-test.

Warnings
  a warning
"""

MARKDOWN = """\
## Table 3: rc204.1

Mean score, higher is better. Runs of 1 s, 20 of each search. 20 runs behind each of our figures. \
Against the paper: 1 better, 1 equal, 0 worse.

| seconds | P = 1, ours | theirs | P = 2, ours | theirs |
| --- | --: | --: | --: | --: |
| 0.01 | 2591 ± 53 **+** | 2435.12 ± 49.26 | -878.88 ± 0.25 **=** | -878.9 |
| 163.84 | — | 3121.00 | 3000 ± 10 | — |

**+** significantly better than the paper; **=** not told apart from the paper; \
**-** significantly worse than the paper; no mark: not tested.
"""


def test_text():
    assert text(report(paper_table(), comparison())) == TEXT


def test_text_of_a_wide_table_is_in_blocks():
    made = text(report(wide_table()))
    assert all(text_width(line) <= 100 for line in made.splitlines())
    assert made.count("\nseconds ") == 4  # two columns in each
    blocks = re.findall(r"^ {10,}(P = .*)$", made, re.MULTILINE)
    assert [re.findall(r"P = \d+", line) for line in blocks] == [
        ["P = 1", "P = 2"],
        ["P = 3", "P = 4"],
        ["P = 5", "P = 6"],
        ["P = 8", "P = 10"],
    ]
    assert "-24,793,126 ± 2,479,313   200  -24,793,126" in made
    assert text(report(wide_table()), width=250).count("\nseconds ") == 2
    assert text(report(wide_table()), width=40).count("\nseconds ") == 8


def test_a_table_that_was_not_run_takes_no_screen_beside_one_that_was():
    bare = table([cell("1", "a", None, 4711.0)])
    assert "4711" in text(report(bare))
    made = text(report(bare, paper_table()))
    assert "4711" not in made
    assert "Nothing was run yet." in made
    assert "4711" in markdown(report(bare, paper_table()))


def test_text_in_colour_has_the_same_letters():
    plain, coloured = (text(report(paper_table()), colour=c) for c in (False, True))
    assert "\x1b[32m+\x1b[0m" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == plain


def test_long_names_go_on_in_the_next_line():
    name = "gnrpa:tau=1.4,level=3,bias=true,restarts=10"
    some = table([cell("a/very/long/folder/" * 4 + "x.txt", name, (1.0, 0.5, 1.5, 3))])
    made = text(report(some), width=80)
    assert "gnrpa:tau=1.4,level=3,\n" in made
    assert "bias=true,restarts=10\n" in made
    assert all(text_width(line) <= 80 for line in made.splitlines())
    assert "folder/x.txt" in re.sub(r"\s", "", made)


def test_wide_letters_keep_the_columns_in_line():
    lines = text(
        report(
            table(
                [
                    cell("日本", "a", (1.0, 0.5, 1.5, 3)),
                    cell("abc", "a", (2.0, 1.5, 2.5, 3)),
                ]
            )
        )
    ).splitlines()
    rows = [line for line in lines if "±" in line]
    assert len({text_width(row.partition("±")[0]) for row in rows}) == 1


def test_units_are_named():
    some = table([cell("1", "a", (3.93, 3.81, 4.05, 3), 4.0)], unit=1e15)
    assert "figures are divided by 10¹⁵." in text(report(some))
    assert "3.93 ± 0.12" in text(report(some))


def test_numbers_of_every_kind():
    some = table(
        [
            cell("1", "a", (float("nan"), None, None, 1), 1.0),
            cell("2", "a", (float("-inf"), float("-inf"), float("inf"), 2), float("inf")),
            cell("3", "a", (3.93e15, 3.81e15, 4.05e15, 3), 4e15),
        ]
    )
    for made in (text(report(some)), markdown(report(some)), html(report(some))):
        words = re.sub(r"<[^>]*>", "", made)
        assert "nan" in words
        assert "-inf" in words
        assert "3.93e15 ± 0.12e15" in words
        assert "4e15" in words


def test_markdown():
    made = markdown(report(paper_table()))
    assert MARKDOWN in made
    assert made.startswith("# A demonstration\n\nA. Author: A Paper. 2020.\n")
    assert "## Not run\n\n- Table 3, P = 9\n" in made


def test_markdown_links_the_pictures_it_is_given():
    some = report(wide_table())
    assert "![" not in markdown(some)
    made = markdown(some, {name: f"my pictures/{name}.svg" for name in charts(some)})
    assert "\n![rc204.1](my%20pictures/table-3.svg)\n" in made


def test_markdown_tables_have_as_many_cells_in_every_line():
    for some in (hostile_report(), report(paper_table(), comparison(), wide_table())):
        for block in markdown(some).split("\n\n"):
            if block.startswith("|"):
                bars = [len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()]
                assert len(set(bars)) == 1


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("a|b", r"a\|b"),
        ("<b>", r"\<b\>"),
        ("rc_204_1", "rc_204_1"),
        ("_a_", r"\_a\_"),
        ("# x", r"\# x"),
        ("1. x", r"1\. x"),
        ("- x", r"\- x"),
        ("a\\|b", r"a\\\|b"),
        ("&lt;", "&amp;lt;"),
        ("1.5 s", "1.5 s"),
    ],
)
def test_markdown_is_escaped(words, shown):
    assert escaped(words) == shown


class Page(HTMLParser):
    """The elements of a page; fails if they are not balanced."""

    def __init__(self, source):
        super().__init__()
        self.open, self.tags, self.texts = [], [], []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.texts.append(data)

    def words(self):
        return " ".join(" ".join(self.texts).split())

    def all(self, name):
        return [attributes for tag, attributes in self.tags if tag == name]


def test_html():
    page = Page(html(report(paper_table(), comparison(), wide_table())))
    assert len(page.all("table")) == 3
    assert len(page.all("svg")) == 1
    words = page.words()
    for part in (
        "2591 ± 53 + better 2435.12 ± 49.26",
        "0.65 [0.52, 0.76] 60",
        "a warning",
        "Not run Table 3, P = 9",
        "Test Welch's t-test.",
        "3 runs of version 0",
        "a machine",
        "playout 1",
        "the full experiment",
        "A. Author: A Paper. 2020.",
        "not told apart from the paper",
        "no mark: not tested",
    ):
        assert part in words
    hints = [cell.get("title", "") for cell in page.all("td")]
    assert (
        "P = 1, seconds 0.01; ours 2591 ± 53 (20 runs, 95% interval); the paper's 2435.12 ± 49.26; "
        "significantly better than the paper, p < 0.001 corrected"
    ) in hints
    assert "P = 1, seconds 163.84; not run; the paper's 3121.00" in hints
    for row in re.findall(r"<tr>.*?</tr>", html(report(paper_table())), re.DOTALL)[2:]:
        assert row.count("<td") == 4


def test_html_refers_to_nothing_outside():
    for some in (hostile_report(), report(wide_table(), paper="see https://example.org/x")):
        page = Page(html(some))
        anchors = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
        for _, attributes in page.tags:
            assert not {"src", "srcset", "action", "data", "xlink:href"} & set(attributes)
            if "href" in attributes:
                assert attributes["href"].startswith("#")
                assert attributes["href"][1:] in anchors
        assert not page.all("link")
        assert "url(" not in html(some)
        assert "@import" not in html(some)


def test_hostile_text_is_only_text():
    page = Page(html(hostile_report()))
    assert len(page.all("script")) == 1
    assert "<script>alert('x')</script>" in page.words()
    for made in (html(hostile_report()), text(hostile_report()), markdown(hostile_report())):
        assert not re.search("[\x00\x1b]", made)
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)


def test_reports_with_little_in_them():
    empty = report(
        paper="",
        settings="",
        test="",
        machines=(),
        versions=(),
        not_run=(),
        kept_apart=(),
        warnings=(),
    )
    assert text(empty) == "A demonstration\n===============\n"
    assert markdown(empty) == "# A demonstration\n"
    Page(html(empty))
    bare = table([cell("1", "a"), cell("2", "a")], row_title="", budget="", compared_with="")
    for some in (replace(empty, tables=(bare,)), replace(empty, tables=(replace(bare, cells=()),))):
        assert "Nothing was run yet." in text(some)
        assert "Nothing was run yet." in markdown(some)
        Page(html(some))
    without_lines = replace(bare, rows=(), columns=(), cells=())
    text(replace(empty, tables=(without_lines,)))
    markdown(replace(empty, tables=(without_lines,)))
    Page(html(replace(empty, tables=(without_lines,))))


PROBE = """
<script>
const errors = [];
addEventListener("error", (event) => errors.push(event.message));
addEventListener("securitypolicyviolation", (event) => errors.push(event.violatedDirective));
addEventListener("load", () => {
  const report = { errors, width: document.documentElement.scrollWidth - innerWidth };
  report.charts = [...document.querySelectorAll("svg.chart")].map((chart) => {
    const frame = chart.getBoundingClientRect();
    chart.dispatchEvent(new PointerEvent("pointermove",
      { clientX: frame.left + frame.width * 0.5, clientY: frame.top + 90 }));
    const words = [...chart.querySelectorAll("text")].map((t) => t.getBoundingClientRect());
    const outside = words.filter((w) => w.left < frame.left - 1 || w.right > frame.right + 1
      || w.top < frame.top - 1 || w.bottom > frame.bottom + 1).length;
    const over = words.filter((a, i) => words.some((b, k) => k > i && a.left < b.right - 1
      && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)).length;
    const readout = chart.parentNode.querySelector(".readout");
    return { size: [frame.width, frame.height], outside, over,
      readout: readout && !readout.hidden ? readout.textContent : "" };
  });
  document.body.dataset.probe = JSON.stringify(report);
});
</script>
"""


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on the PATH")
def test_the_page_in_a_browser(tmp_path):
    page = tmp_path / "report.html"
    wide = wide_table()  # with marks, whose words are for those who hear the page
    wide = replace(wide, cells=tuple(replace(cell, verdict="equal") for cell in wide.cells))
    source = html(report(paper_table(), wide, comparison(), hostile_report().tables[0]))
    page.write_text(source.replace("<body>", "<body>" + PROBE), "utf-8")
    done = subprocess.run(
        [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            f"--user-data-dir={tmp_path / 'browser'}",
            "--enable-logging=stderr",
            "--window-size=1200,900",
            "--virtual-time-budget=2000",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    assert "CONSOLE" not in done.stderr
    found = re.search(r'data-probe="([^"]*)"', done.stdout)
    assert found is not None
    probe = json.loads(unescape(found[1]))
    assert probe["errors"] == []
    assert probe["width"] <= 0  # wide tables scroll in a box of their own
    assert len(probe["charts"]) == 3
    for chart in probe["charts"]:
        assert min(chart["size"]) > 200
        assert (chart["outside"], chart["over"]) == (0, 0)
    assert re.match(r"1.28 s●", probe["charts"][0]["readout"])
    assert "P = 10-2" in probe["charts"][0]["readout"]
