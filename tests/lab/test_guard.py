"""Who may talk to the lab: each line of its security, against a real server."""

from __future__ import annotations

import http.client
import json
import socket
import time

import pytest

from tests.support.lab_server import TOKEN, LabServer, lab_server

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

ASK = {"kind": "solve", "problem": "maximum", "algorithm": "random", "stop": {"playouts": 5}}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A lab of its own: its streams are counted."""
    with lab_server(tmp_path_factory.mktemp("guard") / "lab") as server:
        yield server


def good(lab: LabServer, **changed: str | None) -> dict[str, str]:
    """The headers of a request by a page of the lab, with some changed or left out."""
    headers = {
        "Host": f"127.0.0.1:{lab.port}",
        "Origin": f"http://127.0.0.1:{lab.port}",
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/json",
        "Cookie": f"playout-lab-{lab.port}={TOKEN}",
    }
    for name, value in changed.items():
        key = name.replace("_", "-")
        headers = {k: v for k, v in headers.items() if k.lower() != key.lower()}
        if value is not None:
            headers[key] = value.replace("PORT", str(lab.port))
    return headers


def post(lab, **changed):
    """The status of a request that would change something; nothing is started by it."""
    status, _, body = lab.send("/api/check", ASK, headers=good(lab, **changed))
    return status, body


def test_a_page_of_the_lab_may(lab):
    assert post(lab)[0] == 200
    assert post(lab, Origin=None, Sec_Fetch_Site=None)[0] == 200  # a program
    for name in ("localhost:PORT", "[::1]:PORT", "LOCALHOST:PORT"):
        assert post(lab, Host=name, Origin=f"http://{name}")[0] == 200, name


def test_it_listens_on_this_computer_only(lab):
    own = socket.gethostbyname(socket.gethostname())
    if own.startswith("127."):
        pytest.skip("this computer has no other address")
    with pytest.raises(OSError):
        socket.create_connection((own, lab.port), 2)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:PORT",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "127.0.0.2:PORT",
        "",
        "[::1",
        "::1",
        "a@127.0.0.1:PORT",
        "127.0.0.1:PORT@evil.example",
        "127.0.0.1:PORT/x",
        "127.0.0.1:x",
        "127.0.0.1:99999",
        "0x7f.1",
        "[::ffff:127.0.0.1]",
        "localhost:PORT#",
        "localhost?",
        "local host",
    ],
)
def test_another_host_is_refused(lab, host):
    status, body = post(lab, Host=host, Origin=None)
    assert status == 421, body


def test_two_hosts_are_refused(lab):
    lines = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{lab.port}\r\nHost: evil.example\r\n\r\n"
    with socket.create_connection(("127.0.0.1", lab.port), 5) as s:
        s.sendall(lines.encode())
        assert s.recv(100).split()[1] in (b"421", b"400")


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        "file://",
        "http://localhost:PORT",
        "ftp://127.0.0.1:PORT",
        "http://127.0.0.1:PORT.evil.example",
        "http://[",
        "chrome-extension://abc",
    ],
)
def test_a_page_of_another_site_is_refused(lab, origin):
    assert post(lab, Origin=origin)[0] == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", "anything"])
def test_fetches_from_another_site_are_refused(lab, site):
    assert post(lab, Sec_Fetch_Site=site)[0] == 403


@pytest.mark.parametrize(
    "kind",
    [
        None,
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/jsonx",
        "text/json",
        "",
    ],
)
def test_what_a_form_of_another_page_could_send_is_refused(lab, kind):
    assert post(lab, Content_Type=kind)[0] == 415


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("/", "GET"),
        ("/api/tasks", "GET"),
        ("/static/lab.css", "GET"),
        ("/api/events", "GET"),
        ("/api/tasks", "POST"),
        ("/nothing", "GET"),
        ("/api/tasks/1/film", "GET"),
    ],
)
def test_without_the_token_nothing_is_answered(lab, path, method):
    wrong = (
        None,
        "playout-lab-PORT=x",
        f"playout-lab-1={TOKEN}",
        f"playout-lab-PORT={TOKEN}x",
        f"playout-lab-PORT={TOKEN[:-1]}",
        "\x80",
        "=;=;",
        "playout-lab-PORT=",
    )
    for cookie in wrong:
        headers = good(lab, Cookie=cookie)
        status, found, body = lab.send(path, headers=headers, method=method, raw=b"{}")
        assert status == 401, cookie
        assert b"token" in body
        assert "set-cookie" not in found
    for given in ("Bearer x", "Bearer ", "Basic " + TOKEN, "Bearer \xe9"):
        headers = good(lab, Cookie=None, Authorization=given)
        assert lab.send(path, headers=headers, method=method, raw=b"{}")[0] == 401, given


def test_the_address_that_is_printed_sets_a_cookie_and_leaves_the_token_out(lab):
    assert f"http://127.0.0.1:{lab.port}/?token={TOKEN}" in lab.said[0]
    headers = {"Host": f"127.0.0.1:{lab.port}"}
    status, found, _ = lab.send(f"/search/3?a=1&token={TOKEN}&b=2", headers=headers)
    assert (status, found["location"]) == (303, "/search/3?a=1&b=2")
    cookie = found["set-cookie"]
    assert cookie.startswith(f"playout-lab-{lab.port}={TOKEN};")
    for word in ("HttpOnly", "SameSite=strict", "Path=/"):
        assert word in cookie
    assert lab.send(f"/?token={TOKEN}x", headers=headers)[0] == 401


def test_a_redirect_never_leads_to_another_host(lab):
    headers = {"Host": f"127.0.0.1:{lab.port}"}
    status, found, _ = lab.send(f"//evil.example/?token={TOKEN}", headers=headers)
    assert status == 303
    assert found["location"].startswith("/evil.example")


def test_the_token_of_the_address_changes_nothing(lab):
    headers = good(lab, Cookie=None)
    assert lab.send(f"/api/tasks?token={TOKEN}", ASK, headers=headers)[0] == 401


def test_every_answer_has_the_headers(lab):
    for path in ("/", "/api/tasks", "/static/nothing.js", "/nothing", "/api/tasks/99"):
        for headers in (None, {"Host": "evil.example"}, good(lab, Cookie=None)):
            _, found, _ = lab.send(path, headers=headers)
            policy = found["content-security-policy"]
            for word in (
                "default-src 'none'",
                "script-src 'self'",
                "style-src 'self'",
                "img-src 'self' blob:",
                "connect-src 'self'",
                "frame-ancestors 'none'",
            ):
                assert word in policy
            assert "unsafe" not in policy
            assert found["x-content-type-options"] == "nosniff"
            assert found["referrer-policy"] == "no-referrer"
            assert found["cross-origin-resource-policy"] == "same-origin"
            assert found["cache-control"] == "no-store" or path.startswith("/static") or path == "/"
            assert "access-control-allow-origin" not in found
            assert "server" not in found


def test_a_large_request_is_not_read(lab):
    status, _, body = lab.send("/api/check", {"kind": "x" * 70_000})
    assert (status, b"65,536" in body) == (413, True)
    connection = http.client.HTTPConnection("127.0.0.1", lab.port, timeout=120)
    connection.putrequest("POST", "/api/tasks")
    for name, value in good(lab).items():
        if name != "Host":
            connection.putheader(name, value)
    connection.putheader("Transfer-Encoding", "chunked")
    connection.endheaders()
    try:
        for _ in range(100):
            connection.send(b"2710\r\n" + b" " * 10_000 + b"\r\n")
        connection.send(b"0\r\n\r\n")
        assert connection.getresponse().status == 413
    except (BrokenPipeError, ConnectionResetError):
        pass
    finally:
        connection.close()
    assert lab.ask("/api/tasks")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"3",
        b"null",
        b"\xff\xfe",
        b'{"kind": NaN}',
        b"[" * 60_000,
        b'{"kind":' * 8000,
        b'{"seed": ' + b"9" * 5000 + b"}",
        b'{"problem": "samegame", "name": "x", "text": "\\ud800"}',
    ],
)
def test_what_is_no_json_object_is_refused(lab, raw):
    for path in ("/api/check", "/api/tasks", "/api/tasks/1", "/api/uploads"):
        status, _, body = lab.send(path, raw=raw)
        assert status == 400, (path, body)
        assert json.loads(body)["error"]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/..%2fserver.py",
        "/static/%2e%2e/guard.py",
        "/static//etc/passwd",
        "/static/server.py",
        "/static/a/b.js",
        "/static/.js",
        "/static/",
        "/store/..%2f..%2fetc%2fpasswd",
        "/api/store/..%2fx",
        "/api/tasks/1/film/0/../../x.svg",
        "/api/tasks/-1",
        "/api/tasks/1e3",
        "/api/tasks/99999999999999999999",
        "/api/tasks/" + "9" * 5000,
        "/api/tasks/1/film/" + "9" * 5000 + "/1.svg",
        "/api/store/x/runs/" + "9" * 25,
        "/api/matches/" + "9" * 5000,
        "/api/matches/0",
        "/api/matches/0/0/film",
        "/api/tasks/1/game.py",
        "/api/tasks/1/game.txt",
    ],
)
def test_paths_lead_nowhere(lab, path):
    status, _, body = lab.send(path)
    assert status in (400, 404), (status, body)
    assert b"root:" not in body
    assert b"import" not in body


@pytest.mark.parametrize(
    "asked",
    [
        {"stop": {"target": 10**400}},
        {"stop": {"seconds": 10**400}},
        {"stop": {"playouts": -(10**400)}},
        {"problem_options": {"n": 10**400}},
        {"seed": 10**400},
        {"kind": "paper", "paper": "gnrpa", "scale": 10**400},
    ],
)
def test_numbers_beyond_all_floats_are_refused(lab, asked):
    given = asked if "kind" in asked else {**ASK, **asked}
    status, error = lab.refused("/api/check", given)
    assert (status, "100000" in error) == (400, True)


def test_other_methods_do_nothing(lab):
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FOO"):
        status, _, _ = lab.send("/api/tasks/1", headers=good(lab), method=method, raw=b"{}")
        assert status in (405, 404), method


def test_eight_streams_and_no_more(lab):
    open_ones = []
    try:
        for number in range(9):
            connection = http.client.HTTPConnection("127.0.0.1", lab.port, timeout=120)
            path = "/api/events" if number % 2 else "/api/tasks/1/events"
            connection.request("GET", path, headers={"Authorization": f"Bearer {TOKEN}"})
            answer = connection.getresponse()
            open_ones.append(connection)
            assert answer.status == (200 if number < 8 else 429)
    finally:
        for connection in open_ones:
            connection.close()
    for _ in range(1200):  # until the server has seen that they are gone
        connection = http.client.HTTPConnection("127.0.0.1", lab.port, timeout=120)
        connection.request("GET", "/api/events", headers={"Authorization": f"Bearer {TOKEN}"})
        status = connection.getresponse().status
        connection.close()
        if status == 200:
            return
        time.sleep(0.1)
    raise AssertionError("the streams stay taken")


def test_without_a_token_if_that_is_wanted(tmp_path):
    with lab_server(tmp_path / "lab", token="") as lab:
        assert "token" not in lab.said[0]
        headers = {"Host": f"127.0.0.1:{lab.port}"}
        assert lab.send("/api/tasks", headers=headers)[0] == 200
        assert lab.send("/api/tasks", headers={"Host": "evil.example"})[0] == 421
        assert post(lab, Cookie=None, Origin="http://evil.example")[0] == 403
