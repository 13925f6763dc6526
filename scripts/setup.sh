#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Installs the Debian packages that building (and with `test`, testing) needs: only those that are
# missing, as root or through sudo. Where nothing is missing it needs neither.
#
# usage: scripts/setup.sh [build|test]
set -euo pipefail

# MLIR 22 and its tools; lld links compiled programs; clang makes the kernels of the device cuda, libclc
# has functions of numbers for those of programs. Both MPIs, because each backend is compiled
# by its own. BLAS and oneDNN are loaded at run time.
packages=(
  gcc g++ cmake ninja-build
  libmlir-22-dev mlir-22-tools llvm-22-dev lld-22 libclc-22
  libopenmpi-dev openmpi-bin libmpich-dev mpich
  libopenblas0-pthread libdnnl2
  clang-22
)
case ${1:-build} in
  build) ;;
  test) packages+=(llvm-22-tools python3 python3-numpy valgrind pkgconf
    clang-format-22 clang-tidy-22) ;;
  *) echo "usage: scripts/setup.sh [build|test]" >&2; exit 1 ;;
esac

if ! command -v dpkg-query >/dev/null; then
  echo "No dpkg here. Tessera needs what these Debian packages hold: ${packages[*]}"
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

echo "== Installing ${missing[*]}"
as_root=()
if (($(id -u) != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "error: not root and no sudo; run as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
  # The package manager's own users cannot read a private TMPDIR; and it does need name servers.
  "${as_root[@]}" env -u TMPDIR -u RES_OPTIONS DEBIAN_FRONTEND=noninteractive apt-get -q -y \
    -o DPkg::Lock::Timeout=300 "$@" </dev/null
}
# Nothing that the machine has is removed: libmlir-19-dev, say, excludes libmlir-22-dev.
if ! apt update >"$log" 2>&1; then
  cat "$log" >&2
  echo "error: apt-get update failed" >&2
  exit 1
fi
if ! apt-cache show libmlir-22-dev >/dev/null 2>&1; then
  echo "error: no package libmlir-22-dev. On Debian 12 it comes from the security suite" >&2
  echo "       (bookworm-security, component main); add that to apt's sources." >&2
  exit 1
fi
# Its output is the progress; it is long, so only milestones are shown. Whether it worked is asked
# package by package below.
apt install --no-install-recommends --no-remove "${missing[@]}" 2>&1 | tee "$log" |
  grep --line-buffered -E '^(Need to get|Fetched|Setting up (lib)?(mlir|llvm|lld|g\+\+|mpich))' ||
  true
for package in "${missing[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  if [[ $status != installed ]]; then
    tail -n 40 "$log" >&2
    echo "error: $package could not be installed" >&2
    exit 1
  fi
done
