"""A film has every state of a sequence, stands alone, and nothing in it can run."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from html import unescape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import playout as po
from playout.errors import OptionError, PlayoutError
from playout.pictures.film import Film, Step, film_page, moment, one_module, packed
from playout.problems import SameGame

SVG = "{http://www.w3.org/2000/svg}"
BOARD = SameGame([[0, 1, 1], [0, 2, 2]])
HOSTILE = "</script><script>alert(1)</script><!-- \" & ' $title"


def data_of(page):
    return json.loads(re.search(r'id="film">(.*)</script>', page)[1])


@pytest.fixture(scope="module")
def played():
    return po.solve(BOARD, "random", "20 playouts", seed=1, compiled=False)


@given(st.lists(st.text("M\n<>abz", max_size=12), max_size=5))
def test_pictures_come_back_from_their_parts(pictures):
    parts, numbers = packed(pictures)
    assert ["".join(parts[n] for n in picture) for picture in numbers] == pictures
    assert len(set(parts)) == len(parts)


def test_a_film_has_every_state_of_the_solution(played):
    data = data_of(played.film(BOARD).page())
    pictures = ["".join(data["parts"][n] for n in picture) for picture in data["pictures"]]
    state, moves = BOARD.root(), list(BOARD.as_moves(played.records))
    assert len(pictures) == len(data["steps"]) == len(moves) + 1
    for picture, step, move in zip(pictures, data["steps"], [*moves, None], strict=True):
        assert picture == BOARD.svg(state[0])
        assert step["text"] == BOARD.render(state[0])
        if move is None:
            assert (step["move"], step["points"]) == ("", [])
        else:
            assert step["move"] == BOARD.move_text(state[0], move)
            assert step["points"] == [list(point) for point in BOARD.where(state[0], move)]
            state = BOARD.replay([move], state)


def test_a_strip_has_moments_from_the_start_to_the_end(played):
    film = played.film(BOARD)
    root = ET.fromstring(film.strip())
    boards = root.findall(SVG + "svg")
    names = [text.text for text in root.findall(SVG + "text")]
    last = len(played.moves)
    assert names[0] == "start"
    assert names[len(boards) - 1] == f"the end, after {last} moves"
    assert names[-1].endswith(f"score {played.score:g}")
    width, height = (float(root.get(name)) for name in ("width", "height"))
    for board in boards:
        assert float(board.get("x")) + float(board.get("width")) <= width
        assert float(board.get("y")) + float(board.get("height")) <= height
    tiles = [ET.tostring(board, "unicode").count("h.72v.72h-.72z") for board in boards]
    assert tiles[0] == 6
    assert tiles == sorted(tiles, reverse=True)
    assert tiles[-1] == int(np.count_nonzero(played.final_state(BOARD)[0].board > 0))


@pytest.mark.parametrize(("moments", "shown"), [(1, 1), (2, 2), (4, 4), (60, 11)])
def test_as_many_moments_as_are_asked_for(moments, shown):
    film = Film("t", "w", tuple(Step("", f"{n}\n  {n}") for n in range(11)))
    root = ET.fromstring(film.strip(moments))
    assert len(root.findall(SVG + "svg")) == shown  # of text where there is no picture
    assert moment(0, 10) == "start"


def test_no_text_of_a_state_gets_out_of_its_place():
    film = Film(HOSTILE, HOSTILE, (Step("<svg/>", HOSTILE, HOSTILE), Step("<svg/>", HOSTILE)))
    page = film.page()
    assert page.count("<script") == page.count("</script>") == 2
    assert [step["text"] for step in data_of(page)["steps"]] == [HOSTILE, HOSTILE]
    assert unescape(re.search(r"<h1>(.*)</h1>", page)[1]) == HOSTILE
    assert ET.fromstring(film.strip()).findall(SVG + "text")[-1].text == f"{HOSTILE}: {HOSTILE}"


def test_a_film_refers_to_nothing_outside(played):
    page = played.film(BOARD).page()
    assert "default-src &#x27;none&#x27;" in page
    outside = re.sub(r"http://www\.w3\.org/2000/svg", "", page)
    assert re.findall(r"https?:|@import|url\(|\bsrc=|<link", outside) == []


def test_modules_become_one():
    script = one_module("elements.js", "board.js", "film.js")
    assert re.findall(r"^\s*(import|export)\b", script, re.MULTILINE) == []
    assert "class LabFilm" in script
    assert "$" not in film_page("a", "b", {}, "").partition("<main>")[0]


def test_a_film_is_saved_by_its_ending(tmp_path, played):
    film = played.film(BOARD)
    film.save(tmp_path / "f.svg")
    film.save(tmp_path / "f.HTML")
    assert (tmp_path / "f.svg").read_text() == film.strip()
    assert (tmp_path / "f.HTML").read_text() == film.page()
    with pytest.raises(OptionError, match=r"as \.svg or \.html"):
        film.save(tmp_path / "f.mp4")
    bundle = film._repr_mimebundle_()
    assert bundle["text/plain"] == repr(film)
    assert "srcdoc=" in bundle["text/html"]


def test_games_and_texts_have_films():
    film = po.film("tictactoe", ["b2", "a1"], title="Noughts")
    assert [step.move for step in film.steps] == ["b2", "a1", ""]
    assert film.steps[0].points
    assert (film.title, film.words) == ("Noughts", "2 moves")
    with pytest.raises(PlayoutError, match="is not a legal move"):
        po.film("tictactoe", ["b2", "b2"])
    with pytest.raises(OptionError, match="is no problem and no game"):
        po.film(3, [])


def test_an_episode_is_replayed_with_its_luck():
    played = po.episode("maximum:n=4", "openloop", "40 calls", seed=1, compiled=False)
    film = played.film(po.problems.Maximum(4))
    assert [step.move for step in film.steps[:-1]] == played.moves
