"""What the lab costs and what it withstands.

    python -m bench.lab start [--cold]          until a board moves on the first page
    python -m bench.lab speed [--pairs 10] [--seconds 6]   playouts per CPU second, page open or not
    python -m bench.lab server [--seconds 10]   the server's share of a core: a page, hidden, none
    python -m bench.lab page                    bytes and requests of the first page
    python -m bench.lab ends [--times 5]        a worker killed, the server killed, Ctrl-C
    python -m bench.lab hostile [--count 10000] requests that try to run code or open files
    python -m bench.lab soak [--minutes 30] [--pages 8] [--searches 4]   memory and streams

Shares and rates are of CPU time, from /proc, so that other work on the machine does not count. A
page is a program that does what the Search page does: it reads the stream and asks for the film and
its pictures as they are replayed, eight a second.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import statistics
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from bench.lab_attack import attack, plant_canary
from tests.support.lab_server import LabServer, lab_server

SEARCH = {
    "kind": "solve",
    "problem": "samegame",
    "algorithm": "gnrpa",
    "stop": {"seconds": 3600},
    "seed": 1,
}
TICKS = os.sysconf("SC_CLK_TCK")
PICTURES = 8.0  # a second, of a film that is replayed


def cpu(process: int) -> float:
    """CPU seconds of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory(process: int) -> float:
    """Megabytes of a process that are in memory."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def children(process: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process:
            found.append(int(path.parent.name))
    return found


def alive(process: int) -> bool:
    """Whether a process runs, and is not just waited for."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[0] != "Z"


class Page:
    """What the Search page does, on threads of its own."""

    def __init__(self, lab: LabServer, number: int, pictures: bool = True) -> None:
        self.lab, self.number, self.updates, self.lost = lab, number, 0, 0
        self._over, self._film = threading.Event(), None
        self._threads = [threading.Thread(target=self._read, daemon=True)]
        if pictures:
            self._threads.append(threading.Thread(target=self._replay, daemon=True))
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        while not self._over.is_set():
            try:
                for update in self.lab.events(f"/api/tasks/{self.number}/events", 30):
                    self.updates += 1
                    if "film" in update:
                        self._film = update["film"]["version"]
                    if self._over.is_set():
                        return
            except (OSError, AssertionError, ValueError):
                if self._over.is_set():
                    return
            self.lost += 1
            time.sleep(0.5)

    def _replay(self) -> None:
        with suppress(OSError):  # the lab has ended
            self._pictures()

    def _pictures(self) -> None:
        shown, length, step = None, 0, 0
        while not self._over.wait(1 / PICTURES):
            if self._film is None:
                continue
            if shown is None or step >= length:
                status, _, body = self.lab.send(f"/api/tasks/{self.number}/film")
                if status != 200:
                    continue
                film = json.loads(body)
                shown, length, step = film["version"], len(film["steps"]), 0
            self.lab.send(f"/api/tasks/{self.number}/film/{shown}/{step}.svg")
            step += 1

    def close(self) -> None:
        self._over.set()


def running(lab: LabServer, task: dict[str, Any] = SEARCH) -> tuple[int, int]:
    """A search that runs: its number, and its process."""
    before = set(children(lab.process.pid))
    number = lab.ask("/api/tasks", task)["id"]
    lab.until(number, "running", seconds=300)
    (worker,) = set(children(lab.process.pid)) - before
    return number, worker


# each figure


