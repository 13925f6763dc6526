#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Layers and their gradients against NumPy, on meshes of one to four dimensions, on threads and under each MPI.
# usage: run.sh BUILD; prints PASS, FAIL and SKIP lines, exits 1 after a FAIL.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# MLIR's contexts and what local ranks keep until the end of a process are no leaks of ours.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export TESSERA_CACHE=none
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
python3 "$here/check.py" "$build" "$work"
