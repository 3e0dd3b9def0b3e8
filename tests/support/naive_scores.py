"""The scores of problems of `bench.plain_problems` once more, from the list of moves alone."""

from __future__ import annotations

import math
from itertools import combinations, pairwise, product

import numpy as np


def assembly(problem, moves):
    def seconds(station):
        sides = [problem.side[task] for task in station if problem.side[task] != 0]
        turns = sum(a != b for a, b in pairwise(sides))
        return sum(problem.seconds[task] for task in station) + 6 * turns

    order = [int(move.task) for move in moves]
    assert sorted(order) == list(range(len(problem.seconds)))
    for place, task in enumerate(order):
        assert set(np.flatnonzero(problem.needs[task])) <= set(order[:place])
    stations = [[]]
    for task in order:
        if seconds([*stations[-1], task]) > 100:
            stations.append([])
        stations[-1].append(task)
    return len(stations) - 1 + seconds(stations[-1]) / 100


def cables(problem, moves):
    above, length = {0: None}, 0.0
    for move in moves:
        a, b = int(problem.one[move.cable]), int(problem.other[move.cable])
        assert a in above
        assert b not in above
        above[b] = a
        length += problem.length[move.cable]
    for place in above:
        assert list(above.values()).count(place) + (place != 0) <= 3
        depth, up = 0, place
        while above[up] is not None:
            depth, up = depth + 1, above[up]
        assert depth <= 7
    return length + 46 - len(above)


def districts(problem, moves):
    towns = list(product(range(8), range(8)))  # (y, x), row by row

    def beside(town):
        y, x = town
        return {(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)} & set(towns)

    def people(district):
        return sum(int(problem.people[town]) for town in district)

    share, parts = people(towns) / 8, []

    def free():
        return [town for town in towns if not any(town in part for part in parts)]

    def is_full():
        around = {other for town in parts[-1] for other in beside(town)}
        return people(parts[-1]) >= share or not around & set(free())

    parts.append([(0, 0)])
    for move in moves:
        town = (int(move.y), int(move.x))
        assert town in free()
        assert beside(town) & set(parts[-1])
        parts[-1].append(town)
        while is_full() and free() and len(parts) < 8:
            parts.append([free()[0]])
    of = {town: i for i, part in enumerate(parts) for town in part}
    borders = sum(of.get(a) != of.get(b) for a, b in combinations(towns, 2) if b in beside(a))
    missing = (8 - len(parts)) * share
    return sum(abs(people(p) - share) for p in parts) + missing + people(free()) + 5 * borders


def elimination(problem, moves):
    near = {a: set(map(int, np.flatnonzero(row))) for a, row in enumerate(problem.pairs)}
    new = 0
    for move in moves:
        around = near.pop(int(move.unknown))
        for a in around:
            near[a].remove(int(move.unknown))
        for a, b in combinations(around, 2):
            new += b not in near[a]
            near[a].add(b)
            near[b].add(a)
    assert not near
    return new


def formula(problem, moves):
    symbols = iter(moves)

    def read():
        symbol = ("x", "1", "2", "+", "-", "*", "/", "sin")[next(symbols)]
        if symbol == "x":
            return lambda x: x
        if symbol in ("1", "2"):
            return lambda x: float(symbol)
        left = read()
        if symbol == "sin":
            return lambda x: math.sin(left(x))
        right = read()
        return {
            "+": lambda x: left(x) + right(x),
            "-": lambda x: left(x) - right(x),
            "*": lambda x: left(x) * right(x),
            "/": lambda x: left(x) / right(x) if abs(right(x)) >= 1e-6 else 1.0,
        }[symbol]

    found = read()
    assert next(symbols, None) is None
    return sum((found(x) - y) ** 2 for x, y in zip(problem.x, problem.y)) / len(problem.x)


def glass(problem, moves):
    pane = np.zeros((120, 80), int)
    rests = [(0, 0, 120, 80)]
    left = set(range(len(problem.wide)))
    for move in moves:
        left.remove(int(move.piece))
        w, h = int(problem.wide[move.piece]), int(problem.high[move.piece])
        if move.turned:
            w, h = h, w
        x, y, wide, high = rests.pop()
        assert w <= wide
        assert h <= high
        pane[x : x + w, y : y + h] += 1
        right = (x + w, y, wide - w, high if move.upright else h)
        above = (x, y + h, w if move.upright else wide, high - h)
        rests += sorted([above, right], key=lambda rest: -rest[2] * rest[3])
        if right[2] * right[3] == above[2] * above[3]:
            rests[-2:] = [right, above]
        while rests and not any(
            sorted((problem.wide[piece], problem.high[piece]))[0] <= min(rests[-1][2:])
            and sorted((problem.wide[piece], problem.high[piece]))[1] <= max(rests[-1][2:])
            for piece in left
        ):
            rests.pop()
    assert pane.max() == 1
    assert not rests
    return sum(int(problem.value[move.piece]) for move in moves)


