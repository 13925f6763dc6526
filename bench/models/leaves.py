# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# A model's arguments: leaves of a tree, and the same as a flat list in the order in which JAX
# flattens it. It must not know any model.

import sys
from pathlib import Path

import jax
import numpy as np

sys.path.append(str(Path(__file__).parent.parent))
from common.jax_side import noise  # noqa: E402


def weight(shape, split, base=0.0, scale=0.02):
    """A leaf of floats: base + scale * noise; `split` has lists of grid axes, one a dimension."""
    return {"shape": shape, "split": split, "base": base, "scale": scale}


def tokens(shape, split, below):
    """A leaf of integers from 0 up to, not including, `below`."""
    return {"shape": shape, "split": split, "below": below}


def is_leaf(node):
    return "shape" in node


def load(path):
    """The arrays of an archive that numpy.savez wrote, in order."""
    with np.load(path) as archive:
        return [archive[f"arr_{i}"] for i in range(len(archive.files))]


def value(leaf, seed):
    count = int(np.prod(leaf["shape"]))
    unit = noise(count, seed).reshape(leaf["shape"])
    if "below" in leaf:
        return ((unit + np.float32(0.5)) * leaf["below"]).astype(np.int32) % leaf["below"]
    return np.float32(leaf["base"]) + np.float32(leaf["scale"]) * unit


class Leaves:
    """`size` is full or small. `function` takes the leaves and gives a flat tuple of results."""

    def __init__(self, model, size):
        tree = model.arguments() if size == "full" else model.small()
        self.leaves, form = jax.tree.flatten(tree, is_leaf=is_leaf)
        self.splits = [leaf["split"] for leaf in self.leaves]
        self.function = lambda *values: tuple(
            jax.tree.leaves(model.function(*jax.tree.unflatten(form, values))))
        results = jax.eval_shape(self.function, *self.shapes())
        self.result_splits = [None] * len(results)
        self.changes = [None] * len(results)
        for i in range(len(results) - 1 if model.trains else 0):
            self.result_splits[1 + i], self.changes[1 + i] = self.splits[i], i

    def shapes(self):
        return [jax.ShapeDtypeStruct(leaf["shape"], "int32" if "below" in leaf else "float32")
                for leaf in self.leaves]

    def values(self):
        return [value(leaf, seed) for seed, leaf in enumerate(self.leaves)]
