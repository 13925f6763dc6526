#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Compiles the example, runs it on four MPI ranks and on one device, and compares.
#
# usage: examples/attention/run.sh [BUILD]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../common.sh"

collectives "$here/attention.mlir" all_reduce=1
show tesserac "$here/attention.mlir" -o "$out/attention.so"
show tesserac --oracle "$here/attention.mlir" -o "$out/single.so"
random_inputs 4x16x64 64x64 64x64 64x64 64x64
inputs=()
for i in 0 1 2 3 4; do inputs+=(--input "$out/input$i.npy"); done
on 4 tessera-run "$out/attention.so" "${inputs[@]}" --output "$out/y.npy"
show tessera-run "$out/single.so" "${inputs[@]}" --output "$out/single.npy"
same_output "$out/y.npy" "$out/single.npy"
show tessera-check "$here/attention.mlir" --seed 1 --grid 2x2,4x1,1x4,2x4
