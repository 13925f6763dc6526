# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# A JAX function over the cores of this host as so many devices, as a side that is timed (sides.py).
# It must not know which function.

import os
import sys
import time


def start(devices):
    """Has to come before anything else of JAX's is used."""
    os.environ["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "") +
                               f" --xla_force_host_platform_device_count={devices}")
    os.environ["JAX_PLATFORMS"] = "cpu"


def noise(count, seed):
    """`count` numbers of [-0.5, 0.5): the hash of steps.c."""
    import numpy as np
    x = np.arange(count, dtype=np.uint32) + np.uint32(seed * 0x9e3779b9 & 0xffffffff)
    x = (x ^ (x >> 16)) * np.uint32(0x7feb352d)
    x = (x ^ (x >> 15)) * np.uint32(0x846ca68b)
    x ^= x >> 16
    return (x >> 8).astype(np.float32) / np.float32(16777216) - np.float32(0.5)


def sharding(mesh, split):
    """A NamedSharding of lists of axes by number; None: whole."""
    from jax.sharding import NamedSharding, PartitionSpec
    names = [tuple(f"x{axis}" for axis in axes) or None for axes in split or []]
    return NamedSharding(mesh, PartitionSpec(*names))


def serve(function, arguments, grid, splits, result_splits, changes=()):
    """Tells results, then runs rounds. `changes` has, for a result, the argument it is compared
    without, or None; results without a split are left to XLA."""
    import jax
    import numpy as np
    mesh = jax.make_mesh(grid, [f"x{i}" for i in range(len(grid))],
                         axis_types=(jax.sharding.AxisType.Auto,) * len(grid))
    placed = [jax.device_put(a, sharding(mesh, split)) for a, split in zip(arguments, splits)]
    out = tuple(sharding(mesh, split) if split is not None else None for split in result_splits)
    out = (out if len(out) > 1 else out[0]) if any(out) else None
    step = jax.jit(function, out_shardings=out) if out is not None else jax.jit(function)
    results = jax.block_until_ready(step(*placed))
    results = results if isinstance(results, (tuple, list)) else [results]
    for i, result in enumerate(results):
        change = np.asarray(result, dtype=np.float64)
        if i < len(changes) and changes[i] is not None:
            change = change - np.asarray(arguments[changes[i]])
        print("result", i, "norm", f"{np.sqrt((change * change).sum()):.9g}")
    print("same", flush=True)
    del results, change
    for line in sys.stdin:
        for _ in range(int(line)):
            begin = time.perf_counter()
            jax.block_until_ready(step(*placed))
            print("round", f"{1e3 * (time.perf_counter() - begin):.4f}", flush=True)
