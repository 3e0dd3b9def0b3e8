"""Exact solutions of games: solvers, their move orders, proofs that anyone can check."""
