#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Models in full size, imported from JAX and torch: seconds to compile, a step, bytes, beside the
# framework on the same cores; medians of interleaved rounds. Needs BUILD/jax, BUILD/torch or both
# (bench/README.md), and takes those that are there; with --from, numpy alone.
# Fails only where a model does not compile or run, or has other results than its framework.
#
# usage: bench/models/models.sh [BUILD] [--framework jax|torch] [--only TEXT] [--rounds N] [--small]
#                               [--mpi openmpi|mpich] [--from FOLDER]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

build=$root/build
if [[ $# -gt 0 && $1 != --* ]]; then
  build=$1
  shift
fi
[[ -x $build/bin/tesserac ]] || die "no $build/bin/tesserac; run scripts/build.sh"
frameworks=(jax torch) options=() source=
while [[ $# -gt 0 ]]; do
  case $1 in
    --framework)
      frameworks=("${2:?--framework wants jax or torch}")
      shift
      ;;
    --from)
      source=yes
      options+=("$1")
      ;;
    *) options+=("$1") ;;
  esac
  shift
done
if [[ -n $source ]]; then
  python3 "$root/bench/models/models.py" "$build" --folder "$scratch" "${options[@]}"
  exit
fi
found= status=0
for framework in "${frameworks[@]}"; do
  python=$build/$framework/bin/python3
  [[ -x $python ]] || continue
  found=yes
  "$python" "$root/bench/models/models.py" "$build" --folder "$scratch" --framework "$framework" \
    "${options[@]}" || status=1
done
[[ -n $found ]] || die "no environment with a framework: bench/README.md says how to make one"
exit $status
