"""Search that learns: networks, model files, batched evaluation, self-play and training.

PyTorch is the extra `learn`. Only what trains or evaluates a network imports it, so that everything
else works without.
"""
