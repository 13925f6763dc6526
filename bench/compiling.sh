#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# How the time of compiling grows with the number of equal layers in one function: tesserac, from text to a
# shared object. Prints numbers; fails only where compiling does.
#
# usage: bench/compiling.sh [BUILD] [--rounds N] [--layers A,B,...] [--only TEXT]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

build=$root/build
if [[ $# -gt 0 && $1 != --* ]]; then
  build=$1
  shift
fi
tesserac=$build/bin/tesserac
[[ -x $tesserac ]] || die "no $tesserac; run scripts/build.sh"
python3 -B "$root/bench/compiling.py" --tesserac "$tesserac" --folder "$scratch" "$@"