def start(options: argparse.Namespace) -> None:
    """Until the first page has a picture that moves, from the command on."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"PLAYOUT_CACHE": f"{folder}/cache"} if options.cold else {}
        os.environ.update(environment)
        began = time.perf_counter()
        with lab_server(Path(folder) / "lab", "--demo", empty=True) as lab:
            while True:
                status, _, body = lab.send("/api/tasks/1/film")
                if status == 200:
                    film = json.loads(body)
                    for step in (0, 1):
                        lab.send(f"/api/tasks/1/film/{film['version']}/{step}.svg")
                    break
                time.sleep(0.05)
            wall = time.perf_counter() - began
            spent = cpu(lab.process.pid) + sum(map(cpu, children(lab.process.pid)))
        kind = "cold" if options.cold else "warm"
        print(f"{kind}: {wall:.1f} s on the clock, {spent:.1f} s of CPU time in both processes")


def speed(options: argparse.Namespace) -> None:
    """Playouts per CPU second of one search, with a page open and without, in turns."""
    with tempfile.TemporaryDirectory() as folder, lab_server(Path(folder) / "lab") as lab:
        number, worker = running(lab)

        def rate() -> float:
            first, used = lab.ask(f"/api/tasks/{number}")["playouts"], cpu(worker)
            time.sleep(options.seconds)
            return (lab.ask(f"/api/tasks/{number}")["playouts"] - first) / (cpu(worker) - used)

        ratios = []
        for pair in range(options.pairs):
            rates = {}
            for open_page in (False, True) if pair % 2 else (True, False):
                page = Page(lab, number) if open_page else None
                time.sleep(0.5)
                rates[open_page] = rate()
                if page is not None:
                    page.close()
                    time.sleep(0.3)
            ratios.append(rates[True] / rates[False])
            print(f"{rates[True]:,.0f} with a page, {rates[False]:,.0f} without: {ratios[-1]:.3f}")
        middle, spread = statistics.mean(ratios), statistics.stdev(ratios) if len(ratios) > 1 else 0
        half = 2.26 * spread / len(ratios) ** 0.5
        print(f"ratio {middle:.3f} [{middle - half:.3f}, {middle + half:.3f}], {len(ratios)} pairs")


def server(options: argparse.Namespace) -> None:
    """The server's share of a core while a search runs."""
    with tempfile.TemporaryDirectory() as folder, lab_server(Path(folder) / "lab") as lab:
        number, _ = running(lab)

        def share() -> float:
            before, began = cpu(lab.process.pid), time.perf_counter()
            time.sleep(options.seconds)
            return (cpu(lab.process.pid) - before) / (time.perf_counter() - began)

        time.sleep(5)  # the first improvements come in quick succession
        print(f"nobody watches (hidden): {share():.2%} of a core")
        page = Page(lab, number, pictures=False)
        time.sleep(0.5)
        print(f"a page, its stream alone: {share():.2%}")
        page.close()
        page = Page(lab, number)
        time.sleep(0.5)
        print(f"a page that replays the film: {share():.2%}")
        page.close()


def page(options: argparse.Namespace) -> None:
    """Bytes and requests of the first page, as a browser asks for them."""
    with tempfile.TemporaryDirectory() as folder, lab_server(Path(folder) / "lab") as lab:
        asked, seen, size = ["/"], set(), 0
        headers = {"Authorization": f"Bearer {lab.token}", "Accept-Encoding": "gzip"}
        began = time.perf_counter()
        while asked:
            path = asked.pop(0)
            if path in seen:
                continue
            seen.add(path)
            status, found, body = lab.send(path, headers=headers)
            assert status == 200, path
            size += len(body) + sum(len(k) + len(v) + 4 for k, v in found.items())
            if found.get("content-encoding") == "gzip":
                import gzip

                body = gzip.decompress(body)
            text = body.decode("utf-8", "replace")
            if path == "/" or path.endswith((".js", ".css")):
                for name in re.findall(r'(?:src|href)="(/[^"]+\.(?:js|css|svg))"', text):
                    asked.append(name)
                for name in re.findall(r'(?:from|import)\s+"\./([\w.]+)"', text):
                    asked.append(f"/static/{name}")
                for name in re.findall(r'@import\s+(?:url\()?"([^"]+)"', text):
                    asked.append(name if name.startswith("/") else f"/static/{name}")
        for path in ("/api/known", "/api/tasks"):
            _, found, body = lab.send(path, headers=headers)
            size += len(body)
            seen.add(path)
        took = time.perf_counter() - began
        print(f"{len(seen)} requests, {size / 1000:.0f} kB (gzip), {took:.2f} s one after another")
        for path in sorted(seen):
            print(f"  {path}")


