#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Builds, and checks random programs: for so many minutes, or so many of them. Options as in
# test/fuzz/run.sh; what fails says how to make it smaller.
#
# usage: scripts/fuzz.sh [--minutes N] [--seed FIRST] [--count N]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"$root/scripts/setup.sh" test
build release "$root/build"
"$root/test/fuzz/run.sh" "$root/build" "$@"
