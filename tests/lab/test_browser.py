"""The lab's pages in a real browser: a search and a game by mouse and keys, in every scheme."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time

import pytest

from tests.support.browser import Watched, chromium
from tests.support.lab_server import lab_server

pytestmark = pytest.mark.long
pytest.importorskip("starlette", reason="no Starlette: pip install 'playout[lab]'")

PAGES = ("/", "/search", "/play", "/compare", "/store", "/papers", "/matches", "/nothing")
TELEPHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
BOARD = {"rows": 6, "columns": 6}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with lab_server(tmp_path_factory.mktemp("lab") / "tasks") as lab:
        yield lab


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture
def visit(lab, browser):
    """A way to open a page; in the end no page may have had an error, or asked elsewhere."""
    opened = []

    def go(path, **settings):
        seen = Watched(browser, **{"viewport": {"width": 1280, "height": 900}, **settings})
        opened.append(seen)
        seen.page.goto(f"{root(lab)}/?token={lab.token}")
        seen.page.goto(root(lab) + path)
        return seen.page

    yield go
    for seen in opened:
        assert [url for url in seen.requests if not url.startswith((root(lab), "blob:"))] == []
        # a browser also tells of a page that is not there where one was asked for, and of a
        # picture of a solution that the lab has forgotten: then the page asks for the newest
        told = [error for error in seen.errors if "/nothing" not in error and "/film/" not in error]
        assert told == []
        seen.close()


@pytest.fixture(scope="module")
def search(lab):
    """A search that is finished."""
    task = {
        "kind": "solve",
        "problem": "samegame",
        "problem_options": BOARD,
        "algorithm": "random",
        "stop": {"playouts": 2000},
        "seed": 1,
    }
    made = lab.ask("/api/tasks", {**task, "instance": {"random": 1}})
    return lab.until(made["id"], "finished")


def root(lab):
    return f"http://127.0.0.1:{lab.port}"


def until(holds, seconds=600):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


def text(page, selector):
    return page.locator(selector).text_content().strip()


def score(page):
    return float(text(page, "#best").replace(",", "").replace("\N{MINUS SIGN}", "-"))


def test_the_first_page_is_light(visit, search, browser, lab):
    page = visit("/")
    page.wait_for_selector("lab-board img[alt*=move]")
    seen = Watched(browser)
    begun = time.monotonic()
    seen.page.goto(f"{root(lab)}/?token={lab.token}")
    seen.page.wait_for_selector("#games a")
    shown = time.monotonic() - begun
    first = seen.requests[seen.requests.index(root(lab) + "/") :]  # behind the token
    sizes = seen.page.evaluate(
        "performance.getEntriesByType('resource').concat(performance.getEntriesByType("
        "'navigation')).reduce((sum, one) => sum + one.encodedBodySize, 0)"
    )
    seen.close()
    # the pictures of a film come one by one, and are shown from memory
    first = [url for url in first if "/film/" not in url and not url.startswith("blob:")]
    assert len(first) <= 15
    assert sizes < 200_000
    print(f"first page: {len(first)} requests, {sizes} bytes, {shown:.2f} s")


def test_a_search_from_its_form_to_its_end(visit, lab):
    page = visit("/search?problem=samegame")
    page.locator("select[name=algorithm]").select_option("random")
    page.get_by_text("More options").click()
    for name, value in {**BOARD, "seconds": 600}.items():
        page.locator(f"input[name={name}]").fill(str(value))
    page.locator("select[name=instance]").select_option("random")
    until(lambda: "--seconds 600" in text(page, ".command code"))
    assert "playout solve samegame random:1" in text(page, ".command code")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/search/*")
    page.wait_for_selector("#status[data-status=running]")
    page.wait_for_selector("lab-film:not([hidden]) img[alt*=board]")

    # the curve rises, and the best score is where it ends
    curve = page.locator("lab-curve .line")
    until(lambda: "V" in (curve.get_attribute("d") or ""))
    heights = [float(up) for up in re.findall(r"V([\d.]+)", curve.get_attribute("d"))]
    assert heights == sorted(heights, reverse=True)
    label = page.locator("lab-curve svg.curves").get_attribute("aria-label")
    assert re.match(r"best score: .* points", label)

    # the replay runs by itself, and a key ends it
    note = page.locator("lab-film output")
    first = note.text_content()
    until(lambda: note.text_content() != first)
    page.keyboard.press("Home")
    assert re.match(r"move 1 of \d+: ", note.text_content())
    page.keyboard.press("ArrowRight")
    assert re.match(r"move 2 of ", note.text_content())
    time.sleep(0.6)
    assert re.match(r"move 2 of ", note.text_content())
    page.keyboard.press("End")
    assert note.text_content().startswith("the end")
    page.keyboard.press("Space")
    assert page.get_by_role("button", name="stop the replay").is_visible()

    # pause and go on, by a key and by a button
    page.keyboard.press("s")
    page.wait_for_selector("#status[data-status=paused]")
    page.get_by_role("button", name="Go on").click()
    page.wait_for_selector("#status[data-status=running]")

    # the page is closed, and the search goes on
    where = page.url.removeprefix(root(lab))
    page.close()
    again = visit(where)
    again.wait_for_selector("#status[data-status=running]")
    again.wait_for_selector("lab-film:not([hidden])")
    best = score(again)
    again.get_by_role("button", name="Pause").click()
    again.wait_for_selector("#status[data-status=paused]")
    assert score(again) >= best
    again.get_by_role("button", name="Remove").click()
    again.wait_for_url(root(lab) + "/")


def test_a_finished_search_is_verified_and_zoomed(visit, search):
    page = visit(search["page"])
    until(lambda: "the replay by the rules agrees" in text(page, "#verdict"))
    curves = page.locator("lab-curve svg.curves")
    box = curves.bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 80)
    assert page.locator("lab-curve .readout").is_visible()
    before = page.locator("lab-curve .line").get_attribute("d")
    page.mouse.down()
    page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 80)
    page.mouse.up()
    until(lambda: page.locator("lab-curve .line").get_attribute("d") != before)
    page.get_by_role("button", name="Whole curve").click()
    until(lambda: page.locator("lab-curve .line").get_attribute("d") == before)
    curves.focus()
    page.keyboard.press("ArrowLeft")
    assert "best score" in page.locator("lab-curve .readout").text_content()
    page.locator("#log").check()
    until(lambda: page.locator("lab-curve .line").get_attribute("d") != before)
    page.get_by_role("button", name="Python").click()
    assert text(page, ".command code").startswith("import playout as po")


def test_a_game_by_clicks_and_keys(visit, lab):
    page = visit("/play?game=tictactoe")
    page.locator("input[name=seconds]").fill("0.2")
    page.get_by_role("button", name="New game").click()
    page.wait_for_url("**/play/*")
    page.wait_for_selector("#status[data-status=ready]")
    page.locator("[data-move=b2]").click()
    page.wait_for_selector("#rows tr")
    until(lambda: text(page, "#turn") == "Your move." and len(text(page, "#moves").split()) == 3)
    assert "Your move." in text(page, "#said")
    page.keyboard.press("Backspace")
    until(lambda: text(page, "#moves") == "")
    page.keyboard.type("b2")  # the same move by its letters
    until(lambda: text(page, "#turn") == "Your move." and len(text(page, "#moves").split()) == 3)
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector(".spot.seen")
    page.locator("#tree-box summary").first.click()
    page.wait_for_selector("lab-tree .branch")
    page.keyboard.press("r")
    until(lambda: "best" in text(page, "#said"))
    page.keyboard.press("v")
    until(lambda: page.locator(".spot.seen").count() == 0)
    page.keyboard.press("v")
    while not page.locator("#again").is_visible():
        until(lambda: page.locator("#again").is_visible() or page.locator(".spot").count() > 0)
        if page.locator("#again").is_visible():
            break
        moves = text(page, "#moves")
        page.locator(".spot").first.focus()
        page.keyboard.press("Enter")
        until(lambda moves=moves: text(page, "#moves") != moves)
        until(lambda: page.locator("#again").is_visible() or text(page, "#turn") == "Your move.")
    assert re.search(r"win|draw|lose|lost", text(page, "#turn"))


NAMELESS = """() => {
  const named = (node) => (node.getAttribute("aria-label") || node.title || node.textContent.trim()
    || node.labels?.[0]?.textContent.trim() || node.alt || "").length > 0;
  const seen = (node) => node.getClientRects().length > 0;
  const wrong = [...document.querySelectorAll(
    "button, a[href], input, select, [role=button], [role=img], summary")]
    .filter((node) => seen(node) && !named(node)).map((node) => node.outerHTML.slice(0, 120));
  const pictures = [...document.images].filter((node) => !node.hasAttribute("alt"));
  const small = [...document.querySelectorAll("button, select, nav a")]
    .filter((node) => seen(node) && node.getBoundingClientRect().height < 24);
  const count = (what) => document.querySelectorAll(what).length;
  return { wrong, pictures: pictures.length, small: small.map((node) => node.outerHTML),
    mains: count("#main"), titles: count("h1"), live: count("[aria-live]"),
    lang: document.documentElement.lang,
    aside: document.documentElement.scrollWidth - innerWidth };
}"""

# the least contrast of the texts of a page with the first ground that is painted under them
FAINT = """() => {
  const parse = (colour) => {
    const parts = colour.match(/[\\d.]+/g).map(Number);
    return parts.length === 3 ? [...parts, 1] : parts;
  };
  const light = ([r, g, b]) => [r, g, b].map((p) => p / 255)
    .map((p) => (p <= 0.04045 ? p / 12.92 : ((p + 0.055) / 1.055) ** 2.4))
    .reduce((sum, p, i) => sum + p * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const found = parse(getComputedStyle(at).backgroundColor);
      if (found[3] === 1) return found;
    }
    return parse(getComputedStyle(document.documentElement).backgroundColor);
  };
  const faint = [];
  for (const node of document.querySelectorAll("body *")) {
    const words = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (!words || !node.getClientRects().length) continue;
    if (node.closest("svg, option, .winbar, :disabled")) continue;
    const [a, b] = [light(parse(getComputedStyle(node).color)), light(ground(node))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) faint.push(`${contrast.toFixed(2)} ${node.outerHTML.slice(0, 90)}`);
  }
  return faint;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desk", "telephone"])
