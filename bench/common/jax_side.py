# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# A JAX function over the cores of this host as so many devices, as a side that is timed (sides.py).
# It must not know which function.

import math
import os
import time

from common.rounds import serve_rounds


def start(devices):
    """Has to come before anything else of JAX's is used."""
    os.environ["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "") +
                               f" --xla_force_host_platform_device_count={devices}")
    os.environ["JAX_PLATFORMS"] = "cpu"


def sharding(mesh, split, shape):
    """A NamedSharding of lists of axes by number; None: whole. JAX has no uneven pieces at the
    border of a program: a dimension that axes do not divide stays whole."""
    from jax.sharding import NamedSharding, PartitionSpec
    names = []
    for size, axes in zip(shape, split or []):
        pieces = math.prod(mesh.devices.shape[axis] for axis in axes)
        names.append(tuple(f"x{axis}" for axis in axes) if axes and size % pieces == 0 else None)
    return NamedSharding(mesh, PartitionSpec(*names))


def compile_for(function, placed, mesh, result_splits):
    """Compiles for where its arguments are. Results without a split are left to XLA."""
    import jax
    shapes = jax.tree.leaves(jax.eval_shape(function, *placed))
    out = [sharding(mesh, split, shape.shape) if split is not None else None
           for split, shape in zip(result_splits, shapes)]
    start = time.perf_counter()
    wanted = {"out_shardings": tuple(out)} if any(out) else {}
    step = jax.jit(function, **wanted).lower(*placed).compile()
    print("compile", f"{time.perf_counter() - start:.3f}", flush=True)
    return step


def serve(function, arguments, grid, splits, result_splits, changes=(), save=None):
    """Tells the results of a function that gives a tuple, or writes them to an archive, then runs
    rounds. `changes` has, for a result, the argument that it is compared without, or None."""
    import jax
    import numpy as np
    mesh = jax.make_mesh(grid, [f"x{i}" for i in range(len(grid))],
                         axis_types=(jax.sharding.AxisType.Auto,) * len(grid))
    placed = [jax.device_put(argument, sharding(mesh, split, argument.shape))
              for argument, split in zip(arguments, splits)]
    step = compile_for(function, placed, mesh, result_splits)
    results = [np.asarray(result) for result in step(*placed)]
    if save:
        np.savez(save, *results)
    for i, change in enumerate(changes):
        result = results[i].astype(np.float64)
        result = result if change is None else result - arguments[change]
        print("result", i, "norm", f"{np.sqrt((result * result).sum()):.9g}")
    del results, arguments
    serve_rounds(lambda: jax.block_until_ready(step(*placed)))
