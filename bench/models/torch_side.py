#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# One model in torch, eager or compiled, as a side that is timed. It knows arguments and results as
# archives.
# usage: torch_side.py MODEL full|small INPUTS.npz RESULTS.npz eager|compiled

import os
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))
from common.rounds import serve_rounds  # noqa: E402

os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"  # compiling is timed


def main(name, size, inputs, results, how):
    import numpy as np
    import torch
    from leaves import load
    from torch_models import model_leaves
    arguments = [torch.from_numpy(array) for array in load(inputs)]
    step = model_leaves(name, size).function
    with torch.no_grad():
        if how == "compiled":
            step, times = torch.compile(step), []
            for _ in range(2):
                begin = time.perf_counter()
                step(*arguments)
                times.append(time.perf_counter() - begin)
            print("compile", f"{times[0] - times[1]:.3f}", flush=True)
        np.savez(results, *(result.numpy() for result in step(*arguments)))
        serve_rounds(lambda: step(*arguments))


main(*sys.argv[1:])
