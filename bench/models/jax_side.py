#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# One model in JAX, as a side that is timed. It knows arguments and results as archives.
# usage: jax_side.py MODEL full|small INPUTS.npz RESULTS.npz

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))
from common import jax_side  # noqa: E402


def main(name, size, inputs, results):
    from math import prod
    from jax_models import MODELS, model_leaves
    jax_side.start(prod(MODELS[name].grid))
    from leaves import load
    leaves = model_leaves(name, size)
    jax_side.serve(leaves.function, load(inputs), MODELS[name].grid, leaves.splits,
                   leaves.result_splits, save=results)


main(*sys.argv[1:])
