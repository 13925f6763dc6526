# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# What the scripts of this folder share; sourced with the build directory as $1. It leaves the caller
# in the scratch directory $work and knows no tool.
# shellcheck shell=bash disable=SC2034
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../.." && pwd)
bin=$(cd "$1" && pwd)/bin
lib=$(cd "$1" && pwd)/lib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
export TESSERA_CACHE=none
python=/usr/bin/python3
failures=0

report() { # NAME STATUS: prints the line of a test, with the log where it failed
  if [ "$2" -eq 0 ]; then
    echo "PASS $1"
  else
    echo "FAIL $1"
    sed 's/^/  | /' log
    failures=$((failures + 1))
  fi
}

# Programs that use a sanitized library need the same run-time library.
flags=(-std=c17 -O1 -Wall -Wextra -D_GNU_SOURCE "-I$source/include")
link=("$lib/libtessera.so" -lm -lpthread "-Wl,-rpath,$lib")
if nm -D --undefined-only "$lib/libtessera.so" | grep -q __asan_; then
  flags+=(-fsanitize=address,undefined -fno-sanitize-recover=all)
fi

build() { # NAME ARGUMENT...: an executable
  local name=$1
  shift
  "${CC:-cc}" "${flags[@]}" "$@" "${link[@]}" -o "$name"
}

program() { # NAME ROWS COLS [FLAG...]: the hand-written program, as the compiler would leave it
  local name=$1 rows=$2 cols=$3
  shift 3
  "${CC:-cc}" -std=c17 -O1 -Wall -Wextra "-I$source/include" -shared -fPIC -DROWS="$rows" \
    -DCOLS="$cols" "$@" "$here/program.c" -o "$name.so"
}

# Open MPI leaks a little at start-up, from modules that it unloads, so no suppression can name them:
# leaks are looked for where ranks are threads.
mpirun=(env "ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-}" mpirun)
has_mpi=0
if command -v mpirun >/dev/null && ls "$lib"/libtessera_mpi_*.so >/dev/null 2>&1; then
  has_mpi=1
fi
