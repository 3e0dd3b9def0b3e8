"""Evaluating a network in batches, by PyTorch or ONNX Runtime, on a CPU or a GPU."""
