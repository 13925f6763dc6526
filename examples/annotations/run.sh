#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Compiles each form of annotation, counts its collectives, and checks its numbers.
#
# usage: examples/annotations/run.sh [BUILD]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../common.sh"

collectives "$here/open.mlir" all_reduce=1
collectives "$here/replicated.mlir" all_gather=1
collectives "$here/priority.mlir" all_to_all=1
collectives "$here/refined.mlir" all_gather=1
collectives "$here/barrier.mlir"
collectives "$here/group.mlir"
collectives "$here/grids.mlir"
for name in open replicated; do
  show tessera-check "$here/$name.mlir" --seed 1 --grid 2x2,4x1,1x4,3x2
done
for name in priority barrier group; do
  show tessera-check "$here/$name.mlir" --seed 1 --grid 4,2,3
done
for name in refined grids; do
  show tessera-check "$here/$name.mlir" --seed 1
done

show tesserac "$here/manual.mlir" -o "$out/manual.so"
random_inputs 64x64
on 4 tessera-run "$out/manual.so" --input "$out/input0.npy" --output "$out/result.npy" --traffic
python3 - "$out" <<'PY'
import sys
import numpy as np
x = np.tanh(np.load(sys.argv[1] + "/input0.npy").astype(np.float64))
sums = (x + np.roll(x, -16, axis=0)).sum(axis=1)
np.save(sys.argv[1] + "/numpy.npy", sums.astype(np.float32))
PY
same_output "$out/result.npy" "$out/numpy.npy"
