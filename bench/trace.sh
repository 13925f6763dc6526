#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# What traces and statistics cost a call, and the load that the machine had. Ten seconds.
#
# usage: bench/trace.sh [BUILD] [ROUNDS]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"
build=${1:-$root/build}
[[ -x $build/bench/bench-trace ]] || die "no $build/bench/bench-trace; run scripts/build.sh"
echo "load before: $(cut -d' ' -f1-3 /proc/loadavg), cores: $(nproc)"
"$build/bench/bench-trace" "${2:-101}"
echo "load after: $(cut -d' ' -f1-3 /proc/loadavg)"
