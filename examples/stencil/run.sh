#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Spreads heat over a plate on four MPI ranks, by both programs, and compares with numpy.
#
# usage: examples/stencil/run.sh [BUILD]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../common.sh"

steps=100
# A warm disc and a cold square; after the steps, what numpy makes of them.
python3 - "$out" "$steps" <<'PY'
import sys
import numpy as np
folder, steps = sys.argv[1], int(sys.argv[2])
i, j = np.ogrid[:1024, :1024]
u = np.where((i - 400) ** 2 + (j - 500) ** 2 < 150 ** 2, 100, 20).astype(np.float32)
u[700:800, 480:540] = -50
np.save(folder + "/start.npy", u)
np.save(folder + "/steps.npy", np.int64(steps))
for _ in range(steps):
    p = np.pad(u, 1)
    around = (p[:-2, 1:-1] + p[2:, 1:-1]) + (p[1:-1, :-2] + p[1:-1, 2:])
    u = u + np.float32(0.2) * (around - 4 * u)
np.save(folder + "/numpy.npy", u)
PY

inputs=("$out/start.npy" "$out/steps.npy")
for name in heat plate; do
  outputs=("$out/$name.npy")
  [[ $name == plate ]] || outputs+=("$out/left.npy")
  show tesserac "$here/$name.mlir" -o "$out/$name.so"
  on 4 tessera-run "$out/$name.so" --input "${inputs[@]}" --output "${outputs[@]}" --traffic \
    --repeat 3 | tee "$out/$name.traffic"
  same_output "$out/$name.npy" "$out/numpy.npy"
done
python3 - "$out" <<'PY'
import sys
import numpy as np
left, plate = (np.load(f"{sys.argv[1]}/{name}.npy") for name in ("left", "numpy"))
print(f"heat left on the plate: {left:.6e}")
sys.exit(0 if abs(left / plate.sum(dtype=np.float64) - 1) < 1e-6 else "numpy finds another sum")
PY
show tessera-check "$here/plate.mlir" --seed 1 --grid 2x2,1x4,3x2

# A row and a column of 512 floats, and the corner between them: 1025 x 4 bytes and a little.
bytes=$(awk '$1 == "shard.update_halo" { print $5 }' "$out/heat.traffic")
[[ $bytes -le 4200 ]] || die "a step of heat.mlir moves $bytes bytes a device"
