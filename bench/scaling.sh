#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# How the time of propagate + partition + optimize grows with the program, beside upstream's two passes.
# Prints numbers; fails only where ours does.
#
# usage: bench/scaling.sh [BUILD] [--rounds N] [--sizes A,B,...]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

build=$root/build
if [[ $# -gt 0 && $1 != --* ]]; then
  build=$1
  shift
fi
plugin=$build/lib/TesseraPlugin.so
[[ -f $plugin ]] || die "no $plugin; run scripts/build.sh"
mlir_opt=$(command -v mlir-opt-22 || echo /usr/lib/llvm-22/bin/mlir-opt)
python3 "$root/bench/scaling.py" --plugin "$plugin" --mlir-opt "$mlir_opt" --folder "$scratch" "$@"
