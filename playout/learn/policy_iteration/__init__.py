"""Policy iteration for problems: Policy-MCTS, self-play, generations of training."""
