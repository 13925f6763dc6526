#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# The corpus and the examples against an interpreter that shares no code with the compiler: what
# partitioned and unpartitioned programs both get wrong shows here. A line PASS, FAIL or SKIP per
# program; SKIP where the interpreter has no meaning for an operation.
#
# usage: test/reference/run.sh BUILD [--filter REGEX]
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../../scripts/common.sh"

build=$(cd "${1:?usage: test/reference/run.sh BUILD [--filter REGEX]}" && pwd)
shift
filter=.
if [[ ${1:-} == --filter ]]; then
  filter=${2:?--filter takes a regular expression}
fi
# What a tool keeps until its end is no leak of a program.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

# A part that is written for one device has no meaning on all of a tensor.
mapfile -t files < <(ls "$root"/test/corpus/*.mlir "$root"/examples/*/*.mlir | grep -E "$filter" |
  xargs --no-run-if-empty grep -L 'tessera\.manual @')
((${#files[@]})) || die "no program matches '$filter'"
log=$build/reference/summary.log
mkdir -p "$build/reference"
python3 "$here/check.py" "$build" "$build/reference" --jobs "$jobs" "${files[@]}" | tee "$log"
status=${PIPESTATUS[0]}
skipped=$(grep -c '^SKIP ' "$log")
if [[ $filter == . ]] && ((skipped * 10 > ${#files[@]})); then
  say "FAIL coverage: $skipped of ${#files[@]} programs have operations that the interpreter lacks"
  status=1
fi
exit "$status"
