"""Networks, their shapes and files, and PyTorch itself."""
