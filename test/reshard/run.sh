#!/bin/sh
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Resharding: the planner by simulation, then every pair of shardings through the compiler, each
# device's data compared with the unpartitioned program's. Prints PASS and FAIL lines.
#
#   run.sh BUILD_DIR

set -u
build=${1:?usage: run.sh BUILD_DIR}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

"$build/bin/reshard_plan_test" || status=1

# check NAME GRID SHAPE [OPTION...]: all pairs on one grid as one line.
check() {
  name=$1
  shift
  rm -rf "$work/pairs"
  mkdir "$work/pairs"
  if ! python3 -B "$here/pairs.py" "$work/pairs" "$@" > "$work/files"; then
    echo "FAIL $name (pairs.py)"
    status=1
    return
  fi
  # A failed module leaves its log, a good one nothing.
  xargs -P "$(nproc)" -I FILE sh -c '"$1" "$2" > "$2.log" 2>&1 && rm "$2.log"' \
    sh "$build/bin/tessera-check" FILE < "$work/files"
  failed=$(find "$work/pairs" -name '*.log' | wc -l)
  if [ "$failed" -eq 0 ]; then
    echo "PASS $name"
    return
  fi
  echo "FAIL $name ($failed of $(wc -l < "$work/files") modules)"
  first=$(find "$work/pairs" -name '*.log' | sort | head -n 1)
  echo "first failure:" >&2
  head -n 20 "$first" >&2
  status=1
}

check pairs-16x64-on-4 4 16x64
check pairs-16x64-on-2x2 2x2 16x64
check pairs-16x64-on-2x4 2x4 16x64
check pairs-16x64-on-2x2x2 2x2x2 16x64
check pairs-10x6-on-4 4 10x6
check pairs-10x6-on-2x2 2x2 10x6
check pairs-7x5-on-2 2 7x5
check pairs-7x5-on-2x2 2x2 7x5
check pairs-1x4-on-4 4 1x4
check pairs-1x4-on-2x2 2x2 1x4
check pairs-10x7-on-2x2x2 2x2x2 10x7 --every 7
check factored-16x10-on-2x2x2 2x2x2 16x10 --factored 96
check factored-12x10-on-3x2 3x2 12x10 --factored 64
check factored-16x12-on-2x2 2x2 16x12 --factored 64
check extras-10x8-on-4 4 10x8 --extras
check extras-7x9-on-2 2 7x9 --extras
check extras-10x9-on-2x2 2x2 10x9 --extras --every 3
check extras-12x8-on-3x2 3x2 12x8 --extras --every 7

exit $status
