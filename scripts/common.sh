# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# What the scripts share: where things are, the environment of every run, and how a long step is
# shown. Sourced by bash scripts; it builds and tests nothing itself.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Everything temporary lives in one directory that goes when the script ends. It is not below the
# build directory because MPI puts sockets there, whose paths must be short.
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tessera.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
# What runs in the background is a process group of its own (`set -m`), which Ctrl-C does not reach.
child=
end_child() {
  [[ -z $child ]] || { kill -TERM -- "-$child" && wait "$child"; } 2>/dev/null || true
}
trap 'end_child; exit 130' INT
trap 'end_child; exit 143' TERM
mkdir "$scratch/home"
export TMPDIR=$scratch
export HOME=$scratch/home XDG_CACHE_HOME=$scratch/home/.cache
# What is compiled is compiled here: neither times nor results come from a cache.
export TESSERA_CACHE=none
export PYTHONDONTWRITEBYTECODE=1
export LC_ALL=C.UTF-8

# Four ranks must run on two cores, and in containers that only have root.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
# Ranks of one host that may not read each other's memory would say so once each.
export OMPI_MCA_btl_vader_single_copy_mechanism=${OMPI_MCA_btl_vader_single_copy_mechanism:-none}
export OMPI_MCA_btl_base_warn_component_unused=0

# Where the machine's own name is not in /etc/hosts (a bare chroot), every mpirun would wait for name
# servers several times. Nothing here needs one.
if ! RES_OPTIONS=attempts:0 getent hosts "$(uname -n)" >/dev/null; then
  export RES_OPTIONS='timeout:1 attempts:0'
fi

# Tests compare arrays with numpy. Debian's python3 has it where another one comes first on the PATH.
if ! python3 -c 'import numpy' 2>/dev/null && /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
  mkdir "$scratch/bin"
  printf '#!/bin/sh\nexec /usr/bin/python3 "$@"\n' >"$scratch/bin/python3"
  chmod +x "$scratch/bin/python3"
  export PATH=$scratch/bin:$PATH
fi

# One number for all parallel work: make, lit, the test runners.
jobs=${TESSERA_JOBS:-$(nproc)}

say() { printf '%s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# start COMMAND... runs a command in the background, so that the script still hears signals, and in a
# process group of its own, which they end.
start() {
  set -m
  "$@" &
  child=$!
  set +m
}

# finish waits for it and returns its status.
finish() {
  local status=0
  wait "$child" || status=$?
  child=
  return "$status"
}

# step TITLE LOG COMMAND... runs a command into a log, tells every ten seconds how far it is, and
# shows the end of the log if it fails.
step() {
  local title=$1 log=$2 start=$SECONDS shown=0
  shift 2
  mkdir -p "$(dirname "$log")"
  say "== $title"
  start "$@" >"$log" 2>&1 </dev/null
  while kill -0 "$child" 2>/dev/null; do
    sleep 1
    if ((SECONDS - start >= shown + 10)); then
      shown=$((SECONDS - start))
      say "   ${shown}s: $(tail -n 1 "$log" | cut -c1-90)"
    fi
  done
  if ! finish; then
    tail -n 60 "$log" >&2
    die "$title failed; the whole log is $log"
  fi
  say "   done in $((SECONDS - start))s"
}

# build PRESET DIRECTORY configures and builds.
build() {
  step "Configuring $2" "$2/logs/configure.log" cmake --preset "$1" -S "$root" -B "$2"
  step "Building $2" "$2/logs/build.log" cmake --build "$2" --parallel "$jobs"
}
