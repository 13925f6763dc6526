#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Set-up, build, and the main example: a neural network that learns handwritten digits on four MPI
# ranks, checked against the same program on one device.
#
# usage: scripts/demo.sh
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"$root/scripts/setup.sh" build
build release "$root/build"
"$root/examples/digits/run.sh" "$root/build"
