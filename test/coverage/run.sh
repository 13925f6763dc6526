#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# What the documents of the `shard` and `mesh` dialects state, compiled, run on every rank and compared
# with plain loops. usage: run.sh BUILD [REGEX of module names]; prints PASS and FAIL lines.
set -eu
build=$(cd "$1" && pwd)
shift
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
exec /usr/bin/python3 -B "$(dirname "$0")/check.py" "$build" "$@"