def test_every_page_can_be_read_heard_and_held(visit, lab, search, scheme, size):
    page = visit("/", color_scheme=scheme, **(TELEPHONE if size == "telephone" else {}))
    for path in (*PAGES, search["page"]):
        page.goto(root(lab) + path)
        page.wait_for_selector("header nav a")
        page.wait_for_load_state("load")
        if path == search["page"]:
            page.wait_for_selector("lab-film:not([hidden]) img[alt*=board]")
        elif path in ("/search", "/play", "/compare"):
            page.wait_for_selector("form button.main")
        found = page.evaluate(NAMELESS)
        assert (path, found["wrong"], found["small"]) == (path, [], [])
        assert (found["pictures"], found["mains"], found["lang"]) == (0, 1, "en")
        assert found["titles"] <= 1
        assert found["live"] >= 1
        assert (path, found["aside"]) == (path, 0)  # nothing is to be scrolled to at the side
        assert (path, page.evaluate(FAINT)) == (path, [])


def test_keys_lead_from_page_to_page(visit, lab):
    page = visit("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the content"
    page.keyboard.press("?")
    assert page.get_by_role("dialog", name="Keys").is_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("g")
    page.keyboard.press("s")
    page.wait_for_url("**/search")
    page.wait_for_selector("form select")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "problem"
    page.keyboard.press("g")  # in a field it is a letter
    assert page.url.endswith("/search")


def test_the_theme_is_chosen_and_kept(visit):
    page = visit("/store", color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="light or dark").click()
    assert page.evaluate(ground) != light
    dark = page.evaluate(ground)
    page.reload()
    assert page.evaluate(ground) == dark


def test_nothing_moves_where_that_is_not_wanted(visit, search):
    page = visit(search["page"], reduced_motion="reduce")
    page.wait_for_selector("lab-film:not([hidden]) img[alt*=board]")
    note = text(page, "lab-film output")
    time.sleep(1)
    assert text(page, "lab-film output") == note
    assert page.get_by_role("button", name="replay", exact=True).is_visible()


STREAMS = """
  const Usual = EventSource;
  window.streams = [];
  window.EventSource = class extends Usual {
    constructor(path) { super(path); window.streams.push(this); }
  };
  window.EventSource.CLOSED = Usual.CLOSED;
  window.turn = (hidden) => {
    Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  };
"""


def test_a_page_has_one_stream_and_none_while_nobody_sees_it(visit, search):
    page = visit("/store")
    page.add_init_script(STREAMS)
    page.goto(page.url.replace("/store", search["page"]))
    open_streams = "streams.filter((one) => one.readyState === 1).length"
    until(lambda: page.evaluate(open_streams) == 1)
    page.evaluate("turn(true)")
    assert page.evaluate("streams.filter((one) => one.readyState !== 2).length") == 0
    page.evaluate("turn(false)")
    until(lambda: page.evaluate(open_streams) == 1)
    assert page.evaluate("streams.length") == 2


def test_a_lab_that_is_away_is_said_and_comes_back(browser, tmp_path):
    with lab_server(tmp_path / "tasks") as lab:
        seen = Watched(browser)
        seen.page.goto(f"{root(lab)}/?token={lab.token}")
        seen.page.wait_for_selector("#hero h2")
        lab.process.kill()
        lab.process.wait()
        seen.page.wait_for_selector("#lost:not([hidden])")
        words = ["--port", str(lab.port), "--token", lab.token, "--folder", str(lab.folder)]
        again = [sys.executable, "-m", "playout", "lab", "--no-browser", *words]
        with subprocess.Popen(again, stdout=subprocess.DEVNULL) as process:
            seen.page.wait_for_selector("#lost", state="hidden")
            process.send_signal(signal.SIGINT)
        seen.close()


def test_a_film_opens_from_disk(browser, tmp_path):
    import playout as po

    board = po.problems.SameGame.random(1, rows=4, columns=4)
    result = po.solve(board, "random", "20 playouts", seed=1, compiled=False)
    result.film(board).save(tmp_path / "film.html")
    seen = Watched(browser, viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    seen.page.goto((tmp_path / "film.html").as_uri())
    seen.page.wait_for_selector("lab-board img[alt*=start]")
    assert seen.page.get_by_role("button", name="replay", exact=True).is_visible()  # it waits
    seen.page.keyboard.press("End")
    assert seen.page.locator("lab-film output").text_content().startswith("the end")
    image = seen.page.locator("lab-board img").first
    assert image.evaluate("async node => { await node.decode(); return node.naturalWidth }") > 0
    assert seen.page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    assert seen.errors == []
    assert [url for url in seen.requests[1:] if not url.startswith("blob:")] == []
    seen.close()