def ends(options: argparse.Namespace) -> None:
    """How long it takes until a kill is shown, a worker has ended, all has ended."""
    with tempfile.TemporaryDirectory() as folder:
        for what in (
            "worker killed, shown after",
            "server killed, worker ended after",
            "Ctrl-C with 6 pages open, all ended after",
        ):
            times = []
            for _ in range(options.times):
                with lab_server(Path(folder) / "lab") as lab:
                    number, worker = running(lab)
                    time.sleep(1.0)
                    stream = lab.events(f"/api/tasks/{number}/events")
                    next(stream)
                    began = time.perf_counter()
                    if what.startswith("worker"):
                        os.kill(worker, signal.SIGKILL)
                        for update in stream:
                            if update["status"] == "killed":
                                break
                    elif what.startswith("server"):
                        lab.process.kill()
                        while Path(f"/proc/{worker}/fd").exists() and os.listdir(
                            f"/proc/{worker}/fd"
                        ):
                            time.sleep(0.01)
                    else:
                        pages = [Page(lab, number, pictures=False) for _ in range(5)]
                        time.sleep(1.0)
                        began = time.perf_counter()
                        lab.interrupt()
                        for one in pages:
                            one.close()
                    times.append(time.perf_counter() - began)
            shown = ", ".join(f"{t:.2f}" for t in sorted(times))
            print(
                f"{what}: {statistics.median(times):.2f} s ({shown}); load {os.getloadavg()[0]:.0f}"
            )


def opened_files(lab: LabServer) -> list[str]:
    """The files that the server has open."""
    folder, found = Path(f"/proc/{lab.process.pid}/fd"), []
    for file in folder.iterdir():
        try:
            found.append(os.readlink(file))
        except OSError:
            continue
    return found


def hostile(options: argparse.Namespace) -> None:
    """Send hostile requests to a lab of its own."""
    with tempfile.TemporaryDirectory() as folder, lab_server(Path(folder) / "lab") as lab:
        canary = plant_canary(Path(folder))
        before, began = len(opened_files(lab)), time.perf_counter()
        found = attack(lab, options.count, canary, options.seed)
        took = time.perf_counter() - began
        kinds = ", ".join(f"{n:,} of {status}" for status, n in sorted(found.items()))
        print(f"{options.count:,} requests in {took:.0f} s: {kinds} (-1: raw bytes, 0: closed)")
        print(
            f"no file was run, no 500; files open before {before}, after {len(opened_files(lab))}"
        )
        print(f"memory of the server {memory(lab.process.pid):.0f} MB")


def soak(options: argparse.Namespace) -> None:
    """Pages and searches for a long time: memory and streams."""
    with tempfile.TemporaryDirectory() as folder, lab_server(Path(folder) / "lab") as lab:
        numbers = [
            lab.ask("/api/tasks", {**SEARCH, "seed": i})["id"] for i in range(options.searches)
        ]
        lab.until(numbers[0], "running", seconds=300)
        pages = [Page(lab, numbers[i % len(numbers)]) for i in range(options.pages)]
        time.sleep(5)  # until the pages have asked for their first films
        end, row = time.monotonic() + 60 * options.minutes, [memory(lab.process.pid)]
        while time.monotonic() < end:
            time.sleep(min(60.0, max(1.0, 6 * options.minutes)))
            workers = [memory(child) for child in children(lab.process.pid)]
            lost = sum(one.lost for one in pages)
            row.append(memory(lab.process.pid))
            updates = sum(one.updates for one in pages)
            print(
                f"server {row[-1]:.0f} MB, workers {', '.join(f'{w:.0f}' for w in workers)} MB, "
                f"{updates:,} updates, {lost} streams lost",
                flush=True,
            )
        for one in pages:
            one.close()
        half = len(row) // 2
        print(
            f"server: {row[0]:.0f} MB at the start, {row[half]:.0f} in the middle, {row[-1]:.0f} "
            f"at the end; {len(pages)} pages, {len(numbers)} searches, "
            f"{options.minutes:g} minutes, load {os.getloadavg()[0]:.0f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="what", required=True)
    commands.add_parser("start").add_argument("--cold", action="store_true")
    one = commands.add_parser("speed")
    one.add_argument("--pairs", type=int, default=10)
    one.add_argument("--seconds", type=float, default=6.0)
    commands.add_parser("server").add_argument("--seconds", type=float, default=10.0)
    commands.add_parser("page")
    commands.add_parser("ends").add_argument("--times", type=int, default=5)
    one = commands.add_parser("hostile")
    one.add_argument("--count", type=int, default=10_000)
    one.add_argument("--seed", type=int, default=1)
    one = commands.add_parser("soak")
    one.add_argument("--minutes", type=float, default=30.0)
    one.add_argument("--pages", type=int, default=8)
    one.add_argument("--searches", type=int, default=4)
    options = parser.parse_args()
    {
        "start": start,
        "speed": speed,
        "server": server,
        "page": page,
        "ends": ends,
        "hostile": hostile,
        "soak": soak,
    }[options.what](options)


if __name__ == "__main__":
    main()
