# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# What scripts share that start jobs of several ranks which fail: sourced with BUILD-DIRECTORY as the first argument.
# Sets `build`, `work` (a folder that goes with the script) and `failed`.
# shellcheck shell=bash
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export TMPDIR=$work
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
failed=0

# found_mpis WHAT: the MPIs that there are, in `mpis`; a SKIP line for WHAT of each other.
found_mpis() {
  local mpi
  mpis=()
  for mpi in openmpi mpich; do
    if command -v "mpirun.$mpi" >/dev/null && [ -e "$build/lib/libtessera_mpi_$mpi.so" ]; then
      mpis+=("$mpi")
    else
      echo "SKIP $1, $mpi: it or its backend is missing"
    fi
  done
}
