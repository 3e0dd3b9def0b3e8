"""Graph colouring: the problem, its files, bounds, tabu search and referee."""
