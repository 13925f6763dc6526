#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# One step in JAX, as a side that is timed. It must not know how it is timed, or beside what.
# usage: jax_side.py STEP RANKS, in an environment with JAX

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))
from common import jax_side  # noqa: E402
from common.values import noise  # noqa: E402
from table import STEPS  # noqa: E402


def main(name, ranks):
    jax_side.start(ranks)
    import jax
    import numpy as np
    from jax_steps import FUNCTIONS
    step, values = STEPS[name], []
    function = FUNCTIONS[step.program]
    for i, (shape, base, scale) in enumerate(step.arguments):
        flat = np.float32(base) + np.float32(scale) * noise(int(np.prod(shape)), i)
        values.append(flat.reshape(shape))
    jax_side.serve(lambda *arguments: tuple(jax.tree.leaves(function(*arguments))), values,
                   (ranks,), step.splits, step.result_splits, step.changes())


main(sys.argv[1], int(sys.argv[2]))
