"""Figures have the digits that mean something; ticks are round; every chart is valid XML."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playout.pictures import axis
from playout.pictures.axis import LINEAR, LOG, NEGATIVE_LOG, x_axis, y_axis
from playout.pictures.chart import Curve, Picture, spread, svg
from playout.report.report_charts import charts
from playout.text import numbers
from tests.support.report_samples import HOSTILE, hostile_report, paper_table, report, wide_table

NAN, INF = math.nan, math.inf
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (228, "228"),
        (2591.0, "2591"),
        (-878.884, "-878.884"),
        (0.0012345678, "0.00123457"),
        (59657, "59,657"),
        (-29037026, "-29,037,026"),
        (3.93e15, "3.93e15"),
        (1e-7, "1e-7"),
        (-2.5e-300, "-2.5e-300"),
        (1e308, "1e308"),
        (NAN, "nan"),
        (-INF, "-inf"),
        (1 / 3, "0.333333"),
        (999999.7, "1,000,000"),
    ],
)
def test_number(value, text):
    assert numbers.number(value) == text


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (2591.3, 2538.1, 2644.5, "2591 ± 53"),
        (-878.884, -879.134, -878.634, "-878.88 ± 0.25"),
        (-29037026.4, -31e6, -27074052.8, "-29,037,026 ± 1,962,974"),
        (0.00512, 0.00312, 0.00712, "0.0051 ± 0.0020"),
        (3.93e15, 3.81e15, 4.05e15, "3.93e15 ± 0.12e15"),
        (5e-6, 4e-6, 6e-6, "5.0e-6 ± 1.0e-6"),
        (0.0, -9.0, 9.0, "0.0 ± 9.0"),
        (228.0, 228.0, 228.0, "228 ± 0"),
        (0.1 + 0.2, 0.1 + 0.2 - 1e-16, 0.1 + 0.2 + 1e-16, "0.3 ± 0"),
        (10.0, 9.0, 14.0, "10.0 [9.0, 14.0]"),
        (228.0, None, None, "228"),
        (228.0, -INF, INF, "228"),
        (NAN, 1.0, 2.0, "nan"),
        (INF, INF, INF, "inf"),
    ],
)
def test_an_interval_decides_the_digits(value, low, high, text):
    assert " ".join(numbers.estimate(value, low, high)).strip() == text


def test_a_share_is_in_brackets():
    assert numbers.estimate(0.65, 0.522, 0.758, share=True) == ("0.65", "[0.52, 0.76]")
    assert numbers.estimate(0.5, 0.495, 0.505, share=True) == ("0.500", "[0.495, 0.505]")
    assert numbers.estimate(1.0, 1.0, 1.0, share=True) == ("1", "[1, 1]")


def test_a_papers_figures_keep_its_decimals():
    values = [2435.1, 49.26, 3121.0]
    assert numbers.decimals_of(values) == 2
    assert numbers.decimals_of([3.93 * 1e12 / 1e12, INF]) == 2
    assert numbers.decimals_of([]) == 0
    assert numbers.printed(2435.1, 49.26, 2) == ("2435.10", "± 49.26")
    assert numbers.printed(3121.0, None, 0) == ("3121", "")


def test_text_is_one_printable_line():
    assert numbers.plain("a\n b\x1b[31m\ud800") == "a b�[31m�"
    assert numbers.text_width("日本e\u0301") == 5


@pytest.mark.parametrize(
    ("low", "high", "most", "labels"),
    [
        (0.01, 163.84, 8, "10 ms, 100 ms, 1 s, 10 s, 1 min"),
        (0.5, 30, 10, "500 ms, 1 s, 2 s, 5 s, 10 s, 20 s"),
        (10, 7200, 12, "10 s, 20 s, 1 min, 2 min, 5 min, 10 min, 30 min, 1 h, 2 h"),
        (9.5, 10.4, 8, "9.5 s, 9.75 s, 10 s, 10.25 s"),
        (1e-6, 1e-3, 4, "1 µs, 10 µs, 100 µs, 1 ms"),
        (3600, 86400 * 20, 6, "1 h, 1 d, 10 d"),
        (10, 10, 8, "5 s, 10 s, 20 s"),
    ],
)
def test_ticks_of_time(low, high, most, labels):
    assert ", ".join(label for _, label in x_axis([low, high], "seconds", most).ticks) == labels


@pytest.mark.parametrize(
    ("low", "high", "most", "labels"),
    [
        (1, 1e6, 8, "1, 10, 100, 1k, 10k, 100k, 1M"),
        (1, 1e6, 4, "1, 100, 10k, 1M"),
        (30, 900, 8, "50, 100, 200, 500"),
        (1e9, 1e17, 9, "1G, 10G, 100G, 1T, 10T, 100T, 10¹⁵, 10¹⁶, 10¹⁷"),
    ],
)
def test_ticks_of_playouts(low, high, most, labels):
    assert ", ".join(label for _, label in x_axis([low, high], "playouts", most).ticks) == labels


def y_labels(*values):
    made = y_axis(values, values, values)
    return made.scale, [label for _, label in made.ticks], made.factor


def test_ticks_of_scores():
    assert y_labels(0, 100) == (LINEAR, ["0", "20", "40", "60", "80", "100"], "")
    assert y_labels(1500, 4700)[1] == ["1500", "2000", "2500", "3000", "3500", "4000", "4500"]
    assert y_labels(9000, 21000)[1][-2:] == ["18,000", "20,000"]
    assert y_labels(0.01, 0.09)[1] == ["0.02", "0.04", "0.06", "0.08"]
    assert y_labels(1e15, 3.9e15) == (
        LINEAR,
        ["1.0", "1.5", "2.0", "2.5", "3.0", "3.5", "4.0"],
        "10¹⁵",
    )
    assert y_labels(2, 9000)[:2] == (LOG, ["10", "100", "1000", "10,000"])
    assert y_labels(-29_037_026, -878.88) == (
        NEGATIVE_LOG,
        ["-10⁷", "-10⁶", "-100,000", "-10,000", "-1000"],
        "",
    )
    assert y_labels(-1, 5000)[0] == LINEAR  # no logarithm over both signs
    assert y_labels(5, 5)[1][0] < "5" < y_labels(5, 5)[1][-1]
    assert y_labels(0, 0)[0] == LINEAR


def test_an_axis_puts_values_in_order():
    for values in ([0, 1, 100], [1, 10, 5000], [-29e6, -1000, -878]):
        made = y_axis(values, values, values)
        places = [made.place(v) for v in values]
        assert places == sorted(places)
        assert places[0] > 0
        assert places[-1] < 1
    made = y_axis([1, 5000], [-10, 4000], [2, 6000])
    assert made.place(-10) == 0
    assert made.place(1e9) == 1


def test_one_wide_band_does_not_flatten_the_curves():
    means = [float(i) for i in range(100)]
    lows = [-1e6, *means[1:]]
    assert y_axis(means, lows, means).low > -150


def test_nice_steps():
    assert [axis.nice_step(v) for v in (1, 1.1, 2.1, 3, 6, 0.03)] == [1, 2, 2.5, 5, 10, 0.05]


def test_labels_are_spread():
    assert spread([100.0], 0, 200) == [100]
    assert spread([100.0, 100.0], 0, 200) == [92.5, 107.5]
    assert spread([0.0, 1.0, 150.0], 0, 200) == [0, 15, 150]
    assert spread([199.0, 199.5, 200.0], 0, 200) == [170, 185, 200]
    crowded = spread([50.0] * 12, 0, 110)
    assert crowded == [10 * i for i in range(12)]


def line(name, points, runs=5):
    return Curve(name, tuple(points), runs)


def rising(count):
    return tuple(
        line(f"curve {i}", [(10.0**k, i + k, i + k - 0.5, i + k + 0.5) for k in range(5)])
        for i in range(count)
    )


def drawn(picture, **settings):
    return ET.fromstring(svg(picture, **settings))


def of_class(root, name):
    return [e for e in root.iter() if name in e.get("class", "").split()]


PICTURES = {
    "nothing": Picture("none", "seconds", ()),
    "only what cannot be drawn": Picture(
        "none", "seconds", (line("a", [(1, NAN, 0, 1), (0, 1, 1, 1), (-1, 1, 1, 1)]),)
    ),
    "one point": Picture("one", "seconds", (line("a", [(1, 228, 220, 236)]),)),
    "two single points": Picture(
        "two", "playouts", (line("a", [(9, 228, 220, 236)]), line("b", [(9, 228, 220, 236)]))
    ),
    "equal values": Picture("equal", "playouts", (line("a", [(1, 5, 5, 5), (9, 5, 5, 5)]),)),
    "infinities": Picture(
        "inf", "seconds",
        (line("a", [(1, INF, 0, 1), (2, 1, -INF, INF), (INF, 1, 0, 1), (4, 2, NAN, 1e308)]),),
    ),
    "huge": Picture(
        "huge", "seconds", (line("a", [(1, 1e15, 9e14, 1.1e15), (2, 4e15, 3e15, 5e15)]),)
    ),
    "one curve": Picture("1", "seconds", rising(1)),
    "twelve curves": Picture("12", "playouts", rising(12)),
    "many points": Picture(
        "many", "playouts", (line("a", [(x, x, x - 1, x + 1) for x in range(1, 5000)]),)
    ),
    "negative": wide_table().pictures[0],
    "hostile": hostile_report().tables[0].pictures[0],
}  # fmt: skip


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_every_drawing_is_within_its_bounds(picture):
    text = svg(picture)
    root = ET.fromstring(text)
    assert root.get("viewBox") == "0 0 720 380"
    assert "nan" not in text.replace("data-value", "")
    for element in root.iter(f"{SVG}text"):
        assert 0 <= float(element.get("x")) <= 720
        assert 0 <= float(element.get("y")) <= 380
    right = max((float(e.get("cx")) for e in root.iter(f"{SVG}circle")), default=0)
    for name in of_class(root, "name"):  # no name is over the curves
        assert float(name.find(f"{SVG}text").get("x")) > right


@given(
    points=st.lists(st.tuples(*[st.floats()] * 4), max_size=6),
    title=st.sampled_from(["seconds", "playouts"]),
)
def test_any_numbers_make_a_drawing(points, title):
    root = drawn(Picture("any", title, (line("a", points), *rising(1))))
    for circle in root.iter(f"{SVG}circle"):
        assert 0 <= float(circle.get("cx")) <= 720
        assert 0 <= float(circle.get("cy")) <= 380
    drawn(Picture("any", title, (line("a", points),)))


@given(value=st.floats(), low=st.floats(), high=st.floats())
def test_any_numbers_can_be_written(value, low, high):
    for share in (False, True):
        shown, interval = numbers.estimate(value, low, high, share)
        assert shown
        assert len(shown + interval) < 80
    assert numbers.number(value) != "-0"
    assert numbers.decimals_of([value]) <= 12


def test_a_picture_without_curves_says_so():
    for name in ("nothing", "only what cannot be drawn"):
        root = drawn(PICTURES[name])
        assert "No run has gone far enough" in "".join(root.itertext())
        assert not of_class(root, "curve")


def test_names_do_not_overlap_and_every_curve_can_be_told_apart():
    root = drawn(PICTURES["twelve curves"])
    names = of_class(root, "name")
    places = sorted(float(name.find(f"{SVG}text").get("y")) for name in names)
    assert len(places) == 12
    assert min(b - a for a, b in pairwise(places)) >= 14.9
    looks = {(n.get("class"), of_class(n, "line")[0].get("stroke-dasharray")) for n in names}
    assert len(looks) == 12


def test_points_tell_their_values():
    root = drawn(PICTURES["one point"])
    (circle,) = root.iter(f"{SVG}circle")
    assert circle.find(f"{SVG}title").text == "a, 1 s: 228.0 ± 8.0 (5 runs)"
    assert of_class(root, "whisker")
    first, second = drawn(PICTURES["two single points"]).iter(f"{SVG}circle")
    assert abs(float(first.get("cx")) - float(second.get("cx"))) == 12


def test_infinities_are_left_out():
    assert len(list(drawn(PICTURES["infinities"]).iter(f"{SVG}circle"))) == 2


def test_many_points_make_a_small_file():
    assert len(svg(PICTURES["many points"])) < 40_000


def test_text_in_a_drawing_is_escaped():
    text = svg(PICTURES["hostile"])
    assert "<script" not in text
    assert "<script>alert('x')" in "".join(ET.fromstring(text).itertext())
    assert "\x1b" in HOSTILE
    assert "\x1b" not in text


def test_long_names_are_shortened_in_the_middle():
    names = [f"gnrpa:level=3,N=100,restarts=4,bias=true,beam=8,P={i}" for i in (1, 2)]
    picture = Picture(
        "x" * 300, "seconds", tuple(line(n, [(1, 2, 1, 3), (2, 3, 2, 4)]) for n in names)
    )
    root = drawn(picture)
    shown = [name.find(f"{SVG}text").text for name in of_class(root, "name")]
    assert len(set(shown)) == 2
    assert all("…" in name and len(name) < 45 for name in shown)
    assert of_class(root, "title")[0].text.endswith("…")


def test_charts_of_a_report_by_name():
    two = wide_table().pictures * 2
    made = charts(report(paper_table(), wide_table(), paper_table(name="2b", pictures=two)))
    assert list(made) == ["table-3-at-2", "table-2b-1", "table-2b-2"]
    alone = charts(report(paper_table(pictures=two[:1], unit=1e12)))
    assert list(alone) == ["table-3"]
    assert "mean score / 10¹²" in alone["table-3"]
