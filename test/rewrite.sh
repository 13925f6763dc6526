#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# A program as propagation, canonicalization and elimination of common subexpressions leave it, twice
# over: as it is where users run passes of their own between ours. Status 1, and why, if they fail.
#
# usage: test/rewrite.sh BUILD PROGRAM.mlir REWRITTEN.mlir
set -uo pipefail
plugin=${1:?usage: test/rewrite.sh BUILD PROGRAM.mlir REWRITTEN.mlir}/lib/TesseraPlugin.so
mlir_opt=$(command -v mlir-opt-22 || echo /usr/lib/llvm-22/bin/mlir-opt)
once=tessera-propagate,canonicalize,cse
"$mlir_opt" --load-pass-plugin="$plugin" --load-dialect-plugin="$plugin" -o "$3" \
  --pass-pipeline="builtin.module($once,$once)" "$2" && exit
echo "$once,$once failed"
exit 1