def guests(problem, moves):
    order = [int(move.guest) for move in moves]
    assert sorted(order) == list(range(40))
    total = 0
    for first in range(0, 40, 8):
        table = order[first : first + 8]
        total += sum(int(problem.likes[a, b]) for a, b in combinations(table, 2))
        total += sum(2 * int(problem.likes[table[i - 1], table[i]]) for i in range(8))
    return total


def merging(problem, moves):
    board, points = np.zeros((4, 4), int), 0

    def come(number):
        free = np.argwhere(board == 0)
        board[tuple(free[problem.place[number] % len(free)])] = problem.new[number]

    come(0)
    come(1)
    for number, move in enumerate(moves, 2):
        before = board.copy()
        # a view in which the numbers go to the left
        view = [board, board[:, ::-1], board.T, board[::-1].T][move.way]
        for row in view:
            numbers, merged = [n for n in row if n], []
            while numbers:
                merged.append(numbers.pop(0))
                if numbers and numbers[0] == merged[-1]:
                    merged[-1] += numbers.pop(0)
                    points += int(merged[-1])
            row[:] = merged + [0] * (4 - len(merged))
        assert (board != before).any()
        come(number)
    return points


def pentominoes(problem, moves):
    closed, covered, used = set(), 0, []
    for move in moves:
        x, y = min(set(product(range(10), range(6))) - closed)
        if move.placed < 0:
            closed.add((x, y))
            continue
        squares = {(x + int(a), y + int(b)) for a, b in problem.squares[move.placed]}
        assert (x, y) in squares
        assert not squares & closed
        assert squares <= set(product(range(10), range(6)))
        closed |= squares
        covered += len(squares)
        used.append(int(problem.piece[move.placed]))
    assert len(closed) == 60
    assert len(set(used)) == len(used)
    return covered


def plants(problem, moves):
    on = np.array([move.on for move in moves]).reshape(12, 7)
    cost = 0
    for plant in range(7):
        text = "".join(map(str, on[:, plant]))
        cost += int(problem.start[plant]) * ("0" + text).count("01")
        for run in text.strip("0").split("1"):
            assert not run or len(run) >= problem.while_off[plant]
        for run in text.split("0")[:-1]:  # the last one may go on
            assert not run or len(run) >= problem.while_on[plant]
    for part in range(12):
        running = np.flatnonzero(on[part])
        least = int(problem.least[running].sum())
        prices = [
            int(problem.unit[plant])
            for plant in running
            for _ in range(problem.most[plant] - problem.least[plant])
        ]
        asked = int(problem.demand[part]) - least
        cost += int(problem.run[running].sum() + problem.least[running] @ problem.unit[running])
        cost += sum(sorted(prices)[: max(asked, 0)])
        cost += 300 * max(0, asked - len(prices)) + 20 * max(0, -asked)
    return cost


def satellite(problem, moves):
    clock, angle, stored, passes = 0, 0, 0, [800, 1500, 2200]
    for move in moves:
        place = int(move.place)
        begin = max(clock + abs(int(problem.angle[place]) - angle), int(problem.opens[place]))
        assert begin <= problem.closes[place]
        assert begin - clock <= 90
        while passes and passes[0] <= begin:
            passes.pop(0)
            stored = 0
        stored += 1
        assert stored <= 9
        clock, angle = begin + 15, int(problem.angle[place])
        while passes and passes[0] <= clock:
            passes.pop(0)
            stored = 0
        if stored == 9 and passes:
            clock, stored = passes.pop(0), 0
    assert len({int(move.place) for move in moves}) == len(moves)
    return sum(int(problem.value[move.place]) for move in moves)


def sorting(problem, moves):
    there = set(product((0, 1), repeat=8))
    for move in moves:
        after = set()
        for bits in there:
            low, high = sorted((bits[move.low], bits[move.high]))
            changed = list(bits)
            changed[move.low], changed[move.high] = low, high
            after.add(tuple(changed))
        assert after != there
        there = after
    return len(moves) + sum(list(bits) != sorted(bits) for bits in there)
