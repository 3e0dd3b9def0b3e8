"""First steps of shortest ways between cells, for sprites that chase along paths.

A* with the distance along the grid as its estimate (P. Hart, N. Nilsson and B. Raphael, 1968). Of
ways that are equally short GVGAI takes the one that its binary heap brings up first: the heap here
breaks ties in the same manner, and neighbours are looked at up, down, left, right.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import kernel

STAY = 4  # no step: there is no way, or it is there
STEP_X = np.array([0, 0, -1, 1])
STEP_Y = np.array([-1, 1, 0, 0])


def first_steps(blocked: np.ndarray) -> np.ndarray:
    """For a grid of rows and columns: the first step from each cell to each other, as a number."""
    cells = blocked.size
    steps = np.full((cells, cells), STAY, np.int8)
    _find_steps(blocked, steps)
    return steps


@kernel
def _find_steps(blocked, steps):
    rows, columns = blocked.shape
    cells = rows * columns
    heap = np.empty(cells + 1, np.int32)
    cost = np.empty(cells, np.int32)
    estimate = np.empty(cells, np.int32)
    parent = np.empty(cells, np.int32)
    for start in range(cells):
        for goal in range(cells):
            if start == goal or blocked[goal // columns, goal % columns]:
                continue
            _search(blocked, start, goal, heap, cost, estimate, parent)
            if parent[goal] < 0:
                continue
            at = goal
            while parent[at] != start:
                at = parent[at]
            for way in range(4):
                if at == start + STEP_Y[way] * columns + STEP_X[way]:
                    steps[start, goal] = way


@kernel
def _search(blocked, start, goal, heap, cost, estimate, parent):
    rows, columns = blocked.shape
    for cell in range(rows * columns):
        parent[cell] = -1
        cost[cell] = -1
    goal_x, goal_y = goal % columns, goal // columns
    cost[start] = 0
    estimate[start] = abs(start % columns - goal_x) + abs(start // columns - goal_y)
    heap[0] = start
    size = 1
    while size > 0:
        cell = heap[0]
        size -= 1
        _sift_down(heap, size, estimate)
        if cell == goal:
            return
        for way in range(4):
            x, y = cell % columns + STEP_X[way], cell // columns + STEP_Y[way]
            if x < 0 or y < 0 or x >= columns or y >= rows or blocked[y, x]:
                continue
            near = y * columns + x
            if cost[near] >= 0:
                continue
            cost[near] = cost[cell] + 1
            estimate[near] = cost[near] + abs(x - goal_x) + abs(y - goal_y)
            parent[near] = cell
            at = size
            size += 1
            while at > 0:
                above = (at - 1) >> 1
                if estimate[near] >= estimate[heap[above]]:
                    break
                heap[at] = heap[above]
                at = above
            heap[at] = near


@kernel
def _sift_down(heap, size, estimate):
    """Put the last of the heap, which is at `size`, in the place of the first."""
    last = heap[size]
    at = 0
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and estimate[heap[child]] > estimate[heap[child + 1]]:
            child += 1
        if estimate[last] <= estimate[heap[child]]:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = last
