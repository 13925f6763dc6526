#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# The steps of bench/steps, compiled, give what those by hand give, on one rank and on two; the
# models of bench/models, small, what JAX and torch give, where BUILD/jax and BUILD/torch have them.
# usage: run.sh BUILD-DIRECTORY; prints PASS, FAIL or SKIP lines, exits 1 after a FAIL.
bench=$(cd "$(dirname "$0")/../../bench" && pwd)
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
failed=0

# MPI STEPS: every step whose name has the text.
check_steps() {
  if command -v "mpirun.$1" >/dev/null && [ -x "$build/bench/bench-steps-$1" ]; then
    "$bench/steps/steps.sh" "$build" --mpi "$1" --only "$2" --ranks 1,2 --rounds 0 --jax none ||
      failed=1
  else
    echo "SKIP steps, $1: it or its program is missing"
  fi
}

# NAME OPTIONS...: one round.
check_models() {
  local name=$1
  shift
  if "$bench/models/models.sh" "$build" --rounds 1 "$@" >"$work/log" 2>&1; then
    echo "PASS $name"
  else
    echo "FAIL $name"
    tail -n 20 "$work/log" | sed 's/^/  /'
    failed=1
  fi
}

if python3 "$(dirname "$0")/scatter.py" "$build" "$work" >"$work/log" 2>&1; then
  echo "PASS scatters of torch-mlir"
else
  echo "FAIL scatters of torch-mlir"
  tail -n 20 "$work/log" | sed 's/^/  /'
  failed=1
fi
check_steps openmpi ""
check_steps mpich _tp
if command -v mpirun.openmpi >/dev/null && [ -e "$build/lib/libtessera_mpi_openmpi.so" ]; then
  mkdir "$work/programs"
  python3 "$bench/common/annotate.py" "$bench/steps/matmul.mlir" 2 '[[[], [0]], [[0]]]' \
    >"$work/programs/matmul.mlir"
  check_models "programs from a folder" --from "$work/programs"
  for framework in jax torch; do
    if [ -x "$build/$framework/bin/python3" ]; then
      check_models "small models as in $framework" --small --framework "$framework"
    else
      echo "SKIP small models as in $framework: no $build/$framework (bench/README.md)"
    fi
  done
else
  echo "SKIP models: Open MPI or its backend is missing"
fi
exit $failed
