#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Compiles each variant, runs it on four MPI ranks and on one device, and compares.
#
# usage: examples/feed-forward/run.sh [BUILD]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../common.sh"

# The gather_* functions are gathers by themselves; only those of feed_forward are counted.
main_collectives() {
  local file
  file=$out/$(basename "$1")
  awk '/^func.func @(alloc|gather)_/ { skip = 1 } !skip; /^}/ { skip = 0 }' "$1" >"$file"
  shift
  collectives "$file" "$@"
}
main_collectives "$here/feed_forward_4.mlir" all_gather=1 reduce_scatter=1
main_collectives "$here/feed_forward_2x2.mlir" all_gather=2 reduce_scatter=2

for name in feed_forward_4 feed_forward_2x2 arguments_4 arguments_2x2; do
  compare "$here/$name.mlir" feed_forward 128x512 512x256 256x512 128x512
  show tessera-check "$here/$name.mlir" --entry feed_forward --seed 1
  show tessera-check "$here/$name.mlir" --entry gather_weight_in --seed 1
done

# What propagation finds from the arguments alone costs no more than what was asked for by hand.
for grid in 4 2x2; do
  asked=$(awk '/^ *total:/ { print $4 }' "$out/feed_forward_$grid.traffic")
  found=$(awk '/^ *total:/ { print $4 }' "$out/arguments_$grid.traffic")
  say "on $grid: $asked bytes a device, with the arguments alone annotated $found"
  [[ -n $asked && -n $found ]] || die "tessera-run --traffic printed no total"
  ((found <= asked)) || die "more bytes than asked for"
done
