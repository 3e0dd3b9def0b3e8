"""A report as one HTML file that opens from disk: nothing in it comes from elsewhere."""

from __future__ import annotations

from html import escape as html_escape
from string import Template

from playout.pictures.chart import svg
from playout.pictures.look import resource, whole_page
from playout.report.report import Report, ReportTable
from playout.report.report_charts import score_title
from playout.report.wording import (
    MARKS,
    Shown,
    ShownColumn,
    facts,
    heading,
    legend,
    sections,
    shown_columns,
)
from playout.text.numbers import plain

SHEET = 1250  # points across a printed sheet, over the width of a letter
WARNINGS = "Warnings"  # shown at the top, where they are seen


def html(report: Report) -> str:
    """The report as a page."""
    title, header, main = html_parts(report)
    body = Template(resource("body.html", __package__)).substitute(
        header=header, main=main, script=resource("curves.js", __package__)
    )
    style = resource("tokens.css") + resource("page.css", __package__) + resource("chart.css")
    return whole_page(title, style, body)


def html_parts(report: Report) -> tuple[str, str, str]:
    """Title, header and main part of the page, for whoever has a frame of their own."""
    title = escaped(report.title or report.name)
    main = ["<main>"]
    for number, table in enumerate(report.tables, 1):
        main += _table(table, number, bool(report.test))
    main += [*_sections(report), "</main>"]
    return title, "\n".join(_header(report, title)), "\n".join(main)


def escaped(words: str) -> str:
    """Text as HTML shows it, in an attribute too."""
    return html_escape(plain(words), quote=True)


def _header(report: Report, title: str) -> list[str]:
    parts = ["<header>", f"<h1>{title}</h1>"]
    if report.paper:
        parts.append(f"<p>{escaped(report.paper)}</p>")
    if report.settings:
        parts.append(f'<p class="soft">{escaped(report.settings)}</p>')
    for name, lines in sections(report):
        if name == WARNINGS:
            parts.append(f'<div class="warnings" role="note"><strong>{name}</strong>')
            parts += [*_list(lines), "</div>"]
    links = [(f"table-{i}", heading(table)) for i, table in enumerate(report.tables, 1)]
    links += [(_anchor(name), name) for name, _ in sections(report) if name != WARNINGS]
    parts.append('<nav aria-label="Contents"><ul>')
    parts += [f'<li><a href="#{anchor}">{escaped(name)}</a></li>' for anchor, name in links]
    return [*parts, "</ul></nav>", "</header>"]


def _table(table: ReportTable, order: int, explained: bool) -> list[str]:
    columns = shown_columns(table)
    parts = [f'<section id="table-{order}">', f"<h2>{escaped(heading(table))}</h2>"]
    parts.append(f'<p class="soft">{escaped(" ".join(facts(table)))}</p>')
    # a box that scrolls can be reached by keyboard
    parts.append(f'<div class="scroll" tabindex="0" role="region" aria-labelledby="name-{order}">')
    parts += [
        f"<table {_print_style(columns)}>",
        f'<caption id="name-{order}">{escaped(heading(table))}</caption>',
    ]
    parts += _head(table, columns)
    parts.append("<tbody>")
    for place, row in enumerate(table.rows):
        name = escaped(row)
        cells = [
            _cell(column, column.cells[place], "first" if number else "")
            for number, column in enumerate(columns)
        ]
        parts.append(f'<tr><th scope="row" class="line" title="{name}">{name}</th>')
        parts += [*cells, "</tr>"]
    parts += ["</tbody>", "</table>", "</div>"]
    return [*parts, *_legend(table, explained), *_pictures(table), "</section>"]


def _head(table: ReportTable, columns: list[ShownColumn]) -> list[str]:
    """One line of headers, or two where a column has several parts."""
    deep = any(column.has_theirs or column.has_runs for column in columns)
    span = ' rowspan="2"' if deep else ""
    first = f'<th scope="col" class="line"{span}>{escaped(table.row_title)}</th>'
    groups, below = [], []
    for number, column in enumerate(columns):
        name, edge = escaped(column.name), "first" if number else ""
        parts = [column.title] + ["runs"] * column.has_runs + ["theirs"] * column.has_theirs
        scope = f'scope="colgroup" colspan="{len(parts)}"' if deep else 'scope="col"'
        groups.append(f'<th {scope} class="group {edge}" title="{name}">{name}</th>')
        kinds = [edge] + [""] * (len(parts) - 1)
        below += [f'<th scope="col" class="{k}">{p}</th>' for k, p in zip(kinds, parts)]
    lines = ["<thead>", "<tr>", first, *groups, "</tr>"]
    return [*lines, *(["<tr>", *below, "</tr>"] if deep else []), "</thead>"]


