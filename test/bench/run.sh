#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# The steps of bench/steps, compiled, give what those by hand give, on one rank and on two.
# usage: run.sh BUILD-DIRECTORY; prints PASS, FAIL or SKIP lines, exits 1 after a FAIL.
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) || exit 1
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
failed=0
for mpi in openmpi mpich; do
  if command -v "mpirun.$mpi" >/dev/null && [ -x "$build/bench/bench-steps-$mpi" ]; then
    only=$([ $mpi = mpich ] && echo _tp || true)
    "$here/../../bench/steps/steps.sh" "$build" --mpi $mpi --only "$only" --ranks 1,2 --rounds 0 \
      --jax none || failed=1
  else
    echo "SKIP steps, $mpi: it or its program is missing"
  fi
done
exit $failed
