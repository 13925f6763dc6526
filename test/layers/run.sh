#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Layers and their gradients against NumPy, on several meshes. usage: run.sh BUILD; prints PASS and FAIL lines,
# exits 1 after a FAIL.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# MLIR's contexts and what local ranks keep until the end of a process are no leaks of ours.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export TESSERA_CACHE=none
python3 "$here/check.py" "$build" "$work"