def _cell(column: ShownColumn, cell: Shown, edge: str) -> str:
    hint = f' title="{escaped(cell.hint)}"' if cell.hint else ""
    figure = _figure(cell.ours, cell.spread, column.spread_width)
    mark = ""
    if column.has_marks:
        mark = _mark(cell.verdict) or '<span class="mark none" aria-hidden="true">=</span>'
    parts = [f'<td class="ours {edge}"{hint}>{figure}{mark}</td>']
    if column.has_runs:
        parts.append(f'<td class="runs">{escaped(cell.runs)}</td>')
    if column.has_theirs:
        theirs = _figure(cell.theirs, cell.theirs_spread, column.theirs_spread_width)
        parts.append(f'<td class="theirs">{theirs}</td>')
    return "".join(parts)


def _print_style(columns: list[ShownColumn]) -> str:
    """Attributes with which a table fits on a sheet: its type, and intervals below the figures."""
    side_by_side = below = 12
    for column in columns:
        pairs = [[(c.ours, c.spread) for c in column.cells]]
        if column.has_theirs:
            pairs.append([(c.theirs, c.theirs_spread) for c in column.cells])
        for figures in pairs:
            widths = [[len(part) for part in pair] for pair in figures]
            side_by_side += 4 + max((sum(pair) for pair in widths), default=5)
            below += 4 + max((max(pair) for pair in widths), default=5)
        if column.has_runs:
            side_by_side, below = side_by_side + 6, below + 6
    if SHEET / side_by_side >= 7:
        return f'style="--print:{min(9.0, SHEET / side_by_side):.1f}pt"'
    return f'class="tight" style="--print:{min(9.0, SHEET / below):.1f}pt"'


def _figure(value: str, spread: str, room: int) -> str:
    """A figure with its interval in a space as wide as the column's widest, so that all align."""
    words = f'<span class="value">{escaped(value)}</span>'
    if not room:
        return words
    return f'{words} <span class="spread" style="min-width:{room}ch">{escaped(spread)}</span>'


def _mark(verdict: str) -> str:
    """The verdict by colour and by symbol, with its word for those who hear the page."""
    if verdict not in MARKS:
        return ""
    symbol = MARKS[verdict].replace("-", "\N{MINUS SIGN}")
    return (
        f'<span class="mark {verdict}"><span aria-hidden="true">{symbol}</span>'
        f'<span class="hidden">{verdict}</span></span>'
    )


def _legend(table: ReportTable, explained: bool) -> list[str]:
    marks = legend(table)
    if not marks:
        return []
    items = [f"<li>{_mark(verdict)}{escaped(words)}</li>" for verdict, words in marks.items()]
    items.append('<li class="soft">no mark: not tested</li>')
    more = ' (<a href="#test">the test</a>)' if explained else ""
    items.append(f'<li class="soft">± and [ ]: 95% intervals{more}</li>')
    return ['<ul class="legend">', *items, "</ul>"]


def _pictures(table: ReportTable) -> list[str]:
    if not table.pictures:
        return []
    title = score_title(table)
    drawn = [svg(picture, y_title=title, styled=False) for picture in table.pictures]
    return ['<div class="pictures">', *(f"<figure>\n{d}</figure>" for d in drawn), "</div>"]


def _sections(report: Report) -> list[str]:
    parts = []
    for name, lines in sections(report):
        if name != WARNINGS:
            parts += [f'<section id="{_anchor(name)}">', f"<h2>{escaped(name)}</h2>"]
            parts += [f"<p>{escaped(lines[0])}</p>"] if len(lines) == 1 else _list(lines)
            parts.append("</section>")
    return parts


def _list(lines: tuple[str, ...]) -> list[str]:
    return ["<ul>", *(f"<li>{escaped(line)}</li>" for line in lines), "</ul>"]


def _anchor(name: str) -> str:
    return name.partition(":")[0].lower().replace(" ", "-")
