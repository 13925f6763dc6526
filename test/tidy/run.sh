#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# clang-tidy finds nothing, by the checks of .clang-tidy, in the C files that the build compiles.
# usage: run.sh BUILD-DIRECTORY; prints a PASS, FAIL or SKIP line per folder, exits 1 after a FAIL.
set -uo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
tidy=clang-tidy-22
jobs=${TESSERA_JOBS:-$(nproc)}
files=$(sed -n 's|^ *"file": "\(.*\.c\)",*$|\1|p' "$build/compile_commands.json" |
  sed "s|^$PWD/||" | sort -u)
status=0
for folder in $(cut -d/ -f1 <<<"$files" | sort -u); do
  if ! command -v $tidy >/dev/null; then
    echo "SKIP $folder: $tidy is not installed"
  elif grep "^$folder/" <<<"$files" |
    xargs -P "$jobs" -n 4 $tidy --quiet -p "$build" --extra-arg=-Wno-unknown-warning-option \
      2>&1 | grep -v 'warnings* generated\.$\|^Suppressed '; [ "${PIPESTATUS[1]}" -ne 0 ]; then
    echo "FAIL $folder: $tidy has something to say"
    status=1
  else
    echo "PASS $folder"
  fi
done
exit $status
