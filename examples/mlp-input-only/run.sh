#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Compiles the example, runs it on four MPI ranks and on one device, and compares.
#
# usage: examples/mlp-input-only/run.sh [BUILD]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../common.sh"

collectives "$here/mlp.mlir"
show tesserac "$here/mlp.mlir" -o "$out/mlp.so"
show tesserac --oracle "$here/mlp.mlir" -o "$out/single.so"
random_inputs 64x256 256x1024 1024x256
inputs=(--input "$out/input0.npy" --input "$out/input1.npy" --input "$out/input2.npy")
on 4 tessera-run "$out/mlp.so" "${inputs[@]}" --output "$out/y.npy"
show tessera-run "$out/single.so" "${inputs[@]}" --output "$out/single.npy"
same_output "$out/y.npy" "$out/single.npy"
show tessera-check "$here/mlp.mlir" --seed 1 --grid 2x2,1x4,4x1,2x3
