"""A classifier of scikit-learn's digits, to look at with zoNNscan.

python examples/digits.py        # trains it: mlp.safetensors and six.npy
playout zonnscan examples/digits.py:network six.npy --weights mlp.safetensors --out figure.svg
"""

import numpy as np

from playout.zonnscan.classifiers import new_classifier, train_classifier
from playout.zonnscan.images import load_images


def network():
    """The network, whose weights are in mlp.safetensors."""
    return new_classifier("mlp", load_images("digits"), 0)


if __name__ == "__main__":
    from safetensors.torch import save_file

    images = load_images("digits")
    save_file(train_classifier("mlp", images, epochs=20, seed=0).state_dict(), "mlp.safetensors")
    np.save("six.npy", images.test[np.flatnonzero(images.test_classes == 6)[0]])
    print("wrote mlp.safetensors and six.npy")
