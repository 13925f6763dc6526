# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# A model's arguments: shapes, splits and values of leaves. It must not know any model, or how
# leaves make a tree.

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parent.parent))
from common.values import noise  # noqa: E402


def weight(shape, split, base=0.0, scale=0.02):
    """A leaf of floats: base + scale * noise; `split` has lists of grid axes, one a dimension."""
    return {"shape": shape, "split": split, "base": base, "scale": scale}


def tokens(shape, split, below, element="int32"):
    """A leaf of integers from 0 up to, not including, `below`."""
    return {"shape": shape, "split": split, "below": below, "element": element}


def is_leaf(node):
    return "shape" in node


def value(leaf, seed):
    count = int(np.prod(leaf["shape"]))
    unit = noise(count, seed).reshape(leaf["shape"])
    if "below" in leaf:
        whole = ((unit + np.float32(0.5)) * leaf["below"]).astype(leaf["element"])
        return whole % leaf["below"]
    return np.float32(leaf["base"]) + np.float32(leaf["scale"]) * unit


class Leaves:
    """A model as a function of `leaves` that gives a flat tuple of `count` results."""

    def __init__(self, leaves, function, count, trains):
        self.leaves, self.function = leaves, function
        self.splits = [leaf["split"] for leaf in leaves]
        self.result_splits, self.changes = [None] * count, [None] * count
        for i in range(count - 1 if trains else 0):
            self.result_splits[1 + i], self.changes[1 + i] = self.splits[i], i

    def values(self):
        return [value(leaf, seed) for seed, leaf in enumerate(self.leaves)]


def load(path):
    """The arrays of an archive that numpy.savez wrote, in order."""
    with np.load(path) as archive:
        return [archive[f"arr_{i}"] for i in range(len(archive.files))]
