#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Every example's run.sh, which fails where the numbers or the collectives are not as promised; and
# the training once more on local ranks. Warnings are failures too.
#
# usage: test/examples/run.sh BUILD
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

# What MPI keeps until the end of a process is no leak of ours.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

build=${1:?usage: test/examples/run.sh BUILD}
failures=0

# try NAME COMMAND...
try() {
  local name=$1 log=$build/examples/logs/$1.log
  shift
  mkdir -p "$(dirname "$log")"
  if "$@" >"$log" 2>&1 </dev/null && ! grep ' warning: ' "$log" |
    grep -vq 'whole on every device'; then
    say "PASS $name"
  else
    say "FAIL $name"
    tail -n 30 "$log"
    failures=$((failures + 1))
  fi
}

for script in "$root"/examples/*/run.sh; do
  try "$(basename "$(dirname "$script")")" "$script" "$build"
done
try digits-local "$root/examples/digits/run.sh" "$build" local
((failures == 0))
