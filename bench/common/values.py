# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Numbers for the arguments of what is timed: the same on all sides.

import numpy as np


def noise(count, seed):
    """`count` numbers of [-0.5, 0.5): the hash of steps.c."""
    x = np.arange(count, dtype=np.uint32) + np.uint32(seed * 0x9e3779b9 & 0xffffffff)
    x = (x ^ (x >> 16)) * np.uint32(0x7feb352d)
    x = (x ^ (x >> 15)) * np.uint32(0x846ca68b)
    x ^= x >> 16
    return (x >> 8).astype(np.float32) / np.float32(16777216) - np.float32(0.5)
